/** What deletes takes the page of a record with it, and every form there: it is asked when no module asks about anything else any more. */
import { setTimeout as delay } from 'node:timers/promises'
import { DELETED, EVERY_WAY } from './facts.ts'
import type { ProbePoint } from './inventory.ts'
import type { Parts } from './parts.ts'
import type { Asker } from './writes.ts'

/** Seconds, times the run's factor, that others are waited for at most. */
const MOST_SECONDS = 240

/**
 * Whether these places may be asked now: no other module asks about records any more, as far as there is time to wait for that. Where one does, they are
 * left, and say so.
 */
export const othersRest = async <Hit>(
  { ctx, records, shared: { writes }, until }: Parts<Hit>,
  used: Asker['used'],
  points: readonly ProbePoint[],
): Promise<boolean> => {
  if (points.length === 0) return false
  const over = new AbortController()
  const signal = AbortSignal.any([ctx.signal, over.signal])
  const milliseconds = Math.min(until() - performance.now(), MOST_SECONDS * ctx.timeFactor * 1_000)
  const time = delay(Math.max(0, milliseconds), undefined, { signal }).catch(() => undefined)
  await Promise.race([writes.othersEnd(used, 'about records'), time])
  over.abort()
  ctx.signal.throwIfAborted()
  const mayBeAsked = !writes.othersAsk(used, 'about records')
  for (const point of points) {
    // What was said of them before their turn.
    records.ask(point, DELETED)
    if (mayBeAsked) continue
    records.leave(point, EVERY_WAY, DELETED)
    records.settle({ point, ended: { end: 'cut', reason: DELETED }, requests: 0, epoch: 0 })
  }
  return mayBeAsked
}
