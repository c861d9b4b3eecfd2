/** Finds the site: addresses, entries, start page with reloads, pages linked from it, and what a missing page looks like. */
import { randomBytes } from 'node:crypto'
import type { EvidenceRef } from '../../../contract/evidence.ts'
import { isOfSite } from '../../../contract/site-scope.ts'
import { EgressError, type HttpExchange, type Resolution } from '../../../egress/door/egress.ts'
import { targetFailure } from '../../../egress/door/target-failure.ts'
import { exchangeText } from '../../../page/exchange.ts'
import type { Page } from '../../../page/page.ts'
import { pageKindOf } from '../../../page/page-kind.ts'
import { likeness } from '../../../page/similarity.ts'
import { isHtml, mediaTypeOf, textOf } from '../../../page/text.ts'
import { harmOfAddress } from '../../../safety/safety.ts'
import { RunFailure } from '../../endings.ts'
import type { CollectContext } from '../../module.ts'
import type { Entry, SiteFacts } from './facts.ts'
import { linksToFollow } from './links.ts'
import { type Chain, type ChainOptions, followChain } from './redirects.ts'

/** The start page included. */
const MAX_PAGES = 20
const AT_ONCE = 4
/** Milliseconds for one chain of redirects. */
const CHAIN_TIME = 20_000
/** Milliseconds after which no further page is asked for: a slow site is judged by fewer pages, not lost. */
const PAGES_TIME = 100_000

/**
 * Without a website the run goes on as long as something else can be looked at: the name in the DNS, or ports.
 * @throws RunFailure where there is nothing to scan: no name, an address that the guard refuses, credentials refused
 */
export const collect = async (ctx: CollectContext): Promise<SiteFacts> => {
  const until = performance.now() + PAGES_TIME
  const { host, port } = ctx.target
  ctx.progress('resolving the name', 0)
  const authority = port === null ? host : `${host}:${port}`
  const resolved = await resolve(ctx)
  if ('absent' in resolved) return withoutAddress(authority, resolved.absent)
  const options: ChainOptions = {
    inSite: (url) => isOfSite({ host, port }, url),
    authenticated: true,
    keepCookies: !ctx.hasCredentials,
    time: CHAIN_TIME,
    signal: ctx.signal,
  }

  ctx.progress('asking for the start page', 0.05)
  const https = await followChain(ctx.egress, `https://${authority}/`, { ...options, entry: true })
  // Where https answers, credentials have no business on http.
  const http = await followChain(ctx.egress, `http://${authority}/`, {
    ...options,
    entry: true,
    authenticated: https.seen === null,
  })
  const absent = http.seen || https.seen ? null : await absence(ctx, http, https)
  const facts = {
    addresses: resolved.addresses,
    ...(resolved.unvalidated ? { unvalidated: true as const } : {}),
    ...(absent === null ? {} : { absent }),
    http: entryOf(ctx, `http://${authority}/`, 'http', http),
    https: entryOf(ctx, `https://${authority}/`, 'https', https),
  }
  const start = https.last ?? http.last
  if (!start) {
    const baseUrl = https.seen ? facts.https.url : facts.http.url
    return { ...facts, baseUrl, pages: [], reloads: [], missing: [] }
  }
  // Where the site begins elsewhere, nobody may be meant to see what lies there.
  if (ctx.hasCredentials && [401, 403].includes(start.status) && startPathsOf(ctx).length === 0) {
    throw new RunFailure('auth_rejected', `${start.request.url} answers ${start.status} to the credentials of this run`)
  }
  const pages = await collectPages(ctx, start, options, until)
  const asNobody = ctx.hasCredentials
    ? await pagesOfNobody(ctx, start.request.url, pages.pages, { options, until })
    : []
  const leads = ctx.session?.leads
  return {
    ...{ ...facts, baseUrl: start.request.url, ...pages },
    ...(asNobody.length === 0 ? {} : { asNobody }),
    ...(leads?.by === 'page' && leads.at !== undefined ? { signsInAt: leads.at } : {}),
  }
}

