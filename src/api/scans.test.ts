import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createTenant,
  finishWith,
  keyWith,
  openApi,
  startNext,
  type Tenant,
  type TestApi,
  verify,
} from '../../tests/support/api.ts'
import { oneKey } from '../contract/secret-keys.ts'
import { createKey, revokeKey } from '../store/api-keys.ts'
import { setOrganisation } from '../store/organisations.ts'
import { openCredentials } from '../store/seal.ts'

let api: TestApi
let tenant: Tenant
let count = 0
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())
beforeEach(async () => {
  count += 1
  tenant = await createTenant(api.db, `t${count}.example.com`)
})

const start = (body: object = {}, more: object = {}) =>
  api.send('POST', '/v1/scans', { secret: tenant.secret, body: { domain_id: tenant.domainId, ...body }, ...more })
const get = (url: string) => api.send('GET', url, { secret: tenant.secret })

describe('starting a run', () => {
  test('answers 202 with the run queued', async () => {
    const response = await start()
    expect(response.statusCode).toBe(202)
    expect(response.json()).toEqual({
      id: expect.any(String),
      domain: `t${count}.example.com`,
      tier: 'passive',
      status: 'queued',
      progress: 0,
      context: null,
      created_at: expect.any(String),
    })
    expect(response.headers.location).toBe(`/v1/scans/${response.json().id}`)
  })

  test('seals the credentials, and no answer shows them', async () => {
    const { id } = (await start({ auth_cookie: 'sid=canary-cookie', auth_header: 'X-Token: canary-header' })).json()
    const [row] = await api.db.query<{ credentials: Buffer; options: object }>('select * from runs where id = $1', [id])
    expect(openCredentials(oneKey(Buffer.alloc(32, 1)), row?.credentials ?? null)).toEqual({
      cookie: 'sid=canary-cookie',
      header: 'X-Token: canary-header',
    })
    expect(JSON.stringify(row?.options)).not.toContain('canary')
    expect((await get(`/v1/scans/${id}`)).body).not.toContain('canary')
  })

  test("keeps exclude patterns, the domain's first, each once", async () => {
    const changed = await api.send('PATCH', `/v1/domains/${tenant.domainId}`, {
      secret: tenant.secret,
      body: { exclude: ['/admin', '/both'] },
    })
    expect(changed.json()).toMatchObject({ context: null, exclude: ['/admin', '/both'] })
    const { id } = (await start({ exclude: ['/both', '/x?a=1'] })).json()
    const [row] = await api.db.query<{ options: object }>('select options from runs where id = $1', [id])
    expect(row?.options).toMatchObject({ exclude: ['/admin', '/both', '/x?a=1'] })
  })

  test('begins where the domain says, then where it says itself, each once', async () => {
    const domain = `/v1/domains/${tenant.domainId}`
    const changed = await api.send('PATCH', domain, { secret: tenant.secret, body: { start_paths: ['/wiki/'] } })
    expect(changed.json()).toMatchObject({ start_paths: ['/wiki/'] })
    const begins = async (body: object): Promise<unknown> => {
      const { id } = (await start(body)).json()
      const [row] = await api.db.query<{ options: { start_paths?: unknown } }>(
        'select options from runs where id = $1',
        [id],
      )
      return row?.options.start_paths
    }
    expect(await begins({ start_paths: ['/shop/', '/wiki/'] })).toEqual(['/wiki/', '/shop/'])
    await api.send('PATCH', domain, { secret: tenant.secret, body: { start_paths: [] } })
    expect(await begins({})).toBeUndefined()
  })

  const bad: readonly [trick: string, body: object, paths: string[]][] = [
    ['unknown field', { speed: 9 }, ['speed']],
    ['exclude pattern without a slash', { exclude: ['/ok', 'admin'] }, ['exclude.1']],
    ['start path with a way up', { start_paths: ['/wiki/../admin/'] }, ['start_paths.0']],
    ['too many exclude patterns', { exclude: Array.from({ length: 51 }, () => '/a') }, ['exclude']],
    ['__proto__ as a field', JSON.parse('{"__proto__": 1}'), ['__proto__']],
    [
      'every bad field at once',
      { active: 'yes', privacy: 1, context: 'bank', make_pdf: null },
      ['active', 'context', 'make_pdf', 'privacy'],
    ],
    ['domain_id that is no uuid', { domain_id: '42' }, ['domain_id']],
    ['domain_id missing', { domain_id: undefined }, ['domain_id']],
    ['cookie that splits the request', { auth_cookie: 'a=1\r\nX: y' }, ['auth_cookie']],
    ['header without a colon', { auth_header: 'Bearer x' }, ['auth_header']],
    ['NUL', { auth_header: 'A: \0' }, ['auth_header']],
  ]
  test.each(bad)('names what is wrong: %s', async (_, body, paths) => {
    const merged = Object.assign(Object.create(null), { domain_id: tenant.domainId })
    for (const [key, value] of Object.entries(body)) Object.defineProperty(merged, key, { value, enumerable: true })
    const response = await api.send('POST', '/v1/scans', { secret: tenant.secret, body: merged })
    expect(response.statusCode).toBe(400)
    expect(response.json().code).toBe('validation_failed')
    expect(
      response
        .json()
        .errors.map((error: { path: string }) => error.path)
        .sort(),
    ).toEqual(paths)
  })

  test('a body that is no JSON never has its text repeated', async () => {
    const response = await api.send('POST', '/v1/scans', {
      payload: '{"auth_cookie": "canary" canary',
      headers: { 'content-type': 'application/json' },
    })
    expect(response.statusCode).toBe(400)
    expect(response.body).not.toContain('canary')
    expect(response.json().errors).toEqual([{ path: 'body', message: expect.stringContaining('JSON') }])
  })

  describe('refuses in the order of the checks', () => {
    test('body before scope', async () => {
      const { secret } = await createKey(api.db, keyWith(tenant.organisationId, ['scans:read']))
      expect((await api.send('POST', '/v1/scans', { secret, body: {} })).json().code).toBe('validation_failed')
      const response = await api.send('POST', '/v1/scans', { secret, body: { domain_id: tenant.domainId } })
      expect(response.statusCode).toBe(403)
      expect(response.json().code).toBe('api_key_scope_insufficient')
    })

    test('scope, then state, then domain, then verification, then quota', async () => {
      const unknown = '00000000-0000-4000-8000-000000000000'
      await setOrganisation(api.db, tenant.organisationId, { state: 'blocked' })
      expect((await start({ domain_id: unknown })).json().code).toBe('organization_blocked')
      await setOrganisation(api.db, tenant.organisationId, { state: 'throttled' })
      expect((await start({ domain_id: unknown })).json().code).toBe('organization_throttled')
      await setOrganisation(api.db, tenant.organisationId, { state: 'active', plan: 'free' })
      expect((await start({ domain_id: unknown, active: true })).statusCode).toBe(404)
      expect((await start({ domain_id: api.other.domainId })).json().code).toBe('domain_not_found')
      for (let run = 0; run < 10; run += 1) expect((await start()).statusCode).toBe(202)
      expect((await start({ active: true })).json().code).toBe('domain_not_verified')
      await verify(api.db, tenant.domainId)
      const response = await start({ active: true })
      expect([response.statusCode, response.json().code]).toEqual([402, 'quota_exceeded'])
    })
  })

  test('two simultaneous starts never both take the last unit', async () => {
    await setOrganisation(api.db, tenant.organisationId, { plan: 'free' })
    const statuses = (await Promise.all(Array.from({ length: 25 }, () => start()))).map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 202)).toHaveLength(10)
    expect(statuses.filter((status) => status === 402)).toHaveLength(15)
  })

  test('a cancelled run that nobody took gives its unit back', async () => {
    await setOrganisation(api.db, tenant.organisationId, { plan: 'free' })
    const runs = await Promise.all(Array.from({ length: 10 }, () => start()))
    expect((await start()).statusCode).toBe(402)
    await api.send('POST', `/v1/scans/${runs[0]?.json().id}/cancel`, { secret: tenant.secret })
    expect((await start()).statusCode).toBe(202)
  })

  describe('with an Idempotency-Key', () => {
    const headers = { 'idempotency-key': 'deploy-1' }
    test('the same body gives the same run, however it is spelled', async () => {
      const first = await start({ privacy: false, active: false }, { headers })
      const again = await start({ active: false, privacy: false, context: null }, { headers })
      expect(again.json()).toEqual(first.json())
      expect([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([undefined, 'true'])
    })
    test('another body is a conflict', async () => {
      await start({}, { headers })
      const response = await start({ privacy: false }, { headers })
      expect([response.statusCode, response.json().code]).toEqual([409, 'idempotency_conflict'])
    })
    test('ten at once make one run', async () => {
      const ids = (await Promise.all(Array.from({ length: 10 }, () => start({}, { headers })))).map((r) => r.json().id)
      expect(new Set(ids).size).toBe(1)
    })
    test('a key of another organisation is another key', async () => {
      const { id } = (await start({}, { headers })).json()
      const response = await api.send('POST', '/v1/scans', { body: { domain_id: api.mine.domainId }, headers })
      expect(response.statusCode).toBe(202)
      expect(response.json().id).not.toBe(id)
    })
    test.each([
      ['empty', ''],
      ['space', 'a b'],
      ['256 characters', 'a'.repeat(256)],
    ])('bad: %s', async (_, key) => {
      const response = await start({}, { headers: { 'idempotency-key': key } })
      expect([response.statusCode, response.json().errors[0].path]).toEqual([400, 'Idempotency-Key'])
    })
  })
})

