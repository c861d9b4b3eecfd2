/** The one secret of an installation, and the keys derived from it. */
import { hkdfSync, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Config, ConfigError } from './config.ts'
import { createPrivate, readPrivate } from './private-file.ts'

export const SECRET_KEY_FILE = 'secret.key'
const LENGTH = 32

/**
 * From SONDE_SECRET_KEY; else, with the embedded database, from a file of mode 0600 that the first start makes.
 * Processes that share a PostgreSQL have to share the key, so there it has to be set.
 */
export const secretKey = (config: Pick<Config, 'secretKey' | 'databaseUrl' | 'dataDir'>): Buffer => {
  if (config.secretKey !== null) return config.secretKey
  if (config.databaseUrl !== null) {
    throw new ConfigError(
      'SONDE_SECRET_KEY is not set. With DATABASE_URL every process needs the same key: make one with ' +
        '"openssl rand -base64 32", or copy the secret.key of the data folder you come from.',
    )
  }
  const path = join(config.dataDir, SECRET_KEY_FILE)
  const known = readPrivate(path)
  if (known !== null) return decode(known, path)
  const made = randomBytes(LENGTH)
  if (createPrivate(path, `${made.toString('base64')}\n`)) return made
  return decode(readPrivate(path) ?? '', path)
}

/** RFC 5869: one key for each purpose, so that none can be used for another. */
export const deriveKey = (secret: Buffer, purpose: 'files' | 'traffic' | 'check'): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), `sonde ${purpose} v1`, LENGTH))

/** Says of two keys whether they are the same, and nothing else of them; it may lie in the open. */
export const keyCheck = (secret: Buffer): string => deriveKey(secret, 'check').subarray(0, 12).toString('base64url')

const decode = (text: string, path: string): Buffer => {
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== LENGTH) throw new ConfigError(`${path} does not hold a key of ${LENGTH} bytes in base64`)
  return key
}
