import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../tests/support/databases.ts'
import { seedDomain } from '../../tests/support/seed.ts'
import { KEY, memoryStorage, silentLogger, workerOptions } from '../../tests/support/worker.ts'
import type { LoginAnswer } from '../contract/domain-login.ts'
import { oneKey, type SecretKeys } from '../contract/secret-keys.ts'
import { pacedBy } from '../egress/door/settings.ts'
import { setVerified } from '../store/domains.ts'
import { askLoginTest, readLoginTest, setLogin } from '../store/identities.ts'
import { sealCredentials } from '../store/seal.ts'
import { type LoginTester, lookAtLogins } from './login-looks.ts'

const WORKS: LoginAnswer = { state: 'works', reason: 'r', without: null, with: null, steps: [] }
let t: TestDatabase
let at: Awaited<ReturnType<typeof seedDomain>>
const logger = silentLogger()
beforeAll(async () => {
  t = await openTestDatabase()
})
afterAll(() => t.drop())
beforeEach(async () => {
  await t.empty()
  logger.lines.length = 0
  at = await seedDomain(t.db)
  await store(KEY)
})
const store = async (key: SecretKeys) => {
  const sealed = sealCredentials(key, { cookie: 'session=kanarie-vogel', header: null })
  if (sealed === null) throw new Error('nothing to seal')
  await setLogin(t.db, at.organisationId, at.domainId, { sealed, kinds: ['cookie'], page: '/a', set_by: 'k' })
  await askLoginTest(t.db, at.organisationId, at.domainId, { name: 'default' })
}
const run = (tester: LoginTester, signal = new AbortController().signal) =>
  lookAtLogins({ ...workerOptions(t.db, memoryStorage()), logger }, tester, signal)
const last = () => readLoginTest(t.db, at.organisationId, at.domainId, { name: 'default' })

test('hands over the opened login with the page, and keeps the answer', async () => {
  const given: unknown[] = []
  await run(async ({ domain, page }, credentials) => {
    given.push(domain, page, credentials)
    return WORKS
  })
  expect(given).toEqual(['shop.test', '/a', { cookie: 'session=kanarie-vogel', header: null }])
  expect(await last()).toMatchObject(WORKS)
})

test('sends nothing to a domain whose proof has lapsed since', async () => {
  await setVerified(t.db, at.domainId, null)
  await run(async () => {
    throw new Error('asked')
  })
  expect([(await last())?.reason, logger.lines]).toEqual(['The domain is not verified any more.', []])
})

test.each([
  ['a fault of ours', KEY, 'broken'],
  ['another secret key', oneKey(Buffer.alloc(32, 9)), 'SONDE_SECRET_KEY'],
])('%s is an answer, and its cause in the log', async (_name, key, cause) => {
  await store(key)
  await run(async () => {
    throw new Error('broken')
  })
  expect(await last()).toMatchObject({ state: 'not_tested', reason: expect.stringContaining('our side') })
  expect(logger.lines.join()).toContain(cause)
  expect(logger.lines.join()).not.toContain('kanarie')
})

test('takes nothing once it is stopped', async () => {
  await run(async () => WORKS, AbortSignal.abort())
  expect((await last())?.state).toBe('waiting')
})

test.each([
  [null, 20],
  [3, 3],
  [50, 20],
])("a domain's pace of %s under the operator's 20 is %i", (own, used) => {
  const { egress } = workerOptions(t.db, memoryStorage())
  expect(pacedBy(egress, own).requestsPerSecond).toBe(used)
})
