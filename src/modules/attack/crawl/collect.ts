import { openFeed } from '../../../knowledge/feeds/items.ts'
import { pageExpressions } from '../../../knowledge/fingerprints/globals.ts'
import { hashRouteOf, withoutHash } from '../../../page/shape.ts'
import { isHtml } from '../../../page/text.ts'
import { isSafe } from '../../../safety/effect.ts'
import { type Decision, decide } from '../../../safety/policy.ts'
import { harmOfLink } from '../../../safety/safety.ts'
import { ON_DEMAND } from '../../../safety/signed-in.ts'
import { createDoubtful } from '../../doubtful.ts'
import type { CollectContext } from '../../module.ts'
import { hasOwnWord } from '../../own-words.ts'
import type { SiteFacts } from '../../passive/site/facts.ts'
import { shownOn } from '../effects/shown.ts'
import { addedFirst } from '../insertion-points/added.ts'
import { pageAt } from '../insertion-points/elsewhere.ts'
import { bringsToken, requestOf } from '../insertion-points/inventory.ts'
import { beyondLists, MAX_POINTS, pointsOf } from '../insertion-points/points.ts'
import type { CookiesAt } from '../insertion-points/programs.ts'
import { choicesIn } from '../insertion-points/routed.ts'
import { isToken } from '../insertion-points/tokens.ts'
import { eachKindFirst, folderKindOf } from '../insertion-points/turns-of-kinds.ts'
import { type Browsing, createBrowsing } from './browsing.ts'
import { takeClientDocuments } from './client-documents.ts'
import { type Crawling, prepare } from './crawling.ts'
import { discover, graphqlAt } from './discover.ts'
import { createElsewhere } from './elsewhere.ts'
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
import { guessAdministration, guessApplications, guessOperations, guessPages } from './guessing.ts'
import { meantBy } from './meant.ts'
import { otherMethods } from './methods.ts'
import { lookForNeeds } from './needed-cookies.ts'
import { plannedOf } from './planned.ts'
import { createServiceDescriptions } from './service-descriptions.ts'
import { strangerPages } from './strangers.ts'
import { withTurnedAway } from './turned-away.ts'
import { askForDebugging, unlinkedParameters } from './unlinked.ts'

/** A site of fewer pages has perhaps its applications in folders that nothing leads to, as behind the page that a new server shows. */
const FEW = 3

/** Static crawl, then a browser on the pages that run scripts, then what that has shown. `leaveAt`: milliseconds from the start. */
export const collectCrawl = async (ctx: CollectContext, site: SiteFacts, leaveAt?: number): Promise<CrawlFacts> => {
  const crawling = await prepare(ctx, site, leaveAt)
  const { crawler, last, frontier, described } = crawling
  for (const page of site.pages) crawler.reading.take(page)
  const browsing = browsingOf(crawling)
  try {
    if (await last.leaves(work(crawling, browsing))) crawling.cut = TIME
  } catch (error) {
    if (!isBudget(error)) throw error
    crawling.cut = 'its share of the requests was used up'
  } finally {
    last.end()
  }
  frontier.cut(crawling.cut ?? 'the crawl ended before')
  described.conclude()
  crawling.notes.doubt(doubtfulOf(crawling))
  return factsOf(crawling, browsing.facts())
}

/** Where the session was lost for good: what was asked since its last proof, by method and address. */
const doubtfulOf = ({ ctx, session }: Crawling): ReadonlySet<string> =>
  new Set([
    ...(ctx.session?.doubtful() ?? []).map(({ method, href }) => `${method} ${withoutHash(href)}`),
    ...session.facts().doubtful.map((url) => `GET ${withoutHash(url)}`),
  ])

