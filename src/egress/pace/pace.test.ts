import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLanes } from './lanes.ts'
import { createPace } from './pace.ts'
import { retryAfter } from './retry-after.ts'

const never = new AbortController().signal
beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Asks `count` times at once and gives each place back after `hold` ms. Says when each was granted. */
const load = async (pace: ReturnType<typeof createPace>, count: number, hold: number, run: number, status?: number) => {
  const start = Date.now()
  const granted: number[] = []
  for (let i = 0; i < count; i += 1) {
    pace.acquire('m', never).then((release) => {
      granted.push(Date.now() - start)
      setTimeout(() => release(status === undefined ? {} : { status }), hold)
    })
  }
  await vi.advanceTimersByTimeAsync(run)
  return granted
}

describe('rate and places', () => {
  test('twenty a second after the first burst of ten', async () => {
    const granted = await load(createPace({ perSecond: 20, concurrency: 10 }), 1000, 1, 10_000)
    expect(granted.filter((at) => at === 0)).toHaveLength(10)
    expect(granted.length).toBeGreaterThan(200)
    expect(granted.length).toBeLessThanOrEqual(211)
  })

  test('never more than ten at once', async () => {
    const granted = await load(createPace({ perSecond: 1000, concurrency: 10 }), 100, 1000, 2_500)
    expect(granted).toHaveLength(30)
  })

  test('modules take turns', async () => {
    const pace = createPace({ perSecond: 10, concurrency: 1 })
    const order: string[] = []
    const ask = (module: string) =>
      pace.acquire(module, never).then((release) => {
        order.push(module)
        release()
      })
    for (let i = 0; i < 50; i += 1) ask('greedy')
    ask('modest')
    ask('modest')
    ask('third')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(order.slice(0, 6)).toEqual(['greedy', 'greedy', 'modest', 'third', 'greedy', 'modest'])
  })

  test('what is spare gives way, and goes on all the same', async () => {
    const pace = createPace({ perSecond: 10, concurrency: 1 })
    const order: string[] = []
    const ask = (what: string, spare: boolean) =>
      pace.acquire('m', never, spare).then((release) => {
        order.push(what)
        release()
      })
    for (let i = 0; i < 10; i += 1) ask('spare', true)
    for (let i = 0; i < 15; i += 1) ask('usual', false)
    await vi.advanceTimersByTimeAsync(5_000)
    // The first was alone when it came.
    expect(order.slice(0, 17).flatMap((what, at) => (what === 'spare' ? [at] : []))).toEqual([0, 8, 16])
    expect(order).toHaveLength(25)
    expect(order.slice(18).every((what) => what === 'spare')).toBe(true)
  })

  test('who stops waiting leaves the line', async () => {
    const pace = createPace({ perSecond: 1, concurrency: 1 })
    const stop = new AbortController()
    const release = await pace.acquire('a', never)
    const waiting = pace.acquire('b', stop.signal)
    stop.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' })
    await expect(pace.acquire('b', stop.signal)).rejects.toMatchObject({ code: 'aborted' })
    release()
    release()
    const next = pace.acquire('c', never)
    await vi.advanceTimersByTimeAsync(1_100)
    expect(await next).toBeTypeOf('function')
  })
})

