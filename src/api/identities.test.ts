import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keyWith, openApi, startNext, type TestApi, verify } from '../../tests/support/api.ts'
import { createIdentity } from '../contract/examples.ts'
import { oneKey } from '../contract/secret-keys.ts'
import { createKey } from '../store/api-keys.ts'
import { claimLoginTest, finishLoginTest } from '../store/identities.ts'
import { openCredentials } from '../store/seal.ts'

const KEY = oneKey(Buffer.alloc(32, 1))
const CANARY = 'kanarie-vogel-im-keller'
const SEED = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const PROOF = { path: '/account', text: 'Sign out' }
const REQUEST = { requests: [{ url: '/login', form: { user: 'ada', password: CANARY } }] }
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
  await api.send('PATCH', path, { body: { sign_in_hosts: [] } })
})
const make = (body: object) => api.send('POST', `${path}/identities`, { body })
const customer = (change: object = {}) =>
  make({ name: 'customer', role: 'customer', kind: 'request', request: REQUEST, proof: PROOF, ...change })

test('is sealed, shown without what is secret, and given back by no answer', async () => {
  const made = await make(createIdentity)
  expect([made.statusCode, made.json()]).toMatchObject([
    201,
    { name: 'customer', kind: 'request', parts: ['request', 'totp'], proof: PROOF, set_by: 'test', test: null },
  ])
  await customer({ name: 'second' })
  const answers = [
    made,
    await api.send('GET', made.headers.location as string),
    await api.send('GET', `${path}/identities`),
    await api.send('GET', '/v1/domains'),
    await api.send('GET', '/v1/activity'),
    await api.send('POST', `${made.headers.location}/test`, { body: {} }),
  ]
  for (const answer of answers) {
    expect(answer.statusCode).toBeLessThan(300)
    expect(answer.body).not.toMatch(/kanarie|correct horse|GEZDGNBV/)
  }
  const [row] = await api.db.query<{ text: string }>('select l::text as text from domain_identities l')
  expect(row?.text).not.toMatch(/kanarie|correct horse|GEZDGNBV/)
})

describe('is refused', () => {
  test.each([
    ['without what its kind needs', { request: undefined }, 'request', 'is required'],
    ['without a proof', { proof: undefined }, 'proof', 'is required'],
    ['with what belongs to another kind', { cookie: 'a=b' }, 'cookie', 'means nothing with kind: request'],
    ['with a seed that is no base32', { totp: { secret: 'not base32 at all 0189' } }, 'totp.secret', 'is no base32'],
    [
      'with a code that nobody can make',
      { request: { requests: [{ url: '/login', form: { code: '{{totp}}' } }] } },
      'request',
      'asks for the code of a one-time password, and there is no totp',
    ],
    [
      'with a sign-in at a host that the domain does not list',
      { request: { requests: [{ url: 'https://login.other.example/' }] } },
      'request.requests.0.url',
      'is of https://login.other.example, which is neither mine.example.com nor, by https, among its sign_in_hosts',
    ],
    [
      'with an address that only looks like the domain',
      { request: { requests: [{ url: 'https://mine.example.com@evil.test/' }] } },
      'request.requests.0.url',
      'is of https://evil.test',
    ],
    [
      'with an address that leaves the domain',
      { request: { requests: [{ url: '//evil.test/' }] } },
      'request.requests.0.url',
      'must be a path such as /login',
    ],
    ['with a proof that shows nothing', { proof: { path: '/account' } }, 'proof', 'needs a text or a status'],
    ['with a name for no command line', { name: 'The Customer' }, 'name', 'must be small letters'],
  ] as const)('%s', async (_name, change, field, message) => {
    const answer = await customer(change)
    expect(answer.json()).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: field, message: expect.stringContaining(message) }],
    })
    expect(answer.body).not.toContain('kanarie')
  })

  test('twice under one name, on a domain that is not proven, and for a key that may only read', async () => {
    await customer()
    expect((await customer()).json().code).toBe('identity_exists')
    const { secret } = await createKey(api.db, keyWith(api.mine.organisationId, ['domains:read', 'scans:write']))
    const refused = await api.send('POST', `${path}/identities`, { secret, body: createIdentity })
    expect(refused.json().code).toBe('api_key_scope_insufficient')
    await api.db.query('update domains set verified_until = null')
    expect((await customer({ name: 'late' })).json().code).toBe('domain_not_verified')
  })
})

test('signs in at a host elsewhere where the domain lists it', async () => {
  await api.send('PATCH', path, { body: { sign_in_hosts: ['login.other.example'] } })
  expect((await api.send('GET', path)).json().sign_in_hosts).toEqual(['login.other.example'])
  const at = (url: string) => customer({ request: { requests: [{ url }] } })
  expect((await at('http://login.other.example/')).statusCode).toBe(400)
  expect((await at('https://login.other.example/')).statusCode).toBe(201)
  const bad = await api.send('PATCH', path, { body: { sign_in_hosts: ['127.0.0.1'] } })
  expect(bad.json()).toMatchObject({ code: 'validation_failed', errors: [{ path: 'sign_in_hosts.0' }] })
})

test('is changed in part: what is absent stays, another kind takes over no secret', async () => {
  const made = await customer()
  const address = made.headers.location as string
  const change = (body: object) => api.send('PATCH', address, { body })
  expect((await change({ role: 'editor' })).json()).toMatchObject({ name: 'customer', role: 'editor', kind: 'request' })
  const sealed = async () => {
    const [row] = await api.db.query<{ credentials: Buffer }>('select credentials from domain_identities')
    return openCredentials(KEY, row?.credentials ?? null)
  }
  expect(await sealed()).toMatchObject({ signIn: { request: REQUEST, proof: PROOF } })
  await change({ totp: { secret: SEED } })
  expect(await sealed()).toMatchObject({ signIn: { request: REQUEST, totp: { secret: SEED } } })
  expect((await change({ kind: 'cookie' })).json()).toMatchObject({
    code: 'validation_failed',
    errors: [{ path: 'cookie' }],
  })
  expect((await change({ kind: 'cookie', cookie: 'a=b' })).json()).toMatchObject({ kind: 'cookie', proof: PROOF })
  expect(await sealed()).toEqual({ cookie: 'a=b', header: null, signIn: { proof: PROOF } })
  expect((await change({})).statusCode).toBe(400)
})

