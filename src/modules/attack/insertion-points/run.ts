/** Carries out what the planner says: asks a module's places, some at once, and keeps what each brought. */

import type { BlockPage } from '../../../page/block-page.ts'
import { heldBeside } from '../../faults.ts'
import type { CollectContext } from '../../module.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { askAfterwards, askBeforehand, SPENT } from './beside-places.ts'
import { choosersMerged } from './choosers.ts'
import { othersRest } from './deleting.ts'
import { createDeviating } from './deviating.ts'
import { disturbed } from './disturbed.ts'
import { endOf, TESTED } from './ends.ts'
import { COMPARED, EVERY_WAY, FIRST_ONLY, type ProbingFacts, SIGNS_IN_BY, SPARED, USUAL } from './facts.ts'
import { inventoryFor } from './for-strangers.ts'
import {
  createInterfering,
  Deviation,
  deviants,
  grouped,
  interferingMembers,
  isAround,
  isCompared,
  isGuess,
  readsName,
  showsSentinel,
  watched,
} from './groups.ts'
import { isOwnSignInName, isSpared, isTokenBeside, leftAloneOf, type ProbePoint } from './inventory.ts'
import { ofPrograms, placesMerged } from './likes.ts'
import { patienceFor } from './limits.ts'
import { noting } from './owed.ts'
import type { Parts } from './parts.ts'
import type { Part, Plan } from './plan.ts'
import {
  after,
  begin,
  begunAnew,
  begunAround,
  type More,
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
import { OWN_NAMES } from './point.ts'
import { createProber, type Probe } from './prober.ts'
import { beginWriting } from './put-back.ts'
import { keyOf } from './reached.ts'
import { createRecords, idOf } from './records.ts'
import { rowsMerged } from './rows.ts'
import { isMany, screened, tellingMembers } from './screening.ts'
import { openProbedSession } from './session.ts'
import { SHARED, type Shared } from './shared.ts'
import { listening, SILENT } from './silent.ts'
import { behindHits, carefulnessOf, standIns } from './stand-ins.ts'
import { takesWords } from './taken-words.ts'
import { clockOf, OutOfTime } from './times.ts'
import { unreadOf } from './unread.ts'
import { writtenSoFar } from './written.ts'

/** So many headers and cookies cost no more, each asked alone, than to find which of them it was. */
const FEW_AROUND = 3

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
  shared.written.marker = crawl.marker ?? null
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
  const own = wanted.filter((point) => !ofRecords.has(point))
  const merged = new Map([...ofRecords, ...choosersMerged(own), ...rowsMerged(own)])
  const spared = (point: ProbePoint): string | null =>
    isSpared(point) ? SPARED : isOwnSignInName(point, ctx.session?.account) ? SIGNS_IN_BY : null
  const points = wanted.filter((point) => !merged.has(point) && spared(point) === null)
  const records = createRecords<Hit>(ctx, plan.what, wanted, merged)
  const prober = createProber(ctx.egress, shared, blockPage, clock.isOver, records.leave, {
    ...carefulnessOf(ctx),
    ...{ used, patience: patience.signal },
  })
  /** What another module has proven of a field would stand out in all that is sent to its group. */
  const isProven = (point: ProbePoint): boolean =>
    plan.interprets === true && point.request.bound !== undefined && shared.interpreted.has(keyOf(point))
  const unitsOf = (some: readonly ProbePoint[]) => {
    if (!plan.groups) return begin(some)
    const others = some.filter((point) => !isProven(point))
    return begin([...grouped(others, plan.stores), ...some.filter(isProven)])
  }
  const units = unitsOf(points)
  const parts: Parts<Hit> = {
    ...{ ctx, plan, points, prober, records, shared, patience, until: clock.until, session },
    ...{ isMany: isMany(units, ctx), interfering: createInterfering(), owed: [] },
    deviating: createDeviating((point) => records.hits(point).length === 0),
  }
  for (const point of wanted) {
    const reason = spared(point)
    if (reason === null) continue
    records.leave(point, EVERY_WAY, reason)
    records.settle({ point, ended: TESTED, requests: 0, epoch: 0 })
  }
  const proven = await askBeforehand(parts)
  prober.renew()
  patience.begin()
  const deleting = points.filter(({ request }) => request.deletes === true)
  const left = unitsOf(points.filter((point) => !proven.has(point) && !deleting.includes(point)))
  const first = await askPlaces(parts, await screened(parts, left))
  ctx.signal.throwIfAborted()
  const disturbed = first.reason === null && plan.compares ? await askDisturbed(parts, shared) : []
  const again = first.reason === null ? [...disturbed, ...behindHits(merged, records.hits, plan.kindOf)] : []
  const second = again.length === 0 ? first : await askPlaces(parts, { ...unitsOf(again), epoch: first.epoch })
  ctx.signal.throwIfAborted()
  const around = second === first ? first.around : [...first.around, ...second.around]
  const behind =
    second.reason !== null || around.length === 0 ? second : await askPlaces(parts, begunAround({ ...second, around }))
  ctx.signal.throwIfAborted()
  shared.writes.rest(used)
  const isTheirTurn = behind.reason === null && (await othersRest(parts, used, deleting))
  const stopped = isTheirTurn ? await askPlaces(parts, { ...unitsOf(deleting), epoch: behind.epoch }) : behind
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

/** Carries out what the planner says, several tasks at once, until it has no more. */
const askPlaces = async <Hit>(
  parts: Parts<Hit>,
  from: PlanState,
): Promise<{ reason: string | null } & Pick<PlanState, 'epoch' | 'around'>> => {
  const { records, patience, session, until } = parts
  const { refusals, interpreted } = parts.shared
  const running = new Map<Promise<void>, Task>()
  const behind = (task: Task): boolean =>
    parts.plan.interprets === true && pointsOf(task).every((point) => interpreted.has(keyOf(point)))
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
    for (const one of then.settled) settle(parts, one, outcome.kind === 'ended' ? outcome.more : undefined)
    const refused = then.settled.some(({ ended }) => ended.end === 'blocked')
    if (refused || then.settled.length > 0) refusals.inARow = refused ? refusals.inARow + 1 : 0
  }
  for (;;) {
    const allowed = { ...patience.allowed([...running.values()].map(requestOf)), behind }
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
    else if (step.settled.length === 0 && !step.passed)
      return { reason: state.stopped, epoch: state.epoch, around: state.around }
  }
}

