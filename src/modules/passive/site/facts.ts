import type { EvidenceRef } from '../../../contract/evidence.ts'
import type { Hop, Page } from '../../../page/page.ts'

/** What answers at http://host/ or https://host/, redirects followed inside the guard (at most 10). */
export interface Entry {
  readonly url: string
  /** Null when it answered. */
  readonly error: { readonly code: string; readonly message: string } | null
  readonly hops: readonly Hop[]
  /** Where the chain ended, null when it did not answer or left the host. */
  readonly finalUrl: string | null
  readonly evidence: EvidenceRef | null
}

export interface SiteFacts {
  /** Empty where the name has none; the DNS can still be looked at. */
  readonly addresses: readonly string[]
  /** A validating resolver refuses the addresses: the zone's DNSSEC is broken, and they may be anybody's. */
  readonly unvalidated?: true
  /** Why there is no website to look at; absent where one answered. */
  readonly absent?: string
  readonly http: Entry
  readonly https: Entry
  /** The page the site shows: https where it answers, else http. */
  readonly baseUrl: string
  /** The start page first whatever its media type, then same-host HTML pages linked from it, at most 20, of any status. */
  readonly pages: readonly Page[]
  /**
   * Of a run with credentials: what nobody is shown at the start and where its identity signs in, as far as it is another document; of any status.
   * Absent where there is none.
   */
  readonly asNobody?: readonly Page[]
  /** The page in a browser on which the run's own identity typed what it signs in by; absent where it signs in without one. */
  readonly signsInAt?: string
  /** The start page again, twice: shows what changes between loads (nonces, tokens). */
  readonly reloads: readonly Page[]
  /** Answers to random paths that cannot exist: the soft-404 baseline. */
  readonly missing: readonly Page[]
}
