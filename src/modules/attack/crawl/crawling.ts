/** One crawl set up: what its steps work with, what each part may take of the time, and when all of it is left. */
import { randomBytes } from 'node:crypto'
import { withAmpersands } from '../../../page/query.ts'
import { aroundRun } from '../../../safety/around.ts'
import { isSafe } from '../../../safety/effect.ts'
import { formOf } from '../../../safety/form.ts'
import { type Around, type Asked, decide } from '../../../safety/policy.ts'
import { createLinkTokens, isStaff } from '../../../safety/signed-in.ts'
import type { CollectContext } from '../../module.ts'
import type { SiteFacts } from '../../passive/site/facts.ts'
import { type Admission, createAdmission } from '../effects/admission.ts'
import { learnAll } from '../effects/learn-all.ts'
import type { GetPage } from '../effects/pages.ts'
import { requestOf } from '../insertion-points/inventory.ts'
import { pointsOf } from '../insertion-points/points.ts'
import { SHARED } from '../insertion-points/shared.ts'
import { isToken } from '../insertion-points/tokens.ts'
import { cookiesBesideSession } from './beside-session.ts'
import { createAdding } from './collections.ts'
import { type Crawler, type CrawlParts, createCrawler } from './crawler.ts'
import { createDescribed, type Described } from './described.ts'
import type { discover } from './discover.ts'
import { createElsewhere } from './elsewhere.ts'
import type { CrawledUrl, RequestTemplate } from './facts.ts'
import { createFetcher, type Fetcher } from './fetching.ts'
import { createFrontier, type Frontier, LIMITS } from './frontier.ts'
import { createReachNotes, type ReachNotes } from './reach.ts'
import { createRequests, type Requests } from './requests.ts'
import { createRoutes, type Routes } from './routes.ts'
import { type Scope, scopeOf } from './scope.ts'
import { openSession, type Session } from './session.ts'
import { type CrawlTimes, timesOfCrawl } from './time.ts'
import { addressOf, isAddress, operationsToldIn } from './told-operations.ts'
import { createToldRequests, type Said, saidIn, type ToldRequests } from './told-requests.ts'

/** One crawl: what its steps work with, and what became of them so far. */
export interface Crawling {
  readonly ctx: CollectContext
  readonly site: SiteFacts
  readonly until: CrawlTimes
  /** Of a production system. */
  readonly careful: boolean
  readonly dry: boolean
  /** Stands in forms whose effect is learned; null where nothing is stored. */
  readonly marker: string | null
  /** Cookies of the sign-in that are no part of the session, name to value: places like those that the site sets. */
  readonly besides: ReadonlyMap<string, string>
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
  readonly admission: Admission
  /** Sends once, with their own values, those of the list that `which` takes and whose effect nobody knows. True where it sent any. */
  readonly learn: (until: number, each: LearnedOf, which?: (request: RequestTemplate) => boolean) => Promise<boolean>
  readonly last: Last
  readonly progress: (from: number, to: number) => (detail: string) => void
  discovered: Awaited<ReturnType<typeof discover>>
  cut: string | null
}

/** What an earlier crawl of the same run knows already. */
export interface Before {
  /** Of addresses that are met again: whether it is left at what is known of them. Asked once of each. */
  readonly leaves: (address: string) => boolean
  /** Nothing has to be learned of it any more. */
  readonly knows: (request: RequestTemplate) => boolean
  readonly marker: string | null
}

