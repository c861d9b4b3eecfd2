/** Hashes, ciphers and signatures. */
import { createCipheriv, createHash, createHmac } from 'node:crypto'
import { murmur3 } from '../../../knowledge/murmur.ts'
import { bufferOf, bytesOfText, textOfBytes } from '../bytes.ts'
import { on, onText, onTexts } from './define.ts'
import type { DslFunction } from './functions.ts'
import { DslError, numberOf, textOf } from './value.ts'

const digest = (algorithm: string): DslFunction =>
  onText((text) => createHash(algorithm).update(bufferOf(text)).digest('hex'))

export const DIGESTS: Readonly<Record<string, DslFunction>> = {
  md5: digest('md5'),
  sha1: digest('sha1'),
  sha256: digest('sha256'),
  sha512: digest('sha512'),
  /** As a signed decimal number in text, the way favicon hashes are written. */
  mmh3: onText((text) => String(murmur3(bufferOf(text)))),
  jarm: on(1, 1, ([address = ''], { jarm }) => {
    const known = jarm?.(textOf(address))
    if (known === undefined) throw new DslError(`no fingerprint was taken of ${textOf(address).slice(0, 100)}`)
    return known
  }),
  hmac: onTexts(3, (algorithm = '', text = '', key = '') => {
    if (!/^(?:md5|sha1|sha224|sha256|sha384|sha512)$/.test(algorithm)) {
      throw new DslError(`hmac does not know "${algorithm}"`)
    }
    return createHmac(algorithm, bufferOf(key)).update(bufferOf(text)).digest('hex')
  }),
  aes_cbc: onTexts(3, (text = '', key = '', iv = '') => encrypted('cbc', text, key, iv)),
  aes_gcm: onTexts(2, (text = '', key = '') => encrypted('gcm', text, key, '\0'.repeat(12))),
  generate_jwt: on(1, 4, ([payload = '', algorithm = '', key = '', age]) =>
    signedToken(
      textOf(payload),
      textOf(algorithm),
      textOf(key),
      age === undefined ? null : numberOf(age, 'the age of generate_jwt'),
    ),
  ),
}

const encrypted = (mode: 'cbc' | 'gcm', text: string, key: string, iv: string): string => {
  const bits = key.length * 8
  if (![128, 192, 256].includes(bits)) throw new DslError('a key of AES has 16, 24 or 32 bytes')
  try {
    const cipher = createCipheriv(`aes-${bits}-${mode}`, bufferOf(key), bufferOf(iv))
    const sealed = Buffer.concat([cipher.update(bufferOf(text)), cipher.final()])
    return (
      mode === 'gcm' && 'getAuthTag' in cipher
        ? Buffer.concat([sealed, (cipher as import('node:crypto').CipherGCM).getAuthTag()])
        : sealed
    ).toString('latin1')
  } catch (error) {
    throw new DslError(`AES: ${error instanceof Error ? error.message : error}`)
  }
}

const HASHES: Readonly<Record<string, string>> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' }

/** RFC 7519 with an HMAC of RFC 7518, or unsigned ("NONE"): what the catalogue uses. Keys of the payload are sorted. */
const signedToken = (payload: string, algorithm: string, key: string, age: number | null): string => {
  const claims = claimsOf(payload)
  if (age !== null && age > 0) claims.exp = Math.trunc(age)
  const name = algorithm.trim().toUpperCase()
  const unsigned = name === '' || name === 'NONE'
  const hash = HASHES[name]
  if (!unsigned && hash === undefined) throw new DslError(`generate_jwt does not sign with "${algorithm}"`)
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const sorted = Object.fromEntries(Object.entries(claims).sort(([a], [b]) => (a < b ? -1 : 1)))
  const head = `${part(unsigned ? { alg: algorithm || 'none', typ: 'JWT' } : { alg: name, typ: 'JWT' })}.${part(sorted)}`
  if (unsigned || hash === undefined) return `${head}.`
  return `${head}.${createHmac(hash, bufferOf(key)).update(head).digest('base64url')}`
}

const claimsOf = (payload: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(textOfBytes(payload))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new DslError(`generate_jwt needs a JSON object, not ${bytesOfText(payload).slice(0, 40)}`)
}
