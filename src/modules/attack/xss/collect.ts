import { heldBeside } from '../../faults.ts'
import type { CollectContext } from '../../module.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { asList } from '../insertion-points/as-list.ts'
import { UNFINISHED } from '../insertion-points/beside-places.ts'
import { Unreachable } from '../insertion-points/ends.ts'
import type { ProbePoint } from '../insertion-points/inventory.ts'
import type { Part, Plan } from '../insertion-points/plan.ts'
import type { Probe, Reply } from '../insertion-points/prober.ts'
import { beginWriting } from '../insertion-points/put-back.ts'
import { keyOf } from '../insertion-points/reached.ts'
import { probeAll } from '../insertion-points/run.ts'
import { byWhatShows } from '../insertion-points/screening.ts'
import { openProbedSession } from '../insertion-points/session.ts'
import { SHARED } from '../insertion-points/shared.ts'
import { unlessRefused } from '../insertion-points/techniques.ts'
import { TIMES, untilWithin } from '../insertion-points/times.ts'
import { writtenSoFar } from '../insertion-points/written.ts'
import type { WafFacts } from '../waf/facts.ts'
import { exploring, MANY_PLACES } from './dom/beside-places.ts'
import type { MessageFacts, ReflectedHit, XssFacts, XssHit } from './facts.ts'
import { askAfterSignIn } from './probes/after-sign-in.ts'
import { plantAtSignIn } from './probes/at-sign-in.ts'
import { askBlind } from './probes/blind.ts'
import { askCached } from './probes/cached.ts'
import { createFirstWords, type FirstWords } from './probes/first-words.ts'
import { askStoredForOthers } from './probes/for-others.ts'
import { askHeaders, askNamedHeaders, askPageRedirects, askRedirects, type FirstWays } from './probes/heads.ts'
import { withKeeping } from './probes/kept.ts'
import { askReflections, isPage, NOT_ALL, sendCarried, sendUnreadName, sendWord } from './probes/reflection.ts'
import { askServerPaths, noServerPaths } from './probes/server-paths.ts'
import { askStored, lookAtOnce, type StoredTime } from './probes/storage.ts'
import { mayStore, type Planted } from './probes/stored-pages.ts'
import { untilOthersEnd } from './probes/undisturbed.ts'
import { createVisits } from './probes/visits.ts'
import { askMessages } from './probes/websocket.ts'
import { openProver, type Prover } from './proving.ts'

export interface XssKnown {
  readonly crawl: CrawlFacts
  /** Absent where it came to no end: what refuses probes is not told then by its page. */
  readonly waf?: Pick<WafFacts, 'blockPage'> | undefined
}

/** What is asked further behind a hit differs with where in the page it stands. */
const kindOfHit = (hit: XssHit): string =>
  JSON.stringify([hit.kind, ...('context' in hit ? [hit.context.kind, hit.context.tag] : [])])

