/** What an older version left is opened, migrated and served by this one; see the README beside each fixture. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { constants, zstdDecompressSync } from 'node:zlib'
import pg from 'pg'
import { extract } from 'tar-stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { migrationFiles } from '../src/store/migrate.ts'
import { openDatabase } from '../src/store/open-database.ts'
import { createPostgresDatabase } from './support/postgres.ts'
import { command, type Ended, type Env, type Serving, serve } from './support/sonde.ts'

const FIXTURE = fileURLToPath(new URL('fixtures/0.1.0', import.meta.url))
/** Of the packed data folder: most of it are copies of one template database. */
const WINDOW = { params: { [constants.ZSTD_d_windowLogMax]: 27 } }
const unpacked = (name: string): Buffer => zstdDecompressSync(readFileSync(join(FIXTURE, name)), WINDOW)

let home = ''
let service: Serving | null = null
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'sonde-upgrade-'))
  const tar = extract()
  Readable.from([unpacked('data.tar.zst')]).pipe(tar)
  for await (const entry of tar) {
    const path = join(home, entry.header.name)
    if (entry.header.type === 'directory') await mkdir(path, { recursive: true, mode: 0o700 })
    else {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, await buffer(entry), { mode: 0o600 })
    }
  }
})
afterEach(async () => {
  await service?.end('SIGKILL')
  service = null
  rmSync(home, { recursive: true, force: true })
})

const folder = (): string => join(home, 'data')
const started = async (env: Env): Promise<Serving> => {
  service = await serve(['--no-worker'], { SONDE_LOG_LEVEL: 'error', SONDE_ALLOW_TARGET_PORTS: 'any', ...env })
  return service
}
const apiKey = (): string => JSON.parse(readFileSync(join(folder(), 'first-key.json'), 'utf8')).api_key
const ok = ({ code, err }: Ended) => expect({ code, err }).toEqual({ code: 0, err: '' })

const Named = z.object({ items: z.array(z.looseObject({ id: z.uuid().optional() })) })

/** Asks for everything that the fixture has. */
const assertServed = async (env: Env, keys = 2): Promise<void> => {
  const { ready } = await started(env)
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${apiKey()}`, ...(body ? { 'content-type': 'application/json' } : {}) }
    const answer = await fetch(ready.base_url + path, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const json: unknown = await answer.json()
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(json)}`)
    return json
  }
  const list = async (path: string) => Named.parse(await ask('GET', path)).items

  const runs = await list('/v1/scans')
  expect(runs.map(({ status }) => status)).toEqual(['queued', 'done', 'done'])
  for (const { id } of runs.slice(1)) {
    expect(await list(`/v1/scans/${id}/findings?limit=100`)).toHaveLength(16)
    const files = await list(`/v1/scans/${id}/artifacts`)
    expect(files).toHaveLength(10)
    const file = z
      .object({ kind: z.string(), sha256: z.string() })
      .parse(files.find(({ kind }) => kind === 'findings_json'))
    const { url } = z.object({ url: z.url() }).parse(await ask('GET', `/v1/scans/${id}/artifacts/${file.kind}/url`))
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(file.sha256)
  }
  const [domain] = await list('/v1/domains')
  expect(domain).toMatchObject({ domain: 'shop.test:8931', environment: 'production' })
  const [identity] = await list(`/v1/domains/${domain?.id}/identities`)
  expect(identity).toMatchObject({ name: 'default' })
  expect(await list(`/v1/domains/${domain?.id}/triage`)).toMatchObject([{ state: 'accepted', owner: 'Ada' }])
  for (const path of ['/v1/webhooks', '/v1/mail-subscriptions', '/v1/schedules'])
    expect(await list(path)).toHaveLength(1)
  expect(await list('/v1/keys')).toHaveLength(keys)
  // Something new, so that it is more than readable.
  await ask('PATCH', `/v1/domains/${domain?.id}/identities/${identity?.id}`, { role: 'buyer' })
  expect(await ask('POST', '/v1/scans', { domain_id: domain?.id, privacy: false })).toMatchObject({ status: 'queued' })
}

/** A login, a webhook's secret, and the credentials of the run that waits; the login was sealed anew by its change. */
const assertAllOpens = async (env: Env): Promise<void> => {
  const done = await command(['key', 'rotate-secret', '--json'], env)
  ok(done)
  expect(JSON.parse(done.out)).toMatchObject({ unopened: 0 })
  expect(JSON.parse(done.out).resealed).toBeGreaterThanOrEqual(2)
}

test('a data folder of 0.1.0 is migrated and served', async () => {
  const env = { SONDE_DATA: folder() }
  await assertServed(env)
  await assertAllOpens(env)
  await service?.end('SIGTERM')
  const db = await openDatabase({ dataDir: folder() })
  expect(await db.query('select count(*) as n from schema_migrations')).toEqual([{ n: migrationFiles().length }])
  await db.close()
})

/** A cluster of the embedded engine is made from nothing for it: with SONDE_LONG=1. */
const INTO = process.env.SONDE_LONG ? ['PostgreSQL', 'the embedded engine'] : ['PostgreSQL']

test.each(INTO)('a backup of it that was made before the first start is served just as well by %s', async (into) => {
  const file = join(home, 'before.age')
  const passphrase = join(home, 'passphrase')
  await writeFile(passphrase, 'four words and a number 7\n')
  const database = into === 'PostgreSQL' ? await createPostgresDatabase() : null
  const SONDE_SECRET_KEY = readFileSync(join(folder(), 'secret.key'), 'utf8').trim()
  const env = {
    SONDE_DATA: join(home, 'back'),
    ...(database === null ? {} : { DATABASE_URL: database.url, SONDE_SECRET_KEY }),
  }
  try {
    ok(await command(['backup', '--to', file, '--passphrase-file', passphrase], { SONDE_DATA: folder() }))
    ok(await command(['restore', file, '--passphrase-file', passphrase], env))
    // Beside PostgreSQL the first key does not come back, and the start makes another.
    await assertServed(env, database === null ? 2 : 3)
  } finally {
    await service?.end('SIGTERM')
    service = null
    await database?.drop()
  }
})

test('a PostgreSQL of 0.1.0 is migrated and served', async () => {
  const { url, drop } = await createPostgresDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(unpacked('postgres.sql.zst').toString())
  await client.end()
  const SONDE_SECRET_KEY = readFileSync(join(folder(), 'secret.key'), 'utf8').trim()
  const env = { SONDE_DATA: folder(), DATABASE_URL: url, SONDE_SECRET_KEY }
  try {
    await assertServed(env)
    const next = {
      ...env,
      SONDE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      SONDE_SECRET_KEY_OLD: SONDE_SECRET_KEY,
    }
    await assertAllOpens(next)
  } finally {
    await service?.end('SIGTERM')
    service = null
    await drop()
  }
})
