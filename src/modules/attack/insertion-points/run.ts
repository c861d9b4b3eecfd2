/** Carries out what the planner says: asks a module's places, some at once, and keeps what each brought. */

import type { BlockPage } from '../../../page/block-page.ts'
import { heldBeside } from '../../faults.ts'
import type { CollectContext } from '../../module.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { choosersMerged } from './choosers.ts'
import { disturbed } from './disturbed.ts'
import { endOf, TESTED } from './ends.ts'
import { EVERY_WAY, FIRST_ONLY, type ProbingFacts, type Shortfall, SPARED } from './facts.ts'
import { inventoryFor } from './for-strangers.ts'
import {
  createInterfering,
  Deviation,
  deviants,
  grouped,
  type Interfering,
  interferingMembers,
  isAround,
  isGuess,
  readsName,
  showsSentinel,
  takesWords,
  watched,
} from './groups.ts'
import { isSpared, leftAloneOf, type ProbePoint } from './inventory.ts'
import { ofPrograms, placesMerged } from './likes.ts'
import { type Patience, patienceFor } from './limits.ts'
import { askOwed, noting, type Owed } from './owed.ts'
import {
  after,
  begin,
  begunAnew,
  type Outcome,
  type PlanState,
  pointsOf,
  requestOf,
  type Settled,
  sessionSeen,
  type Task,
  TIME,
  take,
  waits,
} from './planner.ts'
import { createProber, type Probe, type Prober } from './prober.ts'
import { beginWriting } from './put-back.ts'
import { createRecords, idOf, type Records } from './records.ts'
import { type Promising, screened } from './screening.ts'
import { openProbedSession, type ProbedSession } from './session.ts'
import { SHARED, type Shared } from './shared.ts'
import { listening, SILENT } from './silent.ts'
import { behindHits, carefulnessOf, standIns } from './stand-ins.ts'
import { clockOf, OutOfTime } from './times.ts'
import { unreadOf } from './unread.ts'

export interface Plan<Hit> {
  /** What a person reads while it runs: "SQL injection". */
  readonly what: string
  readonly wants: (point: ProbePoint) => boolean
  /** Hits are handed over as they are found, so that a place which is blocked half way keeps them. */
  readonly probe: (probe: Probe, found: (hit: Hit) => void) => Promise<void>
  /**
   * Headers and cookies of a request, and fields that change nothing, are probed as one place first, and apart only where an
   * answer stands out from the one to meaningless values, or something is found. For work that finds nothing without such an
   * answer.
   */
  readonly groups?: boolean
  /** It finds by how answers differ: where the run itself changed a page meanwhile, its places are asked once more. */
  readonly compares?: boolean
  /** What it stores is looked for elsewhere: fields of requests that may write are asked each alone, so that it is told apart. */
  readonly stores?: boolean
  /** Of many places, which are asked first, by what the first questions have shown; by default what changes answers. */
  readonly promising?: Promising
  /** What tells one flaw of a place from another; by default no two hits are known to be of one. */
  readonly kindOf?: (hit: Hit) => string
  /** What several places asked as one have shown, asked of one of them by the same alone. */
  readonly again?: (probe: Probe, shown: Hit, found: (hit: Hit) => void) => Promise<void>
  /** That a value which the page shows as it was sent is worth asking alone, though nothing else of the answer changes. */
  readonly shows?: boolean
  /**
   * What costs more and promises less: asked where all of `probe` was, once every place was asked by that. `ways` are those of the
   * checks that rest on it, `unless` tells of hits with which a place is done before.
   */
  readonly last?: {
    readonly ways: readonly string[]
    readonly unless: (hits: readonly Hit[]) => boolean
    readonly probe: (probe: Probe, found: (hit: Hit) => void) => Promise<void>
  }
  /** Of headers and cookies of a request beyond those that are asked all: what tells of their values with a request or two. */
  readonly brief?: (probe: Probe, found: (hit: Hit) => void) => Promise<void>
  /** Of the word or file name at the end of a path that the program seems to take for its own name. */
  readonly named?: (probe: Probe, found: (hit: Hit) => void) => Promise<void>
  /** Facts of the module as its checks need them for findings, from what its places have shown so far; by default that. */
  readonly soFar?: (facts: ProbingFacts<Hit>) => unknown
  /** Seconds, times the run's factor, that the module takes for what follows its places. */
  readonly after?: number
  /** Of these so many that the places get as well once what they are for is done. */
  readonly spared?: { readonly seconds: number; readonly isDone: () => boolean }
  /** Seconds after which no place is begun any more, and how long one that was begun may still take; by default of the run's time. */
  readonly time?: { readonly places: number; readonly grace: number }
  /** Once, before all places: what a form's few requests are worth most for. */
  readonly beforehand?: (at: (point: ProbePoint) => Probe, points: readonly ProbePoint[]) => Promise<void>
  /** Once, after all places: what was found only by then. */
  readonly afterwards?: (
    at: (point: ProbePoint) => Probe,
    points: readonly ProbePoint[],
  ) => Promise<readonly { readonly point: ProbePoint; readonly hit: Hit }[]>
}

