/** One exchange with a page of the site, as every check reads it. */

import type { EvidenceRef } from '../contract/evidence.ts'
import type { HeaderPairs } from '../egress/door/egress.ts'

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
  /** Null for a page that was met on the way and of which no copy was kept. */
  readonly evidence: EvidenceRef | null
}

export interface Hop {
  readonly url: string
  readonly status: number
  readonly location: string | null
  readonly headers: HeaderPairs
}

export type PageKind = 'checkout' | 'payment' | 'login' | 'authenticated' | 'form' | 'plain'
