import type { Epss } from '../../../knowledge/feeds/parse/epss.ts'
import type { Exploited } from '../../../knowledge/feeds/parse/kev.ts'

export interface ComponentCve {
  readonly id: string
  readonly summary: string
  readonly score: number | null
  /** Of CVSS 3.1 or 4.0. */
  readonly vector: string | null
  readonly references: readonly string[]
  /** The affected versions, in words. */
  readonly range: string
  readonly match: 'certain' | 'possible'
  /** Why it is certain, or what keeps it from being so. */
  readonly because: string
  readonly epss: Epss | null
  readonly kev: Exploited | null
}

export interface Component {
  readonly product: string
  readonly version: string
  /** What was looked up: `cpe:jquery:jquery`, `npm:jquery`. */
  readonly keys: readonly string[]
  readonly url: string
  /** What the version was read from. */
  readonly evidence: string
  /** The distribution's full version, where a banner gives it. */
  readonly revision: string | null
  /** The gravest first, at most 200. */
  readonly cves: readonly ComponentCve[]
}

export interface CveFacts {
  readonly components: readonly Component[]
  /** Products whose version nobody says. */
  readonly withoutVersion: readonly string[]
  readonly knowledge: Readonly<Record<string, string>>
}
