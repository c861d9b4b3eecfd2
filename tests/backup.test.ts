/** The program backs up a service that goes on answering, and brings it back; both are killed in between. */

import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { fsStorage } from '../src/artifacts/fs.ts'
import { oneKey } from '../src/contract/secret-keys.ts'
import { stopRuns } from '../src/store/holds.ts'
import { openDatabase } from '../src/store/open-database.ts'
import { copyTemplate } from './support/databases.ts'
import { everything, fillEverything, storeEvidence } from './support/full-database.ts'
import { createPostgresDatabase } from './support/postgres.ts'
import { command, type Serving, serve, sonde, start } from './support/sonde.ts'
import { until } from './support/until.ts'

const FILES = 24
/** Milliseconds until a command has begun its work, on a machine that does much else. */
const START = 90_000
/** Then a restore is killed while it writes files, else before it has made a cluster, which takes seconds of a processor. */
const LONG = Boolean(process.env.SONDE_LONG)
const KILLS = LONG ? 10 : 1
const PASSPHRASE = 'four words and a number 7'

let home = ''
let service: Serving | null = null
/** A backup of the service in `home/data`, locked with a key of age. */
let file = ''
let key: readonly string[] = []
let recipient = ''
let rows: unknown
let apiKey = ''

const at = (...parts: string[]): string => join(home, ...parts)
const env = (folder: string) => ({ SONDE_DATA: at(folder), SONDE_LOG_LEVEL: 'error' })
const Scans = z.object({ items: z.array(z.object({ id: z.uuid(), domain: z.string() })) })
const scansOf = async ({ ready }: Serving) => {
  const answer = await fetch(`${ready.base_url}/v1/scans`, { headers: { authorization: `Bearer ${apiKey}` } })
  return Scans.parse(await answer.json()).items
}
const rowsOf = async (folder: string): Promise<unknown> => {
  const db = await openDatabase({ dataDir: at(folder) })
  try {
    return await everything(db)
  } finally {
    await db.close()
  }
}

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'sonde-backups-'))
  file = at('backup.age')
  const identity = await generateX25519Identity()
  recipient = await identityToRecipient(identity)
  writeFileSync(at('key.txt'), `# made for a test\n${identity}\n`)
  writeFileSync(at('passphrase'), `${PASSPHRASE}\n`)
  key = ['--identity', at('key.txt')]
  await copyTemplate(at('data'))
  const db = await openDatabase({ dataDir: at('data') })
  apiKey = await fillEverything(db)
  await db.query('delete from artifacts')
  const storage = fsStorage({ folder: at('data', 'files'), keys: oneKey(Buffer.alloc(32)), baseUrl: () => '' })
  for (let n = 0; n < FILES; n += 1) await storeEvidence(db, storage, Buffer.from(`${n} `.repeat(200_000)))
  await stopRuns(db, { organisationId: null, heldBy: 'k', reason: null })
  await db.close()
})
afterAll(async () => {
  await service?.end('SIGKILL')
  rmSync(home, { recursive: true, force: true })
})

/** What the service answered when it was backed up. */
let before: Awaited<ReturnType<typeof scansOf>> = []

test('a running service is backed up while it answers', { timeout: 240_000 }, async () => {
  service = await serve(['--no-worker'], env('data'))
  before = await scansOf(service)
  let longest = 0
  let ended = false
  const asking = (async () => {
    while (!ended && service !== null) {
      const began = performance.now()
      await scansOf(service)
      longest = Math.max(longest, performance.now() - began)
      await delay(50)
    }
  })()
  const made = await sonde(['backup', '--to', file, '--recipient', recipient], env('data'))
  ended = true
  await asking
  expect(made).toMatchObject({ code: 0, err: '', out: expect.stringContaining(`${FILES} files`) })
  // The database stands still for a copy of its files alone: no lease of 30 s is lost by that.
  expect(longest).toBeLessThan(20_000)
  const left = readdirSync(at('data', 'tmp')).flatMap((name) => readdirSync(at('data', 'tmp', name)))
  expect(left.filter((name) => name.includes('snapshot'))).toEqual([])
  expect((await service.end('SIGTERM')).code).toBe(0)
  service = null
  rows = await rowsOf('data')
})

test('a restore that is killed leaves nothing that a service opens, and the next one is whole and goes on', async () => {
  for (let n = 0; n < KILLS; n += 1) {
    const child = start(['restore', file, ...key], env('killed'))
    await until(() => existsSync(at('killed', 'restoring', ...(LONG ? ['files'] : []))), START)
    await delay(n * 20)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(existsSync(at('killed', 'db'))).toBe(false)
    for (const words of [
      ['serve'],
      ['org', 'list'],
      ['migrate'],
      ['backup', '--to', at('x'), '--recipient', recipient],
    ]) {
      expect(await command(words, env('killed'))).toMatchObject({
        code: 3,
        err: expect.stringMatching(/^A restore into .* is under way or was cut off\./),
      })
    }
  }
  const back = await command(['restore', file, ...key, '--json'], env('killed'))
  expect(back).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(back.out)).toMatchObject({ files: FILES, expired: [], missing: [], altered: [] })
  expect(readdirSync(at('killed')).toSorted()).toEqual([
    ...['db', 'files', 'first-key.json', 'lock.db', 'lock.pid', 'secret.key'],
  ])
  for (const name of ['secret.key', 'first-key.json']) {
    expect(readFileSync(at('killed', name), 'utf8')).toBe(readFileSync(at('data', name), 'utf8'))
  }
  expect(await rowsOf('killed')).toEqual(rows)
  expect(await command(['restore', file, ...key], env('killed'))).toMatchObject({
    code: 3,
    err: expect.stringMatching(/is not empty: it has db\n$/),
  })
  service = await serve(['--no-worker'], env('killed'))
  expect(await scansOf(service)).toEqual(before)
  await service.end('SIGTERM')
  service = null
})

