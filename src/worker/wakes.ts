/**
 * Whether a worker that is woken looks at the queue. Each run that is queued or ends wakes all workers, and one of them gets it: of a
 * thousand that are idle the others would look in vain, for every run. Who has looked in vain several times waits for its next look by
 * the clock instead. The more of them there are the sooner one of these comes; one alone is hardly ever woken in vain.
 */
export interface Wakes {
  /** Counts a look that follows; false: the next one by the clock is soon enough. */
  readonly follow: () => boolean
  /** A look has found something. */
  readonly found: () => void
}

/** Woken looks in vain that follow each other at once … */
const IN_VAIN = 8
/** … and milliseconds after which there may be one more. */
const ONE_MORE = 10_000

/** `now`: milliseconds. */
export const createWakes = (now: () => number = performance.now.bind(performance)): Wakes => {
  let left = IN_VAIN
  let since = now()
  return {
    follow: () => {
      const more = Math.floor((now() - since) / ONE_MORE)
      left = Math.min(IN_VAIN, left + more)
      since += more * ONE_MORE
      if (left === 0) return false
      left -= 1
      return true
    },
    found: () => {
      left = IN_VAIN
    },
  }
}
