/**
 * Whether a host answers more slowly than it did. An application has quick programs and slow ones, and a run does not ask them in the
 * same shares all the time, so each answer is held against what the same address took at first, and the first ones of an address
 * against those of its folder.
 */

/** Answers whose median is what an address, or a folder, takes. */
const FIRST = 3
/** Addresses and folders that are remembered; the one that was first heard of longest ago is forgotten. */
const KEPT = 4_000
/** Answers that are looked at together. */
const WINDOW = 40
/** An answer is late where it took so many times what is usual, and so many milliseconds more: below, it is noise. */
const [TIMES, MORE] = [3, 100]
/** So many late ones of a window tell of the host where they are of so many addresses: one alone may be a program that found more to do. */
const [QUARTER, ADDRESSES] = [WINDOW / 4, 3]
/** So many tell by themselves: it may have one address alone. With those late for their folder, whose programs may differ. */
const HALF = WINDOW / 2

export interface Strain {
  /** An answer of what was asked (`of`), by milliseconds. True once the last answers show that the host is slower than it was. */
  readonly add: (latency: number, of: string) => boolean
}

export const createStrain = (): Strain => {
  const known = new Map<string, number[]>()
  let [seen, ofFolder] = [0, 0]
  let late: string[] = []
  /** What it took at first; null while that is being learned. */
  const usualOf = (key: string, latency: number): number | null => {
    const first = known.get(key) ?? []
    if (first.length === FIRST) return first.toSorted((a, b) => a - b)[1] ?? null
    first.push(latency)
    known.set(key, first)
    const [oldest] = known.size > KEPT ? known.keys() : []
    if (oldest !== undefined) known.delete(oldest)
    return null
  }
  const isLate = (latency: number, usual: number | null): boolean =>
    usual !== null && latency >= TIMES * usual && latency >= usual + MORE
  return {
    add: (latency, of) => {
      const [own, folder] = [usualOf(of, latency), usualOf(of.replace(/[^/]*$/, '*'), latency)]
      if (own === null && folder === null) return false
      if (own === null) ofFolder += Number(isLate(latency, folder))
      else if (isLate(latency, own)) late.push(of)
      seen += 1
      if (seen < WINDOW) return false
      const isStrain = late.length + ofFolder >= HALF || (late.length >= QUARTER && new Set(late).size >= ADDRESSES)
      seen = 0
      ofFolder = 0
      late = []
      return isStrain
    },
  }
}
