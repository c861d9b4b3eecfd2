/** What changes in a page by itself: a tip of the day, a number of visitors, an offer. Learned from answers to one request. */

/** Between these words, which stand once on the page and in this order, anything may stand. */
export interface Slot {
  readonly before: readonly string[]
  readonly behind: readonly string[]
}

/** Words that an offer or a tip has at most. */
const LONGEST = 80
const MOST_SLOTS = 16
/** So many words surround a slot, at most; fewer where they stand once. */
const LEAST_ANCHOR = 2
const MOST_ANCHOR = 12
/** Words in a row that are alike again, behind a slot. */
const AGREE = 3

/** Of the words of two answers. None where they part for good: then the page is another. */
export const slotsOf = (a: readonly string[], b: readonly string[]): readonly Slot[] => {
  const slots: Slot[] = []
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      i += 1
      j += 1
      continue
    }
    const met = meet(a, i, b, j)
    const slot = met && slots.length < MOST_SLOTS ? slotAt(a, b, { from: i, to: met[0] }) : null
    if (!met || !slot) return []
    slots.push(slot)
    i = met[0]
    j = met[1]
  }
  return i === a.length && j === b.length ? slots : []
}

/** Where the two go on alike, the nearest first. */
const meet = (a: readonly string[], i: number, b: readonly string[], j: number): readonly [number, number] | null => {
  const agree = (at: number, other: number): boolean =>
    at < a.length &&
    other < b.length &&
    Array.from({ length: AGREE }, (_, k) => a[at + k] === b[other + k]).every(Boolean)
  for (let sum = 1; sum <= 2 * LONGEST; sum += 1)
    for (let of = Math.max(0, sum - LONGEST); of <= Math.min(sum, LONGEST); of += 1)
      if (agree(i + of, j + sum - of)) return [i + of, j + sum - of]
  return null
}

/** Null where nothing that stands once surrounds it. */
const slotAt = (
  a: readonly string[],
  b: readonly string[],
  { from, to }: { from: number; to: number },
): Slot | null => {
  for (let size = LEAST_ANCHOR; size <= Math.min(MOST_ANCHOR, from); size += 1) {
    const before = a.slice(from - size, from)
    if (count(a, before) !== 1 || count(b, before) !== 1) continue
    return { before, behind: a.slice(to, to + AGREE) }
  }
  return null
}

const isAt = (words: readonly string[], at: number, some: readonly string[]): boolean =>
  some.every((word, index) => words[at + index] === word)

const count = (words: readonly string[], some: readonly string[]): number => {
  let found = 0
  for (let at = 0; at + some.length <= words.length && found < 2; at += 1) if (isAt(words, at, some)) found += 1
  return found
}

/** The words with one in place of what changes by itself. */
export const withoutVarying = (words: readonly string[], slots: readonly Slot[]): readonly string[] =>
  slots.reduce((left, { before, behind }) => {
    const from = left.findIndex((_, at) => isAt(left, at, before))
    if (from < 0) return left
    const start = from + before.length
    const length = Array.from({ length: LONGEST + 1 }, (_, size) => size).find((size) =>
      isAt(left, start + size, behind),
    )
    return length === undefined ? left : left.toSpliced(start, length, '#varies')
  }, words)
