/** Sets of versions as spans between two ends, and what lies between them. */
import { compareVersions, type Range, type Scheme } from '../versions/version.ts'

/** A span with what its source says of it; spans do not hold each other's versions, as the formats demand. */
export interface Span {
  readonly range: Range
  readonly affected: boolean
}

export const EVERYTHING: Range = { start: null, startIncluded: true, end: null, endIncluded: false }

/** The affected spans; where the source says "affected unless told otherwise", what lies between them as well. */
export const affectedRanges = (spans: readonly Span[], scheme: Scheme, otherwise: boolean): readonly Range[] => {
  const said = spans.filter(({ affected }) => affected).map(({ range }) => range)
  return otherwise ? [...said, ...gaps(spans, scheme)] : said
}

const gaps = (spans: readonly Span[], scheme: Scheme): readonly Range[] => {
  const sorted = spans.map(({ range }) => range).toSorted((a, b) => compareStarts(a, b, scheme))
  const found: Range[] = []
  // `open` begins behind what was told so far; null when something reached to the end of all versions.
  let open: Open | null = { start: null, startIncluded: true }
  for (const { start, startIncluded, end, endIncluded } of sorted) {
    if (open === null) break
    if (start !== null && isBefore(open, start, scheme)) {
      found.push({ ...open, end: start, endIncluded: !startIncluded })
    }
    if (end === null) open = null
    else if (reachesFurther(end, endIncluded, open, scheme)) open = { start: end, startIncluded: !endIncluded }
  }
  return open === null ? found : [...found, { ...open, end: null, endIncluded: false }]
}

type Open = Pick<Range, 'start' | 'startIncluded'>

const reachesFurther = (end: string, endIncluded: boolean, { start, startIncluded }: Open, scheme: Scheme): boolean => {
  if (start === null) return true
  const order = compareVersions(scheme, end, start)
  return order > 0 || (order === 0 && startIncluded && endIncluded)
}

const isBefore = ({ start }: Open, version: string, scheme: Scheme): boolean =>
  start === null || compareVersions(scheme, start, version) < 0

const compareStarts = (a: Range, b: Range, scheme: Scheme): number => {
  if (a.start === null || b.start === null) return Number(a.start !== null) - Number(b.start !== null)
  return compareVersions(scheme, a.start, b.start)
}
