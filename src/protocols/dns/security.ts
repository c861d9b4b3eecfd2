/** What validation by DNSSEC tells of names, keys and sets of records (RFC 4033 to 4035, 5155). Plain JSON. */

export type Security = 'secure' | 'insecure' | 'bogus' | 'indeterminate'

/** One zone of the chain from the trust anchor down. */
export interface Link {
  /** '' is the root. */
  readonly zone: string
  readonly state: Security
  /** Why it is not secure; '' when it is. */
  readonly reason: string
  readonly ds: readonly { readonly tag: number; readonly algorithm: number; readonly digestType: number }[]
  readonly keys: readonly KeyOfZone[]
  /** Which of the keys signed the key set; null where none did. */
  readonly signature: SignatureOfSet | null
}

export interface KeyOfZone {
  readonly tag: number
  readonly algorithm: number
  readonly flags: number
  readonly bits: number | null
}

export interface SignatureOfSet {
  readonly tag: number
  readonly algorithm: number
  /** Milliseconds since the epoch. */
  readonly inception: number
  readonly expiration: number
}

/** One record set, or its absence, checked against the zone's keys. */
export interface SetCheck {
  readonly name: string
  readonly type: string
  readonly state: Security
  readonly reason: string
  readonly zone: string
  /** False when the answer says that there is no such set. */
  readonly present: boolean
  readonly signature: SignatureOfSet | null
}

export interface DenialFacts {
  readonly kind: 'NSEC' | 'NSEC3'
  readonly iterations: number
  /** Octets of salt. */
  readonly salt: number
  readonly optOut: boolean
}
