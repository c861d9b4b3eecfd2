/** Section D: what is certain, what rests on a version string alone, and what a distribution has mended in place. */
import { isBounded } from '../../knowledge/cve/affects.ts'
import { debianPackage } from '../../knowledge/cve/names.ts'
import type { CveMatch } from '../../knowledge/cve/record.ts'
import type { OpenFeed } from '../../knowledge/feeds/items.ts'
import { DEBIAN_RELEASES, type DebianStatus, debianStatus } from '../../knowledge/feeds/parse/debian.ts'
import type { Detected } from '../../knowledge/fingerprints/match.ts'
import { compareVersions } from '../../knowledge/versions/version.ts'
import type { Distribution } from '../technology/distribution.ts'

export type Verdict = { readonly match: 'certain' | 'possible'; readonly because: string } | { readonly match: 'none' }

export const verdictOf = (
  technology: Detected,
  version: string,
  match: CveMatch,
  distribution: Distribution | null,
  debian: OpenFeed | null,
): Verdict => {
  if (match.affected.conditional) return possible('it holds only on a platform or set-up that a version does not tell')
  if (distribution !== null) return byDistribution(technology.name, version, match.id, distribution, debian)
  if (!isIdentified(technology, version)) return possible('it rests on a version string alone')
  return isBounded(match.affected)
    ? { match: 'certain', because: 'the code itself was read and names its version' }
    : possible('the record does not say in which version it ends')
}

const possible = (because: string): Verdict => ({ match: 'possible', because })

/**
 * The file that runs in the browser is the thing itself: its own constant or banner says the version, and a second,
 * different sign agrees. A text that merely mentions a version inside a bundle has no second one.
 */
export const isIdentified = ({ kind, evidence }: Pick<Detected, 'kind' | 'evidence'>, version: string): boolean => {
  const signs = evidence.filter((one) => one.version === version)
  const code = signs.filter(({ source }) => source === 'code')
  const agreeing = new Set(signs.map(({ source, text }) => `${source} ${text}`))
  return kind === 'library' && code.length > 0 && agreeing.size > 1
}

const byDistribution = (
  product: string,
  version: string,
  id: string,
  { family, revision, release }: Distribution,
  debian: OpenFeed | null,
): Verdict => {
  const name = debianPackage(product, version)
  const status = family === 'debian' && debian !== null && name !== null ? debianStatus(debian, name, id) : null
  if (status === null) return possible(`${family} may have mended it without raising the number`)
  const codename = release === null ? undefined : DEBIAN_RELEASES[release]
  const here = codename === undefined ? undefined : status[codename]
  if (revision !== null && here !== undefined) return byRevision(revision, here, name ?? product)
  return byFamily(status)
}

/** The exact revision against the distributor's own tracker, by the order of dpkg. Epochs are not in banners. */
const byRevision = (revision: string, here: DebianStatus[string], name: string): Verdict => {
  if (here.status === 'undetermined') return possible('Debian has not determined whether it is affected')
  if (here.status === 'open') return { match: 'certain', because: `Debian lists it as open in ${name}` }
  const fixed = (here.fixed ?? '0').replace(/^\d+:/, '')
  if (fixed === '0' || compareVersions('dpkg', revision, fixed) >= 0) return { match: 'none' }
  return { match: 'certain', because: `Debian fixed it in ${name} ${fixed}, and ${revision} runs` }
}

const byFamily = (status: DebianStatus): Verdict => {
  const releases = Object.values(status)
  if (releases.every(({ status: state, fixed }) => state === 'resolved' && fixed === '0')) return { match: 'none' }
  const fixes = releases.flatMap(({ status: state, fixed }) =>
    state === 'resolved' && fixed !== null && fixed !== '0' ? [fixed] : [],
  )
  if (fixes.length === 0) return possible('the banner does not say which revision runs')
  return possible(`Debian fixed it in ${fixes.join(', ')}; the banner does not say which revision runs`)
}