describe('listing runs', () => {
  test('pages neither skip nor repeat while runs are being created', async () => {
    const made = []
    for (let run = 0; run < 7; run += 1) made.push((await start()).json().id)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: { items: { id: string }[]; next_cursor: string | null } = (
        await get(`/v1/scans?limit=2${cursor ? `&cursor=${cursor}` : ''}`)
      ).json()
      seen.push(...page.items.map(({ id }) => id))
      cursor = page.next_cursor
      await start()
    } while (cursor !== null)
    expect(seen).toEqual(made.toReversed())
  })

  test('the last page is exact: no empty page after it', async () => {
    for (let run = 0; run < 4; run += 1) await start()
    const first = (await get('/v1/scans?limit=2')).json()
    const second = (await get(`/v1/scans?limit=2&cursor=${first.next_cursor}`)).json()
    expect(second.items).toHaveLength(2)
    expect(second.next_cursor).toBeNull()
  })

  test('filters by state, tier, domain, time and text', async () => {
    const { id, created_at } = (await start()).json()
    const cancelled = (await start()).json()
    await api.send('POST', `/v1/scans/${cancelled.id}/cancel`, { secret: tenant.secret })
    const ids = async (query: string) =>
      (await get(`/v1/scans?${query}`)).json().items.map((run: { id: string }) => run.id)
    expect(await ids('status=queued')).toEqual([id])
    expect(await ids('status=queued,canceled')).toEqual([cancelled.id, id])
    expect(await ids('tier=active')).toEqual([])
    expect(await ids(`domain_id=${tenant.domainId}`)).toHaveLength(2)
    expect(await ids(`domain_id=${api.other.domainId}`)).toEqual([])
    expect(await ids(`from=${created_at}&to=${cancelled.created_at}`)).toEqual([id])
    expect(await ids(`q=${id.slice(0, 13)}`)).toEqual([id])
    expect(await ids(`q=T${count}.EXAMPLE`)).toHaveLength(2)
    expect(await ids('q=%25')).toEqual([])
    expect(await ids('q=_')).toEqual([])
  })

  test('a cursor is refused when altered or used elsewhere', async () => {
    for (let run = 0; run < 3; run += 1) await start()
    const { next_cursor: cursor } = (await get('/v1/scans?limit=1&status=queued')).json()
    const status = async (query: string, secret = tenant.secret) =>
      (await api.send('GET', `/v1/scans?${query}`, { secret })).statusCode
    expect(await status(`status=queued&cursor=${cursor}`)).toBe(200)
    expect(await status(`status=queued&limit=50&cursor=${cursor}`)).toBe(200)
    expect(await status(`cursor=${cursor}`)).toBe(400)
    expect(await status(`status=queued,done&cursor=${cursor}`)).toBe(400)
    expect(await status(`status=queued&cursor=x${cursor}`)).toBe(400)
    expect(await status(`status=queued&cursor=${cursor.slice(0, -1)}`)).toBe(400)
    expect(await status(`status=queued&cursor=${cursor}`, api.mine.secret)).toBe(400)
  })

  const bad: readonly [trick: string, query: string, path: string][] = [
    ['state that is none', 'status=paused', 'status.0'],
    ['empty state in a list', 'status=queued,,done', 'status.1'],
    ['given twice', 'status=queued&status=done', 'status'],
    ['limit 0', 'limit=0', 'limit'],
    ['limit 101', 'limit=101', 'limit'],
    ['limit in words', 'limit=ten', 'limit'],
    ['time without a zone', 'from=2026-11-20T09:00:00', 'from'],
    ['time before the calendar', 'from=0000-01-01T00:00:00Z', 'from'],
    ['time behind it, by its offset', 'to=9999-12-31T23:59:59-23:59', 'to'],
    ['unknown filter', 'state=queued', 'state'],
    ['empty text', 'q=', 'q'],
    ['NUL in the text', 'q=%00', 'q'],
    ['cursor made up', 'cursor=abc', 'cursor'],
  ]
  test.each(bad)('refuses %s', async (_, query, path) => {
    const response = await get(`/v1/scans?${query}`)
    expect(response.statusCode).toBe(400)
    expect(response.json().errors.map((error: { path: string }) => error.path)).toEqual([path])
  })
})