/** `leaveAt`: milliseconds from the start. */
export const prepare = async (
  ctx: CollectContext,
  site: SiteFacts,
  leaveAt?: number,
  before?: Before,
): Promise<Crawling> => {
  const began = performance.now()
  const until = timesOfCrawl(ctx, () => pointsOf(requests.all(frontier.harmOf), () => []).length, leaveAt)
  const scope = scopeOf(ctx.target)
  const careful = (ctx.target.environment ?? 'production') === 'production'
  // Signed in, a link with a token that works could change something.
  const tokens = createLinkTokens()
  const plain = (address: string): string =>
    withAmpersands(ctx.hasCredentials && careful ? tokens.without(address) : address)
  const around = aroundOf(ctx, () => crawler.reading.urls)
  const mayRead = (url: string): boolean => judge(url, null) === null
  const judge = (address: string, told: string | null) => decide(linkTo(address, told), null, around()).reason
  const dry = ctx.options.dry_run === true
  const marker = before ? before.marker : careful || dry ? null : `sonde${randomBytes(4).toString('hex')}`
  const routes = createRoutes()
  let isLost = (): boolean => false
  const notes = createReachNotes(undefined, () => isLost())
  const requests = createRequests(around, plain, routes.of, marker)
  const frontier = plainly(frontierOf(ctx, { scope, notes, requests, judge }), plain, before?.leaves)
  const fetcher = createFetcher(ctx)
  ctx.progress('proving the session', 0)
  const session = await openSession(ctx, site)
  const besides = await cookiesBesideSession(ctx)
  isLost = () => session.facts().state === 'lost'
  const last = leaveAfter(ctx.signal, until.leave)
  const progress = (from: number, to: number) => (detail: string) => {
    const share = (performance.now() - began) / (until.all() - began)
    ctx.progress(detail, Math.min(to, Math.max(from, share)))
  }
  const told = createToldRequests({ frontier, requests, notes, careful })
  const described = createDescribed({
    ...{ origin: new URL(site.baseUrl).origin, requests, notes, signal: last.signal },
    send: fetcher.send,
    read: (url, answer) => {
      crawler.heard(url, answer)
      crawler.reading.takeAnswer(url, answer)
    },
    refused: (request, answer) => told.take({ ...saidIn(answer), url: request.url, request }),
  })
  for (const { operations, refused } of ctx.descriptions ?? []) {
    described.take(operations, 'description', null)
    for (const { where, reason } of refused) described.refuse(where, reason)
  }
  const admission = createAdmission({
    ...{ egress: ctx.egress, send: fetcher.send, mayRead },
    pages: () => [site.baseUrl, ...crawler.reading.urls.filter(({ status }) => status === 200).map(({ url }) => url)],
    signedIn: ctx.hasCredentials,
  })
  let isMarked = false
  const mark = (id: string): string | null => {
    isMarked ||= marker !== null
    return requests.markOf(id)
  }
  const learn: Crawling['learn'] = async (until, each, which = () => true) => {
    let any = false
    const adds = careful ? createAdding(requests.all(), crawler.reading.urls) : () => false
    const some = dry ? [] : requests.unlearned().filter((one) => which(one) && !adds(one) && !before?.knows(one))
    await learnAll(
      some,
      {
        ...{ send: fetcher.send, mayRead, careful, admission },
        ...(careful ? {} : noting(ctx)),
        mark,
        cookies: () => new Set([...fetcher.cookies.keys(), ...(ctx.ownCookies ?? [])]),
      },
      () => performance.now() > until || last.signal.aborted,
      (request, { seen, answer, sent, watched, antiForgery }) => {
        any = true
        isMarked ||= marker !== null && request.fields.some(({ value }) => value.startsWith(marker))
        requests.learned(request.id, seen, sent, watched, antiForgery)
        if (answer === null) return
        described.answered(request, answer)
        each(request, answer)
      },
    )
    return any
  }
  const crawler = createCrawler({
    ...{ described, scope, frontier, requests, routes, notes, fetcher, session, site, learn, signal: last.signal },
    isSetting: ({ name, value }) => !isToken(name, value) && !ctx.ownCookies?.includes(name),
    ...{ names: admission.note, links: tokens.note, elsewhere: createElsewhere(scope, notes) },
    texts: tellAll({ frontier, described, careful }, told),
    leavesScripts: ctx.hasCredentials && careful,
    progress: progress(0.05, 0.5),
  })
  return {
    ...{ ctx, site, careful, dry, marker, isMarked: () => isMarked, around, judge, scope, routes, notes, requests },
    ...{ frontier, fetcher, session, besides, described, crawler, admission, learn, last, progress, cut: null },
    until,
    discovered: { apis: [], graphql: [] },
  }
}

