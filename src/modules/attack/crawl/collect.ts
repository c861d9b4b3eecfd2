import { randomBytes } from 'node:crypto'
import { openFeed } from '../../../knowledge/feeds/items.ts'
import { pageExpressions } from '../../../knowledge/fingerprints/globals.ts'
import { withoutHash } from '../../../page/shape.ts'
import { type Around, type Asked, type Decision, decide } from '../../../safety/policy.ts'
import { isStaff, ON_DEMAND, withoutToken } from '../../../safety/signed-in.ts'
import type { CollectContext } from '../../module.ts'
import type { SiteFacts } from '../../passive/site/facts.ts'
import { learnAll } from '../effects/learn-all.ts'
import { shownOn } from '../effects/shown.ts'
import { pageAt } from '../insertion-points/elsewhere.ts'
import { MAX_POINTS, pointsOf } from '../insertion-points/points.ts'
import { type Browsing, createBrowsing } from './browsing.ts'
import { type Crawler, type CrawlParts, createCrawler } from './crawler.ts'
import { createDescribed, type Described } from './described.ts'
import { discover } from './discover.ts'
import type { ApiDescription, CrawledUrl, CrawlFacts, RequestTemplate } from './facts.ts'
import { createFetcher, type Fetcher } from './fetching.ts'
import { createFrontier, type Frontier, LIMITS } from './frontier.ts'
import { otherMethods } from './methods.ts'
import { plannedOf } from './planned.ts'
import { createReachNotes, type ReachNotes } from './reach.ts'
import { createRequests, type Requests } from './requests.ts'
import { createRoutes, type Routes } from './routes.ts'
import { type Scope, scopeOf } from './scope.ts'
import { openSession, type Session } from './session.ts'
import { strangerPages } from './strangers.ts'

/** Milliseconds from the start, where a run has the usual time: how long the static crawl, the browser and the rest may take. */
const STATIC_UNTIL = 90_000
const BROWSER_UNTIL = 170_000
const ALL_UNTIL = 210_000
/** What is under way then is left: a crawl that overran its module would leave all others without an inventory. */
const LEAVE_AFTER = 222_000

/** One crawl: what its steps work with, and what became of them so far. */
interface Crawling {
  readonly ctx: CollectContext
  readonly site: SiteFacts
  /** When each part is over, by performance.now(). */
  readonly until: { readonly static: number; readonly browser: number; readonly all: number }
  /** Of a production system. */
  readonly careful: boolean
  readonly dry: boolean
  /** Stands in forms whose effect is learned; null where nothing is stored. */
  readonly marker: string | null
  readonly isMarked: () => boolean
  readonly around: () => Around
  /** Why an address is left alone, null where it may be asked for. */
  readonly judge: (address: string, told: string | null) => string | null
  readonly scope: Scope
  readonly routes: Routes
  readonly notes: ReachNotes
  readonly requests: Requests
  readonly frontier: Frontier
  readonly fetcher: Fetcher
  readonly session: Session
  readonly described: Described
  readonly crawler: Crawler
  readonly last: Last
  readonly progress: (from: number, to: number) => (detail: string) => void
  discovered: Awaited<ReturnType<typeof discover>>
  cut: string | null
}

/** Static crawl, then a browser on the pages that run scripts, then what that has shown. `leaveAt`: milliseconds from the start. */
export const collectCrawl = async (
  ctx: CollectContext,
  site: SiteFacts,
  leaveAt = LEAVE_AFTER * ctx.timeFactor,
): Promise<CrawlFacts> => {
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
  return factsOf(crawling, browsing)
}

