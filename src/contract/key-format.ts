/**
 * An API key: `sonde_` and 40 characters of base62, the last six being a checksum of the rest, so that a typo is told
 * from a revoked key without asking the database. Only its SHA-256 is ever stored. The token of an agent is made the same way
 * behind `sonde_agent_`, so that neither passes for the other.
 */
import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 34 characters hold 202 bits. */
const RANDOM_LENGTH = 34
/** 62^6 is more than 2^32. */
const CHECKSUM_LENGTH = 6

interface SecretFormat {
  readonly make: () => string
  /** False for anything that no secret of this kind can look like, typos included. */
  readonly isWellFormed: (secret: string) => boolean
}

const secretFormat = (prefix: string): SecretFormat => {
  const shape = new RegExp(`^${prefix}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`)
  return {
    make: () => {
      const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
      return `${prefix}${random}${checksum(prefix + random)}`
    },
    isWellFormed: (secret) =>
      shape.test(secret) && secret.slice(-CHECKSUM_LENGTH) === checksum(secret.slice(0, -CHECKSUM_LENGTH)),
  }
}

/** SHA-256. The secret has 202 random bits, so a slow hash would add nothing. */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer')

const checksum = (text: string): string => {
  let rest = crc32(text)
  let out = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    out = `${ALPHABET[rest % ALPHABET.length]}${out}`
    rest = Math.floor(rest / ALPHABET.length)
  }
  return out
}

const apiKeys = secretFormat('sonde_')
export const newSecret = apiKeys.make
/** False for anything that no key of ours can look like, typos included. */
export const isWellFormed = apiKeys.isWellFormed
export const agentTokens = secretFormat('sonde_agent_')
