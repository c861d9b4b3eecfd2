/** Takes a module's places one after another, some at once, and keeps what each brought. */

import { targetFailure } from '../../../egress/door/target-failure.ts'
import type { BlockPage } from '../../../page/block-page.ts'
import { endsModule, faultReason, held } from '../../faults.ts'
import type { CollectContext } from '../../module.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import type { ProbedPlace, ProbedPoint, ProbingFacts } from './facts.ts'
import { Deviates, grouped, groupOf, halvesOf, isAround, movers, sentinel, WHOLE_ON, watched } from './groups.ts'
import { inventoryOf, leftAloneOf, type ProbePoint } from './inventory.ts'
import { byWorth } from './order.ts'
import { Blocked, createProber, OutOfTime, type Probe, Unsendable } from './prober.ts'
import { openProbedSession } from './session.ts'
import { sharedOf } from './shared.ts'

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
  /** Seconds after which no place is begun any more, and how long one that was begun may still take. */
  readonly time?: { readonly places: number; readonly grace: number }
  /** Once, after all places: what was found only by then. */
  readonly afterwards?: (
    at: (point: ProbePoint) => Probe,
    points: readonly ProbePoint[],
  ) => Promise<readonly { readonly point: ProbePoint; readonly hit: Hit }[]>
}

const AT_ONCE = 6
/** Places are taken in the order of what they promise, so what is left after this long is worth least. */
const TIMES = { places: 420, grace: 20 }
/** After so many places in a row that are refused, one is asked at a time; after so many, none any more. */
const SLOW_AFTER = 3
const STOP_AFTER = 12

type Ended = Pick<ProbedPoint<never>, 'end' | 'reason' | 'fault'>

/** `blockPage`: of the waf module's facts. */
export const probeAll = async <Hit>(
  ctx: CollectContext,
  crawl: CrawlFacts,
  plan: Plan<Hit>,
  blockPage: BlockPage | null = null,
): Promise<ProbingFacts<Hit>> => {
  const shared = sharedOf(crawl)
  const { refusals } = shared
  const points = byWorth(inventoryOf(crawl).filter(plan.wants))
  const session = await openProbedSession(ctx, crawl)
  const units = plan.groups ? grouped(points) : points
  const carriers = [...new Set(units.flatMap(({ request, members }) => (members?.some(isAround) ? [request.id] : [])))]
  const results = new Map<ProbePoint, ProbedPoint<Hit>>()
  const unproven = new Set<ProbePoint>()
  const { places, grace } = plan.time ?? TIMES
  const until = performance.now() + places * 1_000
  let over = until + grace * 1_000
  const prober = createProber(ctx.egress, shared, blockPage, () => performance.now() > over)
  let next = 0
  let stopped: string | null = null
  let late: string | undefined

  const settle = (point: ProbePoint, ended: Ended, requests: number, hits: readonly Hit[] = []): void => {
    results.set(point, { at: placeOf(point), ...ended, requests, hits })
    unproven.add(point)
    ctx.progress(`${plan.what}: ${results.size} of ${points.length} places`, results.size / points.length)
  }

  const stop = (error: Error): void => {
    stopped ??= error instanceof OutOfTime ? TIME : SPENT
  }

  const one = async (point: ProbePoint): Promise<void> => {
    if (stopped !== null) return
    const probe = prober.at(point)
    const hits: Hit[] = []
    const ended = await endOf(ctx, async () => plan.probe(probe, (hit) => hits.push(hit)))
    if (ended instanceof Error) {
      stop(ended)
      if (probe.sent() > 0) settle(point, { end: 'cut', reason: stopped }, probe.sent(), hits)
    } else settle(point, ended === 'deviates' ? TESTED : ended, probe.sent(), hits)
  }

  const many = async (group: ProbePoint): Promise<void> => {
    const members = group.members ?? []
    const probe = prober.at(group)
    const apart: ProbePoint[] = []
    const looked = await endOf(ctx, async () => void apart.push(...(await movers(prober, group, points))))
    if (looked instanceof Error) stop(looked)
    else if (looked !== 'deviates' && looked.end === 'fault') apart.splice(0, apart.length, ...members)
    else if (looked !== 'deviates' && looked.end === 'blocked') {
      for (const member of members) settle(member, looked, Math.ceil(probe.sent() / members.length))
      return
    }
    if (apart.length > 0) {
      await Promise.all(apart.map(one))
      const rest = members.filter((member) => !apart.includes(member))
      return rest.length > 0 ? ask(groupOf(rest)) : undefined
    }
    let found = false
    const brief = members.some(isAround) && carriers.indexOf(group.request.id) >= WHOLE_ON
    const ended = await endOf(ctx, async () => {
      if (brief) await watched(probe).send(sentinel(group.value), { language: 'sql' })
      else
        await plan.probe(watched(probe), () => {
          found = true
        })
    })
    if (ended instanceof Error) stop(ended)
    else if (ended === 'deviates' || found || ended.end === 'failed' || ended.end === 'fault')
      await Promise.all(halvesOf(members).map((half) => (half[1] ? ask(groupOf(half)) : half[0] && one(half[0]))))
    else for (const member of members) settle(member, ended, Math.ceil(probe.sent() / members.length))
  }

  const ask = async (unit: ProbePoint): Promise<void> => {
    const of = unit.members ?? [unit]
    if (refusals.inARow >= STOP_AFTER) {
      for (const point of of) settle(point, { end: 'blocked', reason: NOT_ASKED }, 0)
      return
    }
    await (unit.members ? many(unit) : one(unit))
    refusals.inARow = of.every((point) => results.get(point)?.end === 'blocked') ? refusals.inARow + 1 : 0
  }

  /** Where the question itself fails on our side, nothing is known of the session any more. */
  const signedIn = async (now?: boolean): Promise<'proven' | 'assumed' | 'lost' | 'unknown'> => {
    const asked = await held(ctx, 'the session', () => session.check(now))
    if ('value' in asked) return asked.value
    late = asked.fault
    return 'unknown'
  }

  const worker = async (first: boolean): Promise<void> => {
    while (stopped === null && next < units.length && (first || refusals.inARow < SLOW_AFTER)) {
      if (performance.now() > until) {
        stopped ??= TIME
        return
      }
      const unit = units[next]
      next += 1
      const state = await signedIn()
      if (state === 'lost') stopped ??= LOST.reason
      if (state === 'proven') unproven.clear()
      if (unit && stopped === null) await ask(unit)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => worker(index === 0)))
  ctx.signal.throwIfAborted()
  over = Number.POSITIVE_INFINITY
  // With the budget spent there is no asking any more, and places that are left say so.
  if (stopped === null || stopped === TIME) {
    const later = await held(
      ctx,
      'what follows the places',
      async () => (await plan.afterwards?.(prober.at, points)) ?? [],
    )
    if ('fault' in later) late = later.fault
    for (const { point, hit } of 'value' in later ? later.value : []) {
      const result = results.get(point)
      if (result) results.set(point, { ...result, hits: [...result.hits, hit] })
    }
  }
  if ((await signedIn(true)) === 'lost') {
    for (const point of points) {
      const result = results.get(point)
      if (result && unproven.has(point)) results.set(point, { ...result, ...LOST })
      if (!result) settle(point, LOST, 0)
    }
  }
  const tested = points.flatMap((point) => results.get(point) ?? [])
  const left = points.length - tested.length
  const leftAlone = leftAloneOf(crawl, plan.wants)
  const fault = late === undefined ? {} : { fault: late }
  return { points: tested, left, leftAlone, cut: stopped, ...fault, sessionLost: crawl.session.state === 'lost' }
}

