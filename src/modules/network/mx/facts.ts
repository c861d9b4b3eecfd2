/** What the mail servers of the domain say at port 25. Plain JSON; certificates base64 DER. */
import type { Trust } from '../../../protocols/tls/certificate/facts.ts'

export const MX_VERSIONS = ['SSLv3', 'TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const
export type MxVersion = (typeof MX_VERSIONS)[number]

export interface MxServer {
  readonly name: string
  readonly address: string
  /**
   * offered: STARTTLS was announced and taken · absent: mail is taken without TLS alone · refused: announced, and
   * refused when asked for · unreachable: no connection · silent: no SMTP was spoken, so nothing is known
   */
  readonly starttls: 'offered' | 'absent' | 'refused' | 'unreachable' | 'silent'
  /** What was said instead, a phrase. */
  readonly detail: string
  /** Names that it gives itself, in its greeting and its answer to EHLO; as others, not in facts of the first versions. */
  readonly says?: readonly string[]
  /** Names that the DNS gives its address (PTR). */
  readonly reverse?: readonly string[]
  /** Versions that were agreed on, and whether each question was answered. */
  readonly versions: readonly { readonly version: MxVersion; readonly state: 'offered' | 'refused' | 'unknown' }[]
  /** As sent, leaf first; empty where none could be read. */
  readonly chain: readonly string[]
  readonly certificate: {
    readonly subject: string
    readonly sha256: string
    readonly notBefore: number
    readonly notAfter: number
    /** The name of the MX record stands in it (RFC 6125, RFC 8461 4.1). */
    readonly isNamed: boolean
    readonly trust: Trust['state']
  } | null
}

export interface MxFacts {
  readonly domain: string
  readonly servers: readonly MxServer[]
  /** Names of mail servers that were not asked: too many, without an address, or not allowed. */
  readonly leftOut: readonly string[]
}
