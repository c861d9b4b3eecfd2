/** Runs on one address have one pace together, as many as there are and whenever they come. The clock is the test's. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPaceBook } from '../src/agent/pace-book.ts'
import type { Slice } from '../src/contract/pace.ts'
import { createLanes, type Lanes } from '../src/egress/pace/lanes.ts'

const PACE = { perSecond: 20, concurrency: 10 }
const never = new AbortController().signal

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** When requests left, in milliseconds, and whose they were. */
interface Left {
  readonly at: number
  readonly run: string
}

/** A run that always has so many requests waiting until it is stopped. */
const busy = (lanes: Lanes, run: string, left: Left[], host = 'shop.test') => {
  let stopped = false
  const one = async (): Promise<void> => {
    while (!stopped) {
      const release = await lanes.request(host, 'm', never)
      left.push({ at: performance.now(), run })
      await new Promise((resolve) => setTimeout(resolve, 20))
      release({})
    }
  }
  for (let i = 0; i < 15; i += 1) void one()
  return () => {
    stopped = true
  }
}

const lanesFor = (
  book: ReturnType<typeof createPaceBook>,
  run: string,
  addresses: Readonly<Record<string, string>> = {},
) =>
  createLanes({
    ...PACE,
    addressOf: async (host) => addresses[host] ?? '192.0.2.7',
    lease: async (address) => book(run, address),
  })

/** The most that left in any second, over what the pace and its burst allow. */
const mostInASecond = (left: readonly Left[]): number =>
  Math.max(...left.map(({ at }) => left.filter((other) => other.at >= at && other.at < at + 1_000).length))

const share = (left: readonly Left[], run: string, since: number): number => {
  const counted = left.filter(({ at }) => at >= since)
  return counted.filter((one) => one.run === run).length / counted.length
}

describe('one address', () => {
  it.each([1, 2, 3, 7])('%i runs at once keep to one pace, and each has its part', async (count) => {
    const book = createPaceBook()
    const left: Left[] = []
    const runs = Array.from({ length: count }, (_, i) => `run ${i}`)
    for (const run of runs) busy(lanesFor(book, run), run, left)
    const start = performance.now()
    await vi.advanceTimersByTimeAsync(60_000)
    // The burst of a bucket comes on top, once.
    expect(mostInASecond(left)).toBeLessThanOrEqual(PACE.perSecond + PACE.concurrency)
    expect(left.length).toBeLessThanOrEqual(60 * PACE.perSecond + PACE.concurrency * 2)
    expect(left.length).toBeGreaterThan(60 * PACE.perSecond * 0.8)
    for (const run of runs) {
      expect(share(left, run, start + 20_000)).toBeGreaterThan(0.7 / count)
      expect(share(left, run, start + 20_000)).toBeLessThan(1.3 / count)
    }
  })

  it('who comes later waits for seconds, not for the end of the first; who stays gets all of it back', async () => {
    const book = createPaceBook()
    const left: Left[] = []
    const stop = busy(lanesFor(book, 'first'), 'first', left)
    await vi.advanceTimersByTimeAsync(10_000)
    const came = performance.now()
    busy(lanesFor(book, 'second'), 'second', left)
    await vi.advanceTimersByTimeAsync(10_000)
    const began = left.find(({ run }) => run === 'second')?.at ?? Number.POSITIVE_INFINITY
    expect(began - came).toBeLessThanOrEqual(4_500)
    stop()
    const alone = performance.now()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(left.filter(({ at }) => at > alone + 10_000).length).toBeGreaterThan(10 * PACE.perSecond * 0.9)
    expect(mostInASecond(left)).toBeLessThanOrEqual(PACE.perSecond + PACE.concurrency)
  })

  it('two names of it are one address, in one run, too; another address is another', async () => {
    const book = createPaceBook()
    const left: Left[] = []
    const lanes = lanesFor(book, 'run', { 'far.test': '192.0.2.8' })
    busy(lanes, 'a', left, 'shop.test')
    busy(lanes, 'b', left, 'www.shop.test')
    await vi.advanceTimersByTimeAsync(20_000)
    expect(left.length).toBeLessThanOrEqual(20 * PACE.perSecond + PACE.concurrency)
    busy(lanes, 'c', left, 'far.test')
    await vi.advanceTimersByTimeAsync(20_000)
    expect(left.filter(({ run }) => run === 'c').length).toBeGreaterThan(20 * PACE.perSecond * 0.9)
  })

  it('connections to ports are shared like requests', async () => {
    const book = createPaceBook()
    let opened = 0
    for (const run of ['a', 'b', 'c']) {
      const lanes = lanesFor(book, run)
      const knock = async (): Promise<void> => {
        for (;;) {
          const place = await lanes.connection('shop.test', 443, 'tls', never)
          opened += 1
          place.connected(1)
          place.closed()
        }
      }
      void knock()
    }
    await vi.advanceTimersByTimeAsync(20_000)
    expect(opened).toBeLessThanOrEqual(20 * 50 + 20)
    expect(opened).toBeGreaterThan(20 * 50 * 0.8)
  })
})

describe('where nobody can tell who else is there', () => {
  it('a run goes on with what it had, and begins with a quarter', async () => {
    const left: Left[] = []
    let told: Slice | null = null
    const lanes = createLanes({ ...PACE, addressOf: async () => '192.0.2.7', lease: async () => told })
    busy(lanes, 'run', left)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(left.length).toBeGreaterThan(20 * 5 * 0.8)
    expect(left.length).toBeLessThanOrEqual(20 * 5 + 10)
    told = { share: 1, milliseconds: 4_000 }
    await vi.advanceTimersByTimeAsync(10_000)
    told = null
    const silent = performance.now()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(left.filter(({ at }) => at > silent).length).toBeGreaterThan(10 * PACE.perSecond * 0.9)
  })
})
