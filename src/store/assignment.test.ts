import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SQL_ENGINES, type TestDatabase } from '../../tests/support/databases.ts'
import { seedDomain, seedRun, take } from '../../tests/support/seed.ts'
import { oneKey } from '../contract/secret-keys.ts'
import { assignmentOf, CredentialsUnreadable } from './assignment.ts'
import { sealCredentials } from './seal.ts'

describe.each(SQL_ENGINES)('an assignment on $kind', ({ open }) => {
  let t: TestDatabase
  beforeAll(async () => {
    t = await open()
  })
  afterAll(() => t.drop())
  beforeEach(() => t.empty())

  const keys = oneKey(randomBytes(32))
  const credentials = { cookie: 'sid=of-a-member', header: null }
  const leased = async () => {
    await seedRun(t.db, await seedDomain(t.db), { sealedCredentials: sealCredentials(keys, credentials) })
    const run = await take(t.db)
    if (run === null) throw new Error('no run was leased')
    return run
  }

  test('opens what was sealed for the run, which its lease does not carry', async () => {
    const run = await leased()
    expect(Object.keys(run)).not.toContain('credentials')
    expect(await assignmentOf(t.db, keys, run)).toMatchObject({ domain: run.domain, credentials })
  })

  test('is not for who has lost the lease', async () => {
    const run = await leased()
    expect(await assignmentOf(t.db, keys, { ...run, token: run.runId })).toBe('lost')
  })

  test('is refused where no key of this process opens what was sealed', async () => {
    await expect(assignmentOf(t.db, oneKey(randomBytes(32)), await leased())).rejects.toThrow(CredentialsUnreadable)
  })
})