const TESTED: Ended = { end: 'tested', reason: null }
const LOST = { end: 'session-lost', reason: 'session lost' } as const
const TIME = 'the time for it was over'
const SPENT = 'its share of the requests was used up'
const NOT_ASKED = `not asked: ${STOP_AFTER} places before were refused one after another`

/** An error of the budget ends everything; a fault of ours costs its place alone. @throws what ends the module */
const endOf = async (
  ctx: Pick<CollectContext, 'signal' | 'fault'>,
  work: () => Promise<void>,
): Promise<Ended | Error | 'deviates'> => {
  try {
    await work()
    return TESTED
  } catch (error) {
    if (error instanceof Deviates) return 'deviates'
    if (error instanceof Blocked) return { end: 'blocked', reason: error.message }
    if (error instanceof Unsteady) return { end: 'unstable', reason: error.message }
    if (error instanceof Silent) return { end: 'unreachable', reason: error.message }
    if (error instanceof Unsendable) return { end: 'failed', reason: error.message }
    if (error instanceof Error && 'code' in error && error.code === 'budget') return error
    if (endsModule(error, ctx.signal)) throw error
    const failure = targetFailure(error)
    if (failure) return { end: 'unreachable', reason: failure.message }
    if (isRefusal(error)) return { end: 'failed', reason: error.message }
    const fault = ctx.fault(error, 'a place')
    return { end: 'fault', reason: faultReason(fault), fault }
  }
}

/** The guard does not let the place be asked. */
const isRefusal = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === 'refused_by_guard'

/** The page differs from itself by more than a probe could show. */
export class Unsteady extends Error {}
/** The page did not answer as it is. */
export class Silent extends Error {}

export const placeOf = ({ request, place, name }: ProbePoint): ProbedPlace => ({
  url: place === 'query' ? (request.url.split('?')[0] ?? request.url) : request.url,
  method: request.method,
  place,
  name,
})
