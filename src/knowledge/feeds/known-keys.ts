/** Whether the private half of a public key is known to anybody. */
import { createHash, type KeyObject } from 'node:crypto'
import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { namesUnder } from './files.ts'
import { openFolderFeed } from './folders.ts'
import { ENTRY, HASH, knownKeyLines, listNames } from './parse/known-keys.ts'

export interface KnownKeys {
  readonly version: string
  /** The name of the list that has it; null where none has. */
  readonly nameOf: (key: KeyObject) => string | null
  readonly close: () => void
}

/** Null when no list was ever imported. */
export const openKnownKeys = (knowledge: string | undefined): KnownKeys | null => {
  const feed = openFolderFeed(knowledge, 'known-keys')
  // Lists that versions before kept in a database are fetched anew.
  if (feed === null || !statSync(feed.path).isDirectory()) return null
  const names = namesUnder(feed.path)
  const textOf = (name: string): string => readFileSync(join(feed.path, name), 'utf8')
  const lines = new Map(
    names
      .filter((name) => !/\.(?:dat|json)$/.test(name))
      .flatMap((name) => [...knownKeyLines(textOf(name), name)].map(({ key, name: list }) => [key, list] as const)),
  )
  const lists = new Map(
    names.filter((name) => name.endsWith('.json')).flatMap((name) => [...listNames(textOf(name), name)]),
  )
  const open = names.filter((name) => name.endsWith('.dat')).map((name) => openSync(join(feed.path, name), 'r'))
  return {
    version: feed.version,
    nameOf: (key) => {
      for (const line of linesOf(key)) {
        const found = lines.get(line)
        if (found !== undefined) return found
      }
      const wanted = numberIn(key)
      if (wanted === null) return null
      const hash = createHash('sha256').update(wanted).digest().subarray(0, HASH)
      for (const file of open) {
        const list = search(file, hash)
        if (list !== null) return lists.get(list) ?? `list ${list}`
      }
      return null
    },
    close: () => {
      for (const file of open) closeSync(file)
    },
  }
}

/** By halves, reading the file where it lies. @returns the number of the list */
const search = (file: number, hash: Buffer): number | null => {
  const entry = Buffer.alloc(ENTRY)
  let from = 0
  let to = Math.floor(fstatSync(file).size / ENTRY) - 1
  while (from <= to) {
    const middle = (from + to) >> 1
    if (readSync(file, entry, 0, ENTRY, middle * ENTRY) !== ENTRY) return null
    const order = hash.compare(entry, 0, HASH)
    if (order === 0) return entry[HASH] ?? null
    if (order > 0) from = middle + 1
    else to = middle - 1
  }
  return null
}

const numberOf = (base64url: string | undefined): Buffer | null => {
  if (base64url === undefined) return null
  const bytes = Buffer.from(base64url, 'base64url')
  const start = bytes.findIndex((octet) => octet !== 0)
  return start < 0 ? null : bytes.subarray(start)
}

/** What badkeys identifies a key by: the modulus of RSA, x of a curve's point, the octets of an Edwards curve; without leading noughts. */
const numberIn = (key: KeyObject): Buffer | null => {
  if (key.asymmetricKeyType === undefined || !JWK.has(key.asymmetricKeyType)) return null
  const { n, x } = key.export({ format: 'jwk' })
  return numberOf(n ?? x)
}
const JWK: ReadonlySet<string> = new Set(['rsa', 'ec', 'ed25519', 'ed448', 'x25519', 'x448'])

const linesOf = (key: KeyObject): readonly string[] => {
  const own = createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex')
  const modulus = key.asymmetricKeyType === 'rsa' ? numberOf(key.export({ format: 'jwk' }).n) : null
  if (modulus === null) return [own]
  const line = `Modulus=${modulus.toString('hex').toUpperCase()}\n`
  return [own, createHash('sha1').update(line).digest('hex').slice(-20)]
}