describe('strain', () => {
  test.each([429, 503])('%i halves it, once for all that were in flight', async (status) => {
    const pace = createPace({ perSecond: 20, concurrency: 10 })
    await load(pace, 10, 100, 150, status)
    expect(pace.factor()).toBe(1 / 2)
  })

  test('goes on halving to a sixteenth, and recovers slowly', async () => {
    const pace = createPace({ perSecond: 20, concurrency: 10 })
    for (let i = 0; i < 12; i += 1) await load(pace, 1, 1, 1_500, 503)
    expect(pace.factor()).toBe(1 / 16)
    await vi.advanceTimersByTimeAsync(2_000)
    await load(pace, 1, 1, 1_500, 200)
    expect(pace.factor()).toBeGreaterThan(1 / 16)
    expect(pace.factor()).toBeLessThan(1 / 8)
    for (let i = 0; i < 30; i += 1) await load(pace, 1, 1, 2_100, 200)
    expect(pace.factor()).toBe(1)
  })

  test('Retry-After is kept, but not for longer than 30 s', async () => {
    const pace = createPace({ perSecond: 20, concurrency: 10 })
    for (const [asked, kept] of [
      ['5', 5_000],
      ['86400', 30_000],
    ] as const) {
      const release = await pace.acquire('m', never)
      release({ status: 429, retryAfter: asked })
      let granted = false
      pace.acquire('m', never).then((free) => {
        granted = true
        free()
      })
      await vi.advanceTimersByTimeAsync(kept - 100)
      expect(granted).toBe(false)
      await vi.advanceTimersByTimeAsync(1_000)
      expect(granted).toBe(true)
    }
  })

  /** Asks for it, and gives the place back with this status. Says after how many milliseconds it was granted. `told`: by its Retry-After. */
  const asks = async (
    pace: ReturnType<typeof createPace>,
    of: string,
    status = 200,
    told: string | null = '20',
  ): Promise<number> => {
    const start = Date.now()
    let granted = -1
    pace.acquire('m', never, false, of).then((release) => {
      granted = Date.now() - start
      release(status === 200 ? { status } : { status, retryAfter: told })
    })
    for (let waited = 0; granted < 0 && waited < 40_000; waited += 100) await vi.advanceTimersByTimeAsync(100)
    return granted
  }

  test('what is refused by itself waits by itself, and slows nothing else down', async () => {
    const pace = createPace({ perSecond: 20, concurrency: 10 })
    await asks(pace, 'POST /login', 429)
    const later = asks(pace, 'POST /login', 429)
    for (const other of ['GET /a', 'GET /b', 'GET /c', 'GET /d'])
      expect(await asks(pace, other)).toBeLessThanOrEqual(200)
    expect(await later).toBeGreaterThanOrEqual(19_500)
    // Another limit of its own.
    expect(await asks(pace, 'POST /reset', 429)).toBeLessThanOrEqual(200)
    expect(await asks(pace, 'GET /e')).toBeLessThanOrEqual(200)
    for (let i = 0; i < 16; i += 1) await load(pace, 1, 1, 2_100, 200)
    expect(pace.factor()).toBe(1)
    await asks(pace, 'POST /login', 429)
    expect(pace.factor()).toBe(1)
  })

  test.each([429, 503])('so it does where nobody says how long: %i', async (status) => {
    const pace = createPace({ perSecond: 20, concurrency: 10 })
    await asks(pace, 'POST /reset', status, null)
    expect(pace.factor()).toBe(1 / 2)
    for (let i = 0; i < 24; i += 1) {
      const later = asks(pace, 'POST /reset', status, null)
      for (const other of ['/a', '/b', '/c', '/d', '/e', '/f', '/g', '/h'])
        expect(await asks(pace, `GET ${other}`)).toBeLessThanOrEqual(200)
      expect(await later).toBeGreaterThanOrEqual(500)
    }
    expect(pace.factor()).toBe(1)
  })

  test('several limits of their own are not one of the host, however much of what is asked they are', async () => {
    const pace = createPace({ perSecond: 20, concurrency: 10 })
    for (let i = 0; i < 60; i += 1) {
      for (const other of ['/a', '/b', '/c', '/d']) await asks(pace, `GET ${other}`)
      await asks(pace, `POST /${['login', 'reset', 'sign-up', 'contact'][i % 4]}`, 429, null)
    }
    expect(pace.factor()).toBe(1)
  })

  test('a host that refuses a part of everything is asked more slowly', async () => {
    const pace = createPace({ perSecond: 20, concurrency: 10 })
    for (let i = 0; i < 120; i += 1) await asks(pace, `GET /${i}`, i % 5 === 4 ? 429 : 200, null)
    expect(pace.factor()).toBeLessThanOrEqual(1 / 4)
  })

  test('where another is refused as well, all of the host waits', async () => {
    const pace = createPace({ perSecond: 20, concurrency: 10 })
    await asks(pace, 'GET /a', 429)
    await asks(pace, 'GET /b', 429)
    expect(await asks(pace, 'GET /c')).toBeGreaterThanOrEqual(19_500)
  })

  test('what waits for its own pause keeps nobody from the next token', async () => {
    const pace = createPace({ perSecond: 1, concurrency: 1 })
    await asks(pace, 'POST /login', 429)
    pace.acquire('m', never, false, 'POST /login').then((release) => release())
    expect(await asks(pace, 'GET /a')).toBeLessThanOrEqual(2_500)
    expect(await asks(pace, 'GET /b')).toBeLessThanOrEqual(2_500)
  })

  const latencies: [trick: string, base: number, later: number, factor: number, waits?: number][] = [
    ['three times the baseline', 100, 400, 1 / 2],
    ['as before', 100, 120, 1],
    ['three times, but quick', 5, 50, 1],
    ['a wait that was asked for', 100, 1_520, 1, 1_400],
    ['longer than the wait that was asked for', 100, 1_900, 1 / 2, 1_400],
    ['slow, though not by a wait that was asked for', 100, 400, 1 / 2, 1_400],
  ]
  test.each(latencies)('latency: %s', async (_, base, later, factor, waits) => {
    const pace = createPace({ perSecond: 10_000, concurrency: 100 })
    for (let i = 0; i < 3; i += 1) (await pace.acquire('m', never))({ latency: base })
    for (let i = 0; i < 40; i += 1) (await pace.acquire('m', never))({ latency: later, waits })
    expect(pace.factor()).toBe(factor)
  })

  test.each([
    ['is no strain', 1_400, false],
    ['is one where it was told to wait for less', 300, true],
    ['is one where nothing was told to wait', 0, true],
  ])('what others are held up meanwhile %s', async (_, waits, isSlowed) => {
    const pace = createPace({ perSecond: 10_000, concurrency: 100 })
    const begin = async (of: string) => {
      const turn = pace.acquire('m', never, false, of)
      await vi.advanceTimersByTimeAsync(5)
      return turn
    }
    const ask = async (of: string, latency: number, asked = 0): Promise<void> => {
      const release = await begin(of)
      await vi.advanceTimersByTimeAsync(latency)
      release({ latency, waits: asked })
    }
    const pages = ['GET /a', 'GET /b', 'GET /c']
    for (let at = 0; at < 3; at += 1) for (const page of pages) await ask(page, 10)
    for (let round = 0; round < 12; round += 1) {
      // The session is locked until the script that waits has ended.
      const others = await Promise.all(pages.map(begin))
      await ask('GET /wait', Math.max(waits, 20), waits)
      await vi.advanceTimersByTimeAsync(1_410 - Math.max(waits, 20))
      for (const release of others) release({ latency: 1_410 })
    }
    expect(pace.factor() < 1).toBe(isSlowed)
  })

  test('reads seconds and dates', () => {
    vi.setSystemTime(new Date('2026-01-01T00:00:00Z'))
    expect(retryAfter('120')).toBe(120_000)
    expect(retryAfter('Thu, 01 Jan 2026 00:00:10 GMT')).toBe(10_000)
    expect(retryAfter('Thu, 01 Jan 2015 00:00:10 GMT')).toBe(0)
    for (const bad of [null, '', '-5', 'soon', '1e9', '99999999999']) expect(retryAfter(bad)).toBe(0)
  })
})

