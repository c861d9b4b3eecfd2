/** How long a run's active modules may take for what they do by a clock of their own. */
import type { CollectContext } from '../../module.ts'

/** Seconds, each times the run's factor. `places` is the least that places get, the others follow the places of scripts. */
export const TIMES = { places: 420, scripts: 420, afterwards: 100 } as const
/**
 * Seconds, times the run's factor, that cross-site scripting takes at least for what follows its places: few requests, and a browser at work. The
 * places of others are asked as long, and what follows all of them begins no later by it.
 */
export const BESIDE_SCRIPTS = 100
/** Seconds for calls that come late, beside what the run keeps for what follows all places. A short run keeps less. */
const LAST = 120

/** Seconds for the places of a module: what the run has left, but for what follows them. `after`: times the run's factor. */
export const secondsForPlaces = (
  { timeFactor, secondsLeft }: Pick<CollectContext, 'timeFactor' | 'secondsLeft'>,
  after = 0,
): number => Math.max(TIMES.places * timeFactor, secondsLeft() - after * timeFactor - LAST * Math.min(1, timeFactor))

/** Seconds before its end by which a module is done: what it has sent may be waited for. */
const CLOSING = 12

/**
 * By performance.now(): so many milliseconds from now, and no later than a module is done that keeps what it found. `part`: of what the run
 * has for it and for those that follow.
 */
export const untilWithin = (
  { secondsToEnd }: Pick<CollectContext, 'secondsToEnd'>,
  milliseconds: number,
  part = 1,
): number => performance.now() + Math.max(0, Math.min(milliseconds, (secondsToEnd() - CLOSING) * part * 1_000))

/** Whether so many seconds, times the run's factor, are over from now, or a module has to be done that keeps what it found. */
export const overWithin = (
  ctx: Pick<CollectContext, 'timeFactor' | 'secondsToEnd'>,
  seconds: number,
): (() => boolean) => {
  const until = untilWithin(ctx, seconds * ctx.timeFactor * 1_000)
  return () => performance.now() > until
}

/** Seconds that a place which was begun may take beyond the time for places; of a short run half of what is kept for late calls. */
const GRACE = 20

/** As in Plan. */
export interface Timing {
  readonly time?: { readonly places: number; readonly grace: number }
  readonly after?: number
  readonly spared?: () => number
}

/** From now on; all by performance.now(). */
export const clockOf = (
  ctx: Pick<CollectContext, 'timeFactor' | 'secondsLeft'>,
  { time, after = 0, spared = () => 0 }: Timing,
) => {
  const now = performance.now()
  const { grace } = time ?? { grace: Math.min(GRACE, (LAST * Math.min(1, ctx.timeFactor)) / 2) }
  const left = ctx.secondsLeft()
  const begun = { ...ctx, secondsLeft: () => left }
  const until = (): number => now + (time?.places ?? secondsForPlaces(begun, after - spared())) * 1_000
  let isEnding = false
  return {
    /** No place is begun after it, as it stands. */
    until,
    /** Nothing more is sent to places. */
    isOver: (): boolean => !isEnding && performance.now() > until() + grace * 1_000,
    /** What follows the places has a time of its own. */
    end: (): void => {
      isEnding = true
    },
  }
}

/** The time for probing is over. Like a spent budget, it says nothing about the place. */
export class OutOfTime extends Error {
  readonly code = 'budget'
}
