/** The secret key is replaced under a service that goes on answering; what the key before has signed holds until its end. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { oneKey, type SecretKeys } from '../src/contract/secret-keys.ts'
import type { Database } from '../src/store/database.ts'
import { openDatabase } from '../src/store/open-database.ts'
import { SEALED } from '../src/store/reseal.ts'
import { open } from '../src/store/seal.ts'
import { copyTemplate } from './support/databases.ts'
import { createPostgresDatabase } from './support/postgres.ts'
import { command, type Serving, serve } from './support/sonde.ts'

const Rotated = z.object({
  new_key: z.boolean(),
  resealed: z.int(),
  unopened: z.int(),
  old_until: z.iso.datetime().nullable(),
})
const Created = z.object({ id: z.uuid() })
const Page = z.object({ items: z.array(Created), next_cursor: z.string().nullable() })

let home = ''
const services: Serving[] = []
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sonde-rotate-'))
})
afterEach(async () => {
  for (const service of services.splice(0)) await service.end('SIGKILL')
  rmSync(home, { recursive: true, force: true })
})

type Env = Readonly<Record<string, string>>
const started = async (env: Env): Promise<Serving> => {
  const service = await serve(['--no-worker'], {
    ...env,
    SONDE_LOG_LEVEL: 'error',
    SONDE_HOSTS: 'hooks.test=127.0.0.1',
  })
  services.push(service)
  return service
}
const askWith = (service: Serving, key: string) => async (method: string, path: string, body?: object) => {
  const answer = await fetch(`${service.ready.base_url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      'idempotency-key': 'the-same',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, headers: answer.headers, json: (await answer.json()) as unknown }
}
type Ask = ReturnType<typeof askWith>

/** A domain with a login, a webhook, a waiting run with credentials, and a key that signs. */
const fill = async (ask: Ask, env: Env): Promise<string> => {
  expect((await command(['domain', 'add', 'shop.example.com', '--verified'], env)).code).toBe(0)
  const domain = Page.parse((await ask('GET', '/v1/domains')).json).items[0]?.id ?? ''
  expect((await command(['stop-all', '--everyone'], env)).code).toBe(0)
  expect((await ask('PUT', `/v1/domains/${domain}/login`, { auth_cookie: 'session=kanarie', page: '/' })).status).toBe(
    200,
  )
  expect((await ask('POST', '/v1/webhooks', { url: 'http://hooks.test:1/' })).status).toBe(201)
  expect((await ask('POST', '/v1/scans', scanOf(domain))).status).toBe(202)
  expect(await fingerprint(ask)).toMatch(/^[0-9a-f]{64}$/)
  return domain
}
const fingerprint = async (ask: Ask): Promise<unknown> =>
  z.object({ fingerprint: z.string() }).parse((await ask('GET', '/.well-known/sonde-signing-key')).json).fingerprint
const scanOf = (domain_id: string) => ({ domain_id, auth_cookie: 'session=once', privacy: false, make_pdf: false })

const openedWith = async (db: Database, keys: SecretKeys): Promise<boolean[]> =>
  (
    await Promise.all(
      SEALED.map(async ({ table, column, purpose }) => {
        const rows = await db.query<{ bytes: Buffer }>(
          `select ${column} as bytes from ${table} where ${column} is not null`,
          [],
        )
        return rows.map(({ bytes }) => {
          try {
            return open(keys, purpose, bytes) !== ''
          } catch {
            return false
          }
        })
      }),
    )
  ).flat()
const rotate = async (env: Env, ...more: string[]) => {
  const { code, out, err } = await command(['key', 'rotate-secret', '--json', ...more], env)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return Rotated.parse(JSON.parse(out))
}
const keysOf = (folder: string): string[] => readFileSync(join(folder, 'secret.key'), 'utf8').trim().split('\n')
const rowsIn = async (folder: string, key: string): Promise<boolean[]> => {
  const db = await openDatabase({ dataDir: folder })
  try {
    return await openedWith(db, oneKey(Buffer.from(key, 'base64')))
  } finally {
    await db.close()
  }
}

