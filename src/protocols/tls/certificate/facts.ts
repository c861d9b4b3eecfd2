/** Certificates, handshakes and what vouches for them. Plain JSON; times are milliseconds since the epoch. */

/** What the TLS module saw. Plain JSON; times are milliseconds since the epoch. */
export interface CertificateFacts {
  /** DER in base64. */
  readonly der: string
  readonly sha256: string
  readonly subject: string
  readonly issuer: string
  readonly serial: string
  readonly notBefore: number
  readonly notAfter: number
  /** The last CN of the subject, null when it has none. */
  readonly commonName: string | null
  /** dNSName entries of the subjectAltName extension, null when the extension is absent. */
  readonly dnsNames: readonly string[] | null
  readonly ipAddresses: readonly string[]
  readonly key: KeyFacts
  /** OpenSSL's name of the signature algorithm, e.g. sha256WithRSAEncryption. */
  readonly signatureAlgorithm: string
  readonly isAuthority: boolean
  /** Issuer and subject are the same, and its own key verifies it. */
  readonly selfSigned: boolean
  /** Signed certificate timestamps inside the certificate; null when the list cannot be read. */
  readonly timestamps: readonly Timestamp[] | null
  /** RFC 7633: the certificate asks for a stapled OCSP answer. */
  readonly mustStaple: boolean
  /** Addresses of the issuer's certificate in the authority information access extension. */
  readonly issuerUrls: readonly string[]
}

export interface KeyFacts {
  /** rsa, rsa-pss, ec, ed25519, …; 'unknown' where OpenSSL cannot read it. */
  readonly type: string
  /** Modulus length of RSA, field size of EC; null where it means nothing. */
  readonly bits: number | null
  readonly curve: string | null
  /** Decimal, RSA only. */
  readonly exponent: string | null
  /** Hexadecimal modulus, RSA only. */
  readonly modulus: string | null
}

export interface Timestamp {
  /** Hexadecimal id of the log. */
  readonly log: string
  readonly time: number
}

/** A timestamp with what its signature is worth. */
export interface CheckedTimestamp extends Timestamp {
  /** How it came: inside the certificate, stapled with the OCSP answer, in an extension of the handshake. */
  readonly source: 'certificate' | 'ocsp' | 'handshake'
  readonly operator: string | null
  readonly name: string | null
  /**
   * valid: signed by the log · invalid: not signed by the log it names · retired-log: signed after the log was
   * retired · unknown-log: of a log that is not listed · unchecked: the issuer that it covers was not sent
   */
  readonly state: 'valid' | 'invalid' | 'retired-log' | 'unknown-log' | 'unchecked'
}

export const VERSIONS = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const

export type Version = (typeof VERSIONS)[number]

export interface Handshake {
  readonly address: string
  /** SNI as sent; null when none was. */
  readonly servername: string | null
  /** The one version offered, or null for all. */
  readonly offered: Version | null
  readonly result: HandshakeResult
}

export type HandshakeResult =
  | {
      readonly ok: true
      readonly protocol: string
      readonly cipher: string
      /** Places in `TlsFacts.certificates`, leaf first, as the server sent them. */
      readonly chain: readonly number[]
      readonly staple: Staple | null
      /** Of the leaf, by every way that OpenSSL shows. Absent in facts of older runs. */
      readonly timestamps?: readonly CheckedTimestamp[]
      readonly trust: Trust
    }
  | {
      readonly ok: false
      readonly code: string
      readonly message: string
      /** This machine has no way to the address, so nobody was asked. Absent in facts of older runs. */
      readonly noRoute?: true
    }

/** The stapled OCSP answer as far as it could be read. */
export interface Staple {
  readonly status: 'good' | 'revoked' | 'unknown' | 'unreadable'
  readonly revokedAt: number | null
  /** Absent in facts of older runs, and where it could not be read. */
  readonly checked?: StatusCheck
}

/** Whether an answer about a certificate can be believed. */
export interface StatusCheck {
  /**
   * valid: the authority's, about this certificate, of today · otherwise why not:
   * forged: the signature does not verify, or the signer may not sign · other: about another certificate ·
   * stale: not of today · unchecked: the issuer is not at hand, or the algorithm is not known here
   */
  readonly state: 'valid' | 'forged' | 'other' | 'stale' | 'unchecked'
  readonly why: string
}

/**
 * Where the chain leads, whatever the dates and the names say.
 * public: to a root of the Mozilla store · private: to an authority that the operator added ·
 * self-signed: the leaf vouches for itself · incomplete: an intermediate is not sent, though the certificate
 * below it says where it is published, or is in public logs · untrusted: to an authority that nobody here knows.
 */
export interface Trust {
  readonly state: 'public' | 'private' | 'self-signed' | 'incomplete' | 'untrusted'
  /** The leaf and what vouches for it, as places in the chain. */
  readonly path: readonly number[]
  /** Name of the root, or of the issuer at which the path ends. */
  readonly anchor: string
}
