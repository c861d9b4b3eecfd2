import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openApi, type TestApi } from '../../tests/support/api.ts'
import { signedIn } from '../../tests/support/browser-session.ts'
import { Session } from '../contract/session.ts'
import { createKey, revokeKey } from '../store/api-keys.ts'
import { isSessionValid } from '../store/sessions.ts'
import { isCredentialValid } from './credential.ts'
import { DEFAULT_LIMITS } from './options.ts'

let api: TestApi
/** Reached by https, and patient with two wrong keys only. */
let strict: TestApi
beforeAll(async () => {
  api = await openApi()
  strict = await openApi({
    baseUrl: () => 'https://sonde.test',
    limits: { ...DEFAULT_LIMITS, refusalsPerMinute: 2 },
  })
})
afterAll(async () => {
  await api?.close()
  await strict?.close()
})

const ageSessions = (column: 'expires_at' | 'last_used_at', interval: string) =>
  api.db.query(`update sessions set ${column} = clock_timestamp() - interval '${interval}'`, [])

describe('signing in with a key', () => {
  test('gives a cookie that no script and no other site can use, and never the key', async () => {
    const response = await api.send('POST', '/v1/session', { secret: null, body: { api_key: ` ${api.mine.secret} ` } })
    expect(response.statusCode).toBe(200)
    const cookie = String(response.headers['set-cookie'])
    expect(cookie).toMatch(/^sonde_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Expires=/)
    expect(response.body + cookie).not.toContain(api.mine.secret)
    expect(Session.parse(response.json())).toMatchObject({ actor: { kind: 'key', name: 'test', role: null } })
    const [stored] = await api.db.query<{ token_hash: Buffer }>('select token_hash from sessions', [])
    expect(stored?.token_hash.toString('base64url')).not.toContain(cookie.slice(14, 57))
  })

  test('over https the cookie is bound to the host and to https', async () => {
    const response = await strict.send('POST', '/v1/session', { secret: null, body: { api_key: strict.mine.secret } })
    expect(response.headers['set-cookie']).toMatch(/^__Host-sonde=[\w-]{43}; Path=\/; .*; Secure$/)
    expect(response.headers['strict-transport-security']).toMatch(/max-age=63072000/)
  })

  test('a wrong key is refused, and counted', async () => {
    const attempt = () => strict.send('POST', '/v1/session', { secret: null, body: { api_key: 'sonde_nothing' } })
    const codes = [(await attempt()).statusCode, (await attempt()).statusCode, (await attempt()).statusCode]
    expect(codes).toEqual([401, 401, 429])
  })
})

describe('a session', () => {
  test('reads like its key', async () => {
    const browser = await signedIn(api, api.mine.secret)
    expect((await browser.send('GET', '/v1/scans')).statusCode).toBe(200)
    const who = Session.parse((await browser.send('GET', '/v1/session')).json())
    expect(who.csrf_token).toBe(browser.token)
  })

  test.each([
    ['without a token', null],
    ['with a made-up token', 'x'.repeat(43)],
  ])('changes nothing %s', async (_trick, token) => {
    const browser = await signedIn(api, api.mine.secret)
    const response = await browser.send('POST', '/v1/domains', { domain: 'csrf.example.com' }, token)
    expect([response.statusCode, response.json().code]).toEqual([403, 'csrf_token_invalid'])
  })

  test('changes nothing when the browser says that another site asks, even with the token', async () => {
    const { cookie, token } = await signedIn(api, api.mine.secret)
    const response = await api.send('DELETE', '/v1/session', {
      secret: null,
      headers: { cookie, 'x-csrf-token': token, 'sec-fetch-site': 'same-site' },
    })
    expect(response.json().code).toBe('csrf_token_invalid')
  })

  test('a key beside the cookie wins, and needs no token', async () => {
    const { cookie } = await signedIn(api, api.other.secret)
    const response = await api.send('POST', '/v1/domains', {
      body: { domain: 'both.example.com' },
      headers: { cookie },
    })
    expect(response.statusCode).toBe(201)
  })

  test('ends with signing out', async () => {
    const browser = await signedIn(api, api.mine.secret)
    const out = await browser.send('DELETE', '/v1/session')
    expect(out.statusCode).toBe(204)
    expect(out.headers['set-cookie']).toMatch(/^sonde_session=; .*Max-Age=0/)
    expect((await browser.send('GET', '/v1/session')).statusCode).toBe(401)
  })

  test('ends with its key, streams included', async () => {
    const { organisationId } = api.mine
    const { key, secret } = await createKey(api.db, {
      ...{ organisationId, name: 'short', scopes: ['scans:read'], expiresAt: null },
    })
    const browser = await signedIn(api, secret)
    const [row] = await api.db.query<{ id: string }>('select id from sessions where key_id = $1', [key.id])
    expect(await isCredentialValid(api.db, `session ${row?.id}`)).toBe(true)
    await revokeKey(api.db, key.id)
    expect((await browser.send('GET', '/v1/scans')).statusCode).toBe(401)
    expect(await isSessionValid(api.db, row?.id ?? '')).toBe(false)
  })

  test.each([
    ['after its time', 'expires_at', '1 second'],
    ['after a day without use', 'last_used_at', '25 hours'],
  ] as const)('ends %s', async (_when, column, interval) => {
    const browser = await signedIn(api, api.mine.secret)
    await ageSessions(column, interval)
    expect((await browser.send('GET', '/v1/session')).statusCode).toBe(401)
  })

  test('of a key that expires ends no later', async () => {
    const expiresAt = new Date(Date.now() + 60_000)
    const { organisationId } = api.mine
    const { secret } = await createKey(api.db, { organisationId, name: 'soon', scopes: ['scans:read'], expiresAt })
    const browser = await signedIn(api, secret)
    expect((await browser.send('GET', '/v1/session')).json().expires_at).toBe(expiresAt.toISOString())
  })

  test.each(['x', 'a'.repeat(43), `${'a'.repeat(42)}"`])('a made-up cookie is none: %s', async (value) => {
    const headers = { cookie: `other=1; sonde_session=${value}` }
    expect((await api.send('GET', '/v1/session', { secret: null, headers })).statusCode).toBe(401)
  })
})
