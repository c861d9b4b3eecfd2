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
  /** Its own code or its package names the version, so that a match can be certain. Absent in facts of older runs. */
  readonly proven?: boolean
  /** Feeds that follow the product. None: it could not be judged. Absent in facts of older runs. */
  readonly followedBy?: readonly string[]
  /** The gravest first, at most 200. */
  readonly cves: readonly ComponentCve[]
}

export interface CveFacts {
  readonly components: readonly Component[]
  /** Products that records could be about, but whose version nobody says. */
  readonly withoutVersion: readonly string[]
  readonly knowledge: Readonly<Record<string, string>>
  /** What was known on that day. Absent in facts of older runs. */
  readonly feeds?: readonly FeedAge[]
}

export interface FeedAge {
  readonly feed: string
  readonly title: string
  /** Null where there is nothing at all. */
  readonly version: string | null
  readonly records: number
  /** Whole days since its import; null where it never was: what the product brings along stands in for it. */
  readonly days: number | null
}