/** What the run's own session keeps from it: the start page as nobody is shown it, and the pages on which its identity signs in. */
const pagesOfNobody = async (
  ctx: CollectContext,
  start: string,
  pages: readonly Page[],
  { options, until }: { readonly options: ChainOptions; readonly until: number },
): Promise<readonly Page[]> => {
  const paths = [...(ctx.session?.leads?.paths ?? [])].map((path) => new URL(path, start).href)
  const urls = [...new Set([new URL('/', start).href, ...paths])].filter((url) => harmOfAddress(url) === null)
  const found = await fetchPages(
    { ...ctx, hasCredentials: false },
    urls.slice(0, MOST_OF_NOBODY),
    { ...options, authenticated: false, keepCookies: true },
    until,
    (index) => `nobody-${index + 1}.txt`,
  )
  const kept: Page[] = []
  for (const page of found) {
    const isKnown = [...pages, ...kept].some(({ url, body }) => url === page.url && likeness(body, page.body) >= SAME)
    if (!isKnown && isHtml(page.contentType, page.body)) kept.push(page)
  }
  return kept
}
const MOST_OF_NOBODY = 4
/** Share of words in common. */
const SAME = 0.9

const resolve = async (ctx: CollectContext): Promise<Resolution | { readonly absent: string }> => {
  const { host } = ctx.target
  try {
    return await ctx.egress.resolve(host)
  } catch (error) {
    ctx.signal.throwIfAborted()
    const code = codeOf(error)
    if (code === 'refused_by_guard') {
      throw new RunFailure('target_refused', `${host} has an address that this service may not reach`, { cause: error })
    }
    if (code === null || code === 'aborted' || code === 'exhausted') throw error
    const { message } = error as Error
    if (await isInDns(ctx)) return { absent: message }
    throw new RunFailure('target_unresolvable', `${host} has no address: ${message}`, { cause: error })
  }
}

/** The name exists, whether or not it has an address and whatever a validating resolver thinks of it. */
const isInDns = async ({ egress, target, signal }: CollectContext): Promise<boolean> => {
  try {
    const { server, rcode } = await egress.dns({ name: target.host, type: 'SOA', checkingDisabled: true })
    return server !== 'hosts' && rcode === 'NOERROR'
  } catch (error) {
    signal.throwIfAborted()
    if (targetFailure(error) === null) throw error
    return false
  }
}

/** Why there is no website. @throws RunFailure where nothing but a website could be looked at, or the guard refuses */
const absence = async (ctx: CollectContext, http: Chain, https: Chain): Promise<string> => {
  const { host, tier } = ctx.target
  const codes = [http.error?.code, https.error?.code]
  if (codes.every((code) => code === 'refused_by_guard')) {
    throw new RunFailure('target_refused', `${host} has an address that this service may not reach`)
  }
  const reason = `${host} answers neither over https (${https.error?.message}) nor over http (${http.error?.message})`
  // A passive run of a name that stands in the operator's table alone has nothing else to look at.
  if (tier === 'active' || (await isInDns(ctx))) return reason
  throw new RunFailure('target_unreachable', reason)
}

const withoutAddress = (authority: string, absent: string): SiteFacts => {
  const error = { code: 'unresolvable', message: absent }
  const entry = (url: string): Entry => ({ url, error, hops: [], finalUrl: null, evidence: null })
  const http = entry(`http://${authority}/`)
  const nothing = { addresses: [], pages: [], reloads: [], missing: [] }
  return { ...nothing, absent, http, https: entry(`https://${authority}/`), baseUrl: http.url }
}

const entryOf = (ctx: CollectContext, url: string, name: string, chain: Chain): Entry => ({
  url,
  error: chain.error,
  hops: chain.hops,
  finalUrl: chain.last?.request.url ?? null,
  evidence: chain.seen ? keep(ctx, `entry-${name}.txt`, chain.seen, textOf(chain.seen)) : null,
})

