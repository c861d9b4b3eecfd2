import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openApi, type TestApi } from '../../tests/support/api.ts'
import { newSecret } from '../contract/key-format.ts'
import { admitKey, forgetRates, type RateDemand, type RateTaken, takeRates } from '../store/rate-limits.ts'
import { limitHeaders, stateOf } from './limiter.ts'
import { DEFAULT_LIMITS } from './options.ts'

const WINDOW = { name: 'key', quota: 3, window: 60, refills: false }
const BUCKET = { name: 'run', quota: 12, window: 60, refills: true }

test('the header fields', () => {
  const state = stateOf({ ...WINDOW, quota: 300 }, { name: 'key', subject: 'a', refused: false, spent: 1, age: 0 })
  expect(limitHeaders([state])).toEqual({ RateLimit: '"key";r=299;t=60', 'RateLimit-Policy': '"key";q=300;w=60' })
})

describe('counted in the database', () => {
  let api: TestApi
  beforeAll(async () => {
    api = await openApi()
  })
  afterAll(() => api.close())

  /** `at` in milliseconds. */
  const taking =
    (policy: typeof WINDOW) =>
    async (at: number, subject = 'a') => {
      const demand: RateDemand = { ...policy, seconds: policy.window, subject }
      const [taken] = await takeRates(api.db, [demand], new Date(1_790_000_000_000 + at))
      if (taken === undefined) throw new Error('nothing was taken')
      return stateOf(policy, taken)
    }

  test('a window gives its quota, refuses, and begins again', async () => {
    const take = taking(WINDOW)
    expect([(await take(0)).remaining, (await take(0)).remaining, (await take(0)).remaining]).toEqual([2, 1, 0])
    expect(await take(20_500)).toMatchObject({ ok: false, remaining: 0, retryAfter: 40 })
    expect((await take(20_500, 'b')).ok).toBe(true)
    expect(await take(60_000)).toMatchObject({ ok: true, remaining: 2, reset: 60 })
  })

  test('a bucket: 12 at once, then one in 5 seconds', async () => {
    const take = taking(BUCKET)
    for (let taken = 0; taken < 12; taken += 1) expect((await take(0)).ok).toBe(true)
    expect(await take(0)).toMatchObject({ ok: false, retryAfter: 5, reset: 60 })
    expect(await take(4_999)).toMatchObject({ ok: false, retryAfter: 1 })
    expect((await take(5_000)).ok).toBe(true)
    expect((await take(5_000)).ok).toBe(false)
    expect((await take(1_000_000)).remaining).toBe(11)
  })

  test.each([
    ['a window', WINDOW, 2],
    ['a bucket', BUCKET, 7],
    ['a window that is full', WINDOW, 3],
    ['a bucket that runs out', BUCKET, 12],
  ])('%s counts requests that come together as it would one after the other', async (name, policy, before) => {
    const demand = { ...policy, seconds: policy.window }
    const own = { ...demand, subject: ` ${name}` }
    const one = { ...demand, subject: `alone ${name}` }
    const admit = async (n: number) =>
      (await admitKey(api.db, api.mine.secret, [own], n))?.taken.map(([taken]) => taken)
    const alone = async (n: number) => {
      const taken = []
      for (let at = 0; at < n; at += 1) taken.push(...(await takeRates(api.db, [one])))
      return taken
    }
    const told = (taken: readonly (RateTaken | undefined)[] = []) =>
      taken.map((state) => [Math.round(state?.spent ?? -1), state?.refused])
    for (const n of [before, policy.quota, 1, policy.quota]) expect(told(await admit(n))).toEqual(told(await alone(n)))
  })

  test('of a key that may not be used nothing is counted', async () => {
    const before = await api.db.query('select 1 from rate_limits')
    for (const secret of ['sonde_x', newSecret()]) {
      expect(await admitKey(api.db, secret, [{ ...WINDOW, seconds: 60, subject: '' }], 1)).toBeNull()
    }
    expect(await api.db.query('select 1 from rate_limits')).toEqual(before)
  })

  test('what is over is forgotten, what is not stays', async () => {
    await api.db.query('delete from rate_limits')
    await takeRates(api.db, [{ ...WINDOW, seconds: 60, subject: 'old' }], new Date(0))
    await takeRates(api.db, [{ ...WINDOW, seconds: 60, subject: 'new' }])
    await forgetRates(api.db)
    expect(await api.db.query('select subject from rate_limits')).toEqual([{ subject: 'new' }])
  })
})

