/** NVD's JSON 2.0: https://csrc.nist.gov/schema/nvd/api/2.0/cve_api_json_2.0.schema */
import { z } from 'zod'
import type { Affected, CveRecord, WithdrawnCve } from '../../cve/record.ts'
import { checked, clipped, httpsOnly } from './checked.ts'
import { cweOf } from './cwe.ts'

const Metric = z.object({
  type: z.string().optional(),
  cvssData: z.object({ vectorString: z.string(), baseScore: z.number().min(0).max(10) }),
})
const CpeMatch = z.object({
  vulnerable: z.boolean(),
  criteria: z.string().startsWith('cpe:2.3:'),
  versionStartIncluding: z.string().optional(),
  versionStartExcluding: z.string().optional(),
  versionEndIncluding: z.string().optional(),
  versionEndExcluding: z.string().optional(),
})
/** Of NVD, and of `cpeApplicability` in CVE records 5.1. */
export const Configuration = z.object({
  operator: z.string().optional(),
  negate: z.boolean().optional(),
  nodes: z.array(z.object({ operator: z.string(), negate: z.boolean().optional(), cpeMatch: z.array(CpeMatch) })),
})
const Cve = z.object({
  id: z.string().regex(/^CVE-\d{4}-\d{4,}$/),
  vulnStatus: z.string().optional(),
  cisaExploitAdd: z.string().optional(),
  cveTags: z.array(z.object({ tags: z.array(z.string()).default([]) })).default([]),
  descriptions: z.array(z.object({ lang: z.string(), value: z.string() })),
  metrics: z
    .object({
      cvssMetricV40: z.array(Metric).optional(),
      cvssMetricV31: z.array(Metric).optional(),
      cvssMetricV30: z.array(Metric).optional(),
      cvssMetricV2: z.array(Metric).optional(),
    })
    .default({}),
  weaknesses: z.array(z.object({ description: z.array(z.object({ value: z.string() })) })).default([]),
  configurations: z.array(Configuration).default([]),
  references: z.array(z.object({ url: z.string() })).default([]),
})
const File = z.object({ vulnerabilities: z.array(z.object({ cve: z.unknown() })) })

/** Of rejected and disputed records only that. @throws FeedError */
export function* parseNvd(value: unknown, file: string): Generator<CveRecord | WithdrawnCve> {
  for (const { cve } of checked(File, value, file, null).vulnerabilities) {
    const id = typeof cve === 'object' && cve !== null && 'id' in cve ? String(cve.id) : 'a record without id'
    const record = checked(Cve, cve, file, id)
    const withdrawn = record.vulnStatus === 'Rejected' || record.cveTags.some(({ tags }) => tags.includes('disputed'))
    yield withdrawn ? { id: record.id, withdrawn } : recordOf(record)
  }
}

const recordOf = (cve: z.infer<typeof Cve>): CveRecord => {
  const { cvssMetricV40, cvssMetricV31, cvssMetricV30, cvssMetricV2 } = cve.metrics
  const best = [cvssMetricV40, cvssMetricV31, cvssMetricV30, cvssMetricV2]
    .map(primary)
    .find((metric) => metric !== null)
  const vector = best?.cvssData.vectorString ?? ''
  return {
    id: cve.id,
    summary: clipped(cve.descriptions.find(({ lang }) => lang === 'en')?.value ?? '', 400),
    score: best?.cvssData.baseScore ?? null,
    vector: /^CVSS:(?:3\.1|4\.0)\//.test(vector) ? vector : null,
    cwe: cweOf(cve.weaknesses.flatMap(({ description }) => description.map((one) => one.value))),
    references: httpsOnly(cve.references.map(({ url }) => url)),
    exploitedSince: cve.cisaExploitAdd ?? null,
    affected: cve.configurations.flatMap(affectedByConfiguration),
  }
}

export const affectedByConfiguration = ({
  operator,
  negate: none,
  nodes,
}: z.infer<typeof Configuration>): readonly Affected[] => {
  if (none === true) return []
  // AND: a product on a platform, or with another one. A version alone proves only one side.
  const several = nodes.length > 1 && operator === 'AND'
  const conditional =
    several || nodes.some((node) => (node.operator === 'AND' && node.cpeMatch.length > 1) || node.negate === true)
  return nodes.flatMap(({ cpeMatch, negate }) =>
    negate === true ? [] : cpeMatch.filter((one) => one.vulnerable).flatMap((one) => affectedOf(one, conditional)),
  )
}

const primary = (metrics: readonly z.infer<typeof Metric>[] | undefined): z.infer<typeof Metric> | null =>
  metrics?.find(({ type }) => type === 'Primary') ?? metrics?.[0] ?? null

const affectedOf = (match: z.infer<typeof CpeMatch>, conditional: boolean): readonly Affected[] => {
  const [, , , vendor = '', product = '', version = '*', update = '*'] = splitCpe(match.criteria)
  const about = { key: `cpe:${vendor}:${product}`.toLowerCase(), scheme: 'generic', conditional } as const
  // `-` means that the product has no version.
  if (version === '-') return []
  if (version !== '*') {
    const exact = update === '*' || update === '-' ? version : `${version}-${update}`
    const range = { start: exact, startIncluded: true, end: exact, endIncluded: true }
    return [{ ...about, range, anyUpdate: update === '*' }]
  }
  const start = match.versionStartIncluding ?? match.versionStartExcluding ?? null
  const end = match.versionEndIncluding ?? match.versionEndExcluding ?? null
  return [
    {
      ...about,
      range: {
        start,
        startIncluded: match.versionStartIncluding !== undefined,
        end,
        endIncluded: match.versionEndIncluding !== undefined,
      },
      anyUpdate: false,
    },
  ]
}

/** At colons that no backslash stands before; the backslashes of vendor and product stay, as in our rules. */
export const splitCpe = (criteria: string): readonly string[] =>
  criteria.split(/(?<!\\):/).map((part, index) => (index < 5 ? part : part.replace(/\\(.)/g, '$1')))
