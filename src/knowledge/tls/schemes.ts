/** Signature schemes by code: IANA registries "TLS SignatureScheme", "HashAlgorithm" and "SignatureAlgorithm". */
export interface Scheme {
  readonly code: number
  readonly name: string
  readonly hash: string
  readonly key: 'rsa' | 'dsa' | 'ecdsa' | 'eddsa' | 'ml-dsa'
  /** May sign a TLS 1.3 handshake. */
  readonly modern: boolean
}

const HASHES = ['none', 'md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512']
const KEYS = ['anonymous', 'rsa', 'dsa', 'ecdsa'] as const
const ECDSA_TLS13: Readonly<Record<number, string>> = {
  1027: 'ecdsa_secp256r1_sha256',
  1283: 'ecdsa_secp384r1_sha384',
  1539: 'ecdsa_secp521r1_sha512',
}

const classic = (['rsa', 'dsa', 'ecdsa'] as const).flatMap((key) =>
  HASHES.slice(1).map((hash, index): Scheme => {
    const code = (index + 1) * 256 + KEYS.indexOf(key)
    const name = ECDSA_TLS13[code] ?? (key === 'rsa' ? `rsa_pkcs1_${hash}` : `${key}_${hash}`)
    return { code, name, hash, key, modern: code in ECDSA_TLS13 }
  }),
)

export const SCHEMES: readonly Scheme[] = [
  ...classic,
  { code: 0x0804, name: 'rsa_pss_rsae_sha256', hash: 'sha256', key: 'rsa', modern: true },
  { code: 0x0805, name: 'rsa_pss_rsae_sha384', hash: 'sha384', key: 'rsa', modern: true },
  { code: 0x0806, name: 'rsa_pss_rsae_sha512', hash: 'sha512', key: 'rsa', modern: true },
  { code: 0x0807, name: 'ed25519', hash: 'intrinsic', key: 'eddsa', modern: true },
  { code: 0x0808, name: 'ed448', hash: 'intrinsic', key: 'eddsa', modern: true },
  { code: 0x0809, name: 'rsa_pss_pss_sha256', hash: 'sha256', key: 'rsa', modern: true },
  { code: 0x080a, name: 'rsa_pss_pss_sha384', hash: 'sha384', key: 'rsa', modern: true },
  { code: 0x080b, name: 'rsa_pss_pss_sha512', hash: 'sha512', key: 'rsa', modern: true },
  { code: 0x081a, name: 'ecdsa_brainpoolP256r1tls13_sha256', hash: 'sha256', key: 'ecdsa', modern: true },
  { code: 0x081b, name: 'ecdsa_brainpoolP384r1tls13_sha384', hash: 'sha384', key: 'ecdsa', modern: true },
  { code: 0x081c, name: 'ecdsa_brainpoolP512r1tls13_sha512', hash: 'sha512', key: 'ecdsa', modern: true },
  { code: 0x0904, name: 'mldsa44', hash: 'intrinsic', key: 'ml-dsa', modern: true },
  { code: 0x0905, name: 'mldsa65', hash: 'intrinsic', key: 'ml-dsa', modern: true },
  { code: 0x0906, name: 'mldsa87', hash: 'intrinsic', key: 'ml-dsa', modern: true },
]

export const schemeOf = (code: number): Scheme =>
  SCHEMES.find((scheme) => scheme.code === code) ?? {
    code,
    name: `0x${code.toString(16).padStart(4, '0')}`,
    hash: 'unknown',
    key: 'rsa',
    modern: false,
  }

/** What an ordinary hello offers: everything, the strongest first. */
export const COMMON_SCHEMES: readonly number[] = [
  0x0403, 0x0503, 0x0603, 0x0807, 0x0808, 0x0804, 0x0805, 0x0806, 0x0809, 0x080a, 0x080b, 0x0401, 0x0501, 0x0601,
  0x0402, 0x0303, 0x0301, 0x0302, 0x0203, 0x0201, 0x0202,
]