const browsingOf = (crawling: Crawling): Browsing => {
  const { ctx, site, until, dry, around, judge, scope, notes, requests } = crawling
  const { frontier, fetcher, session, crawler, admission, last } = crawling
  const { reading } = crawler
  const missing = site.missing[0]?.url ?? null
  /** Ids of requests. */
  const shown = new Set<string>()
  return createBrowsing({
    launch: ctx.browser,
    scripted: () => reading.scripted,
    chosenIn: (url) => choicesIn(crawling.routes.of(url)).join('&'),
    guessed: () => reading.guessed().filter(({ url }) => frontier.harmOf(url) === null),
    meant: () => meantBy(requests.all(frontier.harmOf)),
    missing,
    isPage: (url) => void reading.isPage(url),
    follow: async () => {
      await crawler.run(until.browser())
      for (const url of reading.tabled()) if (isRouteToOpen(url, null, judge)) reading.isRoute(url)
    },
    notes,
    doubt: createDoubtful([ctx.session]),
    inScope: scope.holds,
    decide: (asked, seen) => (dry ? orNever : asIs)(decide(asked, seen, around())),
    link: (url, on, label, harm) => {
      if (isRouteToOpen(url, harm ?? harmOfLink(label), judge) && reading.isRoute(url)) return true
      // A page names itself, whether it is one or not, and with what its forms bring.
      if (withoutQuery(url) === missing) return false
      const itself = withoutHash(url) === withoutHash(on)
      const isNew = frontier.add(url, 1, 'browser', on, label, harm)
      return isNew || (!itself && reading.isPage(url))
    },
    request: (draft) => {
      const url = URL.parse(draft.url)
      admission.note(draft.withheld ?? [])
      const isPlace = url && scope.holds(url) && !(draft.method === 'GET' && withoutQuery(draft.url) === missing)
      const listed = isPlace ? requests.add({ ...draft, url: withoutHash(url.href) }) : null
      if (listed === null || shown.has(listed.id)) return false
      shown.add(listed.id)
      return true
    },
    elsewhere: createElsewhere(scope, notes),
    cookie: (name, value) => {
      // A session that a script keeps there is no setting.
      if (!isToken(name, value)) fetcher.keep(name, value)
    },
    expressions: expressionsFor(ctx.knowledge),
    alive: session.alive,
    signal: last.signal,
    progress: crawling.progress(0.5, 0.85),
    until: until.browser,
  })
}

/** What a router is told by the # is judged as the path that it stands for. */
const isRouteToOpen = (address: string, harm: string | null, judge: Crawling['judge']): boolean => {
  const route = hashRouteOf(address)
  return route !== null && judge(new URL(route.replace(/^!/, ''), address).href, harm) === null
}

