/** What a module asks before and behind its places. */
import { heldBeside } from '../../faults.ts'
import { TESTED } from './ends.ts'
import type { Shortfall } from './facts.ts'
import type { ProbePoint } from './inventory.ts'
import { askOwed } from './owed.ts'
import type { Parts } from './parts.ts'
import { keyOf } from './reached.ts'
import { afterReading } from './reading-first.ts'

export const SPENT = 'its share of the requests was used up'
export const UNFINISHED: Shortfall = { reason: `not asked to the end afterwards, as ${SPENT}`, count: 1 }

/** Gives what it has proven of places. Where the budget ends in it, the places themselves say so. */
export const askBeforehand = async <Hit>(parts: Parts<Hit>): Promise<ReadonlySet<ProbePoint>> => {
  const { ctx, plan, points, prober, records, shared } = parts
  await afterReading(ctx, points)
  const proven = new Set<ProbePoint>()
  if (!plan.beforehand) return proven
  const note = (point: ProbePoint): void => {
    proven.add(point)
    if (plan.interprets) shared.interpreted.add(keyOf(point))
  }
  const asked = await heldBeside(ctx, 'what precedes the places', async () =>
    plan.beforehand?.(prober.at, points, note),
  )
  if ('fault' in asked) records.fault(asked.fault)
  for (const point of proven) records.settle({ point, ended: TESTED, requests: 0, epoch: 0 })
  return proven
}

/** What it leaves unread where the budget ends in it. */
export const askAfterwards = async <Hit>(parts: Parts<Hit>): Promise<readonly Shortfall[]> => {
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
