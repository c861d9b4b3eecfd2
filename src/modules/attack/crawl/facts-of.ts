import { isSafe } from '../../../safety/effect.ts'
import { ON_DEMAND } from '../../../safety/signed-in.ts'
import type { CollectContext } from '../../module.ts'
import { hasOwnWord } from '../../own-words.ts'
import { bringsToken, requestOf } from '../insertion-points/inventory.ts'
import { beyondLists, MAX_POINTS, pointsOf } from '../insertion-points/points.ts'
import type { CookiesAt } from '../insertion-points/programs.ts'
import type { Crawling } from './crawling.ts'
import type {
  ApiDescription,
  BrowserFacts,
  CrawledUrl,
  CrawlFacts,
  GraphqlFacts,
  RequestTemplate,
  Scheme,
} from './facts.ts'
import { withoutQuery } from './fetching.ts'
import { unaskedOf } from './furniture.ts'
import { plannedOf } from './planned.ts'
import { withTurnedAway } from './turned-away.ts'

export const factsOf = (crawling: Crawling, browser: BrowserFacts): CrawlFacts => {
  const { ctx, dry, marker, notes, requests, frontier, fetcher, session, discovered } = crawling
  const { urls, scripted, apis, folders, beyond, views, led } = crawling.crawler.reading
  const unread = { kind: 'address', fate: 'left_out', holds: true } as const
  for (const one of beyond.counts()) notes.count(one, one.count)
  for (const { url } of urls.filter(({ status }) => status === 401))
    notes.count({ ...unread, reason: behind(fetcher.schemes.get(withoutQuery(url))) }, 1)
  const [start] = urls
  // A server that shows nothing there has its applications elsewhere, at addresses that nobody told.
  if (start !== undefined && urls.every(({ status }) => status >= 400))
    notes.count(
      { ...unread, reason: `whatever lies elsewhere: the start page answers ${start.status}, and nothing leads on` },
      1,
    )
  if (isUndescribed(urls, [...discovered.apis, ...apis], crawling)) notes.count({ ...unread, reason: UNDESCRIBED }, 1)
  for (const path of ctx.options.start_paths ?? []) {
    const begin = new URL(path, crawling.site.baseUrl).href
    const status = urls.find(({ url }) => url === begin)?.status ?? 0
    if (status >= 400 && status !== 401)
      notes.count({ ...unread, reason: `what lies behind a start path: it answers ${status}` }, 1)
  }
  if (requests.overflow() > 0) notes.count({ ...unread, kind: 'form', reason: 'the list is full' }, requests.overflow())
  const asked = withoutRepeats(views.without(requests.all(frontier.harmOf), notes.note))
  const listed = withTurnedAway(asked, led).map((one) => asOthers(withScheme(one, ctx, fetcher.schemes), crawling))
  const points = pointsOf(listed, cookiesToAsk(crawling))
  for (const row of unaskedOf(requests.beyond(), listed, points)) notes.note(row)
  return {
    urls,
    requests: listed,
    ...(marker === null ? {} : { marker }),
    ...(dry ? { planned: plannedOf(listed, points) } : {}),
    points: points.slice(0, MAX_POINTS),
    pointsLeft: beyondLists(points.length, listed),
    scripted,
    folders: [...folders],
    apis: eachOnce([...discovered.apis, ...apis]),
    graphql: discovered.graphql,
    operations: crawling.described.operations(),
    session: session.facts(),
    browser,
    otherHosts: frontier.otherHosts(),
    leftOut: frontier.leftOut(),
    reach: notes.facts(),
    cut: session.facts().state === 'lost' ? 'the session was lost' : crawling.cut,
  }
}

const UNDESCRIBED = 'whatever else the interface has: its start page leads nowhere, and no description of it was found'

/**
 * An interface that shows a few words at its start has the rest at addresses that a description names, or its clients. What answers to GraphQL describes
 * itself, and nothing that may be there besides.
 */
const isUndescribed = (
  urls: readonly CrawledUrl[],
  apis: readonly ApiDescription[],
  { described, discovered: { graphql } }: Pick<Crawling, 'described' | 'discovered'>,
): boolean => {
  const [start, ...others] = urls
  if (start === undefined || start.status >= 400 || !/json|text\/plain/.test(start.contentType)) return false
  const isTold =
    apis.length > 0 || described.operations().some(({ method, path }) => !isGraphqlAt(graphql, method, path))
  const leads = others.some(({ source }) => ['link', 'form', 'browser', 'sitemap'].includes(source))
  return !isTold && !leads && (graphql.length === 0 || others.length > 0)
}

const isGraphqlAt = (graphql: readonly GraphqlFacts[], method: string, path: string): boolean =>
  method === 'POST' && graphql.some(({ url }) => new URL(url).pathname === path)

/** Those that the site sets by names of its own, those that stand beside the session, and those that the operator brought, without what says who is signed in. */
export const cookiesToAsk =
  ({ ctx, fetcher, besides }: Crawling): CookiesAt =>
  (url) => {
    const settings = new Map([...besides, ...(ctx.ownSettings ?? [])])
    const own = fetcher.cookiesAt(url).filter(({ name }) => !ctx.ownCookies?.includes(name) && !settings.has(name))
    const all = [...own, ...[...settings].map(([name, value]) => ({ name, value }))]
    return all.filter(({ name }) => !hasOwnWord(name))
  }

/** What lies behind an address that lets nobody in (RFC 9110, 15.5.2) the run has not seen. */
const behind = (scheme: Scheme | undefined): string =>
  `it lies behind a sign-in${scheme === undefined ? '' : ` by HTTP ${scheme}`} that the run has no credentials for`

/** Where the run says by that header itself who it is, nobody else can be told in it. */
const withScheme = (
  request: RequestTemplate,
  { ownHeaders = [] }: CollectContext,
  schemes: ReadonlyMap<string, Scheme>,
): RequestTemplate => {
  const { scheme = schemes.get(withoutQuery(request.url)), ...rest } = request
  return scheme === undefined || ownHeaders.includes('authorization') ? rest : { ...rest, scheme }
}

/** What was not sent before the time was over is asked as others of the site are. */
const asOthers = (request: RequestTemplate, { admission }: Crawling): RequestTemplate => {
  const known = admission.likely(request.url)
  const needs = !request.sent && !isSafe(request.method) && !bringsToken(requestOf(request))
  return known !== null && needs ? { antiForgery: known, ...request } : request
}

/** A description that its service gives with and without the parameter that asks for it is one; the first address stands. */
const eachOnce = (apis: readonly ApiDescription[]): readonly ApiDescription[] => {
  const keyOf = ({ url, kind, title, operations }: ApiDescription): string =>
    JSON.stringify([url.split('?')[0], kind, title, operations])
  return [...new Map(apis.toReversed().map((one) => [keyOf(one), one])).values()].toReversed()
}
/** What a page has asked for by itself since is no longer left to it. */
const withoutRepeats = (requests: readonly RequestTemplate[]): readonly RequestTemplate[] => {
  const asked = new Set(requests.filter(({ harm }) => harm === null).map(({ method, shape }) => `${method} ${shape}`))
  return requests.filter(({ method, shape, harm }) => harm !== ON_DEMAND || !asked.has(`${method} ${shape}`))
}
