import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createTenant,
  keyWith,
  openApi,
  startNext,
  type Tenant,
  type TestApi,
  verify,
} from '../../tests/support/api.ts'
import { until } from '../../tests/support/until.ts'
import { SCOPES } from '../contract/organisation.ts'
import { createKey } from '../store/api-keys.ts'
import { setOrganisation } from '../store/organisations.ts'

let api: TestApi
/** A fresh one for each case. */
let mine: Tenant
let cases = 0
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())
beforeEach(async () => {
  cases += 1
  mine = await createTenant(api.db, `batch${cases}.example.com`)
  // Of the cases before: they would have their turns.
  await api.db.query(`update batches set state = 'canceled' where state in ('running', 'paused')`, [])
})

type More = NonNullable<Parameters<TestApi['send']>[2]>
const send = (method: 'GET' | 'POST', url: string, more: More = {}) =>
  api.send(method, url, { secret: mine.secret, ...more })
const start = (body: unknown, more: More = {}) => send('POST', '/v1/batches', { body, ...more })
const table = (payload: string | Buffer, query = '') =>
  send('POST', `/v1/batches${query}`, { payload, headers: { 'content-type': 'text/csv' } })
const names = (count: number, word = 'site') => Array.from({ length: count }, (_, n) => `${word}${n}.example.com`)
const domains = async (): Promise<{ domain: string; verified_at: string | null }[]> =>
  (await send('GET', '/v1/domains?limit=100')).json().items

