/** Every place of a request that takes a value. */

import { isVariable } from '../../../page/shape.ts'
import type { InsertionPoint, Place, RequestTemplate } from '../crawl/facts.ts'

const MAX_POINTS = 2_000
const MAX_LEAVES = 60
/** Headers that sites store, show or look up. */
const HEADERS: Readonly<Record<string, string>> = {
  'User-Agent': 'Mozilla/5.0',
  Referer: 'https://example.org/',
  'X-Forwarded-For': '192.0.2.1',
  'X-Forwarded-Host': 'example.org',
}
/** Headers and cookies are read by the same code on most addresses: one of each shape, a few in all. */
const MAX_HEADER_REQUESTS = 8

/** `cookies` are those that the site itself sets, name to value. */
export const pointsOf = (
  requests: readonly RequestTemplate[],
  cookies: ReadonlyMap<string, string>,
): readonly InsertionPoint[] => {
  // What is not sent is listed, but takes no room from what is.
  const found = [
    ...requests.filter(({ harm }) => harm === null),
    ...requests.filter(({ harm }) => harm !== null),
  ].flatMap((request) => own(request))
  const carriers = requests.filter(({ sent, harm, method }) => sent && harm === null && method === 'GET')
  const around = carriers
    .slice(0, MAX_HEADER_REQUESTS)
    .flatMap((request) => [
      ...Object.entries(HEADERS).map(([name, value]) => point(request, 'header', name, value)),
      ...[...cookies].slice(0, 20).map(([name, value]) => point(request, 'cookie', name, value)),
    ])
  return [...found, ...around].slice(0, MAX_POINTS)
}

const point = (request: RequestTemplate, place: Place, name: string, example: string): InsertionPoint => ({
  id: `${request.id}:${place}:${name}`,
  request: request.id,
  place,
  name,
  example: example.slice(0, 500),
})

const own = (request: RequestTemplate): readonly InsertionPoint[] => {
  const url = new URL(request.url)
  const segments = url.pathname.split('/').slice(1)
  return [
    ...[...new Map(url.searchParams)].map(([name, value]) => point(request, 'query', name, value)),
    ...segments.flatMap((segment, index) =>
      isVariable(segment) ? [point(request, 'path', String(index), decoded(segment))] : [],
    ),
    ...request.fields
      .filter(({ type }) => type !== 'file')
      .map(({ name, value }) => point(request, request.encoding === 'multipart' ? 'multipart' : 'form', name, value)),
    ...bodyPoints(request),
  ]
}

const bodyPoints = (request: RequestTemplate): readonly InsertionPoint[] => {
  if (request.body === null) return []
  if (request.encoding === 'json') {
    return leavesOf(request.body).map(([pointer, value]) => point(request, 'json', pointer, value))
  }
  if (request.encoding !== 'xml') return []
  return xmlTexts(request.body).map(([path, value]) => point(request, 'xml', path, value))
}

/** JSON Pointer and text of every leaf; the query text of GraphQL is code, not a value. */
export const leavesOf = (body: string): readonly (readonly [pointer: string, value: string])[] => {
  const leaves: [string, string][] = []
  const visit = (value: unknown, pointer: string): void => {
    if (leaves.length >= MAX_LEAVES) return
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        visit(inner, `${pointer}/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`)
      }
    } else if (pointer !== '/query' && pointer !== '/operationName') leaves.push([pointer, String(value)])
  }
  try {
    visit(JSON.parse(body), '')
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error // No JSON after all: no leaves.
  }
  return leaves
}

/** Elements that hold text alone. */
const xmlTexts = (body: string): readonly (readonly [path: string, value: string])[] =>
  [...body.slice(0, 50_000).matchAll(/<([\w:.-]{1,100})(?:\s[^<>]*)?>([^<>]{1,500})<\/\1>/g)]
    .slice(0, MAX_LEAVES)
    .map((match) => [match[1] ?? '', (match[2] ?? '').trim()] as const)

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch (error) {
    if (error instanceof URIError) return segment // A stray % stands for itself.
    throw error
  }
}