/** What waits for the end of the others counts as left until it was asked. */
const settle = <Hit>({ ctx, plan, records, shared }: Parts<Hit>, one: Settled, more?: More): void => {
  records.ask(one.point, FIRST_ONLY)
  if (more === 'usual') records.leave(one.point, EVERY_WAY, USUAL)
  const left = more === 'last' ? (plan.last?.ways ?? []) : more === undefined || more === 'usual' ? [] : [EVERY_WAY]
  for (const way of left) records.leave(one.point, way, FIRST_ONLY)
  records.settle(one)
  const hits = records.hits(one.point)
  if (hits.length === 0) return
  if (plan.interprets && plan.last?.unless(hits) !== false) shared.interpreted.add(keyOf(one.point))
  const facts = (): ProbingFacts<Hit> => ({ ...records.facts(), cut: null, sessionLost: false })
  ctx.soFar?.(() => plan.soFar?.(facts()) ?? facts())
}

const partOf = <Hit>({ plan, isMany }: Parts<Hit>, task: Task): Part => {
  const { inParts } = plan
  const isParted =
    requestOf(task).bound === undefined
      ? isMany && (inParts === 'all' || inParts === 'unbounded')
      : inParts === 'all' || inParts === 'bounded'
  return !isParted ? 'whole' : task.rest ? 'rest' : 'first'
}