const work = async (crawling: Crawling, browsing: Browsing): Promise<void> => {
  const { ctx, site, until, scope, requests, frontier, fetcher, session, described, crawler } = crawling
  const { origin } = new URL(site.baseUrl)
  const signedIn = ctx.session === undefined ? [] : [ctx.session.proofAt, ...(ctx.session.landed ?? [])]
  const begins = [...(ctx.options.start_paths ?? []), ...signedIn]
  for (const begin of begins) frontier.add(new URL(begin, site.baseUrl).href, 1, 'start', null)
  const parts = { origin, fetcher, frontier, requests, scope, described, beyond: crawler.reading.beyond }
  crawling.discovered = await discover(parts)
  if (ctx.hasCredentials && ctx.options.hypothesis === undefined) await guessPages({ origin, fetcher, frontier, site })
  await described.run(false, until.static)
  crawling.cut = await crawler.run(until.static)
  if (ctx.options.hypothesis === undefined && crawler.reading.urls.filter(isPage).length < FEW) {
    await guessApplications({ origin, fetcher, frontier, site }, until.static)
    crawling.cut = await crawler.run(until.static)
  }
  await takeClientDocuments(crawling, until.browser())
  const describeServices = createServiceDescriptions(crawling, parts)
  await describeServices(until.browser())
  await described.run(true, until.browser())
  if (ctx.hasCredentials) await lookAsStranger(crawling)
  await browsing.run()
  await describeServices(until.all())
  const { graphql, ...others } = crawling.discovered
  const shown = await graphqlAt(parts, requests.all(), graphql)
  crawling.discovered = { ...others, graphql: [...graphql, ...shown] }
  if (ctx.options.hypothesis === undefined) {
    const known = [...crawler.reading.urls, ...requests.all(frontier.harmOf)].map(({ url }) => url)
    await guessOperations({ origin, fetcher, frontier, known })
    if (ctx.hasCredentials) await guessAdministration({ origin, fetcher, frontier, site, known })
  }
  crawling.cut = (await crawler.run(until.all())) ?? (crawling.cut === TIME ? null : crawling.cut)
  await takeClientDocuments(crawling, until.all())
  // Of descriptions that only the browser has shown.
  await described.run(true, until.all())
  await learnTheRest(crawling)
  if (!crawling.dry) await lookForNeeds(ctx, fetcher.broughtTo, requests.all(frontier.harmOf), until.all())
  if (crawling.marker !== null && crawling.isMarked()) await lookForStored(crawling, crawling.marker)
  if (!crawling.dry) await askOtherMethods(crawling)
  if (!crawling.dry && ctx.options.hypothesis === undefined) await askUnlinked(crawling)
  await session.seek(readBy(crawler.reading.urls, requests.all(frontier.harmOf)))
  if (await session.prove()) await crawler.askAgain()
}

/**
 * What is not known to read is asked seldom and carefully on a test system, and of production not at all: to learn what a request does takes
 * less than that costs. What its answers lead to is known, and is not followed any more.
 */
const learnTheRest = async ({ ctx, until, requests, session, crawler, learn }: Crawling): Promise<void> => {
  const kindOf = ({ method, encoding, url }: RequestTemplate): string => `${method} ${encoding} ${folderKindOf(url)}`
  const unlearned = addedFirst(eachKindFirst(requests.unlearned(), kindOf), crawler.reading.folders)
  if (unlearned.length === 0) return
  const end = until.learning(unlearned.length)
  for (let at = 0; at < unlearned.length && performance.now() < end; at += PROVEN_EACH) {
    if (!(await session.alive())) return
    ctx.progress(`what requests do: ${at} of ${unlearned.length}`, 0.85)
    const some = new Set(unlearned.slice(at, at + PROVEN_EACH).map(({ id }) => id))
    await learn(end, crawler.learned, ({ id }) => some.has(id))
  }
}

/** So many are learned of before the session is asked for once more. */
const PROVEN_EACH = 100

const isPage = ({ status, contentType }: CrawlFacts['urls'][number]): boolean =>
  status === 200 && isHtml(contentType, '')

const isEnding = ({ until, last }: Crawling): boolean => performance.now() > until.all() || last.signal.aborted

const lookAsStranger = async (crawling: Crawling): Promise<void> => {
  const { ctx, site, until, judge, scope, routes, frontier, session, crawler } = crawling
  const pages = await strangerPages({
    ctx,
    from: [site.baseUrl, ...[session.facts().canary, ctx.session?.leads?.at].filter((url) => url != null)],
    kindOf: routes.of,
    known: crawler.reading.urls.map(({ url }) => url),
    mayAsk: (address) => {
      const url = URL.parse(address)
      return url !== null && scope.holds(url) && judge(address, frontier.harmOf(address)) === null
    },
    isOver: () => isEnding(crawling),
  })
  for (const { url, exchange } of pages) crawler.reading.takeStranger(url, exchange)
  crawling.cut = (await crawler.run(until.static)) ?? crawling.cut
}