describe('starting a batch', () => {
  test('by names: those that are not there are registered unverified, each is scanned once', async () => {
    const response = await start({ domains: ['Site0.example.com', 'site0.example.com.', `batch${cases}.example.com`] })
    expect(response.statusCode).toBe(202)
    const batch = response.json()
    expect(batch).toMatchObject({ state: 'running', counts: { total: 2, waiting: 2 }, options: { privacy: true } })
    expect(response.headers.location).toBe(`/v1/batches/${batch.id}`)
    expect((await send('GET', `/v1/batches/${batch.id}`)).json()).toEqual(batch)
    expect((await domains()).map(({ domain, verified_at }) => [domain, verified_at])).toEqual([
      ['site0.example.com', null],
      [`batch${cases}.example.com`, null],
    ])
    expect((await send('GET', '/v1/scans')).json().items).toEqual([])
  })

  test('by ids', async () => {
    const batch = (await start({ domain_ids: [mine.domainId, mine.domainId.toUpperCase()] })).json()
    expect(batch.counts.total).toBe(1)
    const unknown = '00000000-0000-4000-8000-000000000000'
    const response = await start({ domain_ids: [mine.domainId, unknown, api.other.domainId] })
    expect([response.statusCode, response.json().code]).toEqual([404, 'domain_not_found'])
    expect(response.json().detail).toContain(unknown)
  })

  test('by a table, with the options in the query', async () => {
    const response = await table(
      '\uFEFFrank;Domain\r\n1;"site1.example.com"\r\n\r\n2;site2.example.com\r\n',
      '?survey=true',
    )
    expect(response.statusCode).toBe(202)
    expect(response.json()).toMatchObject({ counts: { total: 2 }, options: { survey: true, make_pdf: false } })
  })

  test.each([
    ['neither', {}, ['domains']],
    ['both', { domains: ['a.example.com'], domain_ids: ['x'] }, ['domain_ids.0', 'domains']],
    ['an empty list', { domains: [] }, ['domains']],
    ['more than there may be', { domains: Array(100_001).fill('a.example.com') }, ['domains']],
    ['what is not known', { domains: ['a.example.com'], prio: 1 }, ['prio']],
    ['a login', { domains: ['a.example.com'], options: { auth_cookie: 'a=b' } }, ['options.auth_cookie']],
    ['a dry run', { domains: ['a.example.com'], options: { dry_run: true } }, ['options.dry_run']],
    [
      'a survey that is active',
      { domains: ['a.example.com'], options: { active: true, survey: true } },
      ['options.survey'],
    ],
  ])('refused with 400: %s', async (_name, body, paths) => {
    const response = await start(body)
    expect([response.statusCode, response.json().code]).toEqual([400, 'validation_failed'])
    expect(response.json().errors.map(({ path }: { path: string }) => path)).toEqual(paths)
  })

  test('bad names are all named at once with their place, and nothing is registered', async () => {
    const response = await start({ domains: ['good.example.com', 'com', 'http://x.example.com', '127.0.0.1'] })
    expect(response.statusCode).toBe(400)
    expect(response.json().errors.map(({ path }: { path: string }) => path)).toEqual([
      'domains.1',
      'domains.2',
      'domains.3',
    ])
    expect(await domains()).toHaveLength(1)
    const many = await start({ domains: Array.from({ length: 3_000 }, (_, n) => `bad${n}.invalid-suffix`) })
    expect(many.json().errors).toHaveLength(1_000)
    expect(many.json().detail).toContain('3000 of 3000 names')
  })

  test.each([
    ['no header row', 'a.example.com\n', 'line 1 has no column called "domain"'],
    ['a quote that is not closed', 'domain\n"a.example.com\n', 'line 2 has a quote that is not closed'],
    ['no row', 'domain\n', 'must'],
    ['bytes that are no text', Buffer.from([0x64, 0xff]), 'UTF-8'],
  ])('a table with %s is refused', async (_name, payload, says) => {
    const response = await table(payload)
    expect(response.statusCode).toBe(400)
    if (says !== 'must') expect(response.json().errors[0].message).toContain(says)
  })

  test('options of a table are told apart as those of a body are', async () => {
    const one = await table('domain\na.example.com\n', '?survey=yes&colour=red')
    expect(
      one
        .json()
        .errors.map(({ path }: { path: string }) => path)
        .toSorted(),
    ).toEqual(['colour', 'options.survey', 'survey'])
    const other = await send('POST', '/v1/batches?survey=true', { body: { domains: ['a.example.com'] } })
    expect([other.statusCode, other.json().errors[0].path]).toEqual([400, 'survey'])
  })

  test('other bodies are not taken', async () => {
    const response = await send('POST', '/v1/batches', { payload: 'x', headers: { 'content-type': 'text/plain' } })
    expect(response.json().code).toBe('unsupported_media_type')
  })

  test('active needs every domain verified, and says which are not', async () => {
    await verify(api.db, mine.domainId)
    const own = `batch${cases}.example.com`
    const response = await start({ domains: [own, 'strange.example.com'], options: { active: true } })
    expect([response.statusCode, response.json().code]).toEqual([403, 'domain_not_verified'])
    expect(response.json().detail).toContain('1 domain to verify first: strange.example.com.')
    expect(await domains()).toHaveLength(1)
    expect((await start({ domains: [own], options: { active: true } })).statusCode).toBe(202)
    expect((await start({ domain_ids: [mine.domainId], options: { active: true } })).statusCode).toBe(202)
    const login = await start({ domains: ['strange.example.com'], options: { identities: ['admin'] } })
    expect(login.json().code).toBe('domain_not_verified')
  })

  test('the quota is reserved for all of it, or 402 and nothing is registered', async () => {
    const free = await createTenant(api.db, 'free.example.com', 'free')
    const response = await start({ domains: names(11) }, { secret: free.secret })
    expect([response.statusCode, response.json().code]).toEqual([402, 'quota_exceeded'])
    expect((await send('GET', '/v1/domains', { secret: free.secret })).json().items).toHaveLength(1)
    const { id } = (await start({ domains: names(10) }, { secret: free.secret })).json()
    const left = async () => (await send('GET', '/v1/organisation', { secret: free.secret })).json().usage.left
    expect(await left()).toBe(0)
    const single = await send('POST', '/v1/scans', { secret: free.secret, body: { domain_id: free.domainId } })
    expect(single.json().code).toBe('quota_exceeded')
    expect((await send('POST', `/v1/batches/${id}/cancel`, { secret: free.secret })).statusCode).toBe(202)
    expect(await left()).toBe(10)
  })

  test.each([
    ['blocked', 'organization_blocked'],
    ['throttled', 'organization_throttled'],
  ] as const)('an organisation that is %s starts none', async (state, code) => {
    await setOrganisation(api.db, mine.organisationId, { state })
    const response = await start({ domains: ['a.example.com'] })
    expect([response.statusCode, response.json().code]).toEqual([403, code])
  })

  test('scopes are those of scans', async () => {
    const { id } = (await start({ domains: ['a.example.com'] })).json()
    const without = async (scope: string) =>
      (
        await createKey(
          api.db,
          keyWith(
            mine.organisationId,
            SCOPES.filter((one) => one !== scope),
          ),
        )
      ).secret
    const [noWrite, noRead] = [await without('scans:write'), await without('scans:read')]
    for (const path of ['', `/${id}/pause`, `/${id}/resume`, `/${id}/cancel`]) {
      const response = await send('POST', `/v1/batches${path}`, {
        secret: noWrite,
        body: path ? {} : { domains: ['a.example.com'] },
      })
      expect([path, response.json().code]).toEqual([path, 'api_key_scope_insufficient'])
    }
    for (const path of ['', `/${id}`, `/${id}/results`]) {
      expect((await send('GET', `/v1/batches${path}`, { secret: noRead })).json().code).toBe(
        'api_key_scope_insufficient',
      )
    }
  })

  test('the same key and body give the same batch, whatever has become of the organisation; another body a conflict', async () => {
    const headers = { 'idempotency-key': 'quarter' }
    const first = await start({ domains: names(2) }, { headers })
    await setOrganisation(api.db, mine.organisationId, { state: 'throttled' })
    const again = await start({ domains: names(2) }, { headers })
    expect([again.statusCode, again.json().id]).toEqual([202, first.json().id])
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect((await start({ domains: names(3) }, { headers })).json().code).toBe('idempotency_conflict')
    expect((await send('GET', '/v1/batches')).json().items).toHaveLength(1)
  })
})

