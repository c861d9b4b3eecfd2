import type { EvidenceRef } from '../../../contract/evidence.ts'
import type { HeaderPairs } from '../../../egress/door/egress.ts'
import type { FurtherPages } from '../../documents.ts'

export const CORS_ORIGINS = [
  'arbitrary',
  'arbitrary-again',
  'null',
  'suffix',
  'prefix',
  'http-subdomain',
  'preflight',
] as const
export type CorsOrigin = (typeof CORS_ORIGINS)[number]

/** One request with an Origin of ours and what the answer grants it. */
export interface CorsProbe {
  readonly url: string
  readonly method: 'GET' | 'OPTIONS'
  /** Which trick the Origin plays; 'preflight' sends the arbitrary one. */
  readonly kind: CorsOrigin
  readonly origin: string
  /** Null when it did not answer; `error` says why. */
  readonly status: number | null
  readonly headers: HeaderPairs
  readonly error: string | null
  readonly evidence: EvidenceRef | null
}

/** The same page without the run's credentials. */
export interface AnonymousAnswer {
  readonly url: string
  readonly status: number
  /** True when what came back is not what the signed-in person sees: another status, or mostly other words. */
  readonly differs: boolean
}

/** What somebody who is signed in is answered otherwise than anybody, and what does not forbid to keep it. */
export interface PersonalAnswer {
  readonly url: string
  readonly status: number
  /** Cookie values are cut. */
  readonly headers: HeaderPairs
  readonly evidence: EvidenceRef
}

export interface HeadersFacts extends FurtherPages {
  /** Empty when the run had no page to ask. */
  readonly cors: readonly CorsProbe[]
  /** Of those that grant credentials the ones that are answered alike without the run's own; absent where it has none. */
  readonly corsAlike?: readonly string[]
  /** Of those that grant, those that there was no time to ask without the credentials. */
  readonly corsUncompared?: readonly string[]
  /** Addresses of interfaces that no foreign origin was tried on; absent in facts of older runs. */
  readonly corsUnasked?: number
  /** Empty when the run carries no credentials. */
  readonly anonymous: readonly AnonymousAnswer[]
  /** Beyond the pages of `anonymous`; absent where the run carries no credentials, and in facts of older runs. */
  readonly personal?: readonly PersonalAnswer[]
  /** How many answers forbid to be kept, whoever they are for, and how many addresses nobody asked. */
  readonly personalClosed?: number
  readonly personalUnasked?: number
  /** Lower case names of the headers that carry the session. */
  readonly sessionHeaders?: readonly string[]
  /** Entries of browsers' preload list by host of the site; null where the list is not imported. Absent in facts of older runs. */
  readonly preloaded?: Readonly<Record<string, string>> | null
  /** The start page's answer, for the appendix. Cookie values are cut. */
  readonly response: { readonly url: string; readonly status: number; readonly headers: HeaderPairs } | null
}
