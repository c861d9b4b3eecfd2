import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTenant, finishWith, keyWith, openApi, startNext, type TestApi, verify } from '../../tests/support/api.ts'
import * as example from '../contract/examples.ts'
import type { Coverage } from '../contract/finding.ts'
import { weaknessOf } from '../contract/weaknesses.ts'
import { createKey } from '../store/api-keys.ts'
import type { NewFinding } from '../store/findings.ts'
import { fail, type LeasedRun } from '../store/lease.ts'
import { saveModule } from '../store/modules.ts'

let api: TestApi
let path: string
beforeAll(async () => {
  api = await openApi()
  await verify(api.db, api.mine.domainId)
  path = `/v1/domains/${api.mine.domainId}/hypotheses`
})
afterAll(() => api.close())

const SEARCH = {
  weakness: 'sqli',
  request: { url: 'https://www.mine.example.com/search?q=lamp' },
  point: { in: 'query', name: 'q' },
}
const start = (change: object = {}, more: { secret?: string } = {}) =>
  api.send('POST', path, { body: { ...SEARCH, ...change }, ...more })

const { id: _id, status: _status, triage: _triage, ...FINDING } = example.finding
type Came = {
  readonly coverage?: Partial<Coverage>
  readonly findings?: readonly Partial<NewFinding>[]
  readonly requests?: number
}

/** The next run, with what its module came to; `requests`: that it sent. */
const asked = async (
  { coverage = {}, findings = [], requests = 90 }: Came,
  weakness: 'sqli' | 'xss' = 'sqli',
): Promise<LeasedRun> => {
  const { asks, asksOfQuery = [] } = weaknessOf(weakness)
  const held = await startNext(api.db)
  await saveModule(api.db, held, {
    ...{ module: weakness, facts: {}, outcome: { state: 'completed', reason: null, duration_ms: 1, requests } },
    coverage: [...asks, ...asksOfQuery].map((check_id) => ({
      ...{ module: weakness, check_id, title: check_id, state: 'pass' as const, reason: null },
      ...coverage,
    })),
    findings: findings.map((finding) => ({ ...FINDING, module: weakness, check_id: 'sqli/boolean', ...finding })),
  })
  return held
}
const read = async (id: string) => (await api.send('GET', `/v1/scans/${id}/hypothesis`)).json()

test('is queued as an active run of one module, of the address alone', async () => {
  const made = await start()
  expect([made.statusCode, made.json()]).toEqual([
    202,
    expect.objectContaining({
      status: 'queued',
      verdict: null,
      finding: null,
      requests: 0,
      domain: 'mine.example.com',
    }),
  ])
  expect(made.json().request.url).toBe('/search?q=lamp')
  expect(made.headers.location).toBe(`/v1/scans/${made.json().id}/hypothesis`)
  const held = await startNext(api.db)
  expect(held).toMatchObject({ runId: made.json().id, tier: 'active' })
  expect(held.options).toMatchObject({ only: 'sqli', privacy: false, make_pdf: false, active: true })
  const [listed] = (await api.send('GET', '/v1/scans')).json().items
  expect(listed).toMatchObject({ id: held.runId, hypothesis: 'sqli', retest_of: null })
  await finishWith(api, held, [])
})

