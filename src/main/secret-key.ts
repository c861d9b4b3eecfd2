/** The secret of an installation, the keys derived from it, and how another one takes its place. */
import { hkdfSync, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { derivedKeys, type SecretKeys } from '../contract/secret-keys.ts'
import { type Config, ConfigError } from './config.ts'
import { createPrivate, readPrivate, replacePrivate } from './private-file.ts'

export const SECRET_KEY_FILE = 'secret.key'
const LENGTH = 32

/** A key that was replaced. */
interface OldKey {
  readonly key: Buffer
  /** Milliseconds since the epoch: what it signed is believed until then. Null: as long as the operator says so. */
  readonly until: number | null
}

export interface Keyring extends SecretKeys {
  /** `environment`: the operator makes and replaces the key, here it is only used. */
  readonly from: 'file' | 'environment'
  /** Of the keys before, the one that goes first (milliseconds since the epoch); null: there is none, or none goes by itself. */
  readonly nextEnd: () => number | null
  /** A new key is the first from here on, those before are accepted until then. Only `from` a file. */
  readonly replace: (until: number) => void
  /** Forgets those whose time is over: nothing may be sealed with them any more. */
  readonly forgetUntil: (now: number) => void
}

type Source = Pick<Config, 'secretKey' | 'secretKeysOld' | 'databaseUrl' | 'dataDir'>

/**
 * From SONDE_SECRET_KEY; else, with the embedded database, from a file of mode 0600 that the first start makes.
 * Processes that share a PostgreSQL have to share the key, so there it has to be set.
 */
export const openKeyring = (config: Source): Keyring => {
  if (config.secretKey !== null) {
    const old = config.secretKeysOld.map((key) => ({ key, until: null }))
    return keyring(config.secretKey, old, null)
  }
  if (config.databaseUrl !== null) {
    throw new ConfigError(
      'SONDE_SECRET_KEY is not set. With DATABASE_URL every process needs the same key: make one with ' +
        '"openssl rand -base64 32", or copy the secret.key of the data folder you come from.',
    )
  }
  const path = join(config.dataDir, SECRET_KEY_FILE)
  const known = readPrivate(path)
  const text = known ?? `${randomBytes(LENGTH).toString('base64')}\n`
  // Of two starters, the first one's counts.
  const kept = known !== null || createPrivate(path, text) ? text : (readPrivate(path) ?? '')
  const { current, old } = parseKeyFile(kept, path)
  return keyring(current, old, path)
}

const keyring = (first: Buffer, others: readonly OldKey[], path: string | null): Keyring => {
  let current = first
  let old = others
  const write = (): void => {
    if (path === null) throw new Error('The key is not kept in a file')
    replacePrivate(path, keyFileText(current, old))
  }
  return {
    get current() {
      return current
    },
    get accepted() {
      return [current, ...old.map(({ key }) => key)]
    },
    from: path === null ? 'environment' : 'file',
    nextEnd: () => {
      const ends = old.flatMap(({ until }) => (until === null ? [] : [until]))
      return ends.length === 0 ? null : Math.min(...ends)
    },
    replace: (until) => {
      const before = [current, old] as const
      old = [{ key: current, until }, ...old.map((each) => ({ ...each, until: Math.min(each.until ?? until, until) }))]
      current = randomBytes(LENGTH)
      try {
        write()
      } catch (error) {
        ;[current, old] = before
        throw error
      }
    },
    forgetUntil: (now) => {
      const left = old.filter(({ until }) => until === null || until > now)
      if (left.length === old.length) return
      old = left
      write()
    },
  }
}

/** The key in base64; below it those before, each with the end of its time: `<base64> until <RFC 3339>`. */
export const parseKeyFile = (text: string, path: string): { current: Buffer; old: readonly OldKey[] } => {
  const [first = '', ...rest] = text.trim().split('\n')
  const old = rest.map((line) => {
    const [key = '', word, until = ''] = line.trim().split(' ')
    if (word !== 'until' || Number.isNaN(Date.parse(until))) throw new ConfigError(`${path} has a line without an end`)
    return { key: decode(key, path), until: Date.parse(until) }
  })
  return { current: decode(first, path), old }
}

const keyFileText = (current: Buffer, old: readonly OldKey[]): string => {
  const lines = old.map(({ key, until }) => `${key.toString('base64')} until ${new Date(until ?? 0).toISOString()}\n`)
  return `${current.toString('base64')}\n${lines.join('')}`
}

/** RFC 5869: one key for each purpose, so that none can be used for another. */
const deriveKey = (secret: Buffer, purpose: 'files' | 'traffic' | 'feeds' | 'check'): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), `sonde ${purpose} v1`, LENGTH))

export const keysFor = (keys: SecretKeys, purpose: 'files' | 'traffic' | 'feeds'): SecretKeys =>
  derivedKeys(keys, (key) => deriveKey(key, purpose))

/** Says of two keys whether they are the same, and nothing else of them; it may lie in the open. */
export const keyCheck = (secret: Buffer): string => deriveKey(secret, 'check').subarray(0, 12).toString('base64url')

const decode = (text: string, path: string): Buffer => {
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== LENGTH) throw new ConfigError(`${path} does not hold a key of ${LENGTH} bytes in base64`)
  return key
}