export const collect = async (ctx: CollectContext, { crawl, waf }: XssKnown): Promise<XssFacts> => {
  const prover = await openProver(ctx)
  const planted: Planted[] = []
  const probes: Probe[] = []
  const words = createFirstWords()
  /** Members of a group are asked alone once a page has shown what the group was sent. */
  const apart: { at?: (point: ProbePoint) => Probe } = {}
  const scripts = exploring(ctx, crawl, prover)
  const writing = beginWriting(ctx)
  try {
    const probed = await probeAll<XssHit>(
      ctx,
      crawl,
      {
        what: 'Cross-site scripting',
        // No page of another site sends one, and none that shows it is reached by an address.
        wants: ({ place }) => place !== 'json-name',
        groups: true,
        stores: true,
        shows: true,
        promising: byWhatShows,
        kindOf: kindOfHit,
        soFar: (facts) => ({ ...facts, ...NOTHING_YET, dom: scripts.soFar() }),
        after: TIMES.scripts + TIMES.afterwards,
        spared: sparing(ctx, crawl, scripts.isDone),
        named: askNamed,
        inParts: 'unbounded',
        probe: byPart(ctx, { prover, planted, words }, probes),
        beforehand: (at, points) => words.ask(ctx, at, points),
        afterwards: async (at) => {
          apart.at = at
          return []
        },
      },
      waf?.blockPage ?? null,
    )
    /** What is known by now: what ends the module costs what comes after it alone. */
    let now: XssFacts = { ...probed, ...NOTHING_YET, dom: scripts.unseen }
    ctx.soFar?.(() => ({ ...now, ...writtenSoFar(ctx), dom: scripts.soFar() }))
    scripts.hasten()
    let fault = probed.fault
    let isSpent = false
    /** What comes after the places costs none of their hits, where it fails on our side or the budget ends in it. */
    const step: Step = async (where, none, work) => {
      const done = await heldBeside(ctx, where, work)
      if ('value' in done) return done.value
      if ('fault' in done) fault = done.fault
      else isSpent = true
      return none
    }
    const session = await step('the session', null, () => openProbedSession(ctx, crawl))
    let until = performance.now() + secondsBehind(ctx) * 1_000
    const alive = async (): Promise<boolean> =>
      !ctx.signal.aborted && performance.now() < until && (await session?.check()) !== 'lost'
    // Before the few that may be said are used up by words of what may be stored.
    ctx.progress('messages that pages listen to', 0.98)
    const said = await messagesBy(step, async (soFar) => {
      const { at } = apart
      if (at && (await alive())) await askMessages({ ctx, crawl, prover, at, alive }, probes, soFar)
    })
    now = { ...now, ...said }
    ctx.progress('what was stored', 0.98)
    const stored = await step('what was stored', NOTHING_YET.stored, async () => {
      const { at } = apart
      if (at && probed.cut == null) until = Math.max(until, await undisturbed(ctx, crawl, planted))
      const isLooked = ctx.target.environment === 'test' ? planted.length > 0 : planted.some(mayStore)
      if (!at || !(await alive())) return isLooked ? UNSEEN : NOTHING_YET.stored
      const all = [...planted, ...(await plantAtSignIn(ctx, probes, at))]
      return askAsEverybody({ ctx, crawl, prover, at, probes }, all, alive, { isShort: probed.cut != null, until })
    })
    now = { ...now, stored }
    const dom = await step('scripts of pages', scripts.unseen, () => scripts.end(leastUntil(ctx, until)))
    until = untilWithin(ctx, TIMES.afterwards * ctx.timeFactor * 1_000)
    ctx.progress('scripts that nobody here sees', 0.99)
    const unasked = ctx.outOfBand ? { planted: 0, hits: [] } : null
    const blind = await step('scripts that nobody here sees', unasked, async () =>
      askBlind(ctx, (await alive()) ? probes : []),
    )
    const inTime = (milliseconds = 0): boolean => performance.now() + milliseconds < until
    const beside = await askBeside(ctx, { crawl, dom }, step, inTime, () => until - performance.now())
    const back = await writing.end()
    const lost = await step('the session', false, async () => (await session?.check(true)) === 'lost')
    return {
      ...probed,
      ...writtenSoFar(ctx),
      ...back,
      ...(fault === undefined ? {} : { fault }),
      ...(isSpent ? { unread: [...(probed.unread ?? []), UNFINISHED] } : {}),
      sessionLost: probed.sessionLost || lost,
      browser: typeof prover === 'string' ? prover : null,
      ...{ stored, dom, blind },
      ...said,
      ...beside,
    }
  } finally {
    writing.over()
    await scripts.over()
    if (typeof prover !== 'string') await prover.close()
  }
}

/** Seconds in which what was stored is looked for on a page, as its writer, as others and as nobody. */
const OF_PAGE = 0.6
/** Seconds in which it is looked for on all of them. */
const ofPages = ({ urls }: Pick<CrawlFacts, 'urls'>): number =>
  urls.filter(({ status }) => status === 200).length * OF_PAGE

/** Seconds, times the run's factor, that what was stored gets though the places have taken longer than they should. */
const LEAST = 100

/** Seconds for what was stored, as far as the run has them beside what comes last. */
const secondsBehind = ({ timeFactor, secondsLeft }: CollectContext): number =>
  Math.min(TIMES.scripts * timeFactor, Math.max(LEAST * timeFactor, secondsLeft() - TIMES.afterwards * timeFactor))

/**
 * Once others have ended, as far as there is time to wait for them, who ask to its end where it is short: until when what was stored is looked for, by
 * performance.now().
 */
const undisturbed = async (ctx: CollectContext, crawl: CrawlFacts, planted: readonly Planted[]): Promise<number> => {
  await untilOthersEnd(ctx, planted, secondsBehind(ctx) - ofPages(crawl))
  return performance.now() + secondsBehind(ctx) * 1_000
}

