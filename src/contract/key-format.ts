/**
 * An API key: `sonde_` and 40 characters of base62, the last six being a checksum of the rest, so that a typo is told
 * from a revoked key without asking the database. Only its SHA-256 is ever stored.
 */
import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const PREFIX = 'sonde_'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 34 characters hold 202 bits. */
const RANDOM_LENGTH = 34
/** 62^6 is more than 2^32. */
const CHECKSUM_LENGTH = 6
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`)

export const newSecret = (): string => {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return `${PREFIX}${random}${checksum(PREFIX + random)}`
}

/** False for anything that no key of ours can look like, typos included. */
export const isWellFormed = (secret: string): boolean => {
  if (!SHAPE.test(secret)) return false
  return secret.slice(-CHECKSUM_LENGTH) === checksum(secret.slice(0, -CHECKSUM_LENGTH))
}

/** SHA-256. The secret has 202 random bits, so a slow hash would add nothing. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

const checksum = (text: string): string => {
  let rest = crc32(text)
  let out = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    out = `${ALPHABET[rest % ALPHABET.length]}${out}`
    rest = Math.floor(rest / ALPHABET.length)
  }
  return out
}
