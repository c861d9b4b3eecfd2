/** Several ways to one proof at a place. */
import { Blocked, Bounded, Filtered, Unsendable } from './prober.ts'

/** Why conditions that match more rows are left at a place: they are harmless only where nothing is written. */
export const MAY_WRITE = 'of requests that may write, which get no conditions that match more rows'

/** After so many refusals a place is given up: what is in front knows our kind of probe. */
const MOST_REFUSALS = 3

/**
 * One after the other until one finds something. A way that is refused does not close the others; but a place where one
 * was refused and none found anything is blocked. Where the application refuses single signs, the ways that need none are open.
 * A value that the place cannot hold closes its own way alone, unless it can hold none.
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
