/** Places where sites describe themselves: robots.txt, sitemaps, API documents, GraphQL, OpenID configuration. */

import { randomBytes } from 'node:crypto'
import { type Description, Unreadable } from '../../../descriptions/operation.ts'
import { readDescriptions } from '../../../descriptions/read.ts'
import { isWsdl } from '../../../descriptions/wsdl.ts'
import { readHtml } from '../../../page/html.ts'
import { textOf } from '../../../page/text.ts'
import type { Beyond } from './beyond.ts'
import type { Described } from './described.ts'
import type { ApiDescription, GraphqlFacts, RequestTemplate } from './facts.ts'
import type { Fetcher } from './fetching.ts'
import { withoutQuery } from './fetching.ts'
import type { Frontier } from './frontier.ts'
import {
  GRAPHQL_PATHS,
  graphqlFacts,
  INTROSPECTION_QUERY,
  isGraphql,
  MISSPELT_QUERY,
  operationNameIn,
  readSchema,
  readSuggestion,
  TYPENAME_QUERY,
} from './graphql.ts'
import type { Requests } from './requests.ts'
import type { Scope } from './scope.ts'
import { endOfData } from './scripts/globals.ts'
import { readRobots, readSitemap } from './sitemap.ts'

const MAX_SITEMAPS = 30
const EXCERPT = 600

export interface Discovered {
  readonly apis: readonly ApiDescription[]
  readonly graphql: readonly GraphqlFacts[]
}

export interface DiscoverParts {
  readonly origin: string
  readonly fetcher: Fetcher
  readonly frontier: Frontier
  readonly requests: Requests
  readonly scope: Scope
  readonly described: Described
  readonly beyond: Pick<Beyond, 'note'>
}

export const discover = async (parts: DiscoverParts): Promise<Discovered> => {
  await readSitemaps(parts)
  const [apis, graphql] = await Promise.all([findApis(parts), findGraphql(parts), readOpenId(parts)])
  // Where one was found at its usual address, the pages draw the same.
  return { apis: apis.length > 0 ? apis : await findDrawn(parts), graphql }
}

const readSitemaps = async ({ origin, fetcher, frontier, scope, beyond }: DiscoverParts): Promise<void> => {
  const robots = await fetcher.get(`${origin}/robots.txt`, 'text/plain')
  const told = robots?.status === 200 ? readRobots(robots.body.toString('utf8')) : { paths: [], sitemaps: [] }
  for (const path of told.paths) {
    const url = URL.parse(path, origin)
    if (url) frontier.add(url.href, 1, 'robots', `${origin}/robots.txt`)
  }
  const queue = [...told.sitemaps, `${origin}/sitemap.xml`]
  const read = new Set<string>()
  for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
    const url = URL.parse(address, origin)
    if (!url || !scope.holds(url) || read.has(url.href)) continue
    if (read.size >= MAX_SITEMAPS) {
      beyond.note('sitemap', url.href)
      continue
    }
    read.add(url.href)
    const answer = await fetcher.get(url.href, 'application/xml,text/xml,*/*')
    if (answer?.status !== 200) continue
    const { urls, sitemaps } = readSitemap(answer.body)
    for (const one of urls) frontier.add(one, 1, 'sitemap', url.href)
    queue.push(...sitemaps)
  }
}

const findApis = async (parts: DiscoverParts): Promise<readonly ApiDescription[]> => {
  const found = await Promise.all(
    DESCRIPTION_PATHS.map(async (path) => {
      const url = `${parts.origin}${path}`
      const answer = await parts.fetcher.get(url, 'application/json,application/yaml,text/xml,*/*')
      return answer?.status === 200 ? readDescription(parts.described, url, answer.body.toString('utf8')) : null
    }),
  )
  return found.filter((one) => one !== null)
}

/** Where frameworks put descriptions. */
export const DESCRIPTION_PATHS: readonly string[] = [
  ...['/openapi.json', '/openapi.yaml', '/swagger.json', '/swagger/v1/swagger.json', '/v1/swagger.json'],
  ...['/v2/api-docs', '/v3/api-docs', '/api-docs', '/api/openapi.json', '/api/swagger.json', '/api/v1/openapi.json'],
  ...[
    '/api-json',
    '/api-docs-json',
    '/docs-json',
    '/swagger-json',
    '/api/docs-json',
    '/openapi',
    '/api-docs.json',
    '/docs/openapi.json',
    '/api/docs.json',
    '/.well-known/openapi.json',
  ],
  ...['/?wsdl', '/services?wsdl', '/service?wsdl', '/soap?wsdl', '/ws?wsdl'],
]

