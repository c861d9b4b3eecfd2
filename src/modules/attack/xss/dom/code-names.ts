/**
 * Names by which code may take parts out of an address that it cuts by itself: no parser tells them, and a build leaves them in files. Which of
 * its names they are nobody can see; what stands near to where it reads an address comes first.
 */

export interface CodeNames {
  /** The nearest first. */
  readonly names: readonly string[]
  /** How what is read as a whole has to begin, without the #: `tip=`. */
  readonly starts: readonly string[]
}

/** By name or beginning: characters from the nearest place that reads an address. */
export interface Distances {
  readonly names: ReadonlyMap<string, number>
  readonly starts: ReadonlyMap<string, number>
}

const LONGEST = 2_000_000
const MOST = 4_000
const MOST_STARTS = 3
/** Characters between what reads an address and the words that its parts are compared with. */
const NEAR = 4_000
const READS =
  /\blocation\b|\bURLSearchParams\b|\bsearchParams\b|\.(?:hash|search)\b(?!\s*\()|\bdocument\s*\.\s*(?:URL|documentURI|baseURI)\b/g
/** Members that are no calls, texts, and what a pattern has before its sign: `a.tip`, `"tip"`, `"#tip="`, `[#&]tip=(`. */
const NAMED =
  /\.\s*([a-z_$][\w$]{0,29})(?![\w$]|\s*\()|["'`][#?&]?([a-z_][\w.-]{0,29})=?["'`]|[#?&;|\]]\)?([a-z_][\w-]{0,29})=[([\\]/gi
/** `{ tip: e } =`, `({ tip }) =>` */
const UNPACKED = /\{([\w$\s,:]{1,200})\}\s*\)?\s*=/g
const START = /["'`/^]#?([a-z_][\w.-]{0,29}[=:|])(?:["'`(]|\[\^)/gi
const SCHEME = /^(?:https?|wss?|data|blob|mailto|tel|javascript|file|about):$/i

export const addressNamesIn = (code: string): Distances => {
  const text = code.slice(0, LONGEST)
  const reads = [...text.matchAll(READS)].map(({ index }) => index)
  const names = new Map<string, number>()
  const starts = new Map<string, number>()
  const note = (found: Map<string, number>, name: string, at: number): void => {
    const far = farFrom(reads, at)
    if (name !== '' && !(name in Object.prototype) && far < (found.get(name) ?? Number.POSITIVE_INFINITY))
      found.set(name, far)
  }
  if (reads.length === 0) return { names, starts }
  for (const { index, 1: member = '', 2: quoted = '', 3: cut = '' } of text.matchAll(NAMED))
    note(names, member || quoted || cut, index)
  for (const { index, 1: list = '' } of text.matchAll(UNPACKED))
    for (const one of list.split(',')) note(names, /^[a-z_$][\w$]*/i.exec(one.trim())?.[0] ?? '', index)
  for (const { index, 1: start = '' } of text.matchAll(START))
    if (!SCHEME.test(start) && farFrom(reads, index) <= NEAR) note(starts, start, index)
  return { names: new Map(nearest(names).slice(0, MOST)), starts }
}

/** Of several files. */
export const nearestOf = (files: readonly Distances[]): CodeNames => {
  const merged = (which: keyof Distances): Map<string, number> => {
    const all = new Map<string, number>()
    for (const file of files)
      for (const [name, far] of file[which]) all.set(name, Math.min(far, all.get(name) ?? Number.POSITIVE_INFINITY))
    return all
  }
  const named = (found: Map<string, number>): readonly string[] => nearest(found).map(([name]) => name)
  return { names: named(merged('names')).slice(0, MOST), starts: named(merged('starts')).slice(0, MOST_STARTS) }
}

const nearest = (found: Map<string, number>): readonly (readonly [name: string, far: number])[] =>
  [...found].toSorted(([, a], [, b]) => a - b)

/** `reads` in ascending order. */
const farFrom = (reads: readonly number[], at: number): number => {
  let [low, high] = [0, reads.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((reads[middle] ?? 0) < at) low = middle + 1
    else high = middle
  }
  const before = reads[low - 1] ?? Number.NEGATIVE_INFINITY
  return Math.min(at - before, (reads[low] ?? Number.POSITIVE_INFINITY) - at)
}
