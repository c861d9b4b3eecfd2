import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  ENGINES,
  openEmbeddedDatabase,
  openPostgresDatabase,
  type TestDatabase,
} from '../../tests/support/databases.ts'
import { everything, fillEverything, storeEvidence } from '../../tests/support/full-database.ts'
import { createPostgresDatabase } from '../../tests/support/postgres.ts'
import { seedDomain } from '../../tests/support/seed.ts'
import type { ObjectStorage } from '../artifacts/artifacts.ts'
import { fsStorage } from '../artifacts/fs.ts'
import { oneKey } from '../contract/secret-keys.ts'
import type { Database } from '../store/database.ts'
import { migrateTo, migrationFiles } from '../store/migrate.ts'
import { openDatabase } from '../store/open-database.ts'
import { type End, type Lock, readArchive, type Unlock } from './archive.ts'
import { makeBackup } from './backup.ts'
import { restoreBackup } from './restore.ts'

let identity = ''
let lock: Lock
let unlock: Unlock
beforeAll(async () => {
  identity = await generateX25519Identity()
  lock = { recipients: [await identityToRecipient(identity)] }
  unlock = { identities: [identity] }
})

let home = ''
let file = ''
let from: TestDatabase
const storages: Record<'there' | 'here', ObjectStorage> = {} as never
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'sonde-backup-'))
  file = join(home, 'backup.age')
  for (const name of ['there', 'here'] as const) {
    storages[name] = fsStorage({ folder: join(home, name), keys: oneKey(Buffer.alloc(32)), baseUrl: () => '' })
  }
  from = await openPostgresDatabase()
})
afterEach(async () => {
  await from.drop()
  rmSync(home, { recursive: true, force: true })
})

const keyCheck = 'the key'
const backup = (db: Database, how: { lock?: Lock; privateFiles?: ReadonlyMap<string, Buffer> } = {}): Promise<End> =>
  makeBackup(
    {
      ...{ db, storage: storages.there, keyCheck, version: '1.2.3', rowsRead: async () => undefined },
      privateFiles: () => how.privateFiles ?? new Map(),
    },
    file,
    how.lock ?? lock,
  )

const kept = new Map<string, string>()
const restore = (db: Database, from = file, how: Unlock = unlock): Promise<End> =>
  restoreBackup(
    {
      ...{ db, storage: storages.here, accept: (manifest) => expect(manifest.key_check).toBe(keyCheck) },
      keepPrivate: (name, body) => void kept.set(name, body.toString()),
    },
    readArchive(from, how),
  )

const storeFile = (db: Database, body: Buffer, expires: Date | null = null): Promise<string> =>
  storeEvidence(db, storages.there, body, expires)
/** The one that the rows of `fillEverything` name has no object. */
const fill = async (db: Database): Promise<void> => {
  await fillEverything(db)
  await db.query(`delete from artifacts`)
  await storeFile(db, Buffer.from('small'))
  await storeFile(db, Buffer.alloc(0))
  await storeFile(db, Buffer.from('abc'.repeat(500_000)))
}
const digest = (folder: string, key: string): string =>
  createHash('sha256')
    .update(readFileSync(join(home, folder, key)))
    .digest('hex')
const keysOf = async (db: Database): Promise<string[]> =>
  (await db.query<{ key: string }>('select object_key as key from artifacts order by 1')).map(({ key }) => key)

describe.each(ENGINES)('to $kind', ({ open }) => {
  test('every row and every file come back as they were', async () => {
    await fill(from.db)
    const to = await open()
    try {
      const made = await backup(from.db, { privateFiles: new Map([['secret.key', Buffer.from('a key')]]) })
      expect(made).toMatchObject({ files: 3, bytes: 1_500_005, unlike: [] })
      expect(await restore(to.db)).toEqual(made)
      expect(await everything(to.db)).toEqual(await everything(from.db))
      for (const key of await keysOf(from.db)) expect(digest('here', key)).toBe(digest('there', key))
      expect(kept.get('secret.key')).toBe('a key')
    } finally {
      await to.drop()
    }
  })
})

test('from the embedded engine to PostgreSQL, under a passphrase', async () => {
  const embedded = await openEmbeddedDatabase()
  try {
    await fill(embedded.db)
    const passphrase = 'eight words would be better'
    await backup(embedded.db, { lock: { passphrase, workFactor: 10 } })
    await expect(restore(from.db, file, { passphrase: 'eight words would be worse' })).rejects.toThrow(
      /^The passphrase does not open .*backup\.age: it is another one/,
    )
    await restore(from.db, file, { passphrase })
    expect(await everything(from.db)).toEqual(await everything(embedded.db))
  } finally {
    await embedded.drop()
  }
})

test('what is written while the rows are read belongs to the next backup', async () => {
  await fill(from.db)
  const before = await everything(from.db)
  let wrote: Promise<unknown> | null = null
  const slow: Database = {
    ...from.db,
    transaction: (work) =>
      from.db.transaction((tx) =>
        work({
          query: (async (sql: string, params?: readonly unknown[]) => {
            const rows = await tx.query(sql, params)
            // Behind the first batch: rows of every table after it are there before they are read.
            if (/from organisations/.test(sql)) wrote ??= seedDomain(from.db, { domain: 'late.test' })
            await wrote
            return rows
          }) as Database['query'],
        }),
      ),
  }
  await backup(slow)
  expect(wrote).not.toBeNull()
  const to = await openPostgresDatabase()
  await restore(to.db)
  expect(await everything(to.db)).toEqual(before)
  await to.drop()
})