/** Operations, addresses and parameters that an answer tells of. */
const tellAll =
  (
    { frontier, described, careful }: Pick<Crawling, 'frontier' | 'described' | 'careful'>,
    others: ToldRequests,
  ): ((said: Said) => void) =>
  (said) => {
    const { text, type, url } = said
    // Of a system that people work with, what may write is not sent because a page, which anybody may have written, tells of it.
    const told = operationsToldIn(text, type, url).filter(({ method }) => !careful || isSafe(method))
    // An address is followed as a link is: what is not there is none then.
    for (const one of told) if (isAddress(one)) frontier.add(addressOf(one, url), 2, 'link', url)
    described.take(
      told.filter((one) => !isAddress(one)),
      'told',
      url,
    )
    others.take(said)
  }

const frontierOf = (
  { egress }: CollectContext,
  { scope, notes, requests, judge }: Pick<Crawling, 'scope' | 'notes' | 'requests' | 'judge'>,
): Frontier =>
  createFrontier(scope, LIMITS, egress.excludes, {
    note: notes.note,
    left: (url, harm, source, seenOn) => void requests.add({ method: 'GET', url, source, seenOn, sent: false, harm }),
    judge,
  })

/** What stood in forms before they were sent, so that it can be put back. */
const noting = (ctx: CollectContext) => {
  const { firstValues, lastReads } = ctx.scope.of(SHARED)
  return {
    read: lastReads.note,
    note: (template: RequestTemplate, get: GetPage): Promise<void> =>
      firstValues.note(requestOf(ctx.as === undefined ? template : { ...template, as: ctx.as }), get, formOf(template)),
  }
}

type LearnedOf = Parameters<CrawlParts['learn']>[1]

export interface Last {
  /** Aborted with the module, and when the time is over. */
  readonly signal: AbortSignal
  /** Waits for work until then. True where it was left. @throws what the work throws by itself */
  readonly leaves: (work: Promise<void>) => Promise<boolean>
  readonly end: () => void
}

const leaveAfter = (module: AbortSignal, at: () => number): Last => {
  const over = new AbortController()
  const wait = (): NodeJS.Timeout => setTimeout(again, Math.max(0, at() - performance.now()))
  const again = (): void => {
    // There may be more to spare by then.
    if (performance.now() >= at()) over.abort()
    else timer = wait()
  }
  let timer = wait()
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

/** A run of one place sees too little of the site to tell an account of staff from another: as careful as can be. */
const isOfOnePlace = ({ options }: CollectContext): boolean => options.hypothesis !== undefined

/** The run, as the policy sees it. Whether the account is one of staff shows on the way. */
const aroundOf = (ctx: CollectContext, urls: () => readonly CrawledUrl[]): (() => Around) => {
  let known = { count: -1, staff: false }
  return () => {
    const { length: count } = urls()
    if (count !== known.count) known = { count, staff: ctx.hasCredentials && (isOfOnePlace(ctx) || isStaff(urls())) }
    return aroundRun(ctx, { signedIn: ctx.hasCredentials, staff: known.staff, excludes: ctx.egress.excludes })
  }
}

const linkTo = (url: string, told: string | null): Asked => ({
  ...{ method: 'GET', url, encoding: 'none', fields: [], body: null, told },
})

const plainly = (
  frontier: Frontier,
  plain: (address: string) => string,
  leaves: (address: string) => boolean = () => false,
): Frontier => ({
  ...frontier,
  add: (address, ...rest) => !leaves(plain(address)) && frontier.add(plain(address), ...rest),
})
