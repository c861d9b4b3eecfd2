import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { keyWith, openApi, startNext, type TestApi, verify } from '../../tests/support/api.ts'
import { oneKey } from '../contract/secret-keys.ts'
import { createKey } from '../store/api-keys.ts'
import { claimLoginTest, finishLoginTest } from '../store/identities.ts'
import { openCredentials } from '../store/seal.ts'

const COOKIE = 'session=kanarie-vogel-im-keller'
let api: TestApi
let path: string
beforeAll(async () => {
  api = await openApi()
  path = `/v1/domains/${api.mine.domainId}`
})
afterAll(() => api.close())
beforeEach(async () => {
  await api.db.query('delete from domain_identities')
  await verify(api.db, api.mine.domainId)
})
const store = (body: object = { auth_cookie: COOKIE, page: '/account' }) => api.send('PUT', `${path}/login`, { body })

test('is sealed, and no answer gives it back', async () => {
  const stored = await store()
  expect([stored.statusCode, stored.json().login]).toMatchObject([
    200,
    { kinds: ['cookie'], page: '/account', set_by: 'test' },
  ])
  const answers = [
    stored,
    await api.send('GET', path),
    await api.send('GET', '/v1/domains'),
    await api.send('GET', '/v1/activity'),
  ]
  for (const answer of answers) expect(answer.body).not.toContain('kanarie')
  const [row] = await api.db.query<{ credentials: Buffer; text: string }>(
    'select credentials, l::text as text from domain_identities l',
  )
  expect(row?.text).not.toContain('kanarie')
  const opened = openCredentials(oneKey(Buffer.alloc(32, 1)), row?.credentials ?? null)
  expect(opened).toEqual({ cookie: COOKIE, header: null })
})

test.each([
  ['nothing in it', {}, 'auth_cookie'],
  ['a cookie that would split the request', { auth_cookie: 'a=b\r\nHost: evil' }, 'auth_cookie'],
  ['a header without a name', { auth_header: 'Bearer x' }, 'auth_header'],
  ['a page elsewhere', { auth_cookie: COOKIE, page: 'https://evil.test/' }, 'page'],
  ['a page with a fragment', { auth_cookie: COOKIE, page: '/#top' }, 'page'],
] as const)('is refused with %s', async (_name, body, field) => {
  const answer = await store(body)
  expect(answer.json()).toMatchObject({ code: 'validation_failed', errors: [{ path: field }] })
  expect(answer.body).not.toContain('kanarie')
})

test('needs a verified domain, and a key that may change it', async () => {
  const { secret } = await createKey(api.db, keyWith(api.mine.organisationId, ['domains:read', 'scans:write']))
  expect((await api.send('PUT', `${path}/login`, { secret, body: { auth_cookie: COOKIE } })).json().code).toBe(
    'api_key_scope_insufficient',
  )
  await store()
  await api.db.query('update domains set verified_until = null')
  expect((await store()).json().code).toBe('domain_not_verified')
  expect((await api.send('POST', `${path}/login/test`, { body: {} })).json().code).toBe('domain_not_verified')
  const run = { domain_id: api.mine.domainId, auth_stored: true }
  expect((await api.send('POST', '/v1/scans', { body: run })).json().code).toBe('domain_not_verified')
})

test('is used by a run that asks for it, alone', async () => {
  await store()
  const run = { domain_id: api.mine.domainId, auth_stored: true }
  const both = await api.send('POST', '/v1/scans', { body: { ...run, auth_cookie: 'a=b' } })
  expect(both.json()).toMatchObject({ code: 'validation_failed', errors: [{ path: 'auth_stored' }] })
  expect((await api.send('POST', '/v1/scans', { body: run })).statusCode).toBe(202)
  const held = await startNext(api.db)
  const [row] = await api.db.query<{ credentials: Buffer }>('select credentials from runs where id = $1', [held.runId])
  expect(openCredentials(oneKey(Buffer.alloc(32, 1)), row?.credentials ?? null).cookie).toBe(COOKIE)
})

test('is deleted on request', async () => {
  await store()
  expect((await api.send('DELETE', `${path}/login`)).statusCode).toBe(204)
  expect((await api.send('GET', path)).json().login).toBeNull()
  const [noted] = (await api.send('GET', '/v1/activity')).json().items
  expect(noted).toMatchObject({ action: 'deleteLogin', subject: 'mine.example.com' })
  expect(await api.db.query('select 1 from domain_identities')).toEqual([])
  expect((await api.send('DELETE', `${path}/login`)).json().code).toBe('login_not_found')
  expect((await api.send('POST', `${path}/login/test`, { body: {} })).json().code).toBe('login_not_found')
})

test('is tested by a worker: asked for, then read', async () => {
  await store()
  expect((await api.send('GET', `${path}/login/test`)).json().code).toBe('login_test_not_found')
  const asked = await api.send('POST', `${path}/login/test`, { body: {} })
  expect([asked.statusCode, asked.json().state]).toEqual([202, 'waiting'])
  const job = await claimLoginTest(api.db)
  const look = { url: 'https://mine.example.com/account', status: 200, title: null }
  await finishLoginTest(api.db, job?.testId ?? '', {
    state: 'works',
    reason: 'r',
    without: look,
    with: look,
    steps: [],
  })
  expect((await api.send('GET', `${path}/login/test`)).json()).toMatchObject({ state: 'works', with: look })
})

test("a pace is kept, up to the operator's limit", async () => {
  const pace = (requests_per_second: unknown) => api.send('PATCH', path, { body: { requests_per_second } })
  expect((await pace(5)).json()).toMatchObject({ requests_per_second: 5, max_requests_per_second: 20 })
  expect((await pace(21)).json()).toMatchObject({
    code: 'validation_failed',
    errors: [{ path: 'requests_per_second' }],
  })
  for (const bad of [0, -1, 1.5, '5']) expect((await pace(bad)).statusCode).toBe(400)
  expect((await pace(null)).json().requests_per_second).toBeNull()
})