/**
 * Seconds, times the run's factor, of those for scripts that are not needed, half of which are for what was stored. Beside many places scripts are
 * looked at for long enough.
 */
const sparing = ({ timeFactor }: CollectContext, { urls, points }: CrawlFacts, isDone: () => boolean) => {
  const half = TIMES.scripts / 2
  const ofStored = Math.max(0, half - ofPages({ urls }) / timeFactor)
  return (): number => ofStored + (isDone() || points.length >= MANY_PLACES ? half : 0)
}

/** Does one thing after the places; `none` where it did not come to its end. */
type Step = <Value>(where: string, none: Value, work: () => Promise<Value>) => Promise<Value>

/** What was seen of messages by the end, or by the time that the work failed or its budget ended. */
const messagesBy = async (
  step: Step,
  work: (soFar: (facts: MessageFacts) => void) => Promise<void>,
): Promise<Pick<XssFacts, 'messages'>> => {
  let messages: MessageFacts | undefined
  await step('messages that pages listen to', undefined, () =>
    work((facts) => {
      messages = facts
    }),
  )
  return messages === undefined ? {} : { messages }
}

/** What is no place of a page: each as far as the time lasts. */
const askBeside = async (
  ctx: CollectContext,
  { crawl, dom }: { readonly crawl: CrawlFacts; readonly dom: XssFacts['dom'] },
  step: Step,
  inTime: (milliseconds?: number) => boolean,
  left: () => number,
): Promise<Pick<XssFacts, 'cached' | 'afterSignIn' | 'unnamedLeft' | 'serverPaths'>> => {
  ctx.progress('what caches keep', 0.99)
  ctx.signal.throwIfAborted()
  // Asked signed out, whatever has become of the session.
  const cached = await step('what caches keep', {}, async () =>
    inTime() ? { cached: await askCached(ctx, crawl) } : {},
  )
  ctx.progress('where a sign-in leads', 0.99)
  const led = await step('where a sign-in leads', {}, async () => {
    return ctx.session?.lost() === null ? askAfterSignIn(ctx, crawl, dom, inTime, left) : {}
  })
  ctx.progress('what the server makes of paths', 0.99)
  // A run of one place is of no server.
  if (ctx.options.hypothesis !== undefined) return { ...cached, ...led }
  const none = noServerPaths(crawl)
  const serverPaths = await step('what the server makes of paths', none, async () =>
    inTime() ? askServerPaths(ctx, crawl) : none,
  )
  return { ...cached, ...led, serverPaths }
}

/** What was stored is looked for as who stored it, and then as the run's other identities. */
const askAsEverybody = async (
  parts: Parameters<typeof askStoredForOthers>[0],
  all: readonly Planted[],
  alive: () => Promise<boolean>,
  time: StoredTime,
): Promise<XssFacts['stored']> => {
  const { ctx, crawl, prover, at, probes } = parts
  const visits = createVisits(probes, at)
  const own = await askStored(ctx, crawl, all, prover, { at, visits }, time)
  ctx.progress('what was stored, as others', 0.98)
  if ((ctx.identities ?? []).length > 0 && !(await alive())) return { ...own, isCut: true }
  return { ...own, ...(await askStoredForOthers(parts, all, own.hits, () => performance.now() > time.until)) }
}

/** What was stored may have taken the time of scripts: half of it is theirs, as far as the run has it. */
const leastUntil = ({ timeFactor, secondsLeft }: CollectContext, until: number): number => {
  const half = Math.min((TIMES.scripts / 2) * timeFactor, secondsLeft())
  return Math.max(until, performance.now() + half * 1_000)
}

/** Words were sent, and nobody has looked for them. */
const UNSEEN: XssFacts['stored'] = { planted: 0, pages: 0, hits: [], isCut: true }

/** Before what follows the places. */
const NOTHING_YET: Pick<XssFacts, 'browser' | 'stored' | 'dom' | 'blind'> = {
  browser: null,
  stored: { planted: 0, pages: 0, hits: [] },
  dom: { pages: 0, left: 0, hits: [] },
  blind: null,
}

const askNamed: Plan<XssHit>['named'] = async (probe, found) => {
  const hit = await askNamedHeaders(probe)
  if (hit) found(hit)
}