test('a port scan is quick while one port is asked gently', async () => {
  const lanes = createLanes({ perSecond: 20, concurrency: 10 })
  const opened: number[] = []
  const knock = (port: number) =>
    lanes.connection('a', port, 'ports', never).then((place) => {
      opened.push(port)
      place.connected(1)
      place.closed()
    })
  for (let port = 1; port <= 3_000; port += 1) knock(port)
  await vi.advanceTimersByTimeAsync(1_500)
  expect(opened).toHaveLength(3_000)
  opened.length = 0
  for (let i = 0; i < 500; i += 1) knock(443)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(opened.length).toBeGreaterThanOrEqual(50)
  expect(opened.length).toBeLessThanOrEqual(62)
})

describe('silence', () => {
  test('nobody gets a turn any more, not even who waits for one already', async () => {
    const silence = new AbortController()
    const lanes = createLanes({ perSecond: 1, concurrency: 1, silence: silence.signal })
    const release = await lanes.request('shop.test', 'm', never)
    const waiting = [lanes.request('shop.test', 'm', never), lanes.request('shop.test', 'm', never)]
    const ends = Promise.allSettled(waiting)
    silence.abort(new Error('hush'))
    release()
    await vi.advanceTimersByTimeAsync(5_000)
    expect((await ends).map((end) => end.status === 'rejected' && String(end.reason))).toEqual([
      'Error: hush',
      'Error: hush',
    ])
    await expect(lanes.request('other.test', 'm', never)).rejects.toThrow('hush')
    await expect(lanes.connection('shop.test', 22, 'm', never)).rejects.toThrow('hush')
  })
})
