/**
 * Lists of keys whose private half is known, in two forms.
 *
 * Text: one fingerprint a line, hexadecimal: SHA-256 of the SubjectPublicKeyInfo (64 characters), or the last 80 bits of the SHA-1 of
 * "Modulus=…\n" (20 characters), as in the lists of openssl-blacklist. `#` begins a comment; a line "# name: …" names what follows.
 *
 * The blocklist of badkeys (docs/BLOCKLISTFORMAT.md of github.com/badkeys/badkeys, CC0): `blocklist.dat` of sorted entries of 16 octets,
 * 120 bits of a hash and the number of a list, and `badkeysdata.json` with their names and the checksum of the first.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { FeedError } from '../feed.ts'
import { parseJson } from '../files.ts'

export const ENTRY = 16
export const HASH = 15
const LONGEST_NAME = 200

export interface KnownKeyLine {
  readonly key: string
  readonly name: string
}

/** @throws FeedError */
export function* knownKeyLines(text: string, file: string): Generator<KnownKeyLine> {
  let name = file
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim().toLowerCase()
    const named = /^#\s*name:\s*(.+)$/i.exec(raw.trim())?.[1]
    if (named) name = named.slice(0, LONGEST_NAME)
    if (line === '' || line.startsWith('#')) continue
    if (!/^(?:[\da-f]{64}|[\da-f]{20})$/.test(line))
      throw new FeedError(file, `line ${index + 1}`, 'it is no fingerprint of 64 or 20 hexadecimal characters')
    yield { key: line, name }
  }
}

const Description = z.object({
  bkformat: z.literal(0),
  blocklist_sha256: z.string().regex(/^[\da-f]{64}$/),
  blocklists: z.array(z.object({ id: z.int().min(0).max(255), name: z.string().min(1).max(LONGEST_NAME) })),
})

/** Names by number. @throws FeedError */
export const listNames = (text: string, file: string): ReadonlyMap<number, string> =>
  new Map(described(text, file).blocklists.map(({ id, name }) => [id, name]))

const described = (text: string, file: string) => {
  const read = Description.safeParse(parseJson(text, file))
  if (!read.success) throw new FeedError(file, null, 'it is no description of a blocklist of format 0')
  return read.data
}

/** How many keys a file holds. @throws FeedError */
export const checkKnownKeys = (text: () => string, file: string, raw: Buffer): number => {
  if (file.endsWith('.json')) {
    described(text(), file)
    return 0
  }
  if (file.endsWith('.dat')) return checkEntries(raw, file)
  let lines = 0
  for (const _line of knownKeyLines(text(), file)) lines += 1
  return lines
}

/** They are searched by halves, so one out of its order would hide others. */
const checkEntries = (raw: Buffer, file: string): number => {
  if (raw.length % ENTRY !== 0) throw new FeedError(file, null, `it has ${raw.length} octets, no multiple of ${ENTRY}`)
  for (let at = ENTRY; at < raw.length; at += ENTRY)
    if (raw.compare(raw, at, at + ENTRY, at - ENTRY, at) > 0)
      throw new FeedError(file, `entry ${at / ENTRY + 1}`, 'it stands after a greater one')
  return raw.length / ENTRY
}

/** The description says what the list's checksum is. @throws FeedError */
export const checkTogether = (files: readonly { readonly name: string; readonly raw: Buffer }[]): void => {
  const list = files.find(({ name }) => name.endsWith('.dat'))
  const description = files.find(({ name }) => name.endsWith('.json'))
  if (!list || !description) return
  const told = described(description.raw.toString('utf8'), description.name).blocklist_sha256
  if (createHash('sha256').update(list.raw).digest('hex') !== told)
    throw new FeedError(list.name, null, `it is not what ${description.name} says it is`)
}