describe('over HTTP', () => {
  let api: TestApi
  afterEach(() => api.close())
  const start = () => api.send('POST', '/v1/scans', { body: { domain_id: api.mine.domainId } })

  test('300 requests a minute with one key, then 429 with Retry-After', async () => {
    api = await openApi({ limits: DEFAULT_LIMITS })
    for (let sent = 0; sent < 300; sent += 1) expect((await api.send('GET', '/v1/domains')).statusCode).toBe(200)
    const response = await api.send('GET', '/v1/domains')
    expect([response.statusCode, response.json().code]).toEqual([429, 'rate_limited'])
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
    expect(response.headers.ratelimit).toMatch(/^"key";r=0;t=\d+$/)
    expect((await api.send('GET', '/v1/domains', { secret: api.other.secret })).statusCode).toBe(200)
  })
  test('two processes count together, also what comes to both at once', async () => {
    api = await openApi({ limits: { ...DEFAULT_LIMITS, requestsPerMinute: 6, refusalsPerMinute: 4 } })
    const second = await api.another()
    const ask = (app: typeof second, secret: string) =>
      app.inject({ method: 'GET', url: '/v1/domains', headers: { authorization: `Bearer ${secret}` } })
    const both = (secret: string) =>
      Promise.all(Array.from({ length: 8 }, (_, at) => ask(at % 2 === 0 ? api.app : second, secret)))
    const countOf = (answers: readonly { statusCode: number }[], status: number): number =>
      answers.filter(({ statusCode }) => statusCode === status).length
    const known = await both(api.mine.secret)
    expect([countOf(known, 200), countOf(known, 429)]).toEqual([6, 2])
    const unknown = await both('wrong')
    expect([countOf(unknown, 401), countOf(unknown, 429)]).toEqual([4, 4])
    await second.close()
  })
  test('30 starts a minute, counted before the body is looked at', async () => {
    api = await openApi({ limits: DEFAULT_LIMITS })
    for (let sent = 0; sent < 29; sent += 1) await start()
    expect((await api.send('POST', '/v1/scans', { body: {} })).statusCode).toBe(400)
    const response = await api.send('POST', '/v1/scans', { body: {} })
    expect(response.statusCode).toBe(429)
    expect(response.headers['ratelimit-policy']).toBe('"key";q=300;w=60, "starts";q=30;w=60')
    expect((await api.send('GET', '/v1/scans')).statusCode).toBe(200)
  })
  test('12 reads of one run at once; another run is another bucket', async () => {
    api = await openApi({ limits: { ...DEFAULT_LIMITS, runReadSeconds: 3_600 } })
    const [a, b] = [(await start()).json().id, (await start()).json().id]
    for (let sent = 0; sent < 12; sent += 1) expect((await api.send('GET', `/v1/scans/${a}`)).statusCode).toBe(200)
    const response = await api.send('GET', `/v1/scans/${a.toUpperCase()}`)
    expect(response.statusCode).toBe(429)
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(3_000)
    expect((await api.send('GET', `/v1/scans/${b}`)).statusCode).toBe(200)
  })
  test('30 refused credentials a minute and address; a good key goes on, and missing ones are not counted', async () => {
    api = await openApi({ limits: DEFAULT_LIMITS })
    for (let sent = 0; sent < 40; sent += 1) await api.send('GET', '/v1/scans', { secret: null })
    for (let sent = 0; sent < 30; sent += 1) {
      expect((await api.send('GET', '/v1/scans', { secret: 'wrong' })).statusCode).toBe(401)
    }
    expect((await api.send('GET', '/v1/scans', { secret: 'wrong' })).statusCode).toBe(429)
    expect((await api.send('GET', '/v1/scans')).statusCode).toBe(200)
  })
})
