/** OSV: https://ossf.github.io/osv-schema/ */
import { z } from 'zod'
import type { Affected, CveRecord } from '../../cve/record.ts'
import type { Scheme } from '../../versions/version.ts'
import { checked, clipped, httpsOnly } from './checked.ts'
import { cweOf } from './cwe.ts'

const Event = z.object({
  introduced: z.string().optional(),
  fixed: z.string().optional(),
  last_affected: z.string().optional(),
})
const Advisory = z.object({
  id: z.string().min(1),
  aliases: z.array(z.string()).default([]),
  upstream: z.array(z.string()).default([]),
  withdrawn: z.string().optional(),
  summary: z.string().default(''),
  details: z.string().default(''),
  severity: z.array(z.object({ type: z.string(), score: z.string() })).default([]),
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
    const vector =
      advisory.severity.map(({ score }) => score).find((score) => /^CVSS:(?:3\.1|4\.0)\//.test(score)) ?? null
    for (const id of new Set(ids)) {
      yield {
        id,
        summary: clipped(advisory.summary || advisory.details, 400),
        // The format has vectors without scores; another feed rates it.
        score: null,
        vector,
        cwe: cweOf(advisory.database_specific?.cwe_ids ?? []),
        references: httpsOnly(advisory.references.map(({ url }) => url)),
        exploitedSince: null,
        affected: advisory.affected.flatMap(affectedOf),
      }
    }
  }
}

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
}

const affectedOf = (one: z.infer<typeof Advisory>['affected'][number]): readonly Affected[] => {
  if (one.package === undefined) return []
  const ecosystem = one.package.ecosystem.toLowerCase()
  const key = `${ecosystem}:${one.package.name.toLowerCase()}`
  const scheme = SCHEMES[ecosystem.split(':')[0] ?? ''] ?? 'semver'
  const ranges = one.ranges.filter(({ type }) => type !== 'GIT').flatMap(({ events }) => rangesOf(events))
  return ranges.map((range) => ({ key, scheme, range, anyUpdate: false, conditional: false }))
}

/** Events in order: each `introduced` lasts until the next `fixed` or `last_affected`. */
const rangesOf = (events: readonly z.infer<typeof Event>[]): readonly Affected['range'][] => {
  const ranges: Affected['range'][] = []
  let start: string | null = null
  let open = false
  for (const { introduced, fixed, last_affected: last } of events) {
    if (introduced !== undefined) {
      start = introduced === '0' ? null : introduced
      open = true
    } else if (open && (fixed ?? last) !== undefined) {
      ranges.push({ start, startIncluded: true, end: fixed ?? last ?? null, endIncluded: fixed === undefined })
      open = false
    }
  }
  if (open) ranges.push({ start, startIncluded: true, end: null, endIncluded: false })
  return ranges
}
