/**
 * Cipher suites by code, named as in the IANA registry "TLS Cipher Suites" (RFC 8447), with the few that were in use
 * before they were registered or without ever being so. What a suite is made of is read from its name.
 */
export interface Suite {
  readonly code: number
  /** IANA name, e.g. TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256. */
  readonly name: string
  /** RSA, DH, DHE, ECDH, ECDHE, PSK, DHE_PSK, …; 'any' in TLS 1.3. */
  readonly exchange: string
  /** RSA, DSS, ECDSA, anon, PSK, …; 'any' in TLS 1.3. */
  readonly authentication: string
  /** AES, 3DES, RC4, NULL, … */
  readonly cipher: string
  readonly mode: 'aead' | 'cbc' | 'stream' | 'none'
  /** Effective strength of the cipher; 112 for 3DES (SP 800-57), 40 and 56 for export. */
  readonly bits: number
  /** Hash of the record's MAC; null for AEAD. */
  readonly mac: string | null
  readonly isExport: boolean
  readonly forwardSecret: boolean
  /** True where the suite belongs to TLS 1.3 alone. */
  readonly modern: boolean
}

type Block = readonly [start: number, exchanges: readonly string[], ciphers: readonly string[]]

const SIX = ['RSA', 'DH_DSS', 'DH_RSA', 'DHE_DSS', 'DHE_RSA', 'DH_anon']
const GCM_KX = ['RSA', 'DHE_RSA', 'DH_RSA', 'DHE_DSS', 'DH_DSS', 'DH_anon']
const EC_FOUR = ['ECDHE_ECDSA', 'ECDH_ECDSA', 'ECDHE_RSA', 'ECDH_RSA']
const PSK_THREE = ['PSK', 'DHE_PSK', 'RSA_PSK']
const EC_OLD = ['NULL_SHA', 'RC4_128_SHA', '3DES_EDE_CBC_SHA', 'AES_128_CBC_SHA', 'AES_256_CBC_SHA']
const both = (cipher: string, mode: string): readonly string[] => [
  `${cipher}_128_${mode}_SHA256`,
  `${cipher}_256_${mode}_SHA384`,
]

