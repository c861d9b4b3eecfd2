/** A CVE in our own terms, whatever feed it came from. */
import type { Severity } from '../../contract/finding.ts'
import type { Range, Scheme } from '../versions/version.ts'

export interface CveRecord {
  /** `CVE-2024-6387`. */
  readonly id: string
  /** In one or two sentences, at most 400 characters. */
  readonly summary: string
  /** The best one known: 4.0, then 3.1, then older. Null where none is known. */
  readonly score: number | null
  /** A vector of CVSS 3.1 or 4.0; older ones have only their score. */
  readonly vector: string | null
  readonly cwe: number | null
  /** At most three. */
  readonly references: readonly string[]
  /** Day on which CISA listed it as exploited, as far as this feed says. */
  readonly exploitedSince: string | null
  readonly affected: readonly Affected[]
}

/** A number that its assigner has rejected, or that is disputed: no other feed's word for it counts. */
export interface WithdrawnCve {
  readonly id: string
  readonly withdrawn: true
}

/** One statement "these versions of that product". */
export interface Affected {
  /** `cpe:vendor:product`, or `npm:name`, `pypi:name` … in lower case. */
  readonly key: string
  readonly scheme: Scheme
  readonly range: Range
  /** An exact version that stands for all its updates: `8.5` for `8.5p1` too. */
  readonly anyUpdate: boolean
  /** It holds only on a platform or in a set-up that a version does not tell. */
  readonly conditional: boolean
}

export interface CveMatch extends Omit<CveRecord, 'affected'> {
  readonly affected: Affected
}

/** Where CVEs are looked up by product and version. */
export interface CveSource {
  readonly feed: string
  readonly version: string
  /** Rejected or disputed, as far as this feed says. */
  readonly isWithdrawn: (id: string) => boolean
  /** The gravest first where there are many; an index gives at most two hundred. */
  readonly find: (key: string, version: string) => readonly CveMatch[]
  /** Whether it follows the product: that it holds nothing against a version then says something. A selection never does. */
  readonly follows: (key: string) => boolean
  /** Whether it says of this CVE which versions of the product have it. */
  readonly holds: (key: string, id: string) => boolean
}

/** The bands of CVSS 3.1 and 4.0; a CVE without a score is medium until somebody rates it. */
export const severityOfScore = (score: number | null): Severity => {
  if (score === null) return 'medium'
  if (score >= 9) return 'critical'
  if (score >= 7) return 'high'
  return score >= 4 ? 'medium' : 'low'
}