describe('a batch that goes on', () => {
  const begin = async (count: number): Promise<string> =>
    (await start({ domains: names(count), options: { privacy: false, make_pdf: false } })).json().id
  const act = (id: string, verb: string) => send('POST', `/v1/batches/${id}/${verb}`, { body: {} })

  test('is paused, resumed and cancelled; then it has ended', async () => {
    const id = await begin(3)
    expect((await act(id, 'pause')).json()).toMatchObject({ id, state: 'paused' })
    expect((await act(id, 'resume')).json()).toMatchObject({ id, state: 'running' })
    const canceled = await act(id, 'cancel')
    expect([canceled.statusCode, canceled.json()]).toMatchObject([202, { state: 'canceled', counts: { canceled: 3 } }])
    for (const verb of ['pause', 'resume', 'cancel']) {
      const response = await act(id, verb)
      expect([response.statusCode, response.json().code]).toEqual([409, 'batch_has_ended'])
    }
  })

  test('its results are rows of JSON, or a table by format or Accept', async () => {
    const id = await begin(2)
    const run = await startNext(api.db)
    expect(run.domain).toBe('site0.example.com')
    const response = await send('GET', `/v1/batches/${id}/results`)
    expect(response.headers['content-type']).toBe('application/x-ndjson')
    const rows = response.body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const empty = { grade: null, error_kind: null, error_detail: null, finished_at: null }
    const counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 }
    expect(rows).toEqual([
      { domain: 'site0.example.com', scan_id: run.runId, status: 'running', counts, ...empty },
      { domain: 'site1.example.com', scan_id: null, status: 'queued', counts: null, ...empty },
    ])
    const csv = await send('GET', `/v1/batches/${id}/results?format=csv`)
    expect(csv.headers['content-type']).toContain('text/csv')
    expect(csv.body.split('\r\n').slice(1)).toEqual([
      `site0.example.com,${run.runId},running,,0,0,0,0,0,,,`,
      'site1.example.com,,queued,,,,,,,,,',
      '',
    ])
    const wanted = { headers: { accept: 'application/json;q=0.5, text/csv' } }
    expect((await send('GET', `/v1/batches/${id}/results`, wanted)).body).toBe(csv.body)
    const refused = await send('GET', `/v1/batches/${id}/results`, { headers: { accept: 'image/png' } })
    expect(refused.json().code).toBe('not_acceptable')
    await act(id, 'cancel')
  })

  test('is listed in pages, the newest first', async () => {
    const made = [await begin(1), await begin(1), await begin(1)]
    const first = (await send('GET', '/v1/batches?limit=2')).json()
    const second = (await send('GET', `/v1/batches?limit=2&cursor=${first.next_cursor}`)).json()
    expect([...first.items, ...second.items].map(({ id }: { id: string }) => id)).toEqual(made.toReversed())
    expect(second.next_cursor).toBeNull()
  })
})