const carryOut = async <Hit>(parts: Parts<Hit>, task: Task): Promise<Outcome> => {
  const { ctx, plan, prober, records } = parts
  const { probe, isSilent } = listening(prober.at(task.kind === 'place' ? task.point : task.group))
  const [members, shown]: [ProbePoint[], Hit[]] = [[], []]
  let found = false
  let more: More | undefined
  if (task.sign) probe.pursue('sign')
  else if (task.last) probe.pursue('spare')
  const ended = await endOf(ctx, async () => {
    if (task.kind === 'interfering') {
      const telling = await tellingMembers(parts.shared, task.group)
      members.push(...(telling ?? (await interferingMembers(prober, task, parts.interfering))))
    } else if (task.kind === 'place') more = await askPlace(parts, task, probe)
    else if (task.brief) {
      const reply = await watched(probe).sentinel()
      found = plan.shows === true && showsSentinel(reply)
      if (!found)
        await plan.brief?.(watched(probe), () => {
          found = true
        })
      // A name that was guessed is no place that the site has shown.
      if (!pointsOf(task).some(isGuess)) more = 'around'
    } else {
      const part = partOf(parts, task)
      const show = (hit: Hit): void => {
        found = true
        shown.push(hit)
      }
      const done = await (task.last ? plan.last?.probe(watched(probe), show) : plan.probe(watched(probe), show, part))
      for (const hit of shown) members.push(...(await shownAlone(parts, pointsOf(task), hit)))
      more = task.last ? undefined : part === 'first' && done !== 'whole' ? 'rest' : plan.last ? 'last' : undefined
    }
    if (task.kind === 'interfering' || found) return
    for (const one of pointsOf(task)) {
      const left = records.hits(one).length === 0 ? prober.leaveTurnedAway(one) : null
      if (left) await left
    }
  })
  probe.end()
  if (ended instanceof Deviation) {
    if (task.kind === 'place') return tested(probe)
    return task.around && parts.deviating.isUsual(task.group)
      ? { ...tested(probe), more: 'usual' }
      : deviated(parts, task.group, ended)
  }
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
    await noting(owed, point, async () => plan.again?.(probe, hit, found)).finally(probe.end)
    if (shows) return [point]
  }
  return []
}

/** What more is asked there when all places were. */
const askPlace = async <Hit>(
  parts: Parts<Hit>,
  task: Extract<Task, { kind: 'place' }>,
  probe: Probe,
): Promise<More | undefined> => {
  const { plan, records, owed } = parts
  const { point } = task
  const found = (hit: Hit): void => records.hit(point, hit)
  if (task.last) {
    await plan.last?.probe(probe, found)
    return undefined
  }
  if (OWN_NAMES.has(point.place) && !(await readsName(probe, plan.shows))) return undefined
  if (isTokenBeside(point) && (await isCompared(probe))) {
    probe.leave(EVERY_WAY, COMPARED)
    return undefined
  }
  const names = point.place === 'path' && isGuess(point) && !(await takesWords(probe))
  const part = partOf(parts, task)
  let isWhole = false
  await noting(owed, point, async () => {
    if (names) await plan.named?.(probe, found)
    else isWhole = (await plan.probe(probe, found, part)) === 'whole'
  })
  if (names || plan.last?.unless(records.hits(point)) === true) return undefined
  return part === 'first' && !isWhole ? 'rest' : plan.last && 'last'
}

/** Of a few headers and cookies each is asked alone, of many those that a search by halves finds. What fails here is asked in halves. */
const deviated = async <Hit>(parts: Parts<Hit>, group: ProbePoint, seen: Deviation): Promise<Outcome> => {
  const { ctx, prober, deviating } = parts
  deviating.note(group)
  const members: ProbePoint[] = []
  if (group.members?.some(isAround) && group.members.length <= FEW_AROUND) return { kind: 'deviated' }
  const ended = await endOf(ctx, async () => void members.push(...(await deviants(prober, group, seen))))
  return ended instanceof Error ? spent(ended, 0) : { kind: 'deviated', members }
}

const spent = (error: Error, requests: number): Outcome => ({
  ...{ kind: 'spent', reason: error instanceof OutOfTime ? TIME : SPENT, requests },
})

const tested = (probe: Probe): Outcome & { readonly kind: 'ended' } => ({
  kind: 'ended',
  ended: TESTED,
  requests: probe.sent(),
})

/** Where the question itself fails on our side, nothing is known of the session any more. */
const signedIn = async <Hit>({ ctx, session, records }: Parts<Hit>, now?: boolean) => {
  const asked = await heldBeside(ctx, 'the session', () => session.check(now))
  if ('value' in asked) return asked.value
  if ('fault' in asked) records.fault(asked.fault)
  return 'unknown'
}