test('files that retention deletes meanwhile are named and marked; lost and altered ones are named', async () => {
  await fill(from.db)
  const expired = await storeFile(from.db, Buffer.from('old'), new Date(Date.now() - 1000))
  const missing = await storeFile(from.db, Buffer.from('lost'))
  const altered = await storeFile(from.db, Buffer.from('whole'))
  for (const key of [expired, missing]) await storages.there.delete(key)
  writeFileSync(join(home, 'there', altered), 'torn')
  const made = await backup(from.db)
  const names = (end: End) => end.unlike.map(({ key, why }) => `${why} ${key}`).toSorted()
  expect(names(made)).toEqual([`altered ${altered}`, `expired ${expired}`, `missing ${missing}`])
  expect(made.files).toBe(4)
  const to = await openPostgresDatabase()
  await restore(to.db)
  const gone = await to.db.query('select object_key as key from artifacts where deleted_at is not null')
  expect(gone).toEqual([{ key: expired }])
  expect(readFileSync(join(home, 'here', altered), 'utf8')).toBe('torn')
  await to.drop()
})

describe('a file that is not whole', () => {
  const refused = async (change: (bytes: Buffer) => Buffer): Promise<string> => {
    const other = join(home, 'other.age')
    writeFileSync(other, change(readFileSync(file)))
    const error = await restore(from.db, other).catch((error: unknown) => error)
    if (!(error instanceof Error)) throw new Error('it was restored')
    return error.message.replace(other, 'FILE')
  }
  const flipped = (part: number) => (bytes: Buffer) => {
    const copy = Buffer.from(bytes)
    const at = Math.min(bytes.length - 1, Math.floor(bytes.length * part))
    copy[at] = (copy[at] ?? 0) ^ 1
    return copy
  }

  test('nothing of it is restored, wherever it is cut off or a bit is flipped', async () => {
    await fill(from.db)
    // Of several of age's chunks, 64 KiB each.
    await storeFile(from.db, Buffer.from(Array.from({ length: 60_000 }, () => randomUUID()).join('')))
    await backup(from.db)
    expect(readFileSync(file).length).toBeGreaterThan(5 * 65_536)
    await from.empty()
    for (const part of [0.2, 0.5, 0.9, 1]) expect(await refused(flipped(part))).toBe('FILE is damaged or was cut off')
    for (const length of [0.3, 0.8]) {
      const cut = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length * length))
      expect(await refused(cut)).toBe('FILE is damaged or was cut off')
    }
    expect(await refused((bytes) => bytes.subarray(0, -1))).toBe('FILE is damaged or was cut off')
    // Between two chunks: every chunk that is there is sound.
    expect(await refused((bytes) => bytes.subarray(0, bytes.indexOf('\n---') + 48 + 16 + 2 * 65_552))).toBe(
      'FILE is damaged or was cut off',
    )
    expect(await refused((bytes) => bytes.subarray(0, 60))).toBe('FILE is damaged or was cut off')
    expect(await refused(() => Buffer.from('hello'))).toBe('FILE is no backup of Sonde')
    expect(await refused(() => Buffer.alloc(0))).toBe('FILE is no backup of Sonde')
    for (const [table, rows] of await everything(from.db)) expect([table, rows]).toEqual([table, []])
    await restore(from.db)
  })
})

describe('a target that is not fit', () => {
  test('one with rows', async () => {
    await seedDomain(from.db)
    await backup(from.db)
    const before = await everything(from.db)
    await expect(restore(from.db)).rejects.toThrow('The database is not empty: it has rows in organisations')
    expect(await everything(from.db)).toEqual(before)
  })

  test('a program that is older than the backup', async () => {
    await from.db.query(`insert into schema_migrations (name) values ('9999-later.sql')`)
    await backup(from.db)
    const to = await openPostgresDatabase()
    await expect(restore(to.db)).rejects.toThrow('The backup was made by a newer version, 1.2.3')
    await to.drop()
  })
})

test('a backup of an older schema is restored into it and then brought to the present', async () => {
  const own = await createPostgresDatabase()
  const to = await createPostgresDatabase()
  const [older, newer] = await Promise.all([own, to].map(({ url }) => openDatabase({ url })))
  if (!older || !newer) throw new Error('unreachable')
  try {
    await migrateTo(older, migrationFiles().slice(0, 5))
    await older.query(`insert into organisations (name, plan) values ('Old', 'team')`)
    expect(Object.keys((await backup(older)).rows)).toHaveLength(9)
    await restore(newer)
    expect(await newer.query('select name, plan from organisations')).toEqual([{ name: 'Old', plan: 'team' }])
    expect(await newer.query('select count(*) as n from schema_migrations')).toEqual([{ n: migrationFiles().length }])
  } finally {
    await older.close()
    await newer.close()
    await own.drop()
    await to.drop()
  }
})

test('a file that exists is not replaced, and a failure leaves none', async () => {
  writeFileSync(file, 'mine')
  await expect(backup(from.db)).rejects.toThrow('exists already')
  expect(readFileSync(file, 'utf8')).toBe('mine')
  rmSync(file)
  await fill(from.db)
  const broken = { ...storages.there, get: () => Promise.reject(new Error('the disk is gone')) }
  const there = storages.there
  storages.there = broken
  await expect(backup(from.db)).rejects.toThrow('the disk is gone')
  storages.there = there
  expect(existsSync(file)).toBe(false)
  expect(readdirSync(home).filter((name) => name.includes('age'))).toEqual([])
  await expect(backup(from.db, { lock: { recipients: ['age1nonsense'] } })).rejects.toThrow('is no key of age')
})
