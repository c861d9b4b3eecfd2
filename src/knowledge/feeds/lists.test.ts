/** Lists of names and of keys: what their lines say, what is refused, and what is found in them. */
import { createHash, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { importFeed } from './import.ts'
import { openFeed } from './items.ts'
import { preloadEntry } from './parse/hsts-preload.ts'
import { knownKeyName } from './parse/known-keys.ts'
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

const opened = (feed: 'hsts-preload' | 'known-keys', path: string) => {
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
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const modulus = Buffer.from(String(publicKey.export({ format: 'jwk' }).n), 'base64url').toString('hex')
  const hash = (kind: string, data: string | Buffer): string => createHash(kind).update(data).digest('hex')
  // As `openssl rsa -modulus -noout` prints it.
  const line = `Modulus=${modulus.toUpperCase()}\n`

  it.each([
    ['by the hash of the key', `# name: of examples\n${hash('sha256', spki)}\n`, 'of examples'],
    ['by the list of a distribution', `# openssl\n${hash('sha1', line).slice(-20)}\n`, 'keys.txt'],
    ['of another key', `${'a'.repeat(64)}\n`, null],
  ])('%s', (_name, text, expected) => {
    const feed = opened('known-keys', file('keys.txt', text))
    expect(knownKeyName(feed, { spki, modulus })).toBe(expected)
    feed.close()
  })

  it('a line that is no fingerprint refuses the list', () => {
    expect(() => importFeed(folder, 'known-keys', file('keys.txt', 'abc\n'), new Date())).toThrow('keys.txt, line 1')
  })
})
