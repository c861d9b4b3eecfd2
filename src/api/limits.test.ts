import { afterEach, describe, expect, test } from 'vitest'
import { openApi, type TestApi } from '../../tests/support/api.ts'
import { fixedWindow, limitHeaders, tokenBucket } from './limiter.ts'
import { DEFAULT_LIMITS } from './options.ts'

describe('fixed window', () => {
  test('gives its quota, refuses, and begins again', () => {
    let now = 0
    const limiter = fixedWindow({ name: 'key', quota: 3, window: 60 }, () => now)
    const take = () => limiter.take('a')
    expect([take(), take(), take()].map(({ remaining }) => remaining)).toEqual([2, 1, 0])
    now = 20_500
    expect(take()).toMatchObject({ ok: false, remaining: 0, retryAfter: 40 })
    expect(limiter.take('b').ok).toBe(true)
    now = 60_000
    expect(take()).toMatchObject({ ok: true, remaining: 2, reset: 60 })
  })
  test('forgets the oldest of too many keys', () => {
    const limiter = fixedWindow({ name: 'key', quota: 1, window: 60 }, () => 0)
    limiter.take('first')
    for (let key = 0; key < 100_000; key += 1) limiter.take(String(key))
    expect(limiter.take('first').ok).toBe(true)
    expect(limiter.take('99999').ok).toBe(false)
  })
})

describe('token bucket', () => {
  test('12 at once, then one in 5 seconds', () => {
    let now = 0
    const limiter = tokenBucket({ name: 'run', quota: 12, window: 60 }, () => now)
    for (let taken = 0; taken < 12; taken += 1) expect(limiter.take('a').ok).toBe(true)
    expect(limiter.take('a')).toMatchObject({ ok: false, retryAfter: 5, reset: 60 })
    now = 4_999
    expect(limiter.take('a')).toMatchObject({ ok: false, retryAfter: 1 })
    now = 5_000
    expect(limiter.take('a').ok).toBe(true)
    expect(limiter.take('a').ok).toBe(false)
    now = 1_000_000
    expect(limiter.take('a').remaining).toBe(11)
  })
})

test('the header fields', () => {
  const state = fixedWindow({ name: 'key', quota: 300, window: 60 }, () => 0).take('a')
  expect(limitHeaders([state])).toEqual({ RateLimit: '"key";r=299;t=60', 'RateLimit-Policy': '"key";q=300;w=60' })
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
    api = await openApi({ limits: DEFAULT_LIMITS })
    const [a, b] = [(await start()).json().id, (await start()).json().id]
    for (let sent = 0; sent < 12; sent += 1) expect((await api.send('GET', `/v1/scans/${a}`)).statusCode).toBe(200)
    const response = await api.send('GET', `/v1/scans/${a.toUpperCase()}`)
    expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '5'])
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