/**
 * Pages that draw a description may hold it in a script of theirs, and nowhere else (swagger-ui-express, NestJS), or name where it is. They are
 * read and not followed: what they draw are the operations, each at a route of its own.
 */
const findDrawn = async (parts: DiscoverParts): Promise<readonly ApiDescription[]> => {
  const found: ApiDescription[] = []
  for (const path of DRAWN_PATHS) {
    const page = `${parts.origin}${path}`
    const text = await textAt(parts, page, 'text/html')
    if (text === null || !DRAWS.test(text)) continue
    const scripts = readHtml(text, page).scripts.flatMap(({ src }) =>
      src?.url && !LIBRARY.test(src.url) ? [src.url] : [],
    )
    for (const script of scripts.slice(0, MOST_OF_DRAWN))
      found.push(...(await describedBy(parts, script, (await textAt(parts, script, '*/*')) ?? '')))
    found.push(...(await describedBy(parts, page, text)))
  }
  return found
}

/** What a text holds, or names: `url: "/v3/api-docs"`. */
const describedBy = async (parts: DiscoverParts, at: string, text: string): Promise<readonly ApiDescription[]> => {
  const held = descriptionIn(text)
  if (held !== null) return [readDescription(parts.described, at, held)].filter((one) => one !== null)
  const named = [...text.slice(0, LONGEST_IN_CODE).matchAll(NAMED)].flatMap(([, address = '']) => {
    const url = URL.parse(address, at)
    return url !== null && !DESCRIPTION_PATHS.includes(url.pathname) ? [url.href] : []
  })
  const found: ApiDescription[] = []
  for (const url of [...new Set(named)].slice(0, MOST_OF_DRAWN)) {
    const one = readDescription(parts.described, url, (await textAt(parts, url, 'application/json,*/*')) ?? '')
    if (one !== null) found.push(one)
  }
  return found
}

const textAt = async ({ fetcher, scope }: DiscoverParts, address: string, accept: string): Promise<string | null> => {
  if (!scope.holds(new URL(address))) return null
  const answer = await fetcher.get(address, accept)
  return answer?.status === 200 ? textOf(answer) : null
}
const MOST_OF_DRAWN = 6
const LIBRARY = /(?:bundle|preset|standalone)[^/]*\.js/i
const NAMED =
  /\b(?:spec-?url|url)["']?\s*[=:]\s*["']([^"'\s<>]{1,300}\.(?:json|ya?ml)|[^"'\s<>]{1,300}\bapi-docs\b[^"'\s<>]{0,100})["']/gi
const DRAWN_PATHS: readonly string[] = [
  ...['/api-docs/', '/docs/', '/api/', '/api/docs/', '/api/swagger/', '/documentation/', '/redoc/', '/reference/'],
  ...['/swagger/', '/swagger/index.html', '/swagger-ui/', '/swagger-ui/index.html', '/swagger-ui.html'],
]
const DRAWS = /swagger-?ui|redoc\b|rapi-?doc|@scalar\//i

/** What describes an interface gives its operations to the inventory. Null for what is none. */
export const readDescription = (described: Described, url: string, text: string): ApiDescription | null => {
  if (!mayDescribe(text)) return null
  const document = documentIn(text, url)
  if (!document) return null
  const { kind, title, operations, refused } = document
  described.take(operations, kind.startsWith('WSDL') ? 'wsdl' : 'openapi', url)
  for (const { where, reason } of refused) described.refuse(where, reason)
  return { url, kind, title, operations: operations.length, excerpt: text.slice(0, EXCERPT) }
}

/**
 * The description that a script holds to draw it as a page: `"swaggerDoc": {"openapi": "3.0.0", …}`. Null where it holds none.
 */