/** Consecutive codes: every cipher of the first exchange, then of the next. */
const BLOCKS: readonly Block[] = [
  [0x0000, ['NULL'], ['NULL_NULL']],
  [0x0001, ['RSA'], ['NULL_MD5', 'NULL_SHA']],
  [0x0003, ['RSA_EXPORT'], ['RC4_40_MD5']],
  [0x0004, ['RSA'], ['RC4_128_MD5', 'RC4_128_SHA']],
  [0x0006, ['RSA_EXPORT'], ['RC2_CBC_40_MD5']],
  [0x0007, ['RSA'], ['IDEA_CBC_SHA']],
  [0x0008, ['RSA_EXPORT'], ['DES40_CBC_SHA']],
  [0x0009, ['RSA'], ['DES_CBC_SHA', '3DES_EDE_CBC_SHA']],
  [0x000b, ['DH_DSS_EXPORT'], ['DES40_CBC_SHA']],
  [0x000c, ['DH_DSS'], ['DES_CBC_SHA', '3DES_EDE_CBC_SHA']],
  [0x000e, ['DH_RSA_EXPORT'], ['DES40_CBC_SHA']],
  [0x000f, ['DH_RSA'], ['DES_CBC_SHA', '3DES_EDE_CBC_SHA']],
  [0x0011, ['DHE_DSS_EXPORT'], ['DES40_CBC_SHA']],
  [0x0012, ['DHE_DSS'], ['DES_CBC_SHA', '3DES_EDE_CBC_SHA']],
  [0x0014, ['DHE_RSA_EXPORT'], ['DES40_CBC_SHA']],
  [0x0015, ['DHE_RSA'], ['DES_CBC_SHA', '3DES_EDE_CBC_SHA']],
  [0x0017, ['DH_anon_EXPORT'], ['RC4_40_MD5']],
  [0x0018, ['DH_anon'], ['RC4_128_MD5']],
  [0x0019, ['DH_anon_EXPORT'], ['DES40_CBC_SHA']],
  [0x001a, ['DH_anon'], ['DES_CBC_SHA', '3DES_EDE_CBC_SHA']],
  [0x001e, ['KRB5'], ['DES_CBC_SHA', '3DES_EDE_CBC_SHA', 'RC4_128_SHA', 'IDEA_CBC_SHA']],
  [0x0022, ['KRB5'], ['DES_CBC_MD5', '3DES_EDE_CBC_MD5', 'RC4_128_MD5', 'IDEA_CBC_MD5']],
  [0x0026, ['KRB5_EXPORT'], ['DES_CBC_40_SHA', 'RC2_CBC_40_SHA', 'RC4_40_SHA']],
  [0x0029, ['KRB5_EXPORT'], ['DES_CBC_40_MD5', 'RC2_CBC_40_MD5', 'RC4_40_MD5']],
  [0x002c, PSK_THREE, ['NULL_SHA']],
  [0x002f, SIX, ['AES_128_CBC_SHA']],
  [0x0035, SIX, ['AES_256_CBC_SHA']],
  [0x003b, ['RSA'], ['NULL_SHA256', 'AES_128_CBC_SHA256', 'AES_256_CBC_SHA256']],
  [0x003e, ['DH_DSS', 'DH_RSA', 'DHE_DSS'], ['AES_128_CBC_SHA256']],
  [0x0041, SIX, ['CAMELLIA_128_CBC_SHA']],
  // Once drafts (56-bit export), offered by servers of their time.
  [0x0060, ['RSA_EXPORT1024'], ['RC4_56_MD5', 'RC2_CBC_56_MD5', 'DES_CBC_SHA']],
  [0x0063, ['DHE_DSS_EXPORT1024'], ['DES_CBC_SHA']],
  [0x0064, ['RSA_EXPORT1024', 'DHE_DSS_EXPORT1024'], ['RC4_56_SHA']],
  [0x0066, ['DHE_DSS'], ['RC4_128_SHA']],
  [0x0067, ['DHE_RSA'], ['AES_128_CBC_SHA256']],
  [0x0068, ['DH_DSS', 'DH_RSA', 'DHE_DSS', 'DHE_RSA'], ['AES_256_CBC_SHA256']],
  [0x006c, ['DH_anon'], ['AES_128_CBC_SHA256', 'AES_256_CBC_SHA256']],
  [0x0080, ['GOSTR341094', 'GOSTR341001'], ['28147_CNT_IMIT']],
  [0x0082, ['GOSTR341094', 'GOSTR341001'], ['NULL_GOSTR3411']],
  [0x0084, SIX, ['CAMELLIA_256_CBC_SHA']],
  [0x008a, PSK_THREE, ['RC4_128_SHA', '3DES_EDE_CBC_SHA', 'AES_128_CBC_SHA', 'AES_256_CBC_SHA']],
  [0x0096, SIX, ['SEED_CBC_SHA']],
  [0x009c, [...GCM_KX, ...PSK_THREE], both('AES', 'GCM')],
  [0x00ae, PSK_THREE, [...both('AES', 'CBC'), 'NULL_SHA256', 'NULL_SHA384']],
  [0x00ba, SIX, ['CAMELLIA_128_CBC_SHA256']],
  [0x00c0, SIX, ['CAMELLIA_256_CBC_SHA256']],
  [0xc001, [...EC_FOUR.slice(1, 2), ...EC_FOUR.slice(0, 1)], EC_OLD],
  [0xc00b, ['ECDH_RSA', 'ECDHE_RSA', 'ECDH_anon'], EC_OLD],
  [0xc01a, ['SRP_SHA', 'SRP_SHA_RSA', 'SRP_SHA_DSS'], ['3DES_EDE_CBC_SHA']],
  [0xc01d, ['SRP_SHA', 'SRP_SHA_RSA', 'SRP_SHA_DSS'], ['AES_128_CBC_SHA']],
  [0xc020, ['SRP_SHA', 'SRP_SHA_RSA', 'SRP_SHA_DSS'], ['AES_256_CBC_SHA']],
  [0xc023, EC_FOUR, both('AES', 'CBC')],
  [0xc02b, EC_FOUR, both('AES', 'GCM')],
  [0xc033, ['ECDHE_PSK'], ['RC4_128_SHA', '3DES_EDE_CBC_SHA', 'AES_128_CBC_SHA', 'AES_256_CBC_SHA']],
  [0xc037, ['ECDHE_PSK'], [...both('AES', 'CBC'), 'NULL_SHA', 'NULL_SHA256', 'NULL_SHA384']],
  [0xc03c, [...SIX, ...EC_FOUR], both('ARIA', 'CBC')],
  [0xc050, [...GCM_KX, ...EC_FOUR], both('ARIA', 'GCM')],
  [0xc064, PSK_THREE, both('ARIA', 'CBC')],
  [0xc06a, PSK_THREE, both('ARIA', 'GCM')],
  [0xc070, ['ECDHE_PSK'], both('ARIA', 'CBC')],
  [0xc072, EC_FOUR, both('CAMELLIA', 'CBC')],
  [0xc07a, [...GCM_KX, ...EC_FOUR, ...PSK_THREE], both('CAMELLIA', 'GCM')],
  [0xc094, [...PSK_THREE, 'ECDHE_PSK'], both('CAMELLIA', 'CBC')],
  [0xc09c, ['RSA', 'DHE_RSA'], ['AES_128_CCM', 'AES_256_CCM']],
  [0xc0a0, ['RSA', 'DHE_RSA'], ['AES_128_CCM_8', 'AES_256_CCM_8']],
  [0xc0a4, ['PSK', 'DHE_PSK'], ['AES_128_CCM', 'AES_256_CCM']],
  [0xc0a8, ['PSK', 'PSK_DHE'], ['AES_128_CCM_8', 'AES_256_CCM_8']],
  [0xc0ac, ['ECDHE_ECDSA'], ['AES_128_CCM', 'AES_256_CCM', 'AES_128_CCM_8', 'AES_256_CCM_8']],
  [0xc0b0, ['ECCPWD'], [...both('AES', 'GCM'), 'AES_128_CCM_SHA256', 'AES_256_CCM_SHA384']],
  [0xc100, ['GOSTR341112_256'], ['KUZNYECHIK_CTR_OMAC', 'MAGMA_CTR_OMAC', '28147_CNT_IMIT']],
  [0xcc13, ['ECDHE_RSA_OLD', 'ECDHE_ECDSA_OLD', 'DHE_RSA_OLD'], ['CHACHA20_POLY1305_SHA256']],
  [
    0xcca8,
    ['ECDHE_RSA', 'ECDHE_ECDSA', 'DHE_RSA', 'PSK', 'ECDHE_PSK', 'DHE_PSK', 'RSA_PSK'],
    ['CHACHA20_POLY1305_SHA256'],
  ],
  [0xd001, ['ECDHE_PSK'], [...both('AES', 'GCM'), 'AES_128_CCM_8_SHA256']],
  [0xd005, ['ECDHE_PSK'], ['AES_128_CCM_SHA256']],
  [0xfefe, ['RSA_FIPS'], ['DES_CBC_SHA', '3DES_EDE_CBC_SHA']],
  [0xffe0, ['RSA_FIPS'], ['3DES_EDE_CBC_SHA', 'DES_CBC_SHA']],
  [0xff85, ['GOSTR341112_256'], ['28147_CNT_IMIT_OLD']],
]