/** So many headers and cookies cost no more, each asked alone, than to find which of them it was. */
const FEW_AROUND = 3
const SPENT = 'its share of the requests was used up'
export const UNFINISHED: Shortfall = { reason: `not asked to the end afterwards, as ${SPENT}`, count: 1 }

/** `blockPage`: of the waf module's facts. */
export const probeAll = async <Hit>(
  ctx: CollectContext,
  crawl: CrawlFacts,
  plan: Plan<Hit>,
  blockPage: BlockPage | null = null,
): Promise<ProbingFacts<Hit>> => {
  const writing = beginWriting(ctx)
  try {
    return { ...(await probePlaces(ctx, crawl, plan, blockPage)), ...(await writing.end()) }
  } finally {
    writing.over()
  }
}

const probePlaces = async <Hit>(
  ctx: CollectContext,
  crawl: CrawlFacts,
  plan: Plan<Hit>,
  blockPage: BlockPage | null,
): Promise<ProbingFacts<Hit>> => {
  const shared = ctx.scope.of(SHARED)
  const inventory = await inventoryFor(ctx, shared, crawl)
  const alike = await standIns(ctx, shared, inventory)
  const wanted = ofPrograms(inventory.filter(plan.wants), alike)
  const session = await openProbedSession(ctx, crawl)
  const clock = clockOf(ctx, plan)
  const used = new Map<string, number>()
  const leave = shared.writes.join(used)
  const patience = patienceFor(shared.limits)
  const turn = shared.asking.modules++
  const ofRecords = placesMerged(wanted, alike, turn)
  const merged = new Map([...ofRecords, ...choosersMerged(wanted.filter((point) => !ofRecords.has(point)))])
  const points = wanted.filter((point) => !merged.has(point) && !isSpared(point))
  const records = createRecords<Hit>(ctx, plan.what, wanted, merged)
  const prober = createProber(ctx.egress, shared, blockPage, clock.isOver, records.leave, {
    ...carefulnessOf(ctx),
    ...{ used, patience: patience.signal },
  })
  const parts: Parts<Hit> = {
    ...{ ctx, plan, points, prober, records, shared, patience, until: clock.until, session },
    ...{ interfering: createInterfering(), owed: [] },
  }
  for (const point of wanted.filter(isSpared)) {
    records.leave(point, EVERY_WAY, SPARED)
    records.settle({ point, ended: TESTED, requests: 0, epoch: 0 })
  }
  await askBeforehand(parts)
  prober.renew()
  patience.begin()
  const unitsOf = (some: readonly ProbePoint[]) => begin(plan.groups ? grouped(some, plan.stores) : some)
  const first = await askPlaces(parts, await screened(parts, unitsOf(points)))
  ctx.signal.throwIfAborted()
  const disturbed = first.reason === null && plan.compares ? await askDisturbed(parts, shared) : []
  const again = first.reason === null ? [...disturbed, ...behindHits(merged, records.hits, plan.kindOf)] : []
  const stopped = again.length === 0 ? first : await askPlaces(parts, { ...unitsOf(again), epoch: first.epoch })
  ctx.signal.throwIfAborted()
  clock.end()
  patience.end()
  // With the budget spent there is no asking any more, and places that are left say so.
  const unfinished = stopped.reason === null || stopped.reason === TIME ? await askAfterwards(parts) : []
  if ((await signedIn(parts, true)) === 'lost') records.lose(stopped.epoch)
  leave()
  return {
    ...records.facts(),
    leftAlone: leftAloneOf(crawl, plan.wants),
    unread: [...unreadOf(crawl), ...unfinished],
    ...writtenSoFar(ctx),
    cut: stopped.reason,
    sessionLost: crawl.session.state === 'lost',
  }
}

/** Places that brought nothing, on pages that the run's own writes have changed. */
const askDisturbed = async <Hit>(parts: Parts<Hit>, shared: Shared): Promise<readonly ProbePoint[]> => {
  const { ctx, prober, points, records } = parts
  if (Object.keys(shared.writes.counts()).length === 0) return []
  const barren = new Set(
    records
      .facts()
      .points.filter(({ end, hits }) => end === 'tested' && hits.length === 0)
      .map(({ id }) => id),
  )
  const asked = points.filter((point) => barren.has(idOf(point)))
  const found = await heldBeside(ctx, 'pages that have changed', () => disturbed(prober, shared, asked))
  if ('fault' in found) records.fault(found.fault)
  return 'value' in found ? found.value : []
}

