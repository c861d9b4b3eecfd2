/** The few requests beyond what `site` fetched: foreign origins, and the same pages without credentials. */

import type { HttpRequest } from '../../../egress/door/egress.ts'
import { openFeed } from '../../../knowledge/feeds/items.ts'
import { preloadEntry } from '../../../knowledge/feeds/parse/hsts-preload.ts'
import type { Page } from '../../../page/page.ts'
import { shapeOf } from '../../../page/shape.ts'
import type { CrawlFacts } from '../../attack/crawl/facts.ts'
import type { CollectContext } from '../../module.ts'
import type { SiteFacts } from '../site/facts.ts'
import { documentsOf } from '../site/facts-pages.ts'
import { isGranted } from './cors.ts'
import type { AnonymousAnswer, CorsOrigin, CorsProbe, HeadersFacts } from './facts.ts'
import { answersToJudge, collectPersonal } from './personal.ts'
import { alikeAsNobody, ask, keepHead, MAX_BODY, masked, SAME, similarity } from './with-and-without.ts'

const MAX_URLS = 6
/** With the interfaces that a crawl has met. */
const MAX_URLS_OF_CRAWL = 30
const MAX_ANONYMOUS = 10
/** Milliseconds for foreign origins: what a slow site leaves unasked is told, and what was seen is kept. */
const FOR_ORIGINS = 60_000
/** Milliseconds for answers that are kept of persons. */
const FOR_PERSONS = 30_000

export const collectHeaders = async (
  ctx: CollectContext,
  { site, crawl = null }: { readonly site: SiteFacts; readonly crawl?: CrawlFacts | null | undefined },
  span = FOR_ORIGINS,
): Promise<HeadersFacts> => {
  const known = urlsToAsk(site, crawl)
  const urls = known.slice(0, crawl === null ? MAX_URLS : MAX_URLS_OF_CRAWL)
  ctx.progress('comparing pages with and without credentials', 0)
  const anonymous = ctx.hasCredentials ? await askAnonymously(ctx, documentsOf(site).slice(0, MAX_ANONYMOUS)) : []
  const cors: CorsProbe[] = []
  const until = performance.now() + span
  let asked = 0
  for (const url of urls) {
    if (asked > 0 && performance.now() >= until) break
    asked += 1
    ctx.progress(`asking ${new URL(url).pathname} for foreign origins`, asked / (urls.length + 1))
    cors.push(...(await Promise.all(originsFor(url).map((origin) => probe(ctx, url, origin)))))
  }
  const granting = [...new Set(cors.filter((one) => one.kind !== 'preflight' && isGranted(one)).map(({ url }) => url))]
  const alike = ctx.hasCredentials ? await alikeAsNobody(ctx, granting, until + span / 2) : {}
  const [start] = site.pages
  const mine = ctx.hasCredentials
    ? await collectPersonal(ctx, answersToJudge(interfacesOf(site), crawl, anonymous), performance.now() + FOR_PERSONS)
    : {}
  const response = start ? { url: start.url, status: start.status, headers: masked(start) } : null
  return {
    cors,
    corsUnasked: known.length - asked,
    ...alike,
    anonymous,
    ...mine,
    response,
    preloaded: preloadedHosts(ctx.knowledge, site),
  }
}

/** Of all hosts on the way to the start page. */
const preloadedHosts = (folder: string | undefined, site: SiteFacts): Readonly<Record<string, string>> | null => {
  const feed = folder === undefined ? null : openFeed(folder, 'hsts-preload')
  if (feed === null) return null
  try {
    const urls = [...site.https.hops, ...site.http.hops, ...site.pages].map(({ url }) => url)
    const hosts = new Set(urls.flatMap((url) => URL.parse(url)?.hostname ?? []))
    return Object.fromEntries(
      [...hosts].flatMap((host) => {
        const entry = preloadEntry(feed, host)
        return entry === null ? [] : [[host, entry]]
      }),
    )
  } finally {
    feed.close()
  }
}

/** The start page, pages of the signed-in area, interface addresses that the pages name, and what the crawl has met as data. */
const urlsToAsk = (site: SiteFacts, crawl: CrawlFacts | null): readonly string[] => {
  const documents = documentsOf(site)
  const [start] = site.pages
  const personal = documents.filter(({ kind }) => kind === 'authenticated').map(({ url }) => url)
  return [...new Set([...(start ? [start.url] : []), ...personal.slice(0, 2), ...interfacesOf(site), ...dataOf(crawl)])]
}

const interfacesOf = (site: SiteFacts): readonly string[] =>
  documentsOf(site).flatMap((page) => interfacePaths(page.body).map((path) => new URL(path, page.url).href))

