/** Lists of names and of keys: what their lines say, what is refused, and what is found in them. */
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { importFeed } from './import.ts'
import { openFeed } from './items.ts'
import { openKnownKeys } from './known-keys.ts'
import { preloadEntry } from './parse/hsts-preload.ts'
import { recogniseFeed } from './recognise.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-lists-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const opened = (feed: 'hsts-preload', path: string) => {
  expect(recogniseFeed(path)).toBe(feed)
  importFeed(folder, feed, path, new Date('2026-11-23T10:00:00Z'))
  const found = openFeed(folder, feed)
  if (found === null) throw new Error('not imported')
  return found
}

describe('the preload list of browsers', () => {
  const LIST = `// Copyright of somebody
{
  "pinsets": [],
  // Names
  "entries": [
    // A comment with "quotes" // and more
    { "name": "app", "policy": "public-suffix", "mode": "force-https", "include_subdomains": true },
    { "name": "alone.test", "policy": "custom", "mode": "force-https" },
    { "name": "Below.test", "policy": "bulk-1-year", "mode": "force-https", "include_subdomains": true },
    { "name": "pinned.test", "policy": "custom", "pins": "somebody", "include_subdomains": true }
  ]
}
`
  it.each([
    ['alone.test', 'alone.test'],
    ['www.alone.test', null],
    ['below.test', 'below.test'],
    ['A.b.below.test', 'below.test'],
    ['notbelow.test', null],
    ['shop.app', 'app'],
    ['pinned.test', null],
  ])('%s', (host, entry) => {
    const feed = opened('hsts-preload', file('transport_security_state_static.json', LIST))
    expect(preloadEntry(feed, host)).toBe(entry)
    feed.close()
  })

  it('is refused whole with an entry that is none', () => {
    const path = file('list.json', LIST.replace('"name": "app"', '"nom": "app"'))
    expect(() => importFeed(folder, 'hsts-preload', path, new Date())).toThrow('entry 1')
  })
})

describe('keys whose private half is known', () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
  const edwards = generateKeyPairSync('ed25519').publicKey
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const numberIn = (key: KeyObject): Buffer => {
    const { n, x } = key.export({ format: 'jwk' })
    const bytes = Buffer.from(n ?? x ?? '', 'base64url')
    return bytes.subarray(bytes.findIndex((octet) => octet !== 0))
  }
  const hash = (kind: string, data: string | Buffer): string => createHash(kind).update(data).digest('hex')
  // As `openssl rsa -modulus -noout` prints it.
  const line = `Modulus=${numberIn(publicKey).toString('hex').toUpperCase()}\n`
  const opened = (path: string) => {
    importFeed(folder, 'known-keys', path, new Date('2026-11-23T10:00:00Z'))
    const keys = openKnownKeys(folder)
    if (keys === null) throw new Error('not imported')
    return keys
  }

  it.each([
    ['by the hash of the key', `# name: of examples\n${hash('sha256', spki)}\n`, 'of examples'],
    ['by the list of a distribution', `# openssl\n${hash('sha1', line).slice(-20)}\n`, 'keys.txt'],
    ['of another key', `${'a'.repeat(64)}\n`, null],
  ])('%s', (_name, text, expected) => {
    const path = file('keys.txt', text)
    expect(recogniseFeed(path)).toBe('known-keys')
    const keys = opened(path)
    expect(keys.nameOf(publicKey)).toBe(expected)
    keys.close()
  })

  /** As docs/BLOCKLISTFORMAT.md of badkeys has it: among many others, in order. */
  const blocklist = (...known: readonly (readonly [key: KeyObject, list: number])[]) => {
    const entries = [
      ...known.map(([key, list]) =>
        Buffer.concat([createHash('sha256').update(numberIn(key)).digest().subarray(0, 15), Buffer.from([list])]),
      ),
      ...Array.from({ length: 4_000 }, (_none, at) =>
        Buffer.concat([createHash('sha256').update(`other ${at}`).digest().subarray(0, 15), Buffer.from([1])]),
      ),
    ].toSorted(Buffer.compare)
    const list = Buffer.concat(entries)
    const home = join(folder, 'badkeys')
    mkdirSync(home, { recursive: true })
    writeFileSync(join(home, 'blocklist.dat'), list)
    const description = {
      ...{ bkformat: 0, date: '2026-11-01T00:00:00+00:00', blocklist_sha256: hash('sha256', list) },
      blocklists: [
        { id: 1, name: 'debianssl', type: 'github', repo: 'a/b', path: 'main' },
        { id: 5, name: 'firmware', type: 'github', repo: 'a/b', path: 'main' },
      ],
    }
    writeFileSync(join(home, 'badkeysdata.json'), JSON.stringify(description))
    return home
  }

  it('by the blocklist of badkeys: every kind of key, with the name of its list', () => {
    const home = blocklist([publicKey, 1], [curve, 5], [edwards, 77])
    expect(recogniseFeed(home)).toBe('known-keys')
    const keys = opened(home)
    expect([publicKey, curve, edwards].map(keys.nameOf)).toEqual(['debianssl', 'firmware', 'list 77'])
    const sound = [
      generateKeyPairSync('rsa', { modulusLength: 1024 }),
      generateKeyPairSync('ec', { namedCurve: 'P-384' }),
    ]
    expect(sound.map((pair) => keys.nameOf(pair.publicKey))).toEqual([null, null])
    keys.close()
  })
  it('a list that is not what its description says is refused, and one out of order', () => {
    const home = blocklist([publicKey, 1])
    const path = join(home, 'blocklist.dat')
    const list = readFileSync(path)
    writeFileSync(path, list.subarray(16))
    expect(() => opened(home)).toThrow('is not what badkeysdata.json says it is')
    writeFileSync(path, Buffer.concat([list.subarray(1_600), list.subarray(0, 1_600)]))
    expect(() => opened(home)).toThrow('it stands after a greater one')
    writeFileSync(path, list.subarray(3))
    expect(() => opened(home)).toThrow('no multiple of 16')
  })
  it('a line that is no fingerprint refuses the list', () => {
    expect(() => importFeed(folder, 'known-keys', file('keys.txt', 'abc\n'), new Date())).toThrow('keys.txt, line 1')
  })
  it('none was imported', () => expect(openKnownKeys(folder)).toBeNull())
})
