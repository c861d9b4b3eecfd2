/** Takes a module's places one after another, some at once, and keeps what each brought. */
import type { CrawlFacts } from '../crawl/facts.ts'
import type { CollectContext } from '../module.ts'
import type { ProbedPlace, ProbedPoint, ProbingFacts } from './facts.ts'
import { inventoryOf, type ProbePoint } from './inventory.ts'
import { Blocked, createProber, type Probe, Unsendable } from './prober.ts'

export interface Plan<Hit> {
  /** What a person reads while it runs: "SQL injection". */
  readonly what: string
  readonly wants: (point: ProbePoint) => boolean
  /** False ends it before the next place: the session is lost. */
  readonly goesOn?: () => Promise<boolean>
  /** Share of the module's progress; default all of it. */
  readonly share?: number
  /** Hits are handed over as they are found, so that a place which is blocked half way keeps them. */
  readonly probe: (probe: Probe, found: (hit: Hit) => void) => Promise<void>
}

const AT_ONCE = 6

export const probeAll = async <Hit>(
  ctx: CollectContext,
  crawl: CrawlFacts,
  plan: Plan<Hit>,
): Promise<ProbingFacts<Hit>> => {
  const prober = createProber(ctx.egress)
  const points = inventoryOf(crawl).filter(plan.wants)
  const results: (ProbedPoint<Hit> | undefined)[] = points.map(() => undefined)
  let next = 0
  let done = 0
  let stopped = false
  let lost = false

  const worker = async (): Promise<void> => {
    while (!stopped && next < points.length) {
      if (plan.goesOn && !(await plan.goesOn())) {
        lost = true
        break
      }
      const index = next
      next += 1
      const point = points[index]
      if (!point) continue
      const probe = prober.at(point)
      const hits: Hit[] = []
      const ended = await endOf(plan.probe(probe, (hit) => hits.push(hit)))
      if (ended === 'stop') stopped = true
      else results[index] = { at: placeOf(probe), ...ended, requests: probe.sent(), hits }
      done += 1
      ctx.progress(`${plan.what}: ${done} of ${points.length} places`, ((plan.share ?? 1) * done) / points.length)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  ctx.signal.throwIfAborted()
  const tested = results.filter((one) => one !== undefined)
  return { points: tested, left: points.length - tested.length, sessionLost: lost || crawl.session.state === 'lost' }
}

const endOf = async (work: Promise<void>): Promise<Pick<ProbedPoint<never>, 'end' | 'reason'> | 'stop'> => {
  try {
    await work
    return { end: 'tested', reason: null }
  } catch (error) {
    if (error instanceof Blocked) return { end: 'blocked', reason: error.message }
    if (error instanceof Unsteady) return { end: 'unstable', reason: error.message }
    if (error instanceof Silent) return { end: 'unreachable', reason: error.message }
    if (error instanceof Unsendable) return { end: 'failed', reason: error.message }
    if (error instanceof Error && 'code' in error && error.code === 'budget') return 'stop'
    throw error
  }
}

/** The page differs from itself by more than a probe could show. */
export class Unsteady extends Error {}
/** The page did not answer as it is. */
export class Silent extends Error {}

export const placeOf = ({ request, point }: Probe): ProbedPlace => ({
  url: point.place === 'query' ? (request.url.split('?')[0] ?? request.url) : request.url,
  method: request.method,
  place: point.place,
  name: point.name,
})