describe('the verdict', () => {
  const verdictOf = async (came: Came) => {
    const { id } = (await start()).json()
    await finishWith(api, await asked(came), [])
    return read(id)
  }

  test('refuted: every check of the weakness came to an answer', async () => {
    expect(await verdictOf({})).toMatchObject({
      ...{ verdict: 'refuted', finding: null, requests: 90 },
      reason: 'SQL injection was asked for in full at query parameter q, with 90 requests, and nothing proved it.',
    })
  })

  test.each([
    ['q', 'confirmed'],
    ['next', 'refuted'],
  ])('of what a script of the page reads of %s: %s', async (parameter, verdict) => {
    const { id } = (await start({ weakness: 'xss' })).json()
    const location = { url: 'https://www.mine.example.com/search', method: 'GET' as const, parameter }
    await finishWith(api, await asked({ findings: [{ check_id: 'xss/dom', location }] }, 'xss'), [])
    expect(await read(id)).toMatchObject({ verdict })
  })

  test('inconclusive: what scripts of the page make of it was not seen', async () => {
    const { id } = (await start({ weakness: 'xss' })).json()
    const held = await asked({}, 'xss')
    await finishWith(api, held, [])
    expect(await read(id)).toMatchObject({ verdict: 'refuted' })
    const { id: other } = (await start({ weakness: 'xss', point: { in: 'query', name: 'q' } })).json()
    const reason = 'no browser is installed'
    await finishWith(api, await asked({ coverage: { state: 'not_tested', reason } }, 'xss'), [])
    expect(await read(other)).toMatchObject({ verdict: 'inconclusive', reason: 'No browser is installed.' })
  })

  test('refuted: what a page stores and another shows is told not to be', async () => {
    const { id } = (await start({ weakness: 'xss' })).json()
    await finishWith(api, await asked({}, 'xss'), [])
    expect(await read(id)).toMatchObject({
      verdict: 'refuted',
      reason: expect.stringMatching(/nothing proved it\. What is stored, .* is not refuted by that\.$/),
    })
  })

  test('confirmed: with the finding and its proof', async () => {
    const came = await verdictOf({ findings: [{ detail: 'It answered rightly.' }], coverage: { state: 'fail' } })
    expect(came).toMatchObject({
      verdict: 'confirmed',
      reason: 'It answered rightly.',
      finding: { check_id: 'sqli/boolean' },
    })
    expect(came.finding.proof).toEqual(FINDING.proof)
  })

  test.each([
    [
      'a sign without a proof',
      { findings: [{ confidence: 'firm' as const }] },
      'inconclusive',
      /^There is a sign, and no proof/,
    ],
    [
      'a place that was not asked in full',
      { coverage: { state: 'inconclusive', reason: 'of 1 places: 1 blocked by a firewall', asked: 0, known: 1 } },
      ...['inconclusive', /^Of 1 places: 1 blocked by a firewall\.$/],
    ],
    [
      'what the policy forbids',
      {
        requests: 0,
        coverage: {
          state: 'inconclusive',
          reason: 'of 1 places: 1 left',
          reasons: [{ reason: 'left alone: it deletes', count: 1 }],
        },
      },
      ...['not_asked', /^Left alone: it deletes\.$/],
    ],
    ['passes without a request', { requests: 0 }, 'not_asked', /^The run ended before/],
    [
      'a proof of another weakness',
      { findings: [{ check_id: 'sqli/database-error' }] },
      'refuted',
      /nothing proved it/,
    ],
  ] as readonly (readonly [string, Came, string, RegExp])[])('%s', async (_name, came, verdict, reason) => {
    expect(await verdictOf(came)).toMatchObject({ verdict, reason: expect.stringMatching(reason) })
  })

  test('a run that failed has asked nothing', async () => {
    const { id } = (await start()).json()
    const held = await startNext(api.db)
    await fail(api.db, held, { kind: 'target_unreachable', detail: 'nothing answers at shop.test', artifacts: [] })
    expect(await read(id)).toMatchObject({ verdict: 'not_asked', reason: 'Nothing answers at shop.test.' })
  })
})

test('what it did not find elsewhere stays a problem, and it is nobody’s last run', async () => {
  const whole = (await api.send('POST', '/v1/scans', { body: { domain_id: api.mine.domainId, active: true } })).json()
  await finishWith(api, await asked({ findings: [{ fingerprint: 'ab'.repeat(32) }], coverage: { state: 'fail' } }), [])
  await start()
  await finishWith(api, await asked({}), [])
  const { items } = (await api.send('GET', '/v1/findings')).json()
  expect(items.map(({ fingerprint, state }: Record<string, string>) => [fingerprint, state])).toContainEqual([
    'ab'.repeat(32),
    'open',
  ])
  const domains = (await api.send('GET', '/v1/overview')).json().domains
  expect(domains[0].runs.at(-1).id).toBe(whole.id)
})