describe('reading and cancelling', () => {
  test('the status has every field of the interface', async () => {
    const { id } = (await start({ context: 'shop' })).json()
    expect((await get(`/v1/scans/${id}`)).json()).toMatchObject({
      ...{ id, status: 'queued', phase: 'queued', progress: 0, duration_ms: 0, error_kind: null, context: 'shop' },
      ...{ tier: 'passive', counts: { critical: 0, high: 0, medium: 0, low: 0, info: 0 }, grade: null },
    })
  })

  test('a waiting run is canceled at once, then not again', async () => {
    const { id } = (await start()).json()
    const cancel = () => api.send('POST', `/v1/scans/${id}/cancel`, { secret: tenant.secret })
    const response = await cancel()
    expect([response.statusCode, response.json().status]).toEqual([202, 'canceled'])
    const again = await cancel()
    expect([again.statusCode, again.json().code]).toEqual([409, 'scan_not_cancelable'])
  })

  test('a run in progress is asked to stop, twice if need be; a done one is not', async () => {
    await cancelAll()
    const { id } = (await start()).json()
    const held = await startNext(api.db)
    expect(held.runId).toBe(id)
    const cancel = () => api.send('POST', `/v1/scans/${id}/cancel`, { secret: tenant.secret })
    const [first, second] = [await cancel(), await cancel()]
    expect([first.statusCode, second.statusCode]).toEqual([202, 202])
    expect(first.json()).toMatchObject({ status: 'running', cancel_requested_at: expect.any(String) })
    expect(second.json().cancel_requested_at).toBe(first.json().cancel_requested_at)
    await api.db.query('update runs set cancel_requested_at = null where id = $1', [id])
    await finishWith(api, held, [])
    expect((await cancel()).json().code).toBe('scan_not_cancelable')
  })

  test.each(['POST', 'GET'] as const)('an id that is none is a run that is not there: %s', async (method) => {
    const url = method === 'POST' ? '/v1/scans/42/cancel' : '/v1/scans/42'
    const response = await api.send(method, url)
    expect([response.statusCode, response.json().code]).toEqual([404, 'scan_not_found'])
  })
})

test('a revoked key is a stranger', async () => {
  expect((await get('/v1/scans')).statusCode).toBe(200)
  await revokeKey(api.db, tenant.keyId)
  const response = await get('/v1/scans')
  expect([response.statusCode, response.headers['www-authenticate']]).toEqual([401, 'Bearer realm="sonde"'])
})

const cancelAll = async (): Promise<void> => {
  await api.db.query(
    `update runs set status = 'canceled', finished_at = clock_timestamp(), credentials = null where status = 'queued'`,
  )
}
