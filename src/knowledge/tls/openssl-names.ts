/** Names of cipher suites: IANA's, and those that OpenSSL knows them by up to TLS 1.2. */

/** Parts that OpenSSL writes differently, in the order in which they are replaced. */
const PARTS: readonly (readonly [iana: RegExp, openssl: string])[] = [
  [/^TLS_/, ''],
  [/_WITH_/, '_'],
  [/^RSA_(?!EXPORT)/, ''],
  [/^RSA_EXPORT_/, 'EXP_'],
  [/^DHE_(RSA|DSS)_EXPORT_/, 'EXP_DHE_$1_'],
  [/^DH_anon_/, 'ADH_'],
  [/^ECDH_anon_/, 'AECDH_'],
  [/3DES_EDE_CBC/, 'DES_CBC3'],
  [/(AES|CAMELLIA|ARIA)_(128|256)_CBC/, '$1$2'],
  [/(AES|CAMELLIA|ARIA)_(128|256)_(GCM|CCM)/, '$1$2_$3'],
  [/(SEED|IDEA)_CBC/, '$1'],
  [/RC4_128/, 'RC4'],
  [/CCM_8/, 'CCM8'],
  [/^ECDHE_RSA_ARIA/, 'ECDHE_ARIA'],
  [/CHACHA20_POLY1305_SHA256/, 'CHACHA20_POLY1305'],
]

/** `TLS_RSA_WITH_RC4_128_MD5` → `RC4-MD5`; null for what cannot be offered by name (Kerberos, shared keys, SM4, TLS 1.3). */
export const opensslName = (iana: string): string | null => {
  if (!/^TLS_[\w]+_WITH_\w+$/.test(iana) || /KRB5|PSK|SM4|SRP|NULL_WITH_NULL/.test(iana)) return null
  return PARTS.reduce((name, [from, to]) => name.replace(from, to), iana).replaceAll('_', '-')
}
