import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../tests/support/databases.ts'
import { seedDomain } from '../../tests/support/seed.ts'
import { oneKey } from '../contract/secret-keys.ts'
import { keepToken, withNewestToken } from './refresh-tokens.ts'
import type { Credentials } from './seal.ts'

const keys = oneKey(randomBytes(32))
const brought = (refresh_token: string): Credentials => ({
  ...{ cookie: null, header: null },
  signIn: {
    oauth2: { grant: 'refresh_token', token_url: '/token', client_id: 'scanner', client_auth: 'body', refresh_token },
  },
})

let t: TestDatabase
beforeAll(async () => {
  t = await openTestDatabase()
})
beforeEach(() => t.empty())
afterAll(() => t.drop())

test('the newest of a line is found by the one that was brought, for its domain alone', async () => {
  const [at, other] = [await seedDomain(t.db), await seedDomain(t.db)]
  const newest = (domainId: string | null, credentials: Credentials) =>
    withNewestToken(t.db, keys, domainId, credentials)
  const first = await newest(at.domainId, brought('refresh-token-1'))
  expect(first).toMatchObject(brought('refresh-token-1'))
  const lineage = first.lineage ?? ''
  expect(lineage).toMatch(/^[0-9a-f]{64}$/)
  for (const token of ['refresh-token-2', 'refresh-token-3']) await keepToken(t.db, keys, at.domainId, lineage, token)
  expect(await newest(at.domainId, brought('refresh-token-1'))).toEqual({ ...brought('refresh-token-3'), lineage })
  expect(await newest(at.domainId, brought('another'))).toMatchObject(brought('another'))
  expect(await newest(other.domainId, brought('refresh-token-1'))).toMatchObject(brought('refresh-token-1'))
  expect(await newest(null, brought('refresh-token-1'))).toEqual(brought('refresh-token-1'))
  const [row] = await t.db.query<{ row: string }>('select t::text as row from refresh_tokens t', [])
  expect(row?.row).not.toContain('refresh-token-3')
  expect(row?.row).not.toContain(Buffer.from('refresh-token-3').toString('hex'))
})

test('what has no such token is as it was', async () => {
  const { domainId } = await seedDomain(t.db)
  const cookie = { cookie: 'a=b', header: null }
  expect(await withNewestToken(t.db, keys, domainId, cookie)).toBe(cookie)
})
