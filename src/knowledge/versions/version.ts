/** Order of versions, by the rules of whoever numbers them. A comparator never throws: every text has a place. */
import { compareDpkg } from './dpkg.ts'
import { compareGeneric } from './generic.ts'
import { compareMaven } from './maven.ts'
import { compareOpenssl } from './openssl.ts'
import { comparePep440 } from './pep440.ts'
import { comparePhp } from './php.ts'
import { compareRpm } from './rpm.ts'
import { compareSemver } from './semver.ts'

/** Negative when `a` is the older one, 0 when neither is. */
export type Compare = (a: string, b: string) => number

export const COMPARATORS = {
  generic: compareGeneric,
  semver: compareSemver,
  dpkg: compareDpkg,
  rpm: compareRpm,
  maven: compareMaven,
  pep440: comparePep440,
  openssl: compareOpenssl,
  php: comparePhp,
} as const satisfies Readonly<Record<string, Compare>>

export type Scheme = keyof typeof COMPARATORS

/** Longer texts are no versions: they are cut, which bounds every comparator. */
const LONGEST = 128

export const compareVersions = (scheme: Scheme, a: string, b: string): number =>
  COMPARATORS[scheme](a.slice(0, LONGEST), b.slice(0, LONGEST))

/** An interval of versions. Null is open: no start reaches back to the first release. */
export interface Range {
  readonly start: string | null
  readonly startIncluded: boolean
  readonly end: string | null
  readonly endIncluded: boolean
}

export const inRange = (scheme: Scheme, version: string, range: Range): boolean => {
  if (range.start !== null) {
    const order = compareVersions(scheme, version, range.start)
    if (order < 0 || (order === 0 && !range.startIncluded)) return false
  }
  if (range.end !== null) {
    const order = compareVersions(scheme, version, range.end)
    if (order > 0 || (order === 0 && !range.endIncluded)) return false
  }
  return true
}

/** "4.0.0 up to, not including, 4.2.1", as a person reads it. */
export const rangeText = ({ start, startIncluded, end, endIncluded }: Range): string => {
  if (start !== null && start === end) return start
  const from = start === null ? '' : startIncluded ? `from ${start}` : `after ${start}`
  const to = end === null ? '' : endIncluded ? `up to ${end}` : `before ${end}`
  return [from, to].filter((text) => text !== '').join(' ') || 'every version'
}
