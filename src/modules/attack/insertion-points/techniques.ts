/** Several ways to one proof at a place. */
import { identical, noiseOf } from './likeness.ts'
import { Blocked, Bounded, Filtered, type Probe, Unsendable } from './prober.ts'

/** Why conditions that match more rows are left at a place: they are harmless only where nothing is written. */
export const MAY_WRITE = 'of requests that may write, which get no conditions that match more rows'

/**
 * Whether quotes are answered otherwise than a value that means nothing: the value may stand within them. `refused`: what it is where
 * something refuses them.
 */
export const mindsQuotes = async (probe: Probe, refused: boolean): Promise<boolean> => {
  try {
    const noise = noiseOf(await probe.baseline())
    return !identical(await probe.broken(), await probe.control(), noise)
  } catch (error) {
    if (error instanceof Blocked) return refused
    throw error
  }
}

/** After so many refusals a place is given up: what is in front knows our kind of probe. */
const MOST_REFUSALS = 3

/**
 * One after the other until one finds something. A way that is refused does not close the others; but a place where one
 * was refused and none found anything is blocked. Where the application refuses single signs, the ways that need none are open.
 * A value that the place cannot hold closes its own way alone, unless it can hold none. What may be sent no more names the way: see owed.ts.
 * @throws Blocked, Unsendable
 */
export const firstOf = async <Hit>(ways: readonly (() => Promise<Hit | null>)[]): Promise<Hit | null> => {
  let refusals = 0
  let refused: Blocked | null = null
  const unsendable: Unsendable[] = []
  for (const way of ways) {
    try {
      const hit = await way()
      if (hit !== null) return hit
    } catch (error) {
      if (error instanceof Filtered) continue
      // What was refused once is remembered for all modules, and each was on a way of its own.
      if (error instanceof Bounded && error.way === undefined)
        throw Object.assign(new Bounded(error.message), { shown: error.shown, way })
      if (error instanceof Unsendable && !(error instanceof Bounded)) {
        unsendable.push(error)
        continue
      }
      if (!(error instanceof Blocked)) throw error
      refused = error
      refusals += 1
      if (refusals >= MOST_REFUSALS) break
    }
  }
  if (refused) throw refused
  if (unsendable[0] && unsendable.length === ways.length) throw unsendable[0]
  return null
}

/** Null where the place cannot hold it, or something in front refuses it. */
export const unlessRefused = async <Value>(work: () => Promise<Value>): Promise<Value | null> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Unsendable || error instanceof Blocked) return null
    throw error
  }
}