const askOtherMethods = async (crawling: Crawling): Promise<void> => {
  const { careful, around, requests, frontier, fetcher } = crawling
  const found = await otherMethods({
    requests: requests.all(frontier.harmOf),
    maySend: ({ method, url, encoding = 'none', fields = [] }) => {
      const asked = { method, url, encoding, fields, body: null }
      const { send } = decide(asked, null, around())
      return send === 'send' || (send === 'bounded' && !careful && method !== 'GET')
    },
    send: fetcher.send,
    isOver: () => isEnding(crawling),
  })
  for (const draft of found) requests.add(draft)
}

const askUnlinked = async (crawling: Crawling): Promise<void> => {
  const { judge, routes, requests, frontier, fetcher, crawler, careful } = crawling
  const answered = crawler.reading.urls.filter(({ status, contentType }) => status === 200 && isHtml(contentType, ''))
  const pages = new Map(answered.toReversed().map(({ url }) => [routes.of(url), withoutHash(url)]))
  const asked = {
    pages: [...pages.values()].toReversed().filter((url) => judge(url, frontier.harmOf(url)) === null),
    maySend: ({ url }: { readonly url: string }) => judge(url, null) === null,
    send: fetcher.send,
    isOver: () => isEnding(crawling),
  }
  const found = await unlinkedParameters({ ...asked, requests: requests.all(frontier.harmOf), routeOf: routes.of })
  for (const draft of found) requests.add(draft)
  // It may be a setting of the session.
  if (!careful) await askForDebugging(asked)
}

const lookForStored = async (crawling: Crawling, mark: string): Promise<void> => {
  const { ctx, judge, routes, requests, crawler } = crawling
  const pages = crawler.reading.urls.filter(({ status, url }) => status === 200 && judge(url, null) === null)
  const addresses = new Map(pages.toReversed().map(({ url }) => [routes.of(url), url])).values().toArray().toReversed()
  const isOver = (): boolean => isEnding(crawling)
  requests.shown(await shownOn(addresses, mark, (url) => pageAt(ctx, url), isOver))
}

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

/** A dry run sends nothing that may write, however seldom. */
const orNever = (decision: Decision): Decision =>
  decision.send === 'bounded' ? { send: 'never', reason: decision.reason } : decision
/** A description that its service gives with and without the parameter that asks for it is one; the first address stands. */
const eachOnce = (apis: readonly ApiDescription[]): readonly ApiDescription[] => {
  const keyOf = ({ url, kind, title, operations }: ApiDescription): string =>
    JSON.stringify([url.split('?')[0], kind, title, operations])
  return [...new Map(apis.toReversed().map((one) => [keyOf(one), one])).values()].toReversed()
}
/** What answered a GET, that of scripts first: it is data, and tells who asks sooner than a page. */
const readBy = (urls: readonly CrawledUrl[], requests: readonly RequestTemplate[]): readonly string[] => [
  ...requests.flatMap(({ method, url, sent, harm, source }) =>
    method === 'GET' && sent && harm === null && ['browser', 'script'].includes(source) ? [url] : [],
  ),
  ...urls.flatMap(({ url, status, contentType }) => (status === 200 && /json/.test(contentType) ? [url] : [])),
  ...urls.flatMap(({ url, status }) => (status === 200 ? [url] : [])),
]

const asIs = (decision: Decision): Decision => decision

/** What a page has asked for by itself since is no longer left to it. */
const withoutRepeats = (requests: readonly RequestTemplate[]): readonly RequestTemplate[] => {
  const asked = new Set(requests.filter(({ harm }) => harm === null).map(({ method, shape }) => `${method} ${shape}`))
  return requests.filter(({ method, shape, harm }) => harm !== ON_DEMAND || !asked.has(`${method} ${shape}`))
}

export const TIME = 'its share of the time was used up'

/** What the running pages are asked for, so that the inventory knows what scripts brought. */
const expressionsFor = (knowledge: string | undefined): readonly string[] => {
  const retire = knowledge === undefined ? null : openFeed(knowledge, 'retire')
  try {
    return pageExpressions(retire)
  } finally {
    retire?.close()
  }
}

export const isBudget = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'budget'
