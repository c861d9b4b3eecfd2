/** Section D: what is certain, what rests on a version string alone, and what a distribution has fixed in place. */
import { isBounded } from '../../../knowledge/cve/affects.ts'
import { packageOf } from '../../../knowledge/cve/names.ts'
import type { CveMatch } from '../../../knowledge/cve/record.ts'
import type { Distributions } from '../../../knowledge/feeds/cve-knowledge.ts'
import { DEBIAN_RELEASES } from '../../../knowledge/feeds/parse/debian.ts'
import {
  type DistributionStatus,
  distributionStatus,
  type ReleaseStatus,
} from '../../../knowledge/feeds/parse/distribution.ts'
import type { Detected } from '../../../knowledge/fingerprints/match.ts'
import type { Distribution } from '../../../knowledge/versions/distribution.ts'
import { compareVersions } from '../../../knowledge/versions/version.ts'
import type { Subject } from './look-up.ts'

export type Verdict = { readonly match: 'certain' | 'possible'; readonly because: string } | { readonly match: 'none' }

export const verdictOf = (
  { product, version, distribution, identified }: Subject,
  match: CveMatch,
  feeds: Distributions,
): Verdict => {
  if (match.affected.conditional) return possible('it holds only on a platform or set-up that a version does not tell')
  if (distribution !== null) return byDistribution(product, version, match.id, distribution, feeds)
  if (!identified) return possible('it rests on a version string alone')
  return isBounded(match.affected)
    ? { match: 'certain', because: 'the code itself was read and names its version' }
    : possible('the record does not say in which version it ends')
}

const possible = (because: string): Verdict => ({ match: 'possible', because })

/**
 * The file that runs in the browser is the thing itself: its hash is known, the running page names its version, or its
 * own text does and a second, different sign agrees. A text that merely mentions a version in a bundle has no second one.
 */
export const isIdentified = ({ kind, evidence }: Pick<Detected, 'kind' | 'evidence'>, version: string): boolean => {
  const signs = evidence.filter((one) => one.version === version)
  if (kind === 'library' && signs.some(({ source }) => source === 'hash' || source === 'global')) return true
  const code = signs.filter(({ source }) => source === 'code')
  const agreeing = new Set(signs.map(({ source, text }) => `${source} ${text}`))
  return kind === 'library' && code.length > 0 && agreeing.size > 1
}

const byDistribution = (
  product: string,
  version: string,
  id: string,
  distribution: Distribution,
  feeds: Distributions,
): Verdict => {
  const { family, revision } = distribution
  const name = packageOf(family, product, version)
  const feed = feeds[family]
  const status = feed === null || name === null ? null : distributionStatus(feed, name, id)
  const maker = MAKERS[family]
  if (status === null || name === null) return possible(`${maker} may have fixed it without raising the number`)
  const here = revision === null ? null : releaseOf(distribution, status)
  return revision !== null && here !== null ? byRevision(revision, here, maker, name) : byFamily(status, maker)
}

const MAKERS = { debian: 'Debian', ubuntu: 'Ubuntu', redhat: 'Red Hat' } as const

/** Debian's revisions name their release. Ubuntu's do not, but no two releases begin from the same upstream version. */
const releaseOf = ({ revision, release }: Distribution, status: DistributionStatus): ReleaseStatus | null => {
  const codename = release === null ? undefined : DEBIAN_RELEASES[release]
  if (codename !== undefined) return status[codename] ?? null
  if (revision === null) return null
  const listed = Object.values(status).filter(({ listed: versions = [] }) =>
    versions.map(withoutEpoch).includes(revision),
  )
  const same = Object.values(status).filter(({ fixed }) => fixed !== null && upstreamOf(fixed) === upstreamOf(revision))
  const candidates = listed.length > 0 ? listed : same
  return candidates.length === 1 ? (candidates[0] ?? null) : null
}

/** Epochs are not in banners. */
const withoutEpoch = (version: string): string => version.replace(/^\d+:/, '')
const upstreamOf = (version: string): string => withoutEpoch(version).replace(/-[^-]*$/, '')

/** The exact revision against the distributor's own data, by the order of dpkg. */
const byRevision = (revision: string, here: ReleaseStatus, maker: string, name: string): Verdict => {
  if (here.status === 'undetermined') return possible(`${maker} has not determined whether it is affected`)
  if (here.status === 'open') return { match: 'certain', because: `${maker} lists it as open in ${name}` }
  const fixed = withoutEpoch(here.fixed ?? '0')
  if (fixed === '0' || compareVersions('dpkg', revision, fixed) >= 0) return { match: 'none' }
  return { match: 'certain', because: `${maker} fixed it in ${name} ${fixed}, and ${revision} runs` }
}

const byFamily = (status: DistributionStatus, maker: string): Verdict => {
  const releases = Object.values(status)
  if (releases.every(({ status: state, fixed }) => state === 'resolved' && fixed === '0')) return { match: 'none' }
  const fixes = releases.flatMap(({ status: state, fixed }) =>
    state === 'resolved' && fixed !== null && fixed !== '0' ? [fixed] : [],
  )
  if (fixes.length === 0) return possible('the banner does not say which revision runs')
  return possible(`${maker} fixed it in ${fixes.join(', ')}; the banner does not say which revision runs`)
}