/**
 * What answered with JSON to a GET that may be sent, what scripts of the pages asked for in the browser, whatever it answered, and what they write
 * over as a whole or in part: that can be read most often (RFC 9110, 9.3.4; RFC 5789). Of addresses that differ in their values, one.
 */
const dataOf = (crawl: CrawlFacts | null): readonly string[] => {
  const harmful = new Set(crawl?.requests.flatMap(({ url, harm }) => (harm === null ? [] : [url])))
  const data = (crawl?.urls ?? []).filter(
    ({ url, status, contentType }) => status < 400 && /\bjson\b/.test(contentType) && !harmful.has(url),
  )
  const pages = new Set(crawl?.urls.flatMap(({ url, contentType }) => (contentType.includes('html') ? [url] : [])))
  const byScripts = (crawl?.requests ?? []).filter(
    ({ method, url, source, sent }) =>
      method === 'GET' && source === 'browser' && sent && !harmful.has(url) && !pages.has(url),
  )
  const isReadable = (url: string): boolean =>
    !ACTS.test(url) && !crawl?.requests.some((one) => one.method === 'GET' && one.url === url && one.harm !== null)
  const written = (crawl?.requests ?? []).filter(
    ({ method, url, source }) =>
      (method === 'PUT' || method === 'PATCH') && source === 'browser' && isReadable(url) && !pages.has(url),
  )
  const all = [...data, ...byScripts, ...written].map(({ url }) => url)
  return [...Map.groupBy(all, shapeOf).values()].flatMap(([first]) => (first ? [first] : []))
}

/** Quoted paths such as "/api/me" in pages: what the site's own scripts ask with GET. Nothing that sounds like an act. */
export const interfacePaths = (body: string): readonly string[] => {
  const found = body.matchAll(/["'`](\/(?:api|rest|graphql|v\d{1,2})(?:\/[\w.~-]{1,60}){0,6}\/?)["'`]/g)
  const paths = [...new Set([...found].map(([, path]) => path ?? ''))]
  return paths.filter((path) => !ACTS.test(path))
}

const ACTS = /log-?out|sign-?out|delete|remove|destroy|cancel|unsubscribe|reset|revoke/i

interface Origin {
  readonly kind: CorsOrigin
  readonly origin: string
}

/** Names under .example belong to nobody (RFC 2606). */
const originsFor = (url: string): readonly Origin[] => {
  const { protocol, host, hostname, port } = new URL(url)
  const arbitrary = 'https://sonde-probe.example'
  return [
    { kind: 'arbitrary', origin: arbitrary },
    { kind: 'arbitrary-again', origin: 'https://another-probe.example' },
    { kind: 'null', origin: 'null' },
    { kind: 'suffix', origin: `${protocol}//${hostname}.sonde-probe.example` },
    { kind: 'prefix', origin: `${protocol}//sonde-probe${host}` },
    // What ends with the name need not end with the port.
    ...(port === '' ? [] : [{ kind: 'prefix', origin: `${protocol}//sonde-probe${hostname}` } as const]),
    { kind: 'http-subdomain', origin: `http://sonde-probe.${hostname}` },
    { kind: 'preflight', origin: arbitrary },
  ]
}

const probe = async (ctx: CollectContext, url: string, { kind, origin }: Origin): Promise<CorsProbe> => {
  const preflight = kind === 'preflight'
  const method = preflight ? 'OPTIONS' : 'GET'
  const base = { url, method, kind, origin } as const
  const request: HttpRequest = {
    method,
    url,
    headers: [['Origin', origin], ...(preflight ? PREFLIGHT : [])],
    maxBody: 1_024,
  }
  const answer = await ask(ctx, request)
  if (typeof answer === 'string') return { ...base, status: null, headers: [], error: answer, evidence: null }
  const grants = answer.headers.some(([name]) => name.toLowerCase() === 'access-control-allow-origin')
  const evidence = grants ? keepHead(ctx, answer, `cors-${kind}.txt`) : null
  return { ...base, status: answer.status, headers: masked(answer), error: null, evidence }
}

const PREFLIGHT = [
  ['Access-Control-Request-Method', 'PUT'],
  ['Access-Control-Request-Headers', 'authorization, content-type'],
] as const

const askAnonymously = async (ctx: CollectContext, pages: readonly Page[]): Promise<readonly AnonymousAnswer[]> => {
  const answers: AnonymousAnswer[] = []
  for (const page of pages) {
    const answer = await ask(ctx, { url: page.url, authenticated: false, maxBody: MAX_BODY })
    // A page that cannot be asked again is left out: nothing is known about it.
    if (typeof answer === 'string') continue
    const differs = answer.status !== page.status || similarity(answer.body.toString('utf8'), page.body) < SAME
    answers.push({ url: page.url, status: answer.status, differs })
  }
  return answers
}