const prepare = async (ctx: CollectContext, site: SiteFacts, leaveAt: number): Promise<Crawling> => {
  const began = performance.now()
  const [untilStatic, untilBrowser, untilAll] = [STATIC_UNTIL, BROWSER_UNTIL, ALL_UNTIL].map(
    (share) => began + share * ctx.timeFactor,
  ) as [number, number, number]
  const scope = scopeOf(ctx.target)
  const careful = (ctx.target.environment ?? 'production') === 'production'
  // Signed in, a link with a token that works could change something.
  const plain = ctx.hasCredentials && careful ? withoutToken : (address: string): string => address
  const around = aroundOf(ctx, () => crawler.reading.urls)
  const judge = (address: string, told: string | null) => decide(linkTo(address, told), null, around()).reason
  const dry = ctx.options.dry_run === true
  const marker = careful || dry ? null : `sonde${randomBytes(4).toString('hex')}`
  const routes = createRoutes()
  const notes = createReachNotes()
  const requests = createRequests(around, plain, routes.of, marker)
  const frontier = plainly(
    createFrontier(scope, LIMITS, ctx.egress.excludes, {
      note: notes.note,
      left: (url, harm, source, seenOn) => void requests.add({ method: 'GET', url, source, seenOn, sent: false, harm }),
      judge,
    }),
    plain,
  )
  const fetcher = createFetcher(ctx)
  ctx.progress('proving the session', 0)
  const session = await openSession(ctx, site)
  const last = leaveAfter(ctx.signal, began + leaveAt - performance.now())
  const progress = (from: number, to: number) => (detail: string) => {
    const share = (performance.now() - began) / (untilAll - began)
    ctx.progress(detail, Math.min(to, Math.max(from, share)))
  }
  const described = createDescribed({
    ...{ origin: new URL(site.baseUrl).origin, requests, notes, signal: last.signal },
    send: fetcher.send,
    read: (url, answer) => crawler.reading.takeAnswer(url, answer),
  })
  for (const { operations, refused } of ctx.descriptions ?? []) {
    described.take(operations, 'description', null)
    for (const { where, reason } of refused) described.refuse(where, reason)
  }
  let isMarked = false
  const learn: CrawlParts['learn'] = async (until, each) => {
    let any = false
    await learnAll(
      dry ? [] : requests.unlearned(),
      {
        ...{ send: fetcher.send, mayRead: (url) => judge(url, null) === null, careful },
        cookies: () => new Set([...fetcher.cookies.keys(), ...(ctx.ownCookies ?? [])]),
      },
      () => performance.now() > until || last.signal.aborted,
      (request, { seen, answer, sent, watched }) => {
        any = true
        isMarked ||= marker !== null && request.fields.some(({ value }) => value.startsWith(marker))
        requests.learned(request.id, seen, sent, watched)
        if (answer === null) return
        described.answered(request, answer)
        each(request, answer)
      },
    )
    return any
  }
  const crawler = createCrawler({
    ...{ described, scope, frontier, requests, routes, notes, fetcher, session, site, learn, signal: last.signal },
    leavesScripts: ctx.hasCredentials && careful,
    progress: progress(0.05, 0.5),
  })
  return {
    ...{ ctx, site, careful, dry, marker, isMarked: () => isMarked, around, judge, scope, routes, notes, requests },
    ...{ frontier, fetcher, session, described, crawler, last, progress, cut: null },
    until: { static: untilStatic, browser: untilBrowser, all: untilAll },
    discovered: { apis: [], graphql: [] },
  }
}

const browsingOf = (crawling: Crawling): Browsing => {
  const { ctx, site, until, dry, around, scope, notes, requests, frontier, session, crawler, last } = crawling
  const { reading } = crawler
  const missing = site.missing[0]?.url ?? null
  return createBrowsing({
    launch: ctx.browser,
    scripted: () => reading.scripted,
    guessed: () => reading.guessed().filter(({ url }) => frontier.harmOf(url) === null),
    missing,
    isPage: (url) => void reading.isPage(url),
    follow: async () => void (await crawler.run(until.browser)),
    notes,
    inScope: scope.holds,
    decide: (asked, seen) => (dry ? orNever : asIs)(decide(asked, seen, around())),
    link: (url, on, label, harm) => {
      // A page names itself, whether it is one or not.
      const itself = withoutHash(url) === withoutHash(on)
      if (itself && withoutHash(url) === missing) return false
      const isNew = frontier.add(url, 1, 'browser', on, label, harm)
      return isNew || (!itself && reading.isPage(url))
    },
    request: (draft) => {
      const url = URL.parse(draft.url)
      if (url && scope.holds(url)) requests.add({ ...draft, url: withoutHash(url.href) })
    },
    expressions: expressionsFor(ctx.knowledge),
    alive: session.alive,
    signal: last.signal,
    progress: crawling.progress(0.5, 0.85),
    until: until.browser,
  })
}

const work = async (crawling: Crawling, browsing: Browsing): Promise<void> => {
  const { ctx, site, until, scope, requests, frontier, fetcher, session, described, crawler } = crawling
  const { origin } = new URL(site.baseUrl)
  crawling.discovered = await discover({ origin, fetcher, frontier, requests, scope, described })
  await described.run(false, until.static)
  crawling.cut = await crawler.run(until.static)
  await described.run(true, until.browser)
  if (ctx.hasCredentials) await lookAsStranger(crawling)
  await browsing.run()
  crawling.cut = (await crawler.run(until.all)) ?? (crawling.cut === TIME ? null : crawling.cut)
  // Of descriptions that only the browser has shown.
  await described.run(true, until.all)
  if (crawling.marker !== null && crawling.isMarked()) await lookForStored(crawling, crawling.marker)
  if (!crawling.dry) await askOtherMethods(crawling)
  await session.seek(readBy(crawler.reading.urls, requests.all(frontier.harmOf)))
  await session.prove()
}

const isEnding = ({ until, last }: Crawling): boolean => performance.now() > until.all || last.signal.aborted