interface Asking {
  readonly prover: Prover | string
  readonly planted: Planted[]
  readonly words: FirstWords
  readonly part: Part
}

/** Asks a place, or a part of it. What a first look has seen show nothing is sent nothing before the rest. `probes`: one of each place. */
const byPart = (ctx: CollectContext, asking: Omit<Asking, 'part'>, probes: Probe[]): Plan<XssHit>['probe'] => {
  const unsent = new Set<string>()
  return async (probe, found, part) => {
    if (part !== 'rest') probes.push(probe)
    const key = keyOf(probe.point)
    if (part === 'first' && (await showsNothing(ctx, probe))) {
      unsent.add(key)
      return undefined
    }
    const asked = part === 'rest' && unsent.has(key) ? 'whole' : part
    return probePoint(ctx, probe, found, { ...asking, part: asked })
  }
}

/** A first look, by another value that means nothing, has seen the answer repeat nothing of it. */
const showsNothing = async ({ scope }: CollectContext, { point }: Probe): Promise<boolean> => {
  const [sign] = await Promise.allSettled([scope.of(SHARED).signs.known(keyOf(point))])
  return sign.status === 'fulfilled' && sign.value?.repeats === false
}

/** A place, or a first part of it: what hears nothing of a word, or writes signs otherwise, is left for the rest. */
const probePoint = async (
  ctx: CollectContext,
  probe: Probe,
  found: (hit: XssHit) => void,
  { prover, planted, words, part }: Asking,
): Promise<'whole' | undefined> => {
  const isUnread = probe.point.place === 'name' && probe.request.effect === 'reads'
  const unread = isUnread && part !== 'rest' ? await sendUnreadName(probe) : null
  const known = words.of(probe.point)
  const { word, reply } = known ? { word: known.planted.word, reply: known.reply } : (unread ?? (await sendWord(probe)))
  if (part !== 'rest')
    planted.push(known?.planted ?? (await lookAtOnce(ctx, { word, probe, location: reply.location }, reply.text)))
  if (reply.status === 0) throw new Unreachable('the page did not answer')
  if (unread) return 'whole'
  if (part !== 'rest') for (const hit of await askHead(probe, { word, reply, prover })) found(hit)
  if (!isPage(reply)) return 'whole'
  const isShown = reply.text.toLowerCase().includes(word)
  if (part === 'first' && !isShown) return undefined
  const inErrors = known ? { inErrors: known.inErrors } : {}
  const shown = isShown ? { word, reply } : await sendCarried(probe, { word, reply, ...inErrors })
  // That a page shows a value again is no proof: other modules keep what is promised to them until something gets through.
  if (shown) probe.pursue('sign')
  const carried = shown && 'carried' in shown ? { carried: shown.carried } : {}
  const reflected = shown && (await askReflections(probe, shown.word, shown.reply, prover, { ...carried, part }))
  if (reflected === NOT_ALL) return undefined
  const listed = shown && !(reflected?.kind === 'reflected' && reflected.ran) ? await askAsList(probe, prover) : null
  if (reflected && !listed) found(await withKeeping(ctx, probe, reflected, prover))
  if (listed) found(listed)
  return 'whole'
}

/** What the value does to the head of the answer, and to where its page leads. */
const askHead = async (
  probe: Probe,
  { word, reply, prover }: { readonly word: string; readonly reply: Reply; readonly prover: Prover | string },
): Promise<readonly XssHit[]> => {
  const ways: FirstWays = new Map()
  const redirect =
    (await askRedirects(probe, word, reply, ways)) ?? (await askPageRedirects(probe, word, reply, prover, ways))
  const header = await askHeaders(probe, word, reply)
  return [redirect, header].filter((hit) => hit !== null)
}

/** Where the value itself comes to nothing, of what is known to read: the same value as the one member of a list. */
const askAsList = async (probe: Probe, prover: Prover | string): Promise<ReflectedHit | null> => {
  const list = probe.request.bound === undefined && !probe.point.members ? asList(probe) : null
  if (list === null) return null
  const sent = await unlessRefused(() => sendWord(list))
  if (sent === null || !isPage(sent.reply) || !sent.reply.text.toLowerCase().includes(sent.word)) return null
  const hit = await unlessRefused(() => askReflections(list, sent.word, sent.reply, prover))
  return hit !== null && hit !== NOT_ALL && hit.kind === 'reflected' && hit.ran ? hit : null
}
