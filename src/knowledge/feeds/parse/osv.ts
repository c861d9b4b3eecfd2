/** OSV: https://ossf.github.io/osv-schema/; versions by the algorithm in its section on evaluation. */
import { z } from 'zod'
import type { Affected, CveRecord } from '../../cve/record.ts'
import { scoreOf } from '../../cve/score.ts'
import { compareVersions, inRange, type Scheme } from '../../versions/version.ts'
import { checked, clipped, httpsOnly } from './checked.ts'
import { cweOf } from './cwe.ts'

const Event = z.object({
  introduced: z.string().optional(),
  fixed: z.string().optional(),
  last_affected: z.string().optional(),
  limit: z.string().optional(),
})
const Severity = z.object({ type: z.string(), score: z.string() })
const Advisory = z.object({
  id: z.string().min(1),
  aliases: z.array(z.string()).default([]),
  upstream: z.array(z.string()).default([]),
  withdrawn: z.string().optional(),
  summary: z.string().default(''),
  details: z.string().default(''),
  severity: z.array(Severity).default([]),
  database_specific: z
    .object({ cwe_ids: z.array(z.string()).default([]) })
    .optional()
    .catch(undefined),
  references: z.array(z.object({ url: z.string() })).default([]),
  affected: z
    .array(
      z.object({
        package: z.object({ ecosystem: z.string(), name: z.string() }).optional(),
        ranges: z.array(z.object({ type: z.enum(['SEMVER', 'ECOSYSTEM', 'GIT']), events: z.array(Event) })).default([]),
        versions: z.array(z.string()).default([]),
        severity: z.array(Severity).default([]),
      }),
    )
    .default([]),
})

/** One advisory a file, or a list of them. Those without a CVE number, and withdrawn ones, give nothing. @throws FeedError */
export function* parseOsv(value: unknown, file: string): Generator<CveRecord> {
  for (const one of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
    const advisory = checked(Advisory, one, file, null)
    const ids = [advisory.id, ...advisory.aliases, ...advisory.upstream].filter((id) => /^CVE-\d{4}-\d{4,}$/.test(id))
    if (advisory.withdrawn !== undefined) continue
    const rated = [...advisory.severity, ...advisory.affected.flatMap(({ severity }) => severity)]
      .map(({ score }) => score)
      .toSorted((a, b) => PREFERRED.indexOf(a.slice(0, 8)) - PREFERRED.indexOf(b.slice(0, 8)))
      .filter((text) => PREFERRED.includes(text.slice(0, 8)))
      .find((text) => scoreOf(text) !== null)
    for (const id of new Set(ids)) {
      yield {
        id,
        summary: clipped(advisory.summary || advisory.details, 400),
        // The format has vectors without scores.
        score: rated === undefined ? null : scoreOf(rated),
        vector: rated === undefined || rated.startsWith('CVSS:3.0/') ? null : rated,
        cwe: cweOf(advisory.database_specific?.cwe_ids ?? []),
        references: httpsOnly(advisory.references.map(({ url }) => url)),
        exploitedSince: null,
        affected: advisory.affected.flatMap(affectedOf),
      }
    }
  }
}

const PREFERRED = ['CVSS:4.0', 'CVSS:3.1', 'CVSS:3.0']

const SCHEMES: Readonly<Record<string, Scheme>> = {
  npm: 'semver',
  pypi: 'pep440',
  maven: 'maven',
  debian: 'dpkg',
  ubuntu: 'dpkg',
  'red hat': 'rpm',
  'rocky linux': 'rpm',
  almalinux: 'rpm',
  packagist: 'php',
  go: 'semver',
  'crates.io': 'semver',
  hex: 'semver',
  pub: 'semver',
  swifturl: 'semver',
}

const affectedOf = (one: z.infer<typeof Advisory>['affected'][number]): readonly Affected[] => {
  if (one.package === undefined) return []
  const ecosystem = one.package.ecosystem.toLowerCase()
  const key = `${ecosystem}:${one.package.name.toLowerCase()}`
  const usual = SCHEMES[ecosystem.split(':')[0] ?? ''] ?? 'generic'
  const about = { key, anyUpdate: false, conditional: false }
  const ranges = one.ranges
    .filter(({ type }) => type !== 'GIT')
    .flatMap(({ type, events }) => {
      const scheme = type === 'SEMVER' ? 'semver' : usual
      return rangesOf(events, scheme).map((range): Affected => ({ ...about, scheme, range }))
    })
  // Versions that are listed are affected as well, most of them lie in the ranges.
  const listed = one.versions
    .filter((version) => !ranges.some(({ scheme, range }) => inRange(scheme, version, range)))
    .map((version): Affected => {
      const range = { start: version, startIncluded: true, end: version, endIncluded: true }
      return { ...about, scheme: usual, range }
    })
  return [...ranges, ...listed]
}

interface Mark {
  readonly at: string | null
  /** In this order where several stand at one version. */
  readonly kind: 'fixed' | 'limit' | 'introduced' | 'last'
}
const KINDS: readonly Mark['kind'][] = ['fixed', 'limit', 'introduced', 'last']

/** Events in the order of their versions: each `introduced` lasts until the next `fixed`, `limit` or `last_affected`. */
const rangesOf = (events: readonly z.infer<typeof Event>[], scheme: Scheme): readonly Affected['range'][] => {
  const marks = events.flatMap(marksOf).toSorted((a, b) => compareMarks(a, b, scheme))
  const ranges: Affected['range'][] = []
  let begun: Mark | null = null
  for (const mark of marks) {
    if (mark.kind === 'introduced') begun ??= mark
    else if (begun !== null) {
      ranges.push({ start: begun.at, startIncluded: true, end: mark.at, endIncluded: mark.kind === 'last' })
      begun = null
    }
  }
  if (begun !== null) ranges.push({ start: begun.at, startIncluded: true, end: null, endIncluded: false })
  return ranges
}

const marksOf = ({ introduced, fixed, last_affected: last, limit }: z.infer<typeof Event>): readonly Mark[] => [
  ...(introduced === undefined ? [] : [{ at: introduced === '0' ? null : introduced, kind: 'introduced' } as const]),
  ...(fixed === undefined ? [] : [{ at: fixed, kind: 'fixed' } as const]),
  ...(last === undefined ? [] : [{ at: last, kind: 'last' } as const]),
  ...(limit === undefined || limit === '*' ? [] : [{ at: limit, kind: 'limit' } as const]),
]

const compareMarks = (a: Mark, b: Mark, scheme: Scheme): number => {
  if (a.at === null || b.at === null) return Number(a.at !== null) - Number(b.at !== null)
  return compareVersions(scheme, a.at, b.at) || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind)
}
