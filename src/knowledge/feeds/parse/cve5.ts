/** CVE records 5.x: https://github.com/CVEProject/cve-schema. Versions by the algorithm in the schema's own text. */
import { z } from 'zod'
import { dictionaryNames } from '../../cve/assigners.ts'
import type { Affected, CveRecord, WithdrawnCve } from '../../cve/record.ts'
import { affectedRanges } from '../../cve/spans.ts'
import { checked, clipped, httpsOnly } from './checked.ts'
import { schemeOfAll, spansOfAll } from './cve5-versions.ts'
import { cweOf } from './cwe.ts'
import { affectedByConfiguration, Configuration } from './nvd.ts'

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
  packageURL: z.string().optional(),
  cpes: z.array(z.string()).default([]),
  platforms: z.array(z.string()).default([]),
  modules: z.array(z.string()).default([]),
  defaultStatus: z.string().optional(),
  versions: z.array(Version).default([]),
})
const Score = z.object({ vectorString: z.string(), baseScore: z.number() })
const Container = z.object({
  descriptions: z.array(z.object({ lang: z.string(), value: z.string() })).default([]),
  tags: z.array(z.string()).default([]),
  affected: z.array(Product).default([]),
  cpeApplicability: z.array(Configuration).default([]),
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

/** One record a file; of rejected and disputed ones only that. @throws FeedError */
export function* parseCve5(value: unknown, file: string): Generator<CveRecord | WithdrawnCve> {
  const { cveMetadata, containers } = checked(Record5, value, file, null)
  const { cna, adp } = containers
  const all = [...(cna === null ? [] : [cna]), ...adp]
  const disputed = all.some(({ tags }) => tags.includes('disputed'))
  if (cveMetadata.state === 'REJECTED' || disputed) yield { id: cveMetadata.cveId, withdrawn: true }
  if (cveMetadata.state !== 'PUBLISHED' || cna === null || disputed) return
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
    affected: all.flatMap((one) => [
      ...one.affected.flatMap(affectedOf),
      ...one.cpeApplicability.flatMap(affectedByConfiguration),
    ]),
  }
}

const affectedOf = (product: z.infer<typeof Product>): readonly Affected[] => {
  // Hashes of commits have no order that a version could be held against.
  const versions = product.versions.filter(({ versionType }) => versionType?.toLowerCase() !== 'git')
  const otherwise = product.defaultStatus === 'affected'
  if (versions.length < product.versions.length && versions.length === 0) return []
  const scheme = schemeOfAll(versions)
  const ranges = affectedRanges(spansOfAll(versions, scheme), scheme, otherwise)
  // A platform or a module of the product is a condition that its version does not tell.
  const conditional = product.platforms.length > 0 || product.modules.length > 0
  return keysOf(product).flatMap((key) =>
    ranges.map((range): Affected => ({ key, scheme, range, anyUpdate: false, conditional })),
  )
}

const keysOf = ({
  vendor,
  product,
  collectionURL,
  packageName,
  packageURL,
  cpes,
}: z.infer<typeof Product>): readonly string[] => {
  const applicable = cpes.map((cpe) => /^cpe:2\.3:[aoh]:((?:\\.|[^:])+):((?:\\.|[^:])+)/.exec(cpe))
  // Assigners make up names here, too: Oracle writes `mysql_server`, the dictionary `mysql`.
  const keys = applicable.flatMap((match) =>
    match ? dictionaryNames(match[1] ?? '', match[2] ?? '').map((name) => `cpe:${name}`) : [],
  )
  if (packageName !== undefined && /npmjs/.test(collectionURL ?? '')) keys.push(`npm:${packageName}`)
  const named = packageURL === undefined ? null : packageKey(packageURL)
  if (named !== null) keys.push(named)
  if (keys.length === 0 && vendor !== undefined && product !== undefined && vendor !== 'n/a') {
    keys.push(...dictionaryNames(vendor, product).map((name) => `cpe:${name}`))
  }
  return [...new Set(keys.map((key) => key.toLowerCase()))]
}

const TYPES: Readonly<Record<string, string>> = { npm: 'npm', pypi: 'pypi', maven: 'maven', composer: 'packagist' }

/** `pkg:npm/%40angular/core` → `npm:@angular/core` (https://github.com/package-url/purl-spec); null for other kinds. */
const packageKey = (url: string): string | null => {
  const [, type = '', path = ''] = /^pkg:([a-z]+)\/([^@?#]+)/i.exec(url) ?? []
  const ecosystem = TYPES[type.toLowerCase()]
  if (ecosystem === undefined || /%(?![\da-f]{2})/i.test(path)) return null
  const name = unescaped(path)
  return name === null ? null : `${ecosystem}:${ecosystem === 'maven' ? name.replace('/', ':') : name}`
}

const unescaped = (text: string): string | null => {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}
