/** DNSSEC algorithm and digest numbers with what is thought of them (IANA registries; RFC 8624, RFC 9904, RFC 9905). */
export interface Algorithm {
  readonly name: string
  /** Must not be used for signing any more. */
  readonly weak: boolean
}

export const ALGORITHMS: Readonly<Record<number, Algorithm>> = {
  1: { name: 'RSA/MD5', weak: true },
  3: { name: 'DSA/SHA-1', weak: true },
  5: { name: 'RSA/SHA-1', weak: true },
  6: { name: 'DSA-NSEC3-SHA1', weak: true },
  7: { name: 'RSASHA1-NSEC3-SHA1', weak: true },
  8: { name: 'RSA/SHA-256', weak: false },
  10: { name: 'RSA/SHA-512', weak: false },
  12: { name: 'GOST R 34.10-2001', weak: true },
  13: { name: 'ECDSA P-256/SHA-256', weak: false },
  14: { name: 'ECDSA P-384/SHA-384', weak: false },
  15: { name: 'Ed25519', weak: false },
  16: { name: 'Ed448', weak: false },
}

export const algorithmName = (number: number): string => ALGORITHMS[number]?.name ?? `algorithm ${number}`

export const DIGESTS: Readonly<
  Record<number, { readonly name: string; readonly hash: string | null; readonly weak: boolean }>
> = {
  1: { name: 'SHA-1', hash: 'sha1', weak: true },
  2: { name: 'SHA-256', hash: 'sha256', weak: false },
  3: { name: 'GOST R 34.11-94', hash: null, weak: true },
  4: { name: 'SHA-384', hash: 'sha384', weak: false },
}