describe('is refused', () => {
  test.each([
    ['an address of another site', { request: { url: 'https://other.example.com/search?q=1' } }, 'request.url'],
    ['an address with a user name', { request: { url: 'https://me@mine.example.com/search?q=1' } }, 'request.url'],
    ['a page of another site', { seen_on: 'https://other.example.com/' }, 'seen_on'],
    ['a body with GET', { request: { url: '/', body: { type: 'text/plain', text: 'x' } } }, 'request.body'],
    [
      'a form with a body',
      { request: { method: 'POST', url: '/', form: [], body: { type: 'a/b', text: '' } } },
      'request.body',
    ],
    ['a segment that the path lacks', { point: { in: 'path', name: '2' } }, 'point.name'],
    ['a pointer without a body', { point: { in: 'json', name: '/q' } }, 'point.name'],
    ['an element without a body', { point: { in: 'xml', name: 'q' } }, 'point.name'],
    ['a field without a form', { point: { in: 'form', name: 'q' } }, 'point.name'],
    ['a header that says who asks', { point: { in: 'header', name: 'Authorization' } }, 'point.name'],
    ['what nobody knows', { weakness: 'luck' }, 'weakness'],
    ['a second login', { auth_cookie: 'a=b', identities: ['default'] }, 'identities'],
  ])('%s', async (_name, change, field) => {
    const refused = await start(change)
    expect(refused.json()).toMatchObject({ status: 400, code: 'validation_failed', errors: [{ path: field }] })
  })

  test('without the scope, of strangers, of what is not verified, and of runs that ask for none', async () => {
    const { secret } = await createKey(api.db, keyWith(api.mine.organisationId, ['scans:read']))
    expect((await start({}, { secret })).json().code).toBe('api_key_scope_insufficient')
    const stranger = await createTenant(api.db, 'stranger.example.com')
    expect((await start({}, { secret: stranger.secret })).json().code).toBe('domain_not_found')
    const unverified = `/v1/domains/${stranger.domainId}/hypotheses`
    const request = { url: '/search?q=lamp' }
    const refused = await api.send('POST', unverified, { secret: stranger.secret, body: { ...SEARCH, request } })
    expect(refused.json().code).toBe('domain_not_verified')
    const whole = (await api.send('POST', '/v1/scans', { body: { domain_id: api.mine.domainId } })).json()
    expect((await read(whole.id)).code).toBe('hypothesis_not_found')
  })
})

test('credentials in the request are neither kept nor told', async () => {
  const secret = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl'
  const made = await start({
    request: {
      ...{ method: 'POST', url: `/login?access_token=${secret}&next=home` },
      headers: [
        { name: 'Authorization', value: `Bearer ${secret}` },
        { name: 'X-Shop', value: 'two' },
        { name: 'Cookie', value: `shop={"currency":"EUR"}; refresh_token=${secret}; session=other` },
      ],
      cookies: [{ name: 'session', value: secret }],
      form: [
        { name: 'user', value: 'ada' },
        { name: 'password', value: 'hunter2hunter2' },
      ],
    },
    point: { in: 'form', name: 'user' },
  })
  const { request, left_out } = made.json()
  expect(request).toMatchObject({
    url: '/login?access_token=Test-1234&next=home',
    headers: [{ name: 'X-Shop', value: 'two' }],
    // A setting that is asked about is there with its value.
    cookies: [
      { name: 'shop', value: '{"currency":"EUR"}' },
      { name: 'refresh_token', value: 'Test-1234' },
      { name: 'session', value: 'Test-1234' },
    ],
    form: [
      { name: 'user', value: 'ada' },
      { name: 'password', value: 'Test-1234' },
    ],
  })
  expect(left_out.toSorted()).toEqual([
    'cookie refresh_token',
    'cookie session',
    'field password',
    'header Authorization',
    'query parameter access_token',
  ])
  const stored = JSON.stringify(await api.db.query('select options from runs where id = $1', [made.json().id]))
  for (const word of [secret, 'hunter2hunter2']) expect(stored + made.body).not.toContain(word)
})

test('the list has them all, newest first, page by page, and none of others or of whole runs', async () => {
  const list = async (query: string, secret?: string) =>
    (await api.send('GET', `/v1/hypotheses${query}`, secret === undefined ? {} : { secret })).json()
  const page = await list('?limit=2')
  expect(page.items).toHaveLength(2)
  const rest = await list(`?limit=50&cursor=${page.next_cursor}`)
  const ids = [...page.items, ...rest.items].map(({ id }: { id: string }) => id)
  const kept = await api.db.query<{ id: string }>(
    `select id from runs where options->'hypothesis' is not null order by created_at desc, id desc`,
    [],
  )
  expect(ids).toEqual(kept.map(({ id }) => id))
  expect(page.items[0]).toEqual(await read(ids[0] ?? ''))
  const verdicts = new Set(rest.items.map(({ verdict }: { verdict: string | null }) => verdict))
  expect([...verdicts]).toEqual(expect.arrayContaining(['confirmed', 'refuted']))
  const stranger = await createTenant(api.db, 'other-list.example.com')
  expect((await list('', stranger.secret)).items).toEqual([])
  expect((await list(`?domain_id=${stranger.domainId}`)).items).toEqual([])
})