test('is the login of the first round where it is called default', async () => {
  await api.send('PUT', `${path}/login`, { body: { auth_cookie: 'a=b', page: '/account' } })
  const [only] = (await api.send('GET', `${path}/identities`)).json().items
  expect(only).toMatchObject({ name: 'default', kind: 'cookie', proof: null })
  expect((await customer({ name: 'default' })).json().code).toBe('identity_exists')
  expect((await api.send('PATCH', `${path}/identities/${only.id}`, { body: { role: 'customer' } })).statusCode).toBe(
    200,
  )
  expect((await api.send('GET', path)).json().login).toMatchObject({ kinds: ['cookie'], page: '/account' })
  expect((await api.send('DELETE', `${path}/identities/${only.id}`)).statusCode).toBe(204)
  expect((await api.send('GET', path)).json().login).toBeNull()
})

test('is named by a run, alone', async () => {
  await customer()
  const start = (more: object) =>
    api.send('POST', '/v1/scans', { body: { domain_id: api.mine.domainId, ...more } }).then((answer) => answer.json())
  for (const more of [{ auth_cookie: 'a=b' }, { auth_header: 'A: b' }])
    expect(await start({ identities: ['customer'], ...more })).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'identities', message: 'cannot be combined with auth_cookie or auth_header' }],
    })
  expect((await start({ identities: ['nobody'] })).code).toBe('identity_not_found')
  expect((await start({ identities: ['customer'] })).status).toBe('queued')
  const held = await startNext(api.db)
  const [run] = await api.db.query<{ credentials: Buffer }>('select credentials from runs where id = $1', [held.runId])
  expect(openCredentials(KEY, run?.credentials ?? null).signIn?.request).toEqual(REQUEST)
})

describe('of a recording', () => {
  const recorded = (host: string, more: readonly object[] = []) => ({
    title: 'Sign in',
    steps: [
      { type: 'navigate', url: `https://${host}/login` },
      { type: 'change', value: CANARY, selectors: [['#password']] },
      { type: 'click', selectors: [['aria/Sign in']] },
      ...more,
    ],
  })
  const bring = (recording: object) => make({ name: 'recorded', kind: 'steps', steps: { recording }, proof: PROOF })

  test('is kept as steps', async () => {
    const made = await bring(recorded('mine.example.com'))
    expect([made.statusCode, made.json().kind]).toEqual([201, 'steps'])
    const [row] = await api.db.query<{ credentials: Buffer }>('select credentials from domain_identities')
    expect(openCredentials(KEY, row?.credentials ?? null).signIn?.steps).toEqual({
      steps: [
        { do: 'goto', url: '/login' },
        { do: 'fill', on: ['#password'], value: CANARY },
        { do: 'click', on: ['aria/Sign in'] },
      ],
    })
  })

  test.each([
    ['another site', recorded('other.example'), 'steps.steps.0.url', 'is of https://other.example, which is neither'],
    ['something else', { a: 1 }, 'steps.recording', 'is no recording of Chrome DevTools'],
    [
      'what is not known here',
      recorded('mine.example.com', [{ type: 'customStep' }]),
      'steps.recording',
      'has a step of type customStep',
    ],
  ] as const)('is refused for %s, in one sentence', async (_name, recording, path, message) => {
    const answer = await bring(recording)
    expect(answer.json()).toMatchObject({
      code: 'validation_failed',
      errors: [{ path, message: expect.stringContaining(message) }],
    })
    expect(answer.body).not.toContain('kanarie')
  })
})

test('shows the pictures of its last test', async () => {
  const address = (await customer()).headers.location as string
  await api.send('POST', `${address}/test`, { body: {} })
  const job = await claimLoginTest(api.db)
  const step = { title: 'goto /login', ok: true, detail: null, picture: true }
  const answer = { state: 'works', reason: 'r', without: null, with: null, steps: [step] } as const
  await finishLoginTest(
    api.db,
    job?.testId ?? '',
    { ...answer, steps: [step] },
    new Map([[0, Buffer.from([0xff, 0xd8])]]),
  )
  expect((await api.send('GET', address)).json().test).toMatchObject({ state: 'works', steps: [step] })
  const picture = await api.send('GET', `${address}/test/pictures/0`)
  expect([picture.statusCode, picture.headers['content-type'], [...picture.rawPayload]]).toEqual([
    ...[200, 'image/jpeg', [0xff, 0xd8]],
  ])
  for (const none of ['1', '99', 'x'])
    expect((await api.send('GET', `${address}/test/pictures/${none}`)).json().code).toBe('picture_not_found')
})

test('is deleted on request, and noted without what is secret', async () => {
  const made = await customer()
  const address = made.headers.location as string
  expect((await api.send('DELETE', address)).statusCode).toBe(204)
  const [noted] = (await api.send('GET', '/v1/activity')).json().items
  expect(noted).toMatchObject({ action: 'deleteIdentity', subject: 'mine.example.com: customer' })
  for (const method of ['GET', 'DELETE'] as const)
    expect((await api.send(method, address)).json().code).toBe('identity_not_found')
  expect((await api.send('POST', `${address}/test`, { body: {} })).json().code).toBe('identity_not_found')
})
