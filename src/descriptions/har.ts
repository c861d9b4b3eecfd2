/**
 * Recordings of a browser (HTTP Archive 1.2): each request of the site's own host once, with the values that were sent. Cookies,
 * tokens and passwords of the person who recorded it are left out.
 * http://www.softwareishard.com/blog/har-12-spec/
 */
import type { Operation } from '../contract/described.ts'
import { type Json, list, object, plain, string } from './json.ts'
import { type Description, type LeftOut, MOST_OPERATIONS, type ReadOptions, type Refusal } from './operation.ts'
import { operationOfRecorded, pairsOf, type RecordedBody } from './requests.ts'
import { isSecretValue } from './secrets.ts'
import type { Tree } from './tree.ts'

export const isHar = (value: unknown): boolean => Array.isArray(object(object(value)?.log)?.entries)

/** Without segments that are credentials. */
const placeOf = ({ pathname }: URL): string =>
  pathname
    .split('/')
    .map((segment) => (isSecretValue(segment) ? '…' : segment))
    .join('/')

const METHODS = /^(?:get|head|post|put|patch|delete|options)$/i
const FILE = /\.(?:css|js|mjs|map|png|jpe?g|gif|webp|avif|svg|ico|woff2?|ttf|otf|eot|mp[34]|webm|ogg|wasm)$/i

export const readHar = (tree: Tree, { host }: Pick<ReadOptions, 'host'>): Description => {
  const log = object(object(tree.value)?.log) ?? {}
  const entries = list(log.entries).map((entry, index) => ({ request: object(object(entry)?.request) ?? {}, index }))
  const own = hostOf(
    entries.map(({ request }) => string(request.url) ?? ''),
    host,
  )
  const refused: Refusal[] = []
  const leftOut = new Map<string, LeftOut>()
  const operations = new Map<string, Operation>()
  for (const { request, index } of entries) {
    const url = URL.parse(string(request.url) ?? '')
    const where = `${plain(request.method)} ${url ? placeOf(url) : plain(request.url)}`.slice(0, 500)
    const reason = reasonAgainst(request, url, own, operations.size)
    if (reason !== null) refused.push({ where, line: tree.lineOf(['log', 'entries', index, 'request']), reason })
    else if (url) {
      const made = operationOfRecorded(recordedOf(request, url, where), (one) => leftOut.set(one.where, one))
      const key = JSON.stringify([made.method, made.path, made.parameters.map(({ name }) => name), shapeOf(made)])
      if (!operations.has(key)) operations.set(key, made)
    }
  }
  const version = string(log.version, 20) ?? '1.2'
  return {
    ...{ kind: `HAR ${version}`, title: string(object(list(log.pages)[0])?.title, 500) ?? '' },
    described: operations.size + refused.length,
    operations: [...operations.values()],
    refused,
    leftOut: [...leftOut.values()],
  }
}

/** The site's, where it is among them, else that of the first request: the site was recorded under another name. */
const hostOf = (urls: readonly string[], host: string | null): string | null => {
  const hosts = urls.flatMap((one) => URL.parse(one)?.host ?? [])
  return hosts.find((one) => one === host || one === `www.${host}`) ?? hosts[0] ?? null
}

const reasonAgainst = (request: Json, url: URL | null, own: string | null, taken: number): string | null => {
  if (!url || !/^https?:$/.test(url.protocol)) return 'its address is none of the web'
  if (url.host !== own) return 'it goes to another host'
  if (!METHODS.test(plain(request.method))) return 'its method is none that is asked'
  if (FILE.test(url.pathname)) return 'a file, and no operation'
  return taken < MOST_OPERATIONS ? null : `only the first ${MOST_OPERATIONS} operations are taken`
}

const recordedOf = (request: Json, url: URL, where: string) => ({
  ...{ method: plain(request.method), path: url.pathname, variables: [], label: '', where },
  query: [...url.searchParams].map(([name, value]) => ({ name, value })),
  headers: pairsOf(request.headers),
  body: bodyOf(object(request.postData)),
})

const bodyOf = (data: Json | null): RecordedBody | null => {
  if (data === null) return null
  const type = string(data.mimeType, 200) ?? 'text/plain'
  const params = pairsOf(data.params)
  if (/urlencoded/i.test(type)) {
    const pairs =
      params.length > 0 ? params : [...new URLSearchParams(plain(data.text))].map(([name, value]) => ({ name, value }))
    return {
      type: 'application/x-www-form-urlencoded',
      fields: pairs.map((one) => ({ ...one, type: typeOf(one.name) })),
    }
  }
  if (/form-data/i.test(type)) {
    const files = new Set(
      list(data.params).flatMap((one) => (object(one)?.fileName === undefined ? [] : [object(one)?.name])),
    )
    const fields = params.map((one) => ({ ...one, type: files.has(one.name) ? 'file' : typeOf(one.name) }))
    return { type: 'multipart/form-data', fields }
  }
  return { type: type.split(';')[0] ?? type, text: plain(data.text) }
}

const typeOf = (name: string): string => (/^(?:password|passwd|pwd)$/i.test(name) ? 'password' : 'text')

/** Names within a body: the same address may do several things. */
const shapeOf = ({ body }: Operation): unknown => {
  if (body === null) return null
  if (body.fields.length > 0) return body.fields.map(({ name }) => name)
  return [...body.text.matchAll(/"(query|method|action|operationName)"\s*:\s*"([^"]{0,200})|"([\w-]{1,60})"\s*:/g)].map(
    ([, key, value, name]) => name ?? `${key}=${value}`,
  )
}
