/**
 * Versions of a CVE record 5.x as spans. Beside the algorithm of the schema: how assigners write what it has no field for, read
 * in the records of 2025 and 2026.
 */
import type { Span } from '../../cve/spans.ts'
import { compareVersions, type Range, type Scheme } from '../../versions/version.ts'

export interface StatedVersion {
  readonly version: string
  readonly status: 'affected' | 'unaffected' | 'unknown'
  readonly versionType?: string | undefined
  readonly lessThan?: string | undefined
  readonly lessThanOrEqual?: string | undefined
  readonly changes?: readonly { readonly at: string; readonly status: string }[] | undefined
}

const SCHEMES: Readonly<Record<string, Scheme>> = {
  semver: 'semver',
  rpm: 'rpm',
  maven: 'maven',
  python: 'pep440',
  dpkg: 'dpkg',
}

/** One for all versions of a product; `generic` where they are of several kinds, or not of the kind that they are said to be. */
export const schemeOfAll = (versions: readonly StatedVersion[]): Scheme => {
  const said = new Set(
    versions.flatMap(({ versionType }) => (versionType === undefined ? [] : [versionType.toLowerCase()])),
  )
  const [only = ''] = said
  const scheme = said.size === 1 ? (SCHEMES[only] ?? 'generic') : 'generic'
  // `1.1.1zd` and `8.5p1` come after what `semver` would make pre-releases of.
  return scheme === 'semver' && versions.some(holdsLetters) ? 'generic' : scheme
}

const holdsLetters = ({ version, lessThan = '', lessThanOrEqual = '' }: StatedVersion): boolean =>
  [version, lessThan, lessThanOrEqual].some((text) => /^\d+(?:\.\d+)+[a-z]/i.test(text))

/** In the order of the statements, each cut where its status changes. */
export const spansOfAll = (versions: readonly StatedVersion[], scheme: Scheme): readonly Span[] =>
  fromTheirBranches(
    versions.flatMap((one) => {
      const written = WRITTEN.test(one.version) ? [writtenSpan(one)] : spansOf(one, scheme)
      return written.filter((span) => span !== null)
    }),
    scheme,
  )

/** `>= 7.0, < 7.2.5`, `< 8.2.2`, `= 1.4`, as advisories of GitHub write it into `version`. */
const WRITTEN = /^\s*(?:[<>]=?|=)\s*\S/

/** Null where it is not understood: what is not understood is no range. */
const writtenSpan = ({ version, status }: StatedVersion): Span | null => {
  let range: Range = { start: null, startIncluded: true, end: null, endIncluded: false }
  for (const part of version.split(',')) {
    const [, sign = '', named = ''] = /^\s*([<>]=?|=)\s*(\S+)\s*$/.exec(part) ?? []
    // Names of tags have the product's before the number: `OTP-27.3.3`, `v1.2`.
    const at = named.replace(/^[a-z]+[-_]?(?=\d)/i, '')
    if (!/^\d/.test(at)) return null
    if (sign === '=') range = { start: at, startIncluded: true, end: at, endIncluded: true }
    else if (sign.startsWith('>')) range = { ...range, start: at, startIncluded: sign === '>=' }
    else range = { ...range, end: at, endIncluded: sign === '<=' }
  }
  return { range, affected: status === 'affected' }
}

/** A range is cut where its status changes; one version is a span of itself. */
const spansOf = (stated: StatedVersion, scheme: Scheme): readonly Span[] => {
  const { version, status, lessThan, lessThanOrEqual } = stated
  const start = isOpen(version) ? null : version
  const single = lessThan === undefined && lessThanOrEqual === undefined
  if (single && start === null) {
    return status === 'affected' && version === '*'
      ? [{ range: { start: null, startIncluded: true, end: null, endIncluded: false }, affected: true }]
      : []
  }
  const last = lessThan ?? lessThanOrEqual ?? version
  const end = isOpen(last) ? null : last
  // A limit in words ("before the May update") is none that a version can be held against.
  if (end !== null && !/\d/.test(end)) return []
  const marks = [{ at: start, status: status as string }, ...cutsOf(stated, end, scheme)]
  return marks.map(({ at, status: here }, index) => {
    const next = marks[index + 1]
    const range: Range = {
      start: at,
      startIncluded: true,
      end: next?.at ?? end,
      endIncluded: next === undefined && lessThan === undefined && end !== null,
    }
    return { range, affected: here === 'affected' }
  })
}

interface Cut {
  readonly at: string
  readonly status: string
}

/**
 * A change to the status that holds already would say nothing: `1.26.3 unaffected, 1.27.4 unaffected` names the fix of each branch,
 * so the second branch is affected from its beginning up to there.
 */
const cutsOf = ({ changes = [] }: StatedVersion, end: string | null, scheme: Scheme): readonly Cut[] => {
  const sorted = changes
    .filter(({ at }) => end === null || compareVersions(scheme, at, end) < 0)
    .toSorted((a, b) => compareVersions(scheme, a.at, b.at))
  return sorted.flatMap((cut, index): readonly Cut[] => {
    const before = sorted[index - 1]
    const branch = branchOf(cut.at)
    const again = before?.status === 'unaffected' && cut.status === 'unaffected' && branch !== null
    return again && compareVersions(scheme, before.at, branch) < 0 && compareVersions(scheme, branch, cut.at) < 0
      ? [{ at: branch, status: 'affected' }, cut]
      : [cut]
  })
}

/** The first version with all numbers but the last: `1.27.0` of `1.27.4`. */
const branchOf = (version: string): string | null => {
  const [, numbers] = /^(\d+(?:\.\d+)+)\.\d+/.exec(version) ?? []
  return numbers === undefined ? null : `${numbers}.0`
}

/**
 * `8.0.40 and prior, 8.4.3 and prior`: of several spans without a beginning only the first reaches back to the first release, the others to
 * that of their branch, or of their first number where that is a new one.
 */
const fromTheirBranches = (spans: readonly Span[], scheme: Scheme): readonly Span[] => {
  const isOpenStart = ({ range, affected }: Span): boolean => affected && range.start === null && range.end !== null
  const ends = spans
    .filter(isOpenStart)
    .map(({ range }) => range.end ?? '')
    .toSorted((a, b) => compareVersions(scheme, a, b))
  if (ends.length < 2) return spans
  return spans.map((span) => {
    const end = span.range.end ?? ''
    const before = isOpenStart(span) ? ends[ends.indexOf(end) - 1] : undefined
    if (before === undefined) return span
    const [first = ''] = end.split('.')
    const start = before.split('.')[0] === first ? branchOf(end) : `${first}.0`
    return start === null ? span : { ...span, range: { ...span.range, start } }
  })
}

const isOpen = (text: string): boolean => /^(?:0|\*|unspecified|n\/a|-|)$/i.test(text.trim())