export const descriptionIn = (code: string): string | null => {
  const at = DESCRIBED.exec(code)?.index
  const end = at === undefined ? null : endOfData(code, at, LONGEST_IN_CODE)
  return at === undefined || end === null ? null : code.slice(at, end)
}
const DESCRIBED = /\{\s*"(?:openapi|swagger)"\s*:\s*"\d/
const LONGEST_IN_CODE = 2 * 1024 * 1024

const mayDescribe = (text: string): boolean => {
  const head = text.slice(0, 20_000)
  if (/^\s*\{/.test(head)) return /"(?:openapi|swagger)"\s*:/.test(head)
  return isWsdl(text) || /^["']?(?:openapi|swagger)["']?[ \t]*:/m.test(head)
}

const documentIn = (text: string, url: string): Description | null => {
  try {
    const options = { path: null, host: new URL(url).host, foundAt: url }
    return readDescriptions([{ name: 'description', text }], options)[0] ?? null
  } catch (error) {
    if (error instanceof Unreadable) return null // It only looked like one.
    throw error
  }
}

const findGraphql = async (parts: DiscoverParts): Promise<readonly GraphqlFacts[]> => {
  const found: GraphqlFacts[] = []
  for (const path of GRAPHQL_PATHS) {
    const url = `${parts.origin}${path}`
    if (!(await answersGraphql(parts, url)) || (await isMounted(parts, url, found))) continue
    found.push(await askGraphql(parts, url))
  }
  return found
}

/** Interfaces at the addresses that pages and scripts send documents to, beside those that were found. */
export const graphqlAt = async (
  parts: DiscoverParts,
  requests: readonly RequestTemplate[],
  known: readonly GraphqlFacts[],
): Promise<readonly GraphqlFacts[]> => {
  const found: GraphqlFacts[] = []
  const urls = requests.flatMap(({ body, url }) => (operationNameIn(body) === null ? [] : [withoutQuery(url)]))
  for (const url of [...new Set(urls)]
    .filter((one) => !known.some((other) => other.url === one))
    .slice(0, MOST_CLIENTS)) {
    if (!parts.scope.holds(new URL(url))) continue
    if (await answersGraphql(parts, url)) found.push(await askGraphql(parts, url))
  }
  return found
}
const MOST_CLIENTS = 4

const answersGraphql = async ({ fetcher }: DiscoverParts, url: string): Promise<boolean> =>
  isGraphql((await fetcher.post(url, 'application/json', TYPENAME_QUERY))?.body.toString('utf8') ?? '')

/**
 * One program that answers below its address, or everywhere, or wherever its name ends an address: where it stands was found before, and any
 * name beside, or any folder before the name, does as well.
 */
const isMounted = async (parts: DiscoverParts, url: string, found: readonly GraphqlFacts[]): Promise<boolean> => {
  if (found.length === 0) return false
  const cut = url.lastIndexOf('/')
  const other = randomBytes(6).toString('hex')
  return (
    (await answersGraphql(parts, `${url.slice(0, cut)}/${other}`)) ||
    (await answersGraphql(parts, `${parts.origin}/${other}${url.slice(cut)}`))
  )
}

const askGraphql = async ({ fetcher, requests, described }: DiscoverParts, url: string): Promise<GraphqlFacts> => {
  const ask = async (query: string): Promise<string> =>
    (await fetcher.post(url, 'application/json', query))?.body.toString('utf8') ?? ''
  const answer = await ask(INTROSPECTION_QUERY)
  const schema = readSchema(answer, url)
  const misspelt = schema ? '' : await ask(MISSPELT_QUERY)
  if (schema) described.take(schema.operations, 'graphql', url)
  else
    requests.add({
      method: 'POST',
      url,
      encoding: 'json',
      body: TYPENAME_QUERY,
      source: 'graphql',
      seenOn: url,
      sent: false,
    })
  return graphqlFacts(url, schema, readSuggestion(misspelt), schema ? answer : misspelt)
}

const readOpenId = async ({ origin, fetcher, frontier }: DiscoverParts): Promise<void> => {
  const url = `${origin}/.well-known/openid-configuration`
  const answer = await fetcher.get(url, 'application/json')
  const text = answer?.status === 200 ? answer.body.toString('utf8').slice(0, 100_000) : ''
  if (!/"issuer"\s*:/.test(text)) return
  for (const [, address] of text.matchAll(/"\w+_endpoint"\s*:\s*"(https?:[^"]{1,500})"/g)) {
    if (address) frontier.add(address, 1, 'well-known', url)
  }
}