const lookAsStranger = async (crawling: Crawling): Promise<void> => {
  const { ctx, site, until, judge, scope, frontier, session, crawler } = crawling
  const pages = await strangerPages({
    ctx,
    from: [site.baseUrl, ...[session.facts().canary].filter((url) => url !== null)],
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

const lookForStored = async (crawling: Crawling, mark: string): Promise<void> => {
  const { ctx, judge, routes, requests, crawler } = crawling
  const pages = crawler.reading.urls.filter(({ status, url }) => status === 200 && judge(url, null) === null)
  const addresses = new Map(pages.toReversed().map(({ url }) => [routes.of(url), url])).values().toArray().toReversed()
  const isOver = (): boolean => isEnding(crawling)
  requests.shown(await shownOn(addresses, mark, (url) => pageAt(ctx, url), isOver))
}

const factsOf = (crawling: Crawling, browsing: Browsing): CrawlFacts => {
  const { ctx, dry, marker, notes, requests, frontier, fetcher, session, discovered } = crawling
  const { urls, scripted, apis, cutPages } = crawling.crawler.reading
  const unread = { kind: 'address', fate: 'left_out', holds: true } as const
  if (cutPages.size > 0)
    notes.count({ ...unread, reason: 'it stands beyond the first 256 KiB of a page' }, cutPages.size)
  if (requests.overflow() > 0) notes.count({ ...unread, kind: 'form', reason: 'the list is full' }, requests.overflow())
  const listed = withoutRepeats(requests.all(frontier.harmOf))
  const points = pointsOf(listed, new Map([...fetcher.cookies].filter(([name]) => !ctx.ownCookies?.includes(name))))
  return {
    urls,
    requests: listed,
    ...(marker === null ? {} : { marker }),
    ...(dry ? { planned: plannedOf(listed, points) } : {}),
    points: points.slice(0, MAX_POINTS),
    ...(points.length > MAX_POINTS ? { pointsLeft: points.length - MAX_POINTS } : {}),
    scripted,
    apis: eachOnce([...discovered.apis, ...apis]),
    graphql: discovered.graphql,
    session: session.facts(),
    browser: browsing.facts(),
    otherHosts: frontier.otherHosts(),
    leftOut: frontier.leftOut(),
    reach: notes.facts(),
    cut: session.facts().state === 'lost' ? 'the session was lost' : crawling.cut,
  }
}

interface Last {
  /** Aborted with the module, and when the time is over. */
  readonly signal: AbortSignal
  /** Waits for work until then. True where it was left. @throws what the work throws by itself */
  readonly leaves: (work: Promise<void>) => Promise<boolean>
  readonly end: () => void
}

const leaveAfter = (module: AbortSignal, milliseconds: number): Last => {
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), milliseconds)
  const left = new Promise<true>((resolve) => over.signal.addEventListener('abort', () => resolve(true)))
  return {
    signal: AbortSignal.any([module, over.signal]),
    leaves: (work) =>
      Promise.race([
        left,
        work.then(
          () => false,
          (error: unknown) => {
            // What it says after that is that it was called off.
            if (over.signal.aborted && !module.aborted) return true
            throw error
          },
        ),
      ]),
    end: () => clearTimeout(timer),
  }
}

/** The run, as the policy sees it. Whether the account is one of staff shows on the way. */
const aroundOf = (ctx: CollectContext, urls: () => readonly CrawledUrl[]): (() => Around) => {
  let known = { count: -1, staff: false }
  return () => {
    const { length: count } = urls()
    if (count !== known.count) known = { count, staff: ctx.hasCredentials && isStaff(urls()) }
    return {
      environment: ctx.target.environment ?? 'production',
      signedIn: ctx.hasCredentials,
      staff: known.staff,
      excludes: ctx.egress.excludes,
    }
  }
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

const linkTo = (url: string, told: string | null): Asked => ({
  ...{ method: 'GET', url, encoding: 'none', fields: [], body: null, told },
})

/** What a page has asked for by itself since is no longer left to it. */
const withoutRepeats = (requests: readonly RequestTemplate[]): readonly RequestTemplate[] => {
  const asked = new Set(requests.filter(({ harm }) => harm === null).map(({ method, shape }) => `${method} ${shape}`))
  return requests.filter(({ method, shape, harm }) => harm !== ON_DEMAND || !asked.has(`${method} ${shape}`))
}

const plainly = (frontier: Frontier, plain: (address: string) => string): Frontier => ({
  ...frontier,
  add: (address, ...rest) => frontier.add(plain(address), ...rest),
})

const TIME = 'its share of the time was used up'

/** What the running pages are asked for, so that the inventory knows what scripts brought. */
const expressionsFor = (knowledge: string | undefined): readonly string[] => {
  const retire = knowledge === undefined ? null : openFeed(knowledge, 'retire')
  try {
    return pageExpressions(retire)
  } finally {
    retire?.close()
  }
}

const isBudget = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'budget'
