import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTenant, openApi, type TestApi } from '../../tests/support/api.ts'
import { newSecret } from '../contract/key-format.ts'
import { createKnownCallers } from './known-callers.ts'
import { DEFAULT_LIMITS } from './options.ts'
import type { Caller } from './services.ts'

const callerOf = (name: string): Caller => ({
  ...{ actor: { kind: 'key', id: name, name, role: null }, scopes: ['scans:read'], session: null },
  organisation: { id: name, name, plan: 'team', state: 'active', requests_per_day: null, created_at: '' },
})

test('as many as may be are known, those that asked last', () => {
  const [a, b, c] = [newSecret(), newSecret(), newSecret()]
  const known = createKnownCallers(2)
  for (const secret of [a, b, a, c]) known.of(secret).remember(callerOf(secret))
  expect([a, b, c].map((secret) => known.of(secret).caller?.actor.name)).toEqual([a, undefined, c])
  expect(known.of(a).remember(callerOf(a))).toBe(true)
  expect(known.of(a).remember({ ...callerOf(a), scopes: [] })).toBe(false)
  known.of(a).remember(null)
  expect(known.of(a).caller).toBeNull()
})

describe('a key that let somebody in before', () => {
  let api: TestApi
  beforeAll(async () => {
    api = await openApi()
  })
  afterAll(() => api.close())
  afterEach(() => vi.restoreAllMocks())

  /** Statements in the order in which they were asked; `hold` keeps back those it names until it is let go. */
  const watched = (hold: RegExp | null = null) => {
    const asked: string[] = []
    const gate = Promise.withResolvers<void>()
    const query = api.db.query
    vi.spyOn(api.db, 'query').mockImplementation(async (sql, params) => {
      asked.push(sql.includes('rate_limits') ? 'admission' : 'reading')
      if (hold?.test(sql)) await gate.promise
      return query(sql, params)
    })
    return { asked, letGo: gate.resolve }
  }
  const knownTenant = async (name: string) => {
    const tenant = await createTenant(api.db, name)
    expect((await api.send('GET', '/v1/scans', { secret: tenant.secret })).statusCode).toBe(200)
    return tenant
  }

  test('is read for while it is asked about, and is told nothing before that is known', async () => {
    const { secret } = await knownTenant('early.example.com')
    const { asked, letGo } = watched(/rate_limits/)
    let told = false
    const response = api.send('GET', '/v1/scans', { secret }).finally(() => {
      told = true
    })
    await vi.waitFor(() => expect(asked.toSorted()).toEqual(['admission', 'reading']))
    await new Promise((resolve) => setImmediate(resolve))
    expect(told).toBe(false)
    letGo()
    expect((await response).json()).toEqual({ items: [], next_cursor: null })
  })

  test('of another key nothing is read before', async () => {
    const { secret } = await createTenant(api.db, 'first.example.com')
    const { asked, letGo } = watched(/rate_limits/)
    const response = api.send('GET', '/v1/scans', { secret })
    await vi.waitFor(() => expect(asked).toEqual(['admission']))
    await new Promise((resolve) => setImmediate(resolve))
    expect(asked).toEqual(['admission'])
    letGo()
    expect((await response).statusCode).toBe(200)
  })

  test('of what is asked at once state and addresses are read by one statement, each for whom it is', async () => {
    const [one, other] = [await knownTenant('crowd.example.com'), await knownTenant('alone.example.com')]
    const ids: string[] = []
    for (const { secret, domainId } of [one, one, other])
      ids.push(
        (await api.send('POST', '/v1/scans', { secret, body: { domain_id: domainId } })).json<{ id: string }>().id,
      )
    const [first = '', second = '', foreign = ''] = ids
    for (const [path, known, unknown] of [
      ['', 200, 'scan_not_found'],
      ['/artifacts/report_pdf/url', 404, 'scan_not_found'],
    ] as const) {
      const { asked } = watched()
      const answers = await Promise.all(
        [first, second, foreign, first].map((id) => api.send('GET', `/v1/scans/${id}${path}`, one)),
      )
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([known, known, 404, known])
      expect(answers[2]?.json()).toMatchObject({ code: unknown })
      if (path === '') {
        expect(answers.map((answer) => answer.json<{ id?: string }>().id)).toEqual([first, second, undefined, first])
        expect(asked.filter((what) => what === 'reading')).toHaveLength(1)
      }
      vi.restoreAllMocks()
    }
  })

  test('of lists that are asked for at once those without a filter are read by one statement, each for whom it is', async () => {
    const [one, other] = [await knownTenant('many.example.com'), await knownTenant('few.example.com')]
    for (const { secret, domainId } of [one, one, other])
      await api.send('POST', '/v1/scans', { secret, body: { domain_id: domainId } })
    const { asked } = watched()
    const answers = await Promise.all(
      ['', '?limit=1', '?limit=100', '?status=queued'].flatMap((query) =>
        [one, other].map(({ secret }) => api.send('GET', `/v1/scans${query}`, { secret })),
      ),
    )
    const lists = answers.map((answer) => answer.json<{ items: { domain: string }[]; next_cursor: string | null }>())
    expect(lists.map(({ items }) => items.length)).toEqual([2, 1, 1, 1, 2, 1, 2, 1])
    expect(lists.map(({ next_cursor: next }) => next !== null)).toEqual(lists.map((_, n) => n === 2))
    expect(new Set(lists[1]?.items.map(({ domain }) => domain))).toEqual(new Set(['few.example.com']))
    expect(asked.filter((what) => what === 'reading')).toHaveLength(5)
  })

  test.each([
    ['revoked', 'revoked_at = clock_timestamp()'],
    ['expired', `expires_at = clock_timestamp() - interval '1 second'`],
  ])('and is %s is refused at once, whatever was asked for', async (name, change) => {
    for (const url of ['/v1/scans', '/v1/scans?limit=x', `/v1/scans/${newId()}`, '/v1/organisation']) {
      const { secret, keyId } = await knownTenant(`${name}.example.com`)
      await api.db.query(`update api_keys set ${change} where id = $1`, [keyId])
      for (const _ of [1, 2]) {
        const response = await api.send('GET', url, { secret, headers: { accept: 'application/json' } })
        expect([response.statusCode, response.json().code]).toEqual([401, 'unauthenticated'])
      }
      const other = await api.send('GET', url, { secret, headers: { accept: 'text/css' } })
      expect(other.statusCode).toBe(401)
    }
  })

  test('and has other scopes has these at once', async () => {
    const { secret, keyId } = await knownTenant('scopes.example.com')
    await api.db.query(`update api_keys set scopes = '{domains:read}' where id = $1`, [keyId])
    expect((await api.send('GET', '/v1/scans', { secret })).json().code).toBe('api_key_scope_insufficient')
    expect((await api.send('GET', '/v1/scans', { secret })).statusCode).toBe(403)
    await api.db.query(`update api_keys set scopes = '{scans:read}' where id = $1`, [keyId])
    expect((await api.send('GET', '/v1/scans', { secret })).statusCode).toBe(200)
  })

  test('and whose organisation has changed is answered as it is now', async () => {
    const { secret, organisationId } = await knownTenant('renamed.example.com')
    await api.db.query(`update organisations set name = 'Renamed', state = 'blocked' where id = $1`, [organisationId])
    expect((await api.send('GET', '/v1/session', { secret })).json().organisation).toMatchObject({
      ...{ name: 'Renamed', state: 'blocked' },
    })
  })

  test('and asks for what is not there is told so with what it has left', async () => {
    const { secret } = await knownTenant('left.example.com')
    const response = await api.send('GET', `/v1/scans/${newId()}`, { secret })
    expect([response.statusCode, response.json().code]).toEqual([404, 'scan_not_found'])
    expect(response.headers['ratelimit-policy']).toMatch(/^"key";.*"run";/)
  })
})

test('who has used up what they may ask is refused, and nothing more is read for them', async () => {
  const api = await openApi({ limits: { ...DEFAULT_LIMITS, requestsPerMinute: 3 } })
  const statuses = []
  for (let sent = 0; sent < 4; sent += 1) statuses.push((await api.send('GET', '/v1/scans')).statusCode)
  expect(statuses).toEqual([200, 200, 200, 429])
  const query = vi.spyOn(api.db, 'query')
  const refused = await api.send('GET', '/v1/scans')
  expect([refused.statusCode, refused.headers.ratelimit]).toEqual([429, expect.stringMatching(/^"key";r=0;/)])
  expect(query).toHaveBeenCalledTimes(1)
  query.mockRestore()
  await api.close()
})

const newId = () => crypto.randomUUID()
