/** Places where sites describe themselves: robots.txt, sitemaps, API documents, GraphQL, OpenID configuration. */
import type { HttpExchange } from '../../../egress/door/egress.ts'
import type { ApiDescription, Encoding, GraphqlFacts } from './facts.ts'
import type { Fetcher } from './fetching.ts'
import type { Frontier } from './frontier.ts'
import {
  GRAPHQL_PATHS,
  graphqlFacts,
  INTROSPECTION_QUERY,
  isGraphql,
  MISSPELT_QUERY,
  readSchema,
  readSuggestion,
  TYPENAME_QUERY,
} from './graphql.ts'
import { API_PATHS, readApi } from './openapi.ts'
import type { Requests } from './requests.ts'
import type { Scope } from './scope.ts'
import { readRobots, readSitemap } from './sitemap.ts'
import { readWsdl, WSDL_PATHS } from './wsdl.ts'

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
}

export const discover = async (parts: DiscoverParts): Promise<Discovered> => {
  await readSitemaps(parts)
  const [apis, graphql] = await Promise.all([findApis(parts), findGraphql(parts), readOpenId(parts)])
  return { apis, graphql }
}

const readSitemaps = async ({ origin, fetcher, frontier, scope }: DiscoverParts): Promise<void> => {
  const robots = await fetcher.get(`${origin}/robots.txt`, 'text/plain')
  const told = robots?.status === 200 ? readRobots(robots.body.toString('utf8')) : { paths: [], sitemaps: [] }
  for (const path of told.paths) {
    const url = URL.parse(path, origin)
    if (url) frontier.add(url.href, 1, 'robots', `${origin}/robots.txt`)
  }
  const queue = [...told.sitemaps, `${origin}/sitemap.xml`]
  const read = new Set<string>()
  for (let address = queue.shift(); address !== undefined && read.size < MAX_SITEMAPS; address = queue.shift()) {
    const url = URL.parse(address, origin)
    if (!url || !scope.holds(url) || read.has(url.href)) continue
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
    [...API_PATHS, ...WSDL_PATHS].map(async (path) => {
      const url = `${parts.origin}${path}`
      const answer = await parts.fetcher.get(url, 'application/json,application/yaml,text/xml,*/*')
      return answer?.status === 200 ? readDescription(parts, url, answer) : null
    }),
  )
  return found.filter((one) => one !== null)
}

/** What describes an interface gives its operations to the inventory. */
export const readDescription = (
  parts: Pick<DiscoverParts, 'scope' | 'requests' | 'frontier'>,
  url: string,
  answer: HttpExchange,
): ApiDescription | null => {
  const text = answer.body.toString('utf8')
  const wsdl = readWsdl(text, url)
  const document = wsdl ?? readApi(text, url)
  if (!document) return null
  for (const { method, url: address, body, headers, label } of document.operations) {
    const to = URL.parse(address)
    if (!to || !parts.scope.holds(to)) continue
    const encoding = encodingOf(body?.type ?? null)
    const form = encoding === 'urlencoded' || encoding === 'multipart'
    parts.requests.add({
      method,
      url: address,
      encoding,
      fields: form ? [...new URLSearchParams(body?.text)].map(([name, value]) => ({ name, value, type: 'text' })) : [],
      body: form ? null : (body?.text ?? null),
      ...(headers ? { headers } : {}),
      ...(label === undefined ? {} : { label }),
      source: wsdl ? 'wsdl' : 'openapi',
      seenOn: url,
      sent: false,
    })
    if (method === 'GET') parts.frontier.add(address, 1, 'openapi', url)
  }
  const { kind, title, operations } = document
  return { url, kind, title, operations: operations.length, excerpt: text.slice(0, EXCERPT) }
}

const encodingOf = (type: string | null): Encoding => {
  if (type === null) return 'none'
  if (/json/i.test(type)) return 'json'
  if (/xml/i.test(type)) return 'xml'
  if (/multipart/i.test(type)) return 'multipart'
  return /urlencoded/i.test(type) ? 'urlencoded' : 'text'
}

const findGraphql = async (parts: DiscoverParts): Promise<readonly GraphqlFacts[]> => {
  const found = await Promise.all(GRAPHQL_PATHS.map((path) => askGraphql(parts, `${parts.origin}${path}`)))
  return found.filter((one) => one !== null)
}

const askGraphql = async ({ fetcher, requests }: DiscoverParts, url: string): Promise<GraphqlFacts | null> => {
  const ask = async (query: string): Promise<string> =>
    (await fetcher.post(url, 'application/json', query))?.body.toString('utf8') ?? ''
  if (!isGraphql(await ask(TYPENAME_QUERY))) return null
  const answer = await ask(INTROSPECTION_QUERY)
  const schema = readSchema(answer)
  const misspelt = schema ? '' : await ask(MISSPELT_QUERY)
  for (const { body } of schema?.queries ?? [{ body: TYPENAME_QUERY }]) {
    requests.add({ method: 'POST', url, encoding: 'json', body, source: 'graphql', seenOn: url, sent: false })
  }
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
