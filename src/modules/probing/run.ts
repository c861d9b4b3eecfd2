/** Takes a module's places one after another, some at once, and keeps what each brought. */
import type { CrawlFacts } from '../crawl/facts.ts'
import type { CollectContext } from '../module.ts'
import type { BlockPage } from '../waf/facts.ts'
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

type Ended = Pick<ProbedPoint<never>, 'end' | 'reason'>

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
    const ended = await endOf(plan.probe(probe, (hit) => hits.push(hit)))
    if (ended instanceof Error) {
      stop(ended)
      if (probe.sent() > 0) settle(point, { end: 'cut', reason: stopped }, probe.sent(), hits)
    } else settle(point, ended === 'deviates' ? TESTED : ended, probe.sent(), hits)
  }

  const many = async (group: ProbePoint): Promise<void> => {
    const members = group.members ?? []
    const probe = prober.at(group)
    const apart: ProbePoint[] = []
    const looked = await endOf(movers(prober, group, points).then((found) => void apart.push(...found)))
    if (looked instanceof Error) stop(looked)
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
    const work = brief
      ? watched(probe).send(sentinel(group.value), { language: 'sql' })
      : plan.probe(watched(probe), () => {
          found = true
        })
    const ended = await endOf(work.then(() => undefined))
    if (ended instanceof Error) stop(ended)
    else if (ended === 'deviates' || found || ended.end === 'failed')
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

  const worker = async (first: boolean): Promise<void> => {
    while (stopped === null && next < units.length && (first || refusals.inARow < SLOW_AFTER)) {
      if (performance.now() > until) {
        stopped ??= TIME
        return
      }
      const unit = units[next]
      next += 1
      const state = await session.check()
      if (state === 'lost') stopped ??= LOST.reason
      if (state === 'proven') unproven.clear()
      if (unit && stopped === null) await ask(unit)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => worker(index === 0)))
  ctx.signal.throwIfAborted()
  over = Number.POSITIVE_INFINITY
  // With the budget spent there is no asking any more, and places that are left say so.
  for (const { point, hit } of stopped !== null && stopped !== TIME
    ? []
    : ((await plan.afterwards?.(prober.at, points)) ?? [])) {
    const result = results.get(point)
    if (result) results.set(point, { ...result, hits: [...result.hits, hit] })
  }
  if ((await session.check(true)) === 'lost') {
    for (const point of points) {
      const result = results.get(point)
      if (result && unproven.has(point)) results.set(point, { ...result, ...LOST })
      if (!result) settle(point, LOST, 0)
    }
  }
  const tested = points.flatMap((point) => results.get(point) ?? [])
  const left = points.length - tested.length
  const leftAlone = leftAloneOf(crawl, plan.wants)
  return { points: tested, left, leftAlone, cut: stopped, sessionLost: crawl.session.state === 'lost' }
}

const TESTED: Ended = { end: 'tested', reason: null }
const LOST = { end: 'session-lost', reason: 'session lost' } as const
const TIME = 'the time for it was over'
const SPENT = 'its share of the requests was used up'
const NOT_ASKED = `not asked: ${STOP_AFTER} places before were refused one after another`

/** An error of the budget ends everything. */
const endOf = async (work: Promise<void>): Promise<Ended | Error | 'deviates'> => {
  try {
    await work
    return TESTED
  } catch (error) {
    if (error instanceof Deviates) return 'deviates'
    if (error instanceof Blocked) return { end: 'blocked', reason: error.message }
    if (error instanceof Unsteady) return { end: 'unstable', reason: error.message }
    if (error instanceof Silent) return { end: 'unreachable', reason: error.message }
    if (error instanceof Unsendable) return { end: 'failed', reason: error.message }
    if (error instanceof Error && 'code' in error && error.code === 'budget') return error
    throw error
  }
}

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
