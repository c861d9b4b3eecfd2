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
import { createBrowsing } from './browsing.ts'
import { createCrawler } from './crawler.ts'
import { createDescribed } from './described.ts'
import { discover } from './discover.ts'
import type { ApiDescription, CrawledUrl, CrawlFacts, RequestTemplate } from './facts.ts'
import { createFetcher } from './fetching.ts'
import { createFrontier, type Frontier, LIMITS } from './frontier.ts'
import { otherMethods } from './methods.ts'
import { plannedOf } from './planned.ts'
import { createReachNotes } from './reach.ts'
import { createRequests } from './requests.ts'
import { createRoutes } from './routes.ts'
import { scopeOf } from './scope.ts'
import { openSession } from './session.ts'
import { strangerPages } from './strangers.ts'

/** Milliseconds from the start, where a run has the usual time: how long the static crawl, the browser and the rest may take. */
const STATIC_UNTIL = 90_000
const BROWSER_UNTIL = 170_000
const ALL_UNTIL = 210_000
/** What is under way then is left: a crawl that overran its module would leave all others without an inventory. */
const LEAVE_AFTER = 222_000

/** Static crawl, then a browser on the pages that run scripts, then what that has shown. `leaveAt`: milliseconds from the start. */
export const collectCrawl = async (
  ctx: CollectContext,
  site: SiteFacts,
  leaveAt = LEAVE_AFTER * ctx.timeFactor,
): Promise<CrawlFacts> => {
  const began = performance.now()
  const scope = scopeOf(ctx.target)
  const signedIn = ctx.hasCredentials
  const careful = (ctx.target.environment ?? 'production') === 'production'
  // Signed in, a link with a token that works could change something.
  const plain = signedIn && careful ? withoutToken : (address: string): string => address
  const around = aroundOf(ctx, () => crawler.urls())
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
    const share = (performance.now() - began) / (ALL_UNTIL * ctx.timeFactor)
    ctx.progress(detail, Math.min(to, Math.max(from, share)))
  }
  const isEnding = () => performance.now() > began + ALL_UNTIL * ctx.timeFactor || last.signal.aborted
  const described = createDescribed({
    ...{ origin: new URL(site.baseUrl).origin, requests, notes, signal: last.signal },
    send: fetcher.send,
    read: (url, answer) => crawler.takeAnswer(url, answer),
  })
  for (const { operations, refused } of ctx.descriptions ?? []) {
    described.take(operations, 'description', null)
    for (const { where, reason } of refused) described.refuse(where, reason)
  }
  const crawler = createCrawler({
    described,
    scope,
    frontier,
    requests,
    routes,
    notes,
    fetcher,
    session,
    site,
    leavesScripts: signedIn && careful,
    learn: async (until, each) => {
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
    },
    signal: last.signal,
    progress: progress(0.05, 0.5),
  })
  let isMarked = false
  for (const page of site.pages) crawler.take(page)
  let cut: string | null = null
  let discovered: Awaited<ReturnType<typeof discover>> = { apis: [], graphql: [] }
  const missing = site.missing[0]?.url ?? null
  const browsing = createBrowsing({
    launch: ctx.browser,
    scripted: crawler.scripted,
    guessed: () => crawler.guessed().filter(({ url }) => frontier.harmOf(url) === null),
    missing,
    isPage: (url) => void crawler.isPage(url),
    follow: async () => void (await crawler.run(began + BROWSER_UNTIL * ctx.timeFactor)),
    notes,
    inScope: scope.holds,
    decide: (asked, seen) => (dry ? orNever : asIs)(decide(asked, seen, around())),
    link: (url, on, label, harm) => {
      // A page names itself, whether it is one or not.
      const itself = withoutHash(url) === withoutHash(on)
      if (itself && withoutHash(url) === missing) return false
      const isNew = frontier.add(url, 1, 'browser', on, label, harm)
      return isNew || (!itself && crawler.isPage(url))
    },
    request: (draft) => {
      const url = URL.parse(draft.url)
      if (url && scope.holds(url)) requests.add({ ...draft, url: withoutHash(url.href) })
    },
    expressions: expressionsFor(ctx.knowledge),
    alive: session.alive,
    signal: last.signal,
    progress: progress(0.5, 0.85),
    until: began + BROWSER_UNTIL * ctx.timeFactor,
  })
  const lookAsStranger = async (): Promise<void> => {
    const pages = await strangerPages({
      ctx,
      from: [site.baseUrl, ...[session.facts().canary].filter((url) => url !== null)],
      known: crawler.urls().map(({ url }) => url),
      mayAsk: (address) => {
        const url = URL.parse(address)
        return url !== null && scope.holds(url) && judge(address, frontier.harmOf(address)) === null
      },
      isOver: isEnding,
    })
    for (const { url, exchange } of pages) crawler.takeStranger(url, exchange)
    cut = (await crawler.run(began + STATIC_UNTIL * ctx.timeFactor)) ?? cut
  }
  const askOtherMethods = async (): Promise<void> => {
    if (dry) return
    const found = await otherMethods({
      requests: requests.all(frontier.harmOf),
      maySend: ({ method, url, encoding = 'none', fields = [] }) => {
        const asked = { method, url, encoding, fields, body: null }
        const { send } = decide(asked, null, around())
        return send === 'send' || (send === 'bounded' && !careful && method !== 'GET')
      },
      send: fetcher.send,
      isOver: isEnding,
    })
    for (const draft of found) requests.add(draft)
  }
  const work = async (): Promise<void> => {
    discovered = await discover({ origin: new URL(site.baseUrl).origin, fetcher, frontier, requests, scope, described })
    await described.run(false, began + STATIC_UNTIL * ctx.timeFactor)
    cut = await crawler.run(began + STATIC_UNTIL * ctx.timeFactor)
    await described.run(true, began + BROWSER_UNTIL * ctx.timeFactor)
    if (signedIn) await lookAsStranger()
    await browsing.run()
    cut = (await crawler.run(began + ALL_UNTIL * ctx.timeFactor)) ?? (cut === TIME ? null : cut)
    // Of descriptions that only the browser has shown.
    await described.run(true, began + ALL_UNTIL * ctx.timeFactor)
    if (marker !== null && isMarked) await lookForStored(marker)
    await askOtherMethods()
    await session.seek(readBy(crawler.urls(), requests.all(frontier.harmOf)))
    await session.prove()
  }
  const lookForStored = async (mark: string): Promise<void> => {
    const pages = crawler.urls().filter(({ status, url }) => status === 200 && judge(url, null) === null)
    const addresses = new Map(pages.toReversed().map(({ url }) => [routes.of(url), url]))
      .values()
      .toArray()
      .toReversed()
    requests.shown(await shownOn(addresses, mark, (url) => pageAt(ctx, url), isEnding))
  }
  try {
    if (await last.leaves(work())) cut = TIME
  } catch (error) {
    if (!isBudget(error)) throw error
    cut = 'its share of the requests was used up'
  } finally {
    last.end()
  }
  frontier.cut(cut ?? 'the crawl ended before')
  described.conclude()
  const unread = { kind: 'address', fate: 'left_out', holds: true } as const
  const cutPages = crawler.cutPages().length
  if (cutPages > 0) notes.count({ ...unread, reason: 'it stands beyond the first 256 KiB of a page' }, cutPages)
  if (requests.overflow() > 0) notes.count({ ...unread, kind: 'form', reason: 'the list is full' }, requests.overflow())
  const listed = withoutRepeats(requests.all(frontier.harmOf))
  const points = pointsOf(listed, new Map([...fetcher.cookies].filter(([name]) => !ctx.ownCookies?.includes(name))))
  return {
    urls: crawler.urls(),
    requests: listed,
    ...(marker === null ? {} : { marker }),
    ...(dry ? { planned: plannedOf(listed, points) } : {}),
    points: points.slice(0, MAX_POINTS),
    ...(points.length > MAX_POINTS ? { pointsLeft: points.length - MAX_POINTS } : {}),
    scripted: crawler.scripted(),
    apis: eachOnce([...discovered.apis, ...crawler.apis()]),
    graphql: discovered.graphql,
    session: session.facts(),
    browser: browsing.facts(),
    otherHosts: frontier.otherHosts(),
    leftOut: frontier.leftOut(),
    reach: notes.facts(),
    cut: session.facts().state === 'lost' ? 'the session was lost' : cut,
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
