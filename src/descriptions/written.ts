/** One request that somebody wrote down by hand, with the place in it that they speak of. */
import type { Operation, Parameter } from '../contract/described.ts'
import type { PlaceOfRequest, SiteRequest } from '../contract/place.ts'
import { percentDecoded } from '../page/percent.ts'
import { INSTEAD, operationOfRecorded, type Recorded } from './requests.ts'
import { isSecretHeader, isSecretName, isSecretValue } from './secrets.ts'

/** Without the credentials in it, as it may be kept; `leftOut` names what was replaced. */
export const withoutCredentials = (
  given: SiteRequest,
): { readonly request: SiteRequest; readonly leftOut: readonly string[] } => {
  const request = withCookies(given)
  const leftOut: string[] = []
  const cookies = request.cookies.map(({ name, value }) => {
    if (value === '' || !(isSecretName(name) || isSecretValue(value))) return { name, value }
    leftOut.push(`cookie ${name}`)
    return { name, value: INSTEAD }
  })
  const { path, parameters, body } = operationOfRecorded(recordedOf(request), ({ where }) =>
    leftOut.push(where.replace(/ of the request$/, '')),
  )
  const query = new URLSearchParams(
    named(parameters, 'query').map(({ name, value }): [string, string] => [name, value]),
  ).toString()
  return {
    request: {
      ...{ method: request.method, url: query === '' ? path : `${path}?${query}`, cookies },
      headers: named(parameters, 'header').map(({ name, value }) => ({ name, value })),
      multipart: request.multipart,
      ...(request.form === undefined || body === null
        ? {}
        : { form: body.fields.map(({ name, value, type }) => ({ name, value, type })) }),
      ...(request.body === undefined || body === null ? {} : { body: { type: body.type, text: body.text } }),
    },
    leftOut,
  }
}

/** As the interface takes. */
const MOST_COOKIES = 30

/** A header that holds cookies is no credential as a whole: each of them is one, or is not. Those that are told by themselves stand. */
const withCookies = (request: SiteRequest): SiteRequest => {
  const isCookie = ({ name }: { readonly name: string }): boolean => name.toLowerCase() === 'cookie'
  const pairs = request.headers
    .filter(isCookie)
    .flatMap(({ value }) => value.split(';').map((pair) => /^\s*([^=\s]{1,200})=(.{0,2000}?)\s*$/s.exec(pair)))
    .flatMap((found) => (found === null ? [] : [{ name: found[1] ?? '', value: found[2] ?? '' }]))
  const told = new Map([...pairs, ...request.cookies].map((one) => [one.name, one]))
  return {
    ...request,
    headers: request.headers.filter((one) => !isCookie(one)),
    cookies: [...told.values()].slice(0, MOST_COOKIES),
  }
}

/** The request as descriptions have theirs; what it lacks of the place is added. */
export const operationOfWritten = (request: SiteRequest, point: PlaceOfRequest): Operation => {
  const operation = operationOfRecorded(recordedOf(withPlace(request, point)), () => undefined)
  const cookies = added(request.cookies, point.in === 'cookie' ? point.name : null)
  const segments = operation.path.split('/')
  const at = point.in === 'path' ? Number(point.name) : -1
  return {
    ...operation,
    path: at < 0 ? operation.path : segments.with(at, `{${SEGMENT}}`).join('/'),
    parameters: [
      ...(at < 0 ? [] : [parameter('path', SEGMENT, percentDecoded(segments[at] ?? ''))]),
      ...operation.parameters,
      ...cookies.map(({ name, value }) => parameter('cookie', name, value)),
    ],
  }
}

/** Why the request has no such place, in words that follow its name; null where it has one. */
export const placeProblem = (request: SiteRequest, { in: place, name }: PlaceOfRequest): string | null => {
  switch (place) {
    case 'path': {
      const count = pathOf(request).split('/').length - 1
      return /^[1-9]\d{0,2}$/.test(name) && Number(name) <= count
        ? null
        : `must be the number of a segment of the path, which has ${count}`
    }
    case 'form':
      return request.form === undefined ? 'is a field, and the request has no form' : null
    case 'json':
      return isJsonLeaf(request.body?.text ?? '', name)
        ? null
        : 'must point to a value of the body, which has to be JSON'
    case 'xml':
      return (request.body?.text ?? '').includes(`<${name}`) ? null : 'must be an element of the body'
    case 'header':
      if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return 'is no name of a header'
      return isSecretHeader(name) ? 'says who asks: identities do that, and no value of theirs is put in' : null
    default:
      return null
  }
}

const SEGMENT = 'segment'
/** Stands in a place that the request lacks. */
const USUAL = '1'

const named = (parameters: readonly Parameter[], place: Parameter['in']): readonly Parameter[] =>
  parameters.filter((one) => one.in === place)

const parameter = (place: Parameter['in'], name: string, value: string): Parameter => ({
  ...{ in: place, name, value, given: true, required: true },
})

const added = <Pair extends { readonly name: string; readonly value: string }>(
  pairs: readonly Pair[],
  name: string | null,
): readonly (Pair | { readonly name: string; readonly value: string })[] =>
  name === null || pairs.some((pair) => pair.name === name) ? pairs : [...pairs, { name, value: USUAL }]

const withPlace = (request: SiteRequest, point: PlaceOfRequest): SiteRequest => {
  const url = addressOf(request)
  if (point.in === 'query' && !url.searchParams.has(point.name)) url.searchParams.append(point.name, USUAL)
  const form = request.form && added(request.form, point.in === 'form' ? point.name : null)
  return {
    ...request,
    url: `${url.pathname}${url.search}`,
    ...(form ? { form: form.map((field) => ({ type: 'text', ...field })) } : {}),
  }
}

/** @throws where the address is none, which its schema does not tell */
const addressOf = ({ url }: SiteRequest): URL => new URL(url, 'http://site.invalid/')
const pathOf = (request: SiteRequest): string => addressOf(request).pathname

const recordedOf = (request: SiteRequest): Recorded => {
  const { pathname, searchParams } = addressOf(request)
  const { method, headers, form, body, multipart } = request
  const type = multipart ? 'multipart/form-data' : 'application/x-www-form-urlencoded'
  return {
    ...{ method, path: pathname, variables: [], headers, label: '', where: 'the request' },
    query: [...searchParams].map(([name, value]) => ({ name, value })),
    body: form ? { type, fields: form } : (body ?? null),
  }
}

/** RFC 6901. */
const isJsonLeaf = (text: string, pointer: string): boolean => {
  if (!pointer.startsWith('/')) return false
  const keys = pointer
    .slice(1)
    .split('/')
    .map((key) => key.replace(/~1/g, '/').replace(/~0/g, '~'))
  try {
    let value: unknown = JSON.parse(text)
    for (const key of keys) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false
      value = (value as Readonly<Record<string, unknown>>)[key]
    }
    return typeof value !== 'object' || value === null
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
