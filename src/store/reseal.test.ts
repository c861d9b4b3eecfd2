import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../tests/support/databases.ts'
import { seedDomain, seedRun } from '../../tests/support/seed.ts'
import { oneKey, type SecretKeys } from '../contract/secret-keys.ts'
import { setLogin } from './identities.ts'
import { resealAll, SEALED } from './reseal.ts'
import { openCredentials, sealCredentials } from './seal.ts'
import { createWebhook, openSecret } from './webhooks.ts'

const [before, after, stranger] = [randomBytes(32), randomBytes(32), randomBytes(32)]
const both: SecretKeys = { current: after, accepted: [after, before] }
const credentials = { cookie: 'a=b', header: null }

let t: TestDatabase
beforeAll(async () => {
  t = await openTestDatabase()
})
beforeEach(() => t.empty())
afterAll(() => t.drop())

/** A login, a webhook and as many waiting runs. */
const sealWith = async (key: Buffer, runs = 1): Promise<string> => {
  const keys = oneKey(key)
  const at = await seedDomain(t.db)
  const sealed = sealCredentials(keys, credentials)
  if (sealed === null) throw new Error('unreachable')
  await setLogin(t.db, at.organisationId, at.domainId, { sealed, kinds: ['cookie'], page: '/', set_by: 'k' })
  const hook = { url: 'https://hooks.test/', description: '', events: ['scan.finished' as const] }
  const made = await createWebhook(t.db, keys, at.organisationId, hook)
  if (made === 'too_many_receivers') throw new Error('unreachable')
  for (let n = 0; n < runs; n += 1) await seedRun(t.db, at, { sealedCredentials: sealCredentials(keys, credentials) })
  return made.secret
}
const columns = async (): Promise<Buffer[]> =>
  (
    await Promise.all(
      SEALED.map(({ table, column }) => t.db.query<{ bytes: Buffer }>(`select ${column} as bytes from ${table}`)),
    )
  ).flatMap((rows) => rows.map(({ bytes }) => bytes))

test('what the key before has sealed opens with the new one alone, more than a batch of it', async () => {
  const secret = await sealWith(before, 130)
  expect(await resealAll(t.db, both)).toEqual({ resealed: 132, unopened: 0 })
  const [login, hook, run] = await columns()
  for (const bytes of [login, run]) expect(openCredentials(oneKey(after), bytes ?? null)).toEqual(credentials)
  expect(openSecret(oneKey(after), hook ?? Buffer.alloc(0))).toBe(secret)
  const then = await columns()
  expect(await resealAll(t.db, both)).toEqual({ resealed: 0, unopened: 0 })
  expect(await columns()).toEqual(then)
})

test('what no key opens stays as it is and is counted', async () => {
  await sealWith(stranger)
  const then = await columns()
  expect(await resealAll(t.db, both)).toEqual({ resealed: 0, unopened: 3 })
  expect(await columns()).toEqual(then)
})

test('a row that is written meanwhile keeps what was written', async () => {
  await sealWith(before)
  const written = sealCredentials(oneKey(after), { cookie: 'newer=1', header: null })
  const racing = {
    ...t.db,
    query: (async (sql: string, params?: readonly unknown[]) => {
      if (sql.startsWith('update domain_identities')) {
        await t.db.query('update domain_identities set credentials = $1', [written])
      }
      return t.db.query(sql, params)
    }) as typeof t.db.query,
  }
  expect(await resealAll(racing, both)).toEqual({ resealed: 2, unopened: 0 })
  expect((await columns())[0]).toEqual(written)
})

test('every column of bytes is sealed again, or is known not to be sealed', async () => {
  const NOT_SEALED = [
    ...[
      'agents.token_hash',
      'api_keys.secret_hash',
      'identity_pictures.jpeg',
      'organisations.logo',
      'sessions.token_hash',
    ],
    'signing_keys.public_key',
  ]
  const rows = await t.db.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = current_schema() and data_type = 'bytea'`,
    [],
  )
  const known = [...NOT_SEALED, ...SEALED.map(({ table, column }) => `${table}.${column}`)]
  expect(rows.map(({ name }) => name).toSorted()).toEqual(known.toSorted())
})
