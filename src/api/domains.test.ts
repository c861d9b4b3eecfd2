import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTenant, openApi, startNext, type Tenant, type TestApi } from '../../tests/support/api.ts'
import type { VerificationAttempt } from '../contract/domain.ts'

let api: TestApi
let tenant: Tenant
let count = 0
let attempts: VerificationAttempt[]
beforeAll(async () => {
  api = await openApi({ allowTargetPorts: true, verifyDomain: async () => attempts })
})
afterAll(() => api.close())
beforeEach(async () => {
  count += 1
  tenant = await createTenant(api.db, `d${count}.example.com`)
  attempts = [
    { method: 'dns_txt', ok: false, seen: 'no record' },
    { method: 'http_file', ok: false, seen: '404' },
    { method: 'meta_tag', ok: false, seen: 'none' },
  ]
})
const send = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path = '', body?: object) =>
  api.send(method, `/v1/domains${path}`, { secret: tenant.secret, ...(body ? { body } : {}) })

describe('registering', () => {
  test('answers 201 with what to publish', async () => {
    const response = await send('POST', '', { domain: 'Bücher.Example.DE', context: 'shop' })
    expect(response.statusCode).toBe(201)
    const body = response.json()
    expect(response.headers.location).toBe(`/v1/domains/${body.id}`)
    const value = expect.stringMatching(/^sonde-verification=[\w-]{24}$/)
    expect(body).toMatchObject({
      ...{ domain: 'xn--bcher-kva.example.de', context: 'shop', verified_at: null, verified_until: null },
      verification: {
        dns_txt: { name: '_sonde-challenge.xn--bcher-kva.example.de', value },
        http_file: { url: 'https://xn--bcher-kva.example.de/.well-known/sonde-challenge.txt', content: value },
        meta_tag: { html: expect.stringContaining('<meta name="sonde-verification"') },
      },
    })
    expect((await send('GET', `/${body.id}`)).json()).toEqual(body)
  })
  test('a table name with a port', async () => {
    const { domain, verification } = (await send('POST', '', { domain: 'shop.test:8081' })).json()
    expect(domain).toBe('shop.test:8081')
    expect(verification.dns_txt.name).toBe('_sonde-challenge.shop.test')
  })
  test('twice is a conflict, in another organisation not', async () => {
    await send('POST', '', { domain: 'twice.example.com' })
    const again = await send('POST', '', { domain: 'TWICE.example.com.' })
    expect([again.statusCode, again.json().code]).toEqual([409, 'domain_exists'])
    expect((await api.send('POST', '/v1/domains', { body: { domain: 'twice.example.com' } })).statusCode).toBe(201)
  })
  test.each([['co.uk'], ['192.0.2.1'], ['https://example.com'], ['other.test'], ['']])('refuses %j', async (domain) => {
    const response = await send('POST', '', { domain })
    expect([response.statusCode, response.json().errors[0].path]).toEqual([400, 'domain'])
  })
})

test('listing pages through all, newest first', async () => {
  for (const name of ['a', 'b', 'c']) await send('POST', '', { domain: `${name}.example.com` })
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: { items: { domain: string }[]; next_cursor: string | null } = (
      await send('GET', `?limit=3${cursor ? `&cursor=${cursor}` : ''}`)
    ).json()
    seen.push(...page.items.map(({ domain }) => domain))
    cursor = page.next_cursor
  } while (cursor !== null)
  expect(seen).toEqual(['c.example.com', 'b.example.com', 'a.example.com', `d${count}.example.com`])
})

test('changing the context, which runs then take', async () => {
  expect((await send('PATCH', `/${tenant.domainId}`, { context: 'saas' })).json().context).toBe('saas')
  const run = await api.send('POST', '/v1/scans', { secret: tenant.secret, body: { domain_id: tenant.domainId } })
  expect(run.json().context).toBe('saas')
  expect((await send('PATCH', `/${tenant.domainId}`, {})).json().errors).toEqual([
    { path: 'body', message: 'names nothing to change' },
  ])
  expect((await send('PATCH', `/${tenant.domainId}`, { context: null })).json().context).toBeNull()
})

test('the environment: production until somebody says otherwise', async () => {
  const made = (await send('POST', '', { domain: 'stage.example.com' })).json()
  expect(made.environment).toBe('production')
  expect((await send('PATCH', `/${made.id}`, { environment: 'test' })).json().environment).toBe('test')
  expect((await send('PATCH', `/${made.id}`, { context: 'saas' })).json().environment).toBe('test')
  expect((await send('PATCH', `/${made.id}`, { environment: 'toy' })).statusCode).toBe(400)
  const copy = await send('POST', '', { domain: 'copy.example.com', environment: 'test' })
  expect(copy.json().environment).toBe('test')
})

test('removing: refused while a run of it goes on, and its ended runs stay', async () => {
  const { id } = (
    await api.send('POST', '/v1/scans', { secret: tenant.secret, body: { domain_id: tenant.domainId } })
  ).json()
  expect((await send('DELETE', `/${tenant.domainId}`)).json().code).toBe('domain_in_use')
  await api.send('POST', `/v1/scans/${id}/cancel`, { secret: tenant.secret })
  const response = await send('DELETE', `/${tenant.domainId}`)
  expect([response.statusCode, response.body]).toEqual([204, ''])
  expect((await send('GET', `/${tenant.domainId}`)).statusCode).toBe(404)
  expect((await send('DELETE', `/${tenant.domainId}`)).statusCode).toBe(404)
  expect((await api.send('GET', `/v1/scans/${id}`, { secret: tenant.secret })).json().domain).toBe(
    `d${count}.example.com`,
  )
})

describe('verifying', () => {
  const startActive = () =>
    api.send('POST', '/v1/scans', { secret: tenant.secret, body: { domain_id: tenant.domainId, active: true } })

  test('says what each method saw; one is enough, for 90 days', async () => {
    const failed = (await send('POST', `/${tenant.domainId}/verify`)).json()
    expect(failed.attempts).toEqual(attempts)
    expect(failed.domain.verified_at).toBeNull()
    expect((await startActive()).json().code).toBe('domain_not_verified')

    attempts = attempts.map((attempt) => ({ ...attempt, ok: attempt.method === 'meta_tag' }))
    const { domain } = (await send('POST', `/${tenant.domainId}/verify`)).json()
    expect(Date.parse(domain.verified_until) - Date.parse(domain.verified_at)).toBe(90 * 86_400_000)
    expect((await startActive()).json().tier).toBe('active')
    await startNext(api.db)
  })
  test('a failed check takes nothing away; the time does', async () => {
    attempts = attempts.map((attempt) => ({ ...attempt, ok: true }))
    await send('POST', `/${tenant.domainId}/verify`)
    attempts = attempts.map((attempt) => ({ ...attempt, ok: false }))
    expect((await send('POST', `/${tenant.domainId}/verify`)).json().domain.verified_at).not.toBeNull()
    await api.db.query("update domains set verified_until = clock_timestamp() - interval '1 second' where id = $1", [
      tenant.domainId,
    ])
    expect((await startActive()).json().code).toBe('domain_not_verified')
  })
})
