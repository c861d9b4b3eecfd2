/** How long a run's active modules may take for what they do by a clock of their own. */
import type { CollectContext } from '../../module.ts'

/** Seconds, each times the run's factor. `places` is the least that places get, the others follow the places of scripts. */
export const TIMES = { places: 420, scripts: 420, afterwards: 150 } as const
/** Seconds that the run keeps for what follows all places: calls that came, limits of requests, the report. A short run keeps less. */
const LAST = 300

/** Seconds for the places of a module: what the run has left, but for what follows them. `after`: times the run's factor. */
export const secondsForPlaces = (
  { timeFactor, secondsLeft }: Pick<CollectContext, 'timeFactor' | 'secondsLeft'>,
  after = 0,
): number => Math.max(TIMES.places * timeFactor, secondsLeft() - after * timeFactor - LAST * Math.min(1, timeFactor))

/** The time for probing is over. Like a spent budget, it says nothing about the place. */
export class OutOfTime extends Error {
  readonly code = 'budget'
}
