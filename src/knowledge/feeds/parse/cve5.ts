/** CVE records 5.x: https://github.com/CVEProject/cve-schema */
import { z } from 'zod'
import type { Affected, CveRecord } from '../../cve/record.ts'
import type { Scheme } from '../../versions/version.ts'
import { checked, clipped, httpsOnly } from './checked.ts'
import { cweOf } from './cwe.ts'

const Version = z.object({
  version: z.string(),
  status: z.enum(['affected', 'unaffected', 'unknown']),
  versionType: z.string().optional(),
  lessThan: z.string().optional(),
  lessThanOrEqual: z.string().optional(),
  changes: z.array(z.object({ at: z.string(), status: z.string() })).optional(),
})
const Product = z.object({
  vendor: z.string().optional(),
  product: z.string().optional(),
  collectionURL: z.string().optional(),
  packageName: z.string().optional(),
  cpes: z.array(z.string()).default([]),
  platforms: z.array(z.string()).default([]),
  defaultStatus: z.string().optional(),
  versions: z.array(Version).default([]),
})
const Score = z.object({ vectorString: z.string(), baseScore: z.number() })
const Container = z.object({
  descriptions: z.array(z.object({ lang: z.string(), value: z.string() })).default([]),
  tags: z.array(z.string()).default([]),
  affected: z.array(Product).default([]),
  metrics: z
    .array(z.object({ cvssV4_0: Score.optional(), cvssV3_1: Score.optional(), cvssV3_0: Score.optional() }))
    .default([]),
  problemTypes: z.array(z.object({ descriptions: z.array(z.object({ cweId: z.string().optional() })) })).default([]),
  references: z.array(z.object({ url: z.string() })).default([]),
})
const Record5 = z.object({
  dataType: z.literal('CVE_RECORD'),
  cveMetadata: z.object({ cveId: z.string().regex(/^CVE-\d{4}-\d{4,}$/), state: z.string() }),
  containers: z.object({ cna: Container.or(z.object({}).transform(() => null)), adp: z.array(Container).default([]) }),
})

/** One record a file; rejected and disputed ones give nothing. @throws FeedError */
export function* parseCve5(value: unknown, file: string): Generator<CveRecord> {
  const { cveMetadata, containers } = checked(Record5, value, file, null)
  const { cna, adp } = containers
  if (cveMetadata.state !== 'PUBLISHED' || cna === null || cna.tags.includes('disputed')) return
  const all = [cna, ...adp]
  const metrics = all.flatMap((one) => one.metrics)
  const [best] = [
    ...metrics.map((one) => one.cvssV4_0),
    ...metrics.map((one) => one.cvssV3_1),
    ...metrics.map((one) => one.cvssV3_0),
  ].filter((one) => one !== undefined)
  yield {
    id: cveMetadata.cveId,
    summary: clipped(cna.descriptions.find(({ lang }) => lang.startsWith('en'))?.value ?? '', 400),
    score: best?.baseScore ?? null,
    vector: best !== undefined && /^CVSS:(?:3\.1|4\.0)\//.test(best.vectorString) ? best.vectorString : null,
    cwe: cweOf(
      all.flatMap((one) => one.problemTypes.flatMap(({ descriptions }) => descriptions.map((d) => d.cweId ?? ''))),
    ),
    references: httpsOnly(cna.references.map(({ url }) => url)),
    exploitedSince: null,
    affected: all.flatMap((one) => one.affected).flatMap(affectedOf),
  }
}

/** Lists that name what is not affected and leave the rest open say too little to match by. */
const affectedOf = (product: z.infer<typeof Product>): readonly Affected[] => {
  if (product.defaultStatus === 'affected') return []
  const conditional = product.platforms.length > 0
  return keysOf(product).flatMap((key) =>
    product.versions
      .filter(({ status }) => status === 'affected')
      .flatMap((version): Affected[] => {
        const range = rangeOf(version)
        return range === null
          ? []
          : [{ key, scheme: schemeOf(version.versionType), range, anyUpdate: false, conditional }]
      }),
  )
}

const rangeOf = ({
  version,
  lessThan,
  lessThanOrEqual,
  changes,
}: z.infer<typeof Version>): Affected['range'] | null => {
  const fixed = changes?.find(({ status }) => status === 'unaffected')?.at
  const open = lessThan === '*' || lessThanOrEqual === '*'
  const end = fixed ?? (open ? null : (lessThan ?? lessThanOrEqual ?? version))
  const start = /^(?:0|\*|unspecified|n\/a|-)$/i.test(version) ? null : version
  if (start === null && end !== null && !/\d/.test(end)) return null
  const endIncluded = fixed === undefined && lessThan === undefined
  return { start, startIncluded: true, end, endIncluded: endIncluded && end !== null }
}

const SCHEMES: Readonly<Record<string, Scheme>> = {
  semver: 'semver',
  rpm: 'rpm',
  maven: 'maven',
  python: 'pep440',
  dpkg: 'dpkg',
}
const schemeOf = (type: string | undefined): Scheme => SCHEMES[type?.toLowerCase() ?? ''] ?? 'generic'

const keysOf = ({ vendor, product, collectionURL, packageName, cpes }: z.infer<typeof Product>): readonly string[] => {
  const named = cpes.map((cpe) => /^cpe:2\.3:[aoh]:((?:\\.|[^:])+):((?:\\.|[^:])+)/.exec(cpe))
  const keys = named.flatMap((match) => (match ? [`cpe:${match[1]}:${match[2]}`] : []))
  if (packageName !== undefined && /npmjs/.test(collectionURL ?? '')) keys.push(`npm:${packageName}`)
  if (keys.length === 0 && vendor !== undefined && product !== undefined && vendor !== 'n/a') {
    keys.push(`cpe:${words(vendor)}:${words(product)}`)
  }
  return [...new Set(keys.map((key) => key.toLowerCase()))]
}

const words = (text: string): string => text.trim().toLowerCase().replace(/\s+/g, '_')
