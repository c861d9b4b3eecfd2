/**
 * What a run stores may show on every page: a name in the head of each, one comment more. Answers from before and after such a
 * change differ by it, and a place that was asked across it seems to answer nothing.
 */
import { isSafe } from '../../../safety/effect.ts'
import type { ProbePoint } from './inventory.ts'
import { identical, noiseOf } from './likeness.ts'
import { Bounded, type Prober, type Reply } from './prober.ts'
import type { Shared } from './shared.ts'

/** Requests that are looked at again, and those of them that are asked again. */
const MOST_LOOKED = 300
const MOST_CHANGED = 40
const AT_ONCE = 6

/** Of these places those whose page is another by now. What was kept of it is forgotten. */
export const disturbed = async (
  prober: Pick<Prober, 'again'>,
  { baselines, replies, seenAt, writes }: Pick<Shared, 'baselines' | 'replies' | 'seenAt' | 'writes'>,
  points: readonly ProbePoint[],
): Promise<readonly ProbePoint[]> => {
  const reading = points.filter(({ request }) => isSafe(request.method) && request.effect === 'reads')
  const byRequest = Map.groupBy(reading, ({ request }) => request.id)
  /** Null where it was seen to write meanwhile, and may not be sent any more. */
  const again = async (point: ProbePoint): Promise<Reply | null> => {
    try {
      return await prober.again(point)
    } catch (error) {
      if (error instanceof Bounded) return null
      throw error
    }
  }
  const isChanged = async (id: string, point: ProbePoint): Promise<boolean> => {
    const before = await baselines.known(id)?.catch(() => undefined) // Whoever asked for it has heard of that.
    const written = writes.written()
    // Nothing was written since.
    if (!before || seenAt.get(id) === written) return false
    const now = await again(point)
    if (now === null) return false
    seenAt.set(id, written)
    const noise = noiseOf(before)
    const differs = !identical(now, before[0], noise)
    if (!differs && noise === 0) return false
    // What is another each time has not been changed. The change may lie between the two answers that were kept: then they differ by
    // more than the page does by itself.
    const once = await again(point)
    if (once === null) return differs
    return differs ? identical(now, once, noise) : noiseOf([now, once]) < noise / 2
  }
  const changed: ProbePoint[][] = []
  const waiting = [...byRequest].slice(0, MOST_LOOKED)
  for (let at = 0; at < waiting.length && changed.length < MOST_CHANGED; at += AT_ONCE) {
    const some = waiting.slice(at, at + AT_ONCE)
    const seen = await Promise.all(some.map(([id, [first]]) => first !== undefined && isChanged(id, first)))
    for (const [index, [id, own]] of some.entries()) {
      if (!seen[index]) continue
      baselines.forget(id)
      replies.forget(id)
      changed.push(own)
    }
  }
  return changed.flat()
}