describe('a key in the data folder', () => {
  test('is replaced while requests go on; what the one before has given out is still good; one that was cut off is ended by the next start', async () => {
    const folder = join(home, 'data')
    await copyTemplate(folder)
    const env = { SONDE_DATA: folder }
    const service = await started(env)
    const ask = askWith(service, service.ready.api_key ?? '')
    const domain = await fill(ask, env)
    expect((await command(['domain', 'add', 'second.example.com'], env)).code).toBe(0)
    const { next_cursor: cursor } = Page.parse((await ask('GET', '/v1/domains?limit=1')).json)
    const [first = ''] = keysOf(folder)

    const answers: number[] = []
    let ended = false
    const asking = (async () => {
      while (!ended) {
        answers.push((await ask('GET', `/v1/domains?limit=1&cursor=${cursor}`)).status)
        answers.push(
          (await ask('PUT', `/v1/domains/${domain}/login`, { auth_cookie: 'session=kanarie', page: '/' })).status,
        )
        await delay(5)
      }
    })()
    const done = await rotate(env)
    const again = await rotate(env)
    ended = true
    await asking
    expect(done).toMatchObject({ new_key: true, unopened: 0 })
    expect(done.resealed + again.resealed).toBeGreaterThanOrEqual(5)
    expect(answers.length).toBeGreaterThan(1)
    expect(new Set(answers)).toEqual(new Set([200]))
    expect(Date.parse(done.old_until ?? '') - Date.now()).toBeGreaterThan(23 * 3_600_000)
    const [now = '', ...before] = keysOf(folder)
    expect(before.map((line) => line.split(' until ')[0])).toContain(first)
    expect(statSync(join(folder, 'secret.key')).mode & 0o777).toBe(0o600)
    // The same body again is the same run, though its hash was made with the key before.
    const replayed = await ask('POST', '/v1/scans', scanOf(domain))
    expect([replayed.status, replayed.headers.get('idempotent-replayed')]).toEqual([202, 'true'])

    const signer = await fingerprint(ask)
    const last = await rotate(env, '--at-once')
    expect(await fingerprint(ask)).toBe(signer)
    expect(last.old_until).toBeNull()
    expect(keysOf(folder)).toHaveLength(1)
    expect(keysOf(folder)).not.toContain(now)
    expect((await ask('GET', `/v1/domains?limit=1&cursor=${cursor}`)).status).toBe(400)
    await service.end('SIGTERM')
    expect(await rowsIn(folder, keysOf(folder)[0] ?? '')).toEqual([true, true, true, true])

    // A rotation that was cut off, as it stands between the new file and the first row: the next start ends it.
    const [old = ''] = keysOf(folder)
    const made = randomBytes(32).toString('base64')
    writeFileSync(join(folder, 'secret.key'), `${made}\n${old} until ${new Date(Date.now() - 1000).toISOString()}\n`)
    expect(await rowsIn(folder, made)).toEqual([false, false, false, false])
    const next = await started(env)
    await next.end('SIGTERM')
    // A key whose time is over goes.
    expect(keysOf(folder)).toEqual([made])
    expect(await rowsIn(folder, made)).toEqual([true, true, true, true])
  })
})

describe('a key in the environment of several processes', () => {
  const databases: (() => Promise<void>)[] = []
  afterAll(async () => {
    for (const drop of databases) await drop()
  })

  test('is exchanged process by process, each of which answers for what the others have sealed and signed', async () => {
    const { url, drop } = await createPostgresDatabase()
    databases.push(drop)
    const [k1, k2] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
    const env = (current: string, old: string) => ({
      ...{ SONDE_DATA: join(home, 'data'), DATABASE_URL: url, SONDE_SECRET_KEY: current },
      ...(old === '' ? {} : { SONDE_SECRET_KEY_OLD: old }),
    })
    const alone = await command(['key', 'rotate-secret'], env(k1, ''))
    expect(alone).toMatchObject({ code: 3, err: expect.stringContaining('SONDE_SECRET_KEY_OLD') })

    // Both know both keys; one of them is a step further.
    const one = await started(env(k1, k2))
    const key = one.ready.api_key ?? ''
    const two = await started({ ...env(k2, k1), SONDE_DATA: join(home, 'other') })
    const [askOne, askTwo] = [askWith(one, key), askWith(two, key)]
    const domain = await fill(askOne, env(k1, k2))
    for (const [from, to] of [
      [askOne, askTwo],
      [askTwo, askOne],
    ] as const) {
      expect(
        (await command(['domain', 'add', `${randomBytes(4).toString('hex')}.example.com`], env(k1, k2))).code,
      ).toBe(0)
      const { next_cursor } = Page.parse((await from('GET', '/v1/domains?limit=1')).json)
      expect((await to('GET', `/v1/domains?limit=1&cursor=${next_cursor}`)).status).toBe(200)
      const replayed = await to('POST', '/v1/scans', scanOf(domain))
      expect([replayed.status, replayed.headers.get('idempotent-replayed')]).toEqual([202, 'true'])
    }
    expect(await fingerprint(askTwo)).toBe(await fingerprint(askOne))
    const db = await openDatabase({ url })
    expect(await openedWith(db, oneKey(Buffer.from(k1, 'base64')))).toEqual([true, true, true, true])
    expect(await rotate(env(k2, k1))).toEqual({ new_key: false, resealed: 4, unopened: 0, old_until: null })
    expect(await rotate(env(k2, k1))).toMatchObject({ resealed: 0 })
    expect(await openedWith(db, oneKey(Buffer.from(k2, 'base64')))).toEqual([true, true, true, true])
    await db.close()
    // The first still has the other key first; it opens what is sealed with the second.
    const identities = `/v1/domains/${domain}/identities`
    const [login] = z.object({ items: z.array(Created) }).parse((await askOne('GET', identities)).json).items
    expect((await askOne('PATCH', `${identities}/${login?.id}`, { role: 'buyer' })).status).toBe(200)
  })
})
