/** What the checks of interfaces are about: described operations, and requests that pages make by themselves. */

import type { HttpRequest } from '../../../egress/door/egress.ts'
import { ENDS_SESSION } from '../../../safety/deeds.ts'
import { effectOf, isSafe } from '../../../safety/effect.ts'
import type { CrawlFacts, DescribedOperation, RequestTemplate } from '../crawl/facts.ts'
import { requestOf } from '../insertion-points/inventory.ts'
import { procedureOf, procedureText } from '../insertion-points/procedure.ts'
import { addressOf } from '../insertion-points/routed.ts'
import type { Shown } from './facts.ts'

export interface Target {
  readonly request: RequestTemplate
  /** Null where no description names it. */
  readonly operation: DescribedOperation | null
}

const OF_INTERFACES: readonly string[] = ['openapi', 'description', 'graphql', 'script', 'browser']

/** One for each described operation that can be asked, then what pages ask for by themselves. */
export const targetsOf = ({ requests, operations = [], urls }: CrawlFacts): readonly Target[] => {
  const byId = new Map(requests.filter((one) => !endsSessionAlone(one)).map((one) => [one.id, one]))
  const described = operations.flatMap((operation): Target[] => {
    const request = byId.get(operation.request ?? '') ?? [...byId.values()].find((one) => isOf(operation, one))
    return request === undefined ? [] : [{ request, operation }]
  })
  const taken = new Set(described.map(({ request }) => request.id))
  const records = new Set(urls.flatMap(({ url, contentType }) => (/json|csv/.test(contentType) ? [url] : [])))
  const others = [...byId.values()].filter(
    ({ id, source, encoding, url }) =>
      !taken.has(id) && (OF_INTERFACES.includes(source) || encoding === 'json' || records.has(url)),
  )
  return [...described, ...others.map((request) => ({ request, operation: null }))]
}

/** It takes nothing, and answers nobody any more. */
const endsSessionAlone = ({ harm, fields, body }: RequestTemplate): boolean =>
  harm === ENDS_SESSION && fields.length === 0 && /^\s*(?:\{\s*\})?\s*$/.test(body ?? '')

const isOf = ({ method, path, name }: DescribedOperation, request: RequestTemplate): boolean => {
  if (request.method !== method) return false
  const pattern = path
    .split('/')
    .map((segment) => (/\{[^{}]+\}/.test(segment) ? '[^/]+' : segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('/')
  if (!new RegExp(`^${pattern}$`).test(new URL(request.url).pathname)) return false
  return name === '' || (request.body ?? '').includes(name.split('.').at(-1) ?? name)
}

/** Why it is not to be asked, or null. On what its owner uses only what is known to read; elsewhere what the policy lets out. */
export const keptFrom = ({ harm, bound, boundBy }: RequestTemplate, careful: boolean): string | null => {
  if (harm !== null) return `left alone: ${harm}`
  return careful && bound !== undefined ? `left alone: ${boundBy ?? 'it may write'}` : null
}

export const isReading = (request: RequestTemplate): boolean => isSafe(request.method) || effectOf(request) === 'reads'

/** As the crawl knows it. */
export const asked = (request: RequestTemplate, more: Partial<HttpRequest> = {}): HttpRequest => {
  const { url, method, headers, body } = requestOf(request)
  return { url, method, ...(body === null ? {} : { body }), ...more, headers: [...headers, ...(more.headers ?? [])] }
}

/** Where a finding about it is: one address may answer for many procedures. */
export const whereOf = (request: RequestTemplate): Pick<Shown, 'method' | 'url' | 'procedure'> => {
  const procedure = procedureText(procedureOf(request))
  return {
    ...{ method: request.method, url: addressOf(request) },
    ...(procedure === '' ? {} : { procedure }),
  }
}

export const withoutQuery = (url: string): string => url.split('?')[0] ?? url
