/** Short-lived addresses of files for the filesystem driver: pure signing and verifying. */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { SecretKeys } from '../contract/secret-keys.ts'

export interface FileGrant {
  readonly key: string
  readonly filename: string
  readonly contentType: string
  /** Seconds since the epoch. */
  readonly expires: number
}

export type FileVerdict =
  | { readonly ok: true; readonly grant: FileGrant }
  | { readonly ok: false; readonly why: 'altered' | 'expired' }

/** Path under which the API serves files; the object's key follows. */
export const FILES_PATH = '/files/'

/** `/files/<key>?expires=…&filename=…&type=…&signature=…` */
export const signFilePath = ({ current }: SecretKeys, grant: FileGrant): string => {
  const query = new URLSearchParams({
    expires: String(grant.expires),
    filename: grant.filename,
    type: grant.contentType,
    signature: signature(current, grant),
  })
  return `${FILES_PATH}${grant.key}?${query}`
}

/** `key` is the decoded path after `/files/`. The signature is looked at before the clock: an altered expiry is `altered`. */
export const verifyFile = (
  { accepted }: SecretKeys,
  key: string,
  query: Readonly<Record<string, unknown>>,
  now: Date,
): FileVerdict => {
  const { expires, filename, type, signature: given } = query
  if (typeof expires !== 'string' || typeof filename !== 'string') return { ok: false, why: 'altered' }
  if (typeof type !== 'string' || typeof given !== 'string') return { ok: false, why: 'altered' }
  if (!/^\d{1,12}$/.test(expires)) return { ok: false, why: 'altered' }
  const grant = { key, filename, contentType: type, expires: Number(expires) }
  if (!accepted.some((secret) => equal(given, signature(secret, grant)))) return { ok: false, why: 'altered' }
  if (now.getTime() >= grant.expires * 1000) return { ok: false, why: 'expired' }
  return { ok: true, grant }
}

/** `attachment` with an ASCII fallback and the true name (RFC 6266, RFC 8187). */
export const attachment = (filename: string): string => {
  const fallback = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(/['()*]/g, percent)
  return `attachment; filename="${fallback}"; filename*=UTF-8''${encoded}`
}

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** Every field with its length before it, so that no two grants share a text. */
const signature = (secret: Buffer, grant: FileGrant): string => {
  const fields = [grant.key, grant.filename, grant.contentType, String(grant.expires)]
  const text = fields.map((field) => `\n${Buffer.byteLength(field)}:${field}`).join('')
  return createHmac('sha256', keyOf(secret)).update(`sonde file v1${text}`).digest('base64url')
}

/** Made of its bytes for each signature, a key costs five times what the signature does. */
const keyOf = (secret: Buffer): KeyObject => {
  const key = KEYS.get(secret) ?? createSecretKey(secret)
  KEYS.set(secret, key)
  return key
}
const KEYS = new WeakMap<Buffer, KeyObject>()

const equal = (given: string, expected: string): boolean => {
  const a = Buffer.from(given)
  const b = Buffer.from(expected)
  return a.length === b.length && timingSafeEqual(a, b)
}