describe('domains in bulk', () => {
  const bulk = (rows: readonly object[]) => send('POST', '/v1/domains/import', { body: { domains: rows } })

  test('each row is answered: added, there already, refused with the reason', async () => {
    const own = `batch${cases}.example.com`
    const response = await bulk([
      { domain: 'New.example.com', context: 'shop', environment: 'test' },
      { domain: own },
      { domain: 'com' },
      { domain: 'new.example.com', context: 'saas' },
    ])
    expect(response.statusCode).toBe(200)
    const { counts, items } = response.json()
    expect(counts).toEqual({ added: 1, exists: 2, refused: 1 })
    expect(items).toMatchObject([
      { domain: 'new.example.com', outcome: 'added', reason: null },
      { domain: own, outcome: 'exists', id: mine.domainId },
      { domain: 'com', outcome: 'refused', id: null, reason: expect.stringContaining('public suffix') },
      { domain: 'new.example.com', outcome: 'exists', id: items[0].id },
    ])
    const made = await send('GET', `/v1/domains/${items[0].id}`)
    expect(made.json()).toMatchObject({ context: 'shop', environment: 'test', verified_at: null })
  })

  test('by a table', async () => {
    const payload = 'domain,context,environment,owner\r\na.example.com,,test,me\r\nb.example.com,shop,,"you, too"\r\n'
    const response = await send('POST', '/v1/domains/import', { payload, headers: { 'content-type': 'text/csv' } })
    expect(response.json().counts).toEqual({ added: 2, exists: 0, refused: 0 })
    const wrong = await send('POST', '/v1/domains/import', {
      ...{ payload: 'domain,context\r\nc.example.com,bakery\r\n', headers: { 'content-type': 'text/csv' } },
    })
    expect([wrong.statusCode, wrong.json().errors[0].path]).toEqual([400, 'domains.0.context'])
  })

  test('needs the scope of domains', async () => {
    const { secret } = await createKey(api.db, keyWith(mine.organisationId, ['scans:write', 'domains:read']))
    const response = await send('POST', '/v1/domains/import', {
      secret,
      body: { domains: [{ domain: 'a.example.com' }] },
    })
    expect(response.json().code).toBe('api_key_scope_insufficient')
  })
})

/** As many as there may be, or ten statements of them: what is answered meanwhile is answered between two. */
const MANY = process.env.SONDE_LONG ? 100_000 : 10_000

test(`${MANY} names are taken, and other requests are answered meanwhile`, { timeout: 240_000 }, async () => {
  const all = names(MANY, 'n')
  const done = start({ domains: all, options: { survey: true } })
  let isDone = false
  const response = done.finally(() => {
    isDone = true
  })
  const listed = async () => (await send('GET', '/v1/batches')).json().items
  await until(async () => (await listed()).length === 1, 60_000)
  expect(await listed()).toMatchObject([{ counts: { total: MANY, waiting: MANY } }])
  // It is being written still, and others have had their answers.
  expect(isDone).toBe(false)
  const made = await response
  expect([made.statusCode, made.json().counts]).toMatchObject([202, { total: MANY, waiting: MANY }])
  const run = await startNext(api.db)
  expect(run.domain).toBe('n0.example.com')
  const { id } = made.json()
  const rows = (await send('GET', `/v1/batches/${id}/results?format=csv`)).body.trimEnd().split('\r\n')
  expect(rows).toHaveLength(MANY + 1)
  expect(rows.at(-1)).toMatch(new RegExp(`^n${MANY - 1}\\.example\\.com,`))
  const canceled = (await send('POST', `/v1/batches/${id}/cancel`, { body: {} })).json()
  expect(canceled.counts).toMatchObject({ waiting: 0, running: 1, canceled: MANY - 1 })
})
