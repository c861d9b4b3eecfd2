/**
 * What distributions say of their own packages: Debian's tracker, Ubuntu's OSV records, Red Hat's CSAF VEX files.
 * Keys are `package CVE`, values go by release, so that records which come apart are joined.
 */
import { z } from 'zod'
import { compareVersions, type Scheme } from '../../versions/version.ts'
import type { Item, OpenFeed } from '../items.ts'
import { checked } from './checked.ts'

export interface ReleaseStatus {
  /** resolved: `fixed` is the first package with the fix, or '0' where the release was never affected. */
  readonly status: 'open' | 'resolved' | 'undetermined'
  readonly fixed: string | null
  /** Packages that the distributor lists as affected, where no fix exists; at most 200. */
  readonly listed?: readonly string[]
}

/** By release: `bookworm`, `22.04`, `el8`. */
export type DistributionStatus = Readonly<Record<string, ReleaseStatus>>

export const distributionStatus = (feed: OpenFeed, name: string, id: string): DistributionStatus | null =>
  feed.get(`${name} ${id}`) as DistributionStatus | null

const MOST_LISTED = 200
const isCve = (id: string): boolean => /^CVE-\d{4}-\d{4,}$/.test(id)

const Events = z.array(z.object({ introduced: z.string().optional(), fixed: z.string().optional() }))
const UbuntuRecord = z.object({
  id: z.string().min(1),
  upstream: z.array(z.string()).default([]),
  aliases: z.array(z.string()).default([]),
  withdrawn: z.string().optional(),
  affected: z
    .array(
      z.object({
        package: z.object({ ecosystem: z.string(), name: z.string() }),
        ranges: z.array(z.object({ events: Events })).default([]),
        versions: z.array(z.string()).default([]),
      }),
    )
    .default([]),
})

/**
 * https://documentation.ubuntu.com/security/security-updates/osv/: records of CVEs and notices. A fix for subscribers
 * counts where the release has no other. @throws FeedError
 */
export function* parseUbuntu(value: unknown, file: string): Generator<Item> {
  for (const one of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
    const { id, upstream, aliases, withdrawn, affected } = checked(UbuntuRecord, one, file, null)
    if (withdrawn !== undefined) continue
    const ids = [...new Set([id.replace(/^UBUNTU-/, ''), ...upstream, ...aliases])].filter(isCve)
    for (const [name, packages] of Map.groupBy(affected, (entry) => entry.package.name)) {
      const subscribers = packages.filter((entry) => /:Pro:/.test(entry.package.ecosystem))
      const everyone = packages.filter((entry) => !subscribers.includes(entry))
      const status = Object.fromEntries([...subscribers, ...everyone].flatMap(ubuntuStatus))
      for (const cve of ids) yield { key: `${name} ${cve}`, value: status }
    }
  }
}

const ubuntuStatus = (
  entry: z.infer<typeof UbuntuRecord>['affected'][number],
): readonly (readonly [release: string, status: ReleaseStatus])[] => {
  const release = /^Ubuntu:(?:Pro:)?(\d\d\.\d\d)/.exec(entry.package.ecosystem)?.[1]
  // Kernels for hardware of its own, FIPS builds: other packages under the same name.
  if (release === undefined) return []
  const fixes = entry.ranges.flatMap(({ events }) => events.flatMap(({ fixed }) => fixed ?? []))
  const fixed = highest('dpkg', fixes)
  if (fixed !== null) return [[release, { status: 'resolved', fixed }]]
  return [[release, { status: 'open', fixed: null, listed: entry.versions.slice(-MOST_LISTED) }]]
}

const ProductStatus = z.object({
  fixed: z.array(z.string()).default([]),
  known_affected: z.array(z.string()).default([]),
  known_not_affected: z.array(z.string()).default([]),
  under_investigation: z.array(z.string()).default([]),
})
const Vex = z.object({
  document: z.object({ category: z.string() }),
  vulnerabilities: z.array(
    z.object({ cve: z.string().regex(/^CVE-\d{4}-\d{4,}$/), product_status: ProductStatus.optional() }),
  ),
})

/** https://docs.oasis-open.org/csaf/csaf/v2.0/, as Red Hat names products: `BaseOS-8.9.0.Z.MAIN:httpd-0:2.4.37-1.el8.src`. */
export function* parseRedHat(value: unknown, file: string): Generator<Item> {
  for (const { cve, product_status: status } of checked(Vex, value, file, null).vulnerabilities) {
    if (status === undefined) continue
    const said = [
      ...status.known_not_affected.map((id) => redHatProduct(id, 'resolved')),
      ...status.under_investigation.map((id) => redHatProduct(id, 'undetermined')),
      ...status.known_affected.map((id) => redHatProduct(id, 'open')),
      ...status.fixed.map((id) => redHatProduct(id, 'resolved', true)),
    ].filter((one) => one !== null)
    for (const [name, entries] of Map.groupBy(said, (one) => one.name)) {
      const byRelease = Map.groupBy(entries, (one) => one.release)
      yield { key: `${name} ${cve}`, value: Object.fromEntries([...byRelease].map(([at, all]) => [at, joined(all)])) }
    }
  }
}

interface RedHatProduct {
  readonly name: string
  readonly release: string
  readonly status: ReleaseStatus['status']
  /** The first with the fix, e.g. `2.4.37-1.el8`; null where it says nothing of one. */
  readonly version: string | null
}

/** Null where it is no package of the distribution itself. */
const redHatProduct = (id: string, status: ReleaseStatus['status'], fixes = false): RedHatProduct | null => {
  const colon = id.indexOf(':')
  const [product, part] = [id.slice(0, colon), id.slice(colon + 1)]
  // The package says its release itself, whatever channel carries it; a module's stream may stand before or behind it.
  const [, packaged, version, built] =
    /^(?:[\w.+-]+:[\w.+-]+:\d+:[\da-f]+:)?([\w.+-]+?)-\d+:([^:]*\.(?:module\+)?el(\d+)[^:]*)\.(?:src|noarch|x86_64)(?:::.*)?$/.exec(
      part,
    ) ?? []
  if (packaged !== undefined && version !== undefined) {
    return { name: packaged, release: `el${built}`, status, version: fixes ? version : null }
  }
  const release = /^red_hat_enterprise_linux_(\d+)$/.exec(product)?.[1]
  const name = /^(?:[\w.+-]+:[\w.+-]+\/)?([\w.+-]+)$/.exec(part)?.[1]
  return release === undefined || name === undefined ? null : { name, release: `el${release}`, status, version: null }
}

/** A fix before "affected" before "under investigation": older channels of a release stay affected after it. */
const joined = (all: readonly RedHatProduct[]): ReleaseStatus => {
  const fixed = highest(
    'rpm',
    all.flatMap(({ version }) => version ?? []),
  )
  if (fixed !== null) return { status: 'resolved', fixed }
  if (all.some(({ status }) => status === 'open')) return { status: 'open', fixed: null }
  if (all.some(({ status }) => status === 'undetermined')) return { status: 'undetermined', fixed: null }
  return { status: 'resolved', fixed: '0' }
}

const highest = (scheme: Scheme, versions: readonly string[]): string | null =>
  versions.toSorted((a, b) => compareVersions(scheme, b, a))[0] ?? null
