/**
 * Keys whose private half is known, one fingerprint a line, hexadecimal: SHA-256 of the SubjectPublicKeyInfo (64 characters), or
 * the last 80 bits of the SHA-1 of "Modulus=…\n" (20 characters), as in the lists of openssl-blacklist. `#` begins a comment; a
 * line "# name: …" names what follows.
 */
import { createHash } from 'node:crypto'
import { FeedError } from '../feed.ts'
import type { Item, OpenFeed } from '../items.ts'

const LONGEST_NAME = 200

export function* parseKnownKeys(text: string, file: string): Generator<Item> {
  let name = file
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim().toLowerCase()
    const named = /^#\s*name:\s*(.+)$/i.exec(raw.trim())?.[1]
    if (named) name = named.slice(0, LONGEST_NAME)
    if (line === '' || line.startsWith('#')) continue
    if (!/^(?:[\da-f]{64}|[\da-f]{20})$/.test(line))
      throw new FeedError(file, `line ${index + 1}`, 'it is no fingerprint of 64 or 20 hexadecimal characters')
    yield { key: line, value: { name } }
  }
}

export interface PublicKey {
  /** SubjectPublicKeyInfo, DER. */
  readonly spki: Buffer
  /** Hexadecimal, of RSA. */
  readonly modulus: string | null
}

/** The name of the list that has it; null where none has. */
export const knownKeyName = (feed: OpenFeed, { spki, modulus }: PublicKey): string | null => {
  const line = modulus === null ? null : `Modulus=${modulus.toUpperCase().replace(/^(?:00)+/, '')}\n`
  const keys = [
    createHash('sha256').update(spki).digest('hex'),
    ...(line === null ? [] : [createHash('sha1').update(line).digest('hex').slice(-20)]),
  ]
  for (const key of keys) {
    const found = feed.get(key) as { readonly name: string } | null
    if (found !== null) return found.name
  }
  return null
}
