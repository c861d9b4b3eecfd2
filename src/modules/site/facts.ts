import type { HeaderPairs } from '../../egress/egress.ts'
import type { PageKind } from '../context.ts'
import type { EvidenceRef } from '../module.ts'

/** One exchange, kept so that every passive check can judge from it. */
export interface Page {
  readonly url: string
  readonly status: number
  readonly headers: HeaderPairs
  /** Lower case media type without parameters, '' when absent. */
  readonly contentType: string
  /** Decoded text, at most 256 KiB; '' for media that is not text. */
  readonly body: string
  /** Bytes received after content decoding, and whether a cap cut them. */
  readonly size: number
  readonly truncated: boolean
  readonly kind: PageKind
  /** 0 is the start page; 1 is linked from it. */
  readonly depth: number
  /** Null over http. */
  readonly certificateError: string | null
  readonly evidence: EvidenceRef
}

export interface Hop {
  readonly url: string
  readonly status: number
  readonly location: string | null
  readonly headers: HeaderPairs
}

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
  /** The start page again, twice: shows what changes between loads (nonces, tokens). */
  readonly reloads: readonly Page[]
  /** Answers to random paths that cannot exist: the soft-404 baseline. */
  readonly missing: readonly Page[]
}