const MODERN: Readonly<Record<number, string>> = {
  4865: 'AES_128_GCM_SHA256',
  4866: 'AES_256_GCM_SHA384',
  4867: 'CHACHA20_POLY1305_SHA256',
  4868: 'AES_128_CCM_SHA256',
  4869: 'AES_128_CCM_8_SHA256',
  4870: 'AEGIS_256_SHA512',
  4871: 'AEGIS_128L_SHA256',
  198: 'SM4_GCM_SM3',
  199: 'SM4_CCM_SM3',
  49332: 'SHA256_SHA256',
  49333: 'SHA384_SHA384',
  49411: 'GOSTR341112_256_WITH_KUZNYECHIK_MGM_L',
  49412: 'GOSTR341112_256_WITH_MAGMA_MGM_L',
  49413: 'GOSTR341112_256_WITH_KUZNYECHIK_MGM_S',
  49414: 'GOSTR341112_256_WITH_MAGMA_MGM_S',
}

const bitsOf = (cipher: string): number => {
  if (/^NULL|^SHA\d+_/.test(cipher)) return 0
  if (/DES40|_40_|_40$/.test(cipher)) return 40
  if (/^DES_CBC_|_56_/.test(cipher)) return 56
  if (cipher.startsWith('3DES')) return 112
  if (/CHACHA20|28147|KUZNYECHIK|MAGMA/.test(cipher)) return 256
  return Number(/_(128|256)(?:L|_)/.exec(`${cipher}_`)?.[1] ?? 128)
}

