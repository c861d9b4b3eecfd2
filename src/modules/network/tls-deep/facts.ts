/** What the depth module saw of each TLS endpoint. Plain JSON; octets are hexadecimal, certificates base64. */

import type { CheckedTimestamp, StatusCheck } from '../../../protocols/tls/certificate/facts.ts'
import type { EndpointFacts, Oracle } from '../../../protocols/tls/endpoint.ts'
import type { Service } from '../../../protocols/tls/wire/starttls.ts'
import type { AddressGap } from '../../passive/tls/facts-addresses.ts'

export interface RevocationFacts {
  readonly source: 'ocsp' | 'crl'
  readonly url: string
  /** unusable: an answer that is not the authority's, not of today, or about something else. */
  readonly status: 'good' | 'revoked' | 'unknown' | 'unreachable' | 'unreadable' | 'unusable'
  readonly detail: string
  /** What the signature and the dates are worth; absent where nothing could be read, and in facts of older runs. */
  readonly checked?: StatusCheck
}

/**
 * handshake: the server went along · refused: it ended the connection · retry: it wants the address proven first · versions: it speaks
 * others than version 1 · other: an answer that is not QUIC · closed: the port is · silent: no answer.
 */
export interface QuicFacts {
  readonly address: string
  readonly port: number
  /** Alt-Svc of the start page names h3 there. */
  readonly announced: boolean
  readonly state: 'handshake' | 'refused' | 'retry' | 'versions' | 'other' | 'closed' | 'silent'
  readonly versions: readonly number[]
  readonly alpn: string | null
  readonly detail: string
  /** The leaf first, as far as the chain came in the first flight. */
  readonly certificates: readonly string[]
}

export interface TlsDeepFacts {
  readonly host: string
  /** When the run started: the clock that the validity of certificates is graded by. */
  readonly now: number
  readonly endpoints: readonly EndpointFacts[]
  /** Places that were looked at and do not speak TLS, with what they said. */
  readonly silent: readonly {
    readonly address: string
    readonly port: number
    readonly service: Service
    readonly reason: string
  }[]
  /** Ports of services with TLS that were not looked at: too many, or no time. Absent in facts of older runs. */
  readonly leftOut?: readonly number[]
  /** Addresses of the site that were not looked at; null where all were. Absent in facts of older runs. */
  readonly gap?: AddressGap | null
  /** Those of the site's handshakes, checked. Absent in facts of older runs. */
  readonly timestamps?: readonly CheckedTimestamp[]
  /**
   * SHA-256 of certificates beside the site's whose private key is known → the name of the list. Null where no list was imported; absent
   * in facts of older runs.
   */
  readonly knownKeys?: Readonly<Record<string, string>> | null
  /** Null where the host does not speak https; absent in facts of older runs. */
  readonly quic?: QuicFacts | null
  readonly revocation: readonly RevocationFacts[]
  readonly opossum: Oracle<'vulnerable'>
  readonly breach: Oracle<'vulnerable' | 'compressed'>
}