const collectPages = async (
  ctx: CollectContext,
  start: HttpExchange,
  options: ChainOptions,
  until: number,
): Promise<Pick<SiteFacts, 'pages' | 'reloads' | 'missing'>> => {
  const url = start.request.url
  const first = pageOf(ctx, start, 0, 'start.txt')
  ctx.progress('loading the start page again', 0.15)
  const reloads = await fetchPages(ctx, [url, url], options, until, (index) => `reload-${index + 1}.txt`)
  ctx.progress('asking for pages that cannot exist', 0.25)
  const missing = await fetchPages(ctx, missingUrls(url), options, until, (index) => `missing-${index + 1}.txt`)

  const begins = await fetchPages(ctx, startPathsOf(ctx, url), options, until, (index) => `begin-${index + 1}.txt`, 1)
  const links = linksOf([...begins, first], MAX_PAGES - 1 - begins.length, ctx.hasCredentials)
  let done = 0
  const linked = await fetchPages(
    ctx,
    links,
    options,
    until,
    (index) => `page-${String(index + 2).padStart(2, '0')}.txt`,
    1,
    () => {
      done += 1
      ctx.progress(`${done} of ${links.length} linked pages`, 0.3 + (0.7 * done) / links.length)
    },
  )
  const seen = new Set([url])
  const pages = [...begins, ...linked].filter((page) => {
    const fresh = !seen.has(page.url) && isHtml(page.contentType, page.body)
    seen.add(page.url)
    return fresh
  })
  return { pages: [first, ...pages], reloads, missing }
}

/** Addresses where the operator says that the site begins too; never what would do harm. `url`: of a page of the site. */
const startPathsOf = ({ options }: CollectContext, url = 'http://site.invalid/'): readonly string[] =>
  (options.start_paths ?? []).map((path) => new URL(path, url).href).filter((one) => harmOfAddress(one) === null)

/** Of the first pages first: what the operator names is meant to be looked at. */
const linksOf = (pages: readonly Page[], limit: number, signedIn: boolean): readonly string[] => {
  const known = new Set(pages.map(({ url }) => url))
  const all = pages.flatMap(({ body, url }) => linksToFollow(body, url, limit, signedIn))
  return [...new Set(all)].filter((link) => !known.has(link)).slice(0, limit)
}

const missingUrls = (url: string): string[] => {
  const name = (): string => randomBytes(9).toString('hex')
  return [new URL(`/${name()}`, url).href, new URL(`/${name()}.html`, url).href]
}

/** In the order of the addresses; one that fails, leaves the site or comes after `until` is left out. */
const fetchPages = async (
  ctx: CollectContext,
  urls: readonly string[],
  options: ChainOptions,
  until: number,
  filename: (index: number) => string,
  depth = 0,
  onDone: () => void = () => undefined,
): Promise<Page[]> => {
  const pages = new Map<number, Page>()
  const waiting = [...urls.entries()]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next && performance.now() < until; next = waiting.shift()) {
      const [index, url] = next
      const { last } = await followChain(ctx.egress, url, options)
      if (last) pages.set(index, pageOf(ctx, last, depth, filename(index)))
      onDone()
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, urls.length) }, work))
  return [...pages].toSorted(([a], [b]) => a - b).map(([, page]) => page)
}

const pageOf = (ctx: CollectContext, exchange: HttpExchange, depth: number, filename: string): Page => {
  const { url } = exchange.request
  const body = textOf(exchange)
  const contentType = mediaTypeOf(exchange)
  const evidence = keep(ctx, filename, exchange, body)
  return {
    url,
    status: exchange.status,
    headers: exchange.headers,
    contentType,
    body,
    size: exchange.body.length,
    truncated: exchange.truncated,
    kind: isHtml(contentType, body) ? pageKindOf(url, body, ctx.hasCredentials) : 'plain',
    depth,
    certificateError: exchange.certificateError,
    evidence,
  }
}

const keep = (ctx: CollectContext, filename: string, exchange: HttpExchange, body: string): EvidenceRef =>
  ctx.evidence({ filename, contentType: 'text/plain; charset=utf-8', body: exchangeText(exchange, body) })

/** Of egress alone: that this machine has no file left, or no route, is not the target's doing. */
const codeOf = (error: unknown): string | null => (error instanceof EgressError ? error.code : null)