const modeOf = (cipher: string): Suite['mode'] => {
  if (/^NULL|^SHA\d+_/.test(cipher)) return 'none'
  if (/GCM|CCM|POLY1305|AEGIS|MGM/.test(cipher)) return 'aead'
  return cipher.includes('CBC') ? 'cbc' : 'stream'
}

const describe = (code: number, exchange: string, cipher: string): Suite => {
  const bare = exchange.replace(/_EXPORT(1024)?$|_FIPS$|_OLD$/, '')
  const isPsk = bare.includes('PSK')
  const parts = bare.split('_')
  const mode = modeOf(cipher)
  return {
    code,
    name: exchange === 'NULL' ? 'TLS_NULL_WITH_NULL_NULL' : `TLS_${exchange}_WITH_${cipher}`,
    exchange: isPsk || bare.startsWith('SRP') ? bare : (parts[0] ?? bare),
    authentication: isPsk ? 'PSK' : bare === 'NULL' ? 'anon' : (parts.at(-1) ?? bare),
    cipher: /^[A-Z0-9]+/.exec(cipher)?.[0] ?? cipher,
    mode,
    bits: bitsOf(cipher),
    mac: mode === 'aead' ? null : (/_([A-Z0-9]+)$/.exec(cipher)?.[1] ?? null),
    isExport: exchange.includes('EXPORT'),
    forwardSecret: /^(EC)?DHE_|PSK_DHE|_anon|ECCPWD/.test(`${exchange}_`),
    modern: false,
  }
}

const ofTls13 = (code: number, cipher: string): Suite => ({
  ...describe(code, 'any', cipher.replace(/^.*_WITH_/, '')),
  name: `TLS_${cipher}`,
  exchange: 'any',
  authentication: 'any',
  forwardSecret: true,
  modern: true,
})

/** In the order of their codes. */
export const SUITES: readonly Suite[] = [
  ...BLOCKS.flatMap(([start, exchanges, ciphers]) =>
    exchanges.flatMap((exchange, row) =>
      ciphers.map((cipher, column) => describe(start + row * ciphers.length + column, exchange, cipher)),
    ),
  ),
  ...Object.entries(MODERN).map(([code, cipher]) => ofTls13(Number(code), cipher)),
].toSorted((a, b) => a.code - b.code)

const byCode = new Map(SUITES.map((suite) => [suite.code, suite]))

/** A suite that no registry knows is described as such, so that a server that picks one is still reported. */
export const suiteOf = (code: number): Suite =>
  byCode.get(code) ?? {
    ...describe(code, 'unknown', 'unknown'),
    name: `0x${code.toString(16).padStart(4, '0')}`,
  }

/** All that may be negotiated up to TLS 1.2. */
export const CLASSIC_SUITES: readonly number[] = SUITES.filter((suite) => !suite.modern).map((suite) => suite.code)
export const MODERN_SUITES: readonly number[] = SUITES.filter((suite) => suite.modern).map((suite) => suite.code)

/** TLS_EMPTY_RENEGOTIATION_INFO_SCSV (RFC 5746) and TLS_FALLBACK_SCSV (RFC 7507): signals, not suites. */
export const RENEGOTIATION_SCSV = 0x00ff
export const FALLBACK_SCSV = 0x5600

/** SSLv2 "cipher kinds" (the SSL 2.0 specification, 4.2). */
export const SSLV2_CIPHERS: Readonly<Record<number, string>> = {
  65664: 'SSL_CK_RC4_128_WITH_MD5',
  131200: 'SSL_CK_RC4_128_EXPORT40_WITH_MD5',
  196736: 'SSL_CK_RC2_128_CBC_WITH_MD5',
  262272: 'SSL_CK_RC2_128_CBC_EXPORT40_WITH_MD5',
  327808: 'SSL_CK_IDEA_128_CBC_WITH_MD5',
  393280: 'SSL_CK_DES_64_CBC_WITH_MD5',
  458944: 'SSL_CK_DES_192_EDE3_CBC_WITH_MD5',
}