test('a restore into PostgreSQL that is killed leaves no row, and the next one is whole', async () => {
  const { url, drop } = await createPostgresDatabase()
  const second = await createPostgresDatabase()
  const SONDE_SECRET_KEY = readFileSync(at('data', 'secret.key'), 'utf8').trim()
  const postgres = { ...env('postgres'), DATABASE_URL: url, SONDE_SECRET_KEY }
  const db = await openDatabase({ url })
  try {
    const other = { ...postgres, SONDE_SECRET_KEY: Buffer.alloc(32).toString('base64') }
    expect(await command(['restore', file, ...key], other)).toMatchObject({
      code: 3,
      err: 'SONDE_SECRET_KEY is not the key of the service that the backup was made of\n',
    })
    const child = start(['restore', file, ...key], postgres)
    await until(() => existsSync(at('postgres', 'files')), START)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await db.query('select * from organisations')).toEqual([])
    expect(await command(['restore', file, ...key], postgres)).toMatchObject({ code: 0, err: '' })
    expect(await everything(db)).toEqual(rows)
    await db.query('delete from holds')
    const again = at('of-postgres.age')
    expect(await command(['backup', '--to', again, '--recipient', recipient], postgres)).toMatchObject({ code: 0 })
    // Under a stop of its own, where the backup has none.
    const held = { ...postgres, DATABASE_URL: second.url }
    const there = await openDatabase({ url: second.url })
    try {
      expect(await command(['restore', again, ...key, '--held'], held)).toMatchObject({ code: 0, err: '' })
      expect(await there.query('select organisation_id, reason from holds')).toEqual([
        { organisation_id: null, reason: 'restored from a backup' },
      ])
    } finally {
      await there.close()
    }
    if (!LONG) return
    // Its key was in the environment, so it is not in the backup. A whole cluster is made before that shows.
    expect(await command(['restore', again, ...key], env('no-key'))).toMatchObject({
      code: 3,
      err: expect.stringContaining('its service had it in SONDE_SECRET_KEY'),
    })
    expect(existsSync(at('no-key', 'db'))).toBe(false)
  } finally {
    await db.close()
    await drop()
    await second.drop()
  }
})

test('a backup that is killed leaves no file of its name', async () => {
  const to = at('folder-of-its-own.age')
  const child = start(['backup', '--to', to, '--recipient', recipient], env('data'))
  await until(() => readdirSync(home).some((name) => name.startsWith('.folder-of-its-own')), START)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(existsSync(to)).toBe(false)
  expect(await rowsOf('data')).toEqual(rows)
})

test('what cannot be done is said in a sentence', async () => {
  const words = (...more: string[]) => command(more, env('data'))
  const named = ['--passphrase-file', at('passphrase')]
  expect(await words('backup', '--to', file, ...named)).toMatchObject({
    code: 3,
    err: expect.stringMatching(/exists already/),
  })
  expect(await words('backup', '--to', at('no', 'b.age'), ...named)).toMatchObject({
    code: 3,
    err: `There is no folder ${at('no')}\n`,
  })
  expect(await words('backup', '--to', at('b.age'))).toMatchObject({
    code: 3,
    err: expect.stringMatching(/--passphrase-file/),
  })
  writeFileSync(at('short'), 'short\n')
  expect(await words('backup', '--to', at('b.age'), '--passphrase-file', at('short'))).toMatchObject({
    code: 3,
    err: 'The passphrase has fewer than 12 characters\n',
  })
  expect(await command(['backup', '--to', at('b.age'), ...named], env('nothing'))).toMatchObject({
    code: 3,
    err: `There is no service in ${at('nothing')}: nothing to back up\n`,
  })
  expect(await command(['restore', file, ...named], env('wrong'))).toMatchObject({
    code: 3,
    err: expect.stringMatching(/^The passphrase does not open/),
  })
  writeFileSync(at('torn.age'), readFileSync(file).subarray(0, -100))
  expect(await command(['restore', at('torn.age'), ...key], env('torn'))).toMatchObject({
    code: 2,
    err: `${at('torn.age')} is damaged or was cut off\n`,
  })
  for (const folder of ['wrong', 'torn']) expect(readdirSync(at(folder)).toSorted()).toEqual(['lock.db', 'lock.pid'])
})
