/**
 * Whether a host answers more slowly than it did. An application has quick programs and slow ones, and a run does not ask them in the
 * same shares all the time, so each answer is held against what the same address took at first.
 */

/** Answers of an address whose median is what it takes. */
const FIRST = 3
/** Addresses that are remembered; the one that was first heard of longest ago is forgotten. */
const KEPT = 2_000
/** Answers that are looked at together. */
const WINDOW = 40
/** An answer is late where it took so many times what its address takes, and so many milliseconds more: below, it is noise. */
const [TIMES, MORE] = [3, 100]
/** So many late ones of a window tell of the host where they are of so many addresses: one alone may be a program that found more to do. */
const [QUARTER, ADDRESSES] = [WINDOW / 4, 3]
/** So many tell by themselves: it may have one address alone. */
const HALF = WINDOW / 2

export interface Strain {
  /** An answer of what was asked (`of`), by milliseconds. True once the last answers show that the host is slower than it was. */
  readonly add: (latency: number, of: string) => boolean
}

export const createStrain = (): Strain => {
  const known = new Map<string, number[]>()
  let seen = 0
  let late: string[] = []
  return {
    add: (latency, of) => {
      const first = known.get(of) ?? []
      if (first.length < FIRST) {
        first.push(latency)
        known.set(of, first)
        const [oldest] = known.size > KEPT ? known.keys() : []
        if (oldest !== undefined) known.delete(oldest)
        return false
      }
      const usual = first.toSorted((a, b) => a - b)[1] ?? latency
      if (latency >= TIMES * usual && latency >= usual + MORE) late.push(of)
      seen += 1
      if (seen < WINDOW) return false
      const isStrain = late.length >= HALF || (late.length >= QUARTER && new Set(late).size >= ADDRESSES)
      seen = 0
      late = []
      return isStrain
    },
  }
}
