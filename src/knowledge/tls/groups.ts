/** Named groups by code: IANA registry "TLS Supported Groups" (RFC 8446, 8422, 7919, 7027, the hybrids of draft-ietf-tls-ecdhe-mlkem). */
export interface Group {
  readonly code: number
  readonly name: string
  readonly kind: 'ec' | 'ffdhe' | 'kem'
  /** Field size of a curve, modulus of a finite field, classical part of a hybrid. */
  readonly bits: number
  /** True where the group may be offered in TLS 1.3. */
  readonly modern: boolean
}

const EC: readonly (readonly [number, string, number])[] = [
  [1, 'sect163k1', 163],
  [2, 'sect163r1', 163],
  [3, 'sect163r2', 163],
  [4, 'sect193r1', 193],
  [5, 'sect193r2', 193],
  [6, 'sect233k1', 233],
  [7, 'sect233r1', 233],
  [8, 'sect239k1', 239],
  [9, 'sect283k1', 283],
  [10, 'sect283r1', 283],
  [11, 'sect409k1', 409],
  [12, 'sect409r1', 409],
  [13, 'sect571k1', 571],
  [14, 'sect571r1', 571],
  [15, 'secp160k1', 160],
  [16, 'secp160r1', 160],
  [17, 'secp160r2', 160],
  [18, 'secp192k1', 192],
  [19, 'secp192r1', 192],
  [20, 'secp224k1', 224],
  [21, 'secp224r1', 224],
  [22, 'secp256k1', 256],
  [23, 'secp256r1', 256],
  [24, 'secp384r1', 384],
  [25, 'secp521r1', 521],
  [26, 'brainpoolP256r1', 256],
  [27, 'brainpoolP384r1', 384],
  [28, 'brainpoolP512r1', 512],
  [29, 'x25519', 253],
  [30, 'x448', 448],
  [31, 'brainpoolP256r1tls13', 256],
  [32, 'brainpoolP384r1tls13', 384],
  [33, 'brainpoolP512r1tls13', 512],
  [41, 'curveSM2', 256],
]

const OTHERS: readonly Group[] = [
  { code: 256, name: 'ffdhe2048', kind: 'ffdhe', bits: 2048, modern: true },
  { code: 257, name: 'ffdhe3072', kind: 'ffdhe', bits: 3072, modern: true },
  { code: 258, name: 'ffdhe4096', kind: 'ffdhe', bits: 4096, modern: true },
  { code: 259, name: 'ffdhe6144', kind: 'ffdhe', bits: 6144, modern: true },
  { code: 260, name: 'ffdhe8192', kind: 'ffdhe', bits: 8192, modern: true },
  { code: 512, name: 'MLKEM512', kind: 'kem', bits: 128, modern: true },
  { code: 513, name: 'MLKEM768', kind: 'kem', bits: 192, modern: true },
  { code: 514, name: 'MLKEM1024', kind: 'kem', bits: 256, modern: true },
  { code: 4587, name: 'SecP256r1MLKEM768', kind: 'kem', bits: 256, modern: true },
  { code: 4588, name: 'X25519MLKEM768', kind: 'kem', bits: 253, modern: true },
  { code: 4589, name: 'SecP384r1MLKEM1024', kind: 'kem', bits: 384, modern: true },
  { code: 4590, name: 'curveSM2MLKEM768', kind: 'kem', bits: 256, modern: true },
  { code: 25497, name: 'X25519Kyber768Draft00', kind: 'kem', bits: 253, modern: true },
]

const TLS13_CURVES: readonly number[] = [23, 24, 25, 29, 30, 31, 32, 33, 41]

export const GROUPS: readonly Group[] = [
  ...EC.map(([code, name, bits]): Group => ({ code, name, kind: 'ec', bits, modern: TLS13_CURVES.includes(code) })),
  ...OTHERS,
]

export const groupOf = (code: number): Group =>
  GROUPS.find((group) => group.code === code) ?? {
    code,
    name: `0x${code.toString(16).padStart(4, '0')}`,
    kind: 'ec',
    bits: 0,
    modern: false,
  }

/** What an ordinary hello offers: today's, then those of the last decade. */
export const COMMON_GROUPS: readonly number[] = [29, 23, 24, 25, 30, 256, 257, 258, 22, 26, 27, 28, 21, 19]
export const X25519 = 29
export const SECP256R1 = 23