/** For cleaning up; nothing where nothing was sent that may write. */
export const writtenSoFar = ({ scope }: Pick<CollectContext, 'scope'>): Pick<ProbingFacts<never>, 'written'> => {
  const written = scope.of(SHARED).writes.counts()
  return Object.keys(written).length === 0 ? {} : { written }
}

/** What one module's probing works with. */
interface Parts<Hit> {
  readonly ctx: CollectContext
  readonly plan: Plan<Hit>
  readonly points: readonly ProbePoint[]
  readonly prober: Prober
  readonly records: Records<Hit>
  /** Of all modules of the run. */
  readonly shared: Shared
  readonly patience: Patience
  /** By performance.now(): no unit is begun after it. */
  readonly until: () => number
  readonly session: ProbedSession
  readonly interfering: Interfering
  readonly owed: Owed[]
}

/** Carries out what the planner says, several tasks at once, until it has no more. */
const askPlaces = async <Hit>(
  parts: Parts<Hit>,
  from: PlanState,
): Promise<{ reason: string | null; epoch: number }> => {
  const { records, patience, session, until } = parts
  const { refusals } = parts.shared
  const running = new Map<Promise<void>, Task>()
  let state = from
  const carry = async (task: Task): Promise<void> => {
    const seen = await signedIn(parts)
    // Read after the wait: others have ended in it.
    state = sessionSeen(state, seen, seen === 'renewed' ? records.since(state.epoch) : [])
    const under = session.count()
    const { stopped: reason } = state
    const outcome = reason === null ? await carryOut(parts, task) : ({ kind: 'spent', reason, requests: 0 } as const)
    if (session.count() !== under && outcome.kind !== 'spent') {
      state = begunAnew(state, task)
      return
    }
    const then = after(state, task, outcome)
    state = then.state
    for (const one of then.settled) settle(parts, one, outcome.kind === 'ended' && outcome.more === true)
    const refused = then.settled.some(({ ended }) => ended.end === 'blocked')
    if (refused || then.settled.length > 0) refusals.inARow = refused ? refusals.inARow + 1 : 0
  }
  for (;;) {
    const allowed = patience.allowed([...running.values()].map(requestOf))
    const step = take(state, refusals.inARow, performance.now() > until(), allowed)
    state = step.state
    for (const one of step.settled) records.settle(one)
    if (step.task) {
      const { task } = step
      const work: Promise<void> = carry(task).finally(() => running.delete(work))
      running.set(work, task)
    } else if (running.size > allowed.waiting) await Promise.race([...running.keys(), patience.changed()])
    else if (running.size > 0 || (step.settled.length === 0 && !step.passed && waits(state)))
      await patience.idle([...running.keys()])
    else if (step.settled.length === 0 && !step.passed) return { reason: state.stopped, epoch: state.epoch }
  }
}

/** What waits for the end of the others counts as left until it was asked. */
const settle = <Hit>({ ctx, plan, records }: Parts<Hit>, one: Settled, more: boolean): void => {
  if (more) for (const way of plan.last?.ways ?? []) records.leave(one.point, way, FIRST_ONLY)
  else records.ask(one.point, FIRST_ONLY)
  records.settle(one)
  if (records.hits(one.point).length === 0) return
  const facts = (): ProbingFacts<Hit> => ({ ...records.facts(), cut: null, sessionLost: false })
  ctx.soFar?.(() => plan.soFar?.(facts()) ?? facts())
}

const carryOut = async <Hit>(parts: Parts<Hit>, task: Task): Promise<Outcome> => {
  const { ctx, plan, prober, records } = parts
  const { probe, isSilent } = listening(prober.at(task.kind === 'place' ? task.point : task.group))
  const [members, shown]: [ProbePoint[], Hit[]] = [[], []]
  let [found, more] = [false, false]
  if (task.sign) probe.pursue('sign')
  else if (task.last) probe.pursue('spare')
  const ended = await endOf(ctx, async () => {
    if (task.kind === 'interfering') members.push(...(await interferingMembers(prober, task, parts.interfering)))
    else if (task.kind === 'place') more = await askPlace(parts, task, probe)
    else if (task.brief) {
      const reply = await watched(probe).sentinel()
      found = plan.shows === true && showsSentinel(reply)
      if (!found)
        await plan.brief?.(watched(probe), () => {
          found = true
        })
    } else {
      await (task.last ? plan.last : plan)?.probe(watched(probe), (hit) => {
        found = true
        shown.push(hit)
      })
      for (const hit of shown) members.push(...(await shownAlone(parts, pointsOf(task), hit)))
      more = task.last !== true && plan.last !== undefined
    }
    if (task.kind === 'interfering' || found) return
    for (const one of pointsOf(task)) {
      const left = records.hits(one).length === 0 ? prober.leaveTurnedAway(one) : null
      if (left) await left
    }
  })
  if (ended instanceof Deviation) return task.kind === 'group' ? deviated(parts, task.group, ended) : tested(probe)
  if (ended instanceof Error) return spent(ended, probe.sent())
  if (found)
    return task.kind === 'group' ? { kind: 'deviated', ...(members.length > 0 ? { members } : {}) } : tested(probe)
  if (task.kind === 'interfering' && ended === TESTED) return { kind: 'moved', members }
  const how = ended === TESTED && isSilent() ? SILENT : ended
  return { kind: 'ended', ended: how, requests: probe.sent(), ...(more ? { more } : {}) }
}

/** Those of a group in which what it has shown shows of each alone. */
const shownAlone = async <Hit>(
  { plan, prober, records, owed }: Parts<Hit>,
  points: readonly ProbePoint[],
  hit: Hit,
): Promise<readonly ProbePoint[]> => {
  for (const point of plan.again && points.length > 1 ? points : []) {
    const probe = prober.at(point)
    probe.pursue()
    let shows = false
    const found = (own: Hit): void => {
      shows = true
      records.hit(point, own)
    }
    await noting(owed, point, async () => plan.again?.(probe, hit, found))
    if (shows) return [point]
  }
  return []
}

/** Whether more is asked there when all places were. */
const askPlace = async <Hit>(
  { plan, records, owed }: Parts<Hit>,
  { point, last }: Extract<Task, { kind: 'place' }>,
  probe: Probe,
): Promise<boolean> => {
  const found = (hit: Hit): void => records.hit(point, hit)
  if (last) {
    await plan.last?.probe(probe, found)
    return false
  }
  if (point.place === 'own-name' && !(await readsName(probe))) return false
  const names = point.place === 'path' && isGuess(point) && !(await takesWords(probe))
  await noting(owed, point, async () => (names ? plan.named?.(probe, found) : plan.probe(probe, found)))
  return !names && plan.last?.unless(records.hits(point)) === false
}

/** Of a few headers and cookies each is asked alone, of many those that a search by halves finds. What fails here is asked in halves. */
const deviated = async <Hit>({ ctx, prober }: Parts<Hit>, group: ProbePoint, seen: Deviation): Promise<Outcome> => {
  const members: ProbePoint[] = []
  if (group.members?.some(isAround) && group.members.length <= FEW_AROUND) return { kind: 'deviated' }
  const ended = await endOf(ctx, async () => void members.push(...(await deviants(prober, group, seen))))
  return ended instanceof Error ? spent(ended, 0) : { kind: 'deviated', members }
}

const spent = (error: Error, requests: number): Outcome => ({
  ...{ kind: 'spent', reason: error instanceof OutOfTime ? TIME : SPENT, requests },
})

const tested = (probe: Probe): Outcome => ({ kind: 'ended', ended: TESTED, requests: probe.sent() })

/** Where the question itself fails on our side, nothing is known of the session any more. */
const signedIn = async <Hit>({ ctx, session, records }: Parts<Hit>, now?: boolean) => {
  const asked = await heldBeside(ctx, 'the session', () => session.check(now))
  if ('value' in asked) return asked.value
  if ('fault' in asked) records.fault(asked.fault)
  return 'unknown'
}

/** Where the budget ends in it, the places themselves say so. */
const askBeforehand = async <Hit>({ ctx, plan, points, prober, records }: Parts<Hit>): Promise<void> => {
  if (!plan.beforehand) return
  const asked = await heldBeside(ctx, 'what precedes the places', async () => plan.beforehand?.(prober.at, points))
  if ('fault' in asked) records.fault(asked.fault)
}

/** What it leaves unread where the budget ends in it. */
const askAfterwards = async <Hit>(parts: Parts<Hit>): Promise<readonly Shortfall[]> => {
  const { ctx, plan, points, prober, records } = parts
  prober.release()
  const later = await heldBeside(ctx, 'what follows the places', async () => [
    ...(await askOwed<Hit>(parts.owed)),
    ...((await plan.afterwards?.(prober.at, points)) ?? []),
  ])
  if ('fault' in later) records.fault(later.fault)
  for (const { point, hit } of 'value' in later ? later.value : []) records.hit(point, hit)
  return 'spent' in later ? [UNFINISHED] : []
}
