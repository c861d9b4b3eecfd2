import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { RunEvent } from '../contract/event.ts'
import { createHub, type EventHub, type Frame, type HubSource, type Sink } from './event-hub.ts'

const RUN = 'run'
let log: RunEvent[]
let reads: number
let wake: (runId: string | null) => void
let valid: Set<string>
let errors: unknown[]
let hub: EventHub

const source: HubSource = {
  read: async (_, after, limit) => {
    reads += 1
    return log.filter(({ seq }) => seq > after).slice(0, limit)
  },
  listen: async (onRun) => {
    wake = onRun
    return async () => undefined
  },
  isValid: async (id) => valid.has(id),
  onError: (error) => errors.push(error),
}
const add = (count = 1, type: 'audit' | 'done' = 'audit'): void => {
  for (let n = 0; n < count; n += 1) log.push({ seq: log.length + 1, type, data: {} } as unknown as RunEvent)
}

interface TestSink extends Sink {
  readonly seen: number[]
  isFull: boolean
  isClosed: boolean
  comments: number
  drain: (ok: boolean) => void
}
const sink = (after = 0, credential = 'key'): TestSink => {
  let drain: (ok: boolean) => void = () => undefined
  const made: TestSink = {
    ...{ runId: RUN, credential, after, seen: [], isFull: false, isClosed: false, comments: 0 },
    drain: (ok) => drain(ok),
    closed: () => made.isClosed,
    full: () => made.isFull,
    write: (frames: readonly Frame[]) => void made.seen.push(...frames.map(({ seq }) => seq)),
    drained: () => (made.isFull ? new Promise<boolean>((resolve) => (drain = resolve)) : Promise.resolve(true)),
    comment: () => {
      made.comments += 1
    },
    end: () => {
      made.isClosed = true
    },
    drop: () => {
      made.isClosed = true
    },
  }
  return made
}
/** Each turn that others get takes one of these milliseconds. */
const settle = () => vi.advanceTimersByTimeAsync(10)

beforeEach(async () => {
  vi.useFakeTimers()
  ;[log, reads, valid, errors] = [[], 0, new Set(['key']), []]
  hub = await createHub(source)
})
afterEach(async () => {
  await hub.close()
  vi.useRealTimers()
  expect(errors).toEqual([])
})

describe('the hub', () => {
  test('reads once for a thousand streams of a run', async () => {
    const sinks = Array.from({ length: 1000 }, () => sink())
    for (const one of sinks) await hub.follow(one, false)
    reads = 0
    add(3)
    wake(RUN)
    await settle()
    expect(reads).toBe(1)
    expect(sinks.every(({ seen }) => seen.join() === '1,2,3')).toBe(true)
  })
  test('lets others have their turn while it writes to a thousand streams', async () => {
    const sinks = Array.from({ length: 1000 }, () => sink())
    for (const one of sinks) await hub.follow(one, false)
    const turns: string[] = []
    const [first, last] = [sinks[0], sinks.at(-1)]
    if (first === undefined || last === undefined) throw new Error('There are no sinks')
    for (const what of ['write', 'comment'] as const) {
      Object.assign(first, { [what]: () => setImmediate(() => turns.push(`another after ${what}`)) })
      Object.assign(last, { [what]: () => turns.push(`last ${what}`) })
    }
    add()
    wake(RUN)
    await settle()
    await vi.advanceTimersByTimeAsync(15_001)
    await settle()
    expect(turns).toEqual(['another after write', 'last write', 'another after comment', 'last comment'])
  })
  test('who leaves or joins while a thousand are written to gets each event once', async () => {
    add(3)
    const sinks = Array.from({ length: 1000 }, () => sink(3))
    for (const one of sinks) await hub.follow(one, false)
    const [first, leaving] = [sinks[0], sinks[998]]
    if (first === undefined || leaving === undefined) throw new Error('There are no sinks')
    const late = sink()
    Object.assign(first, {
      write: () => {
        leaving.isClosed = true
        void hub.follow(late, false)
      },
    })
    add()
    wake(RUN)
    await settle()
    add()
    wake(RUN)
    await settle()
    expect([late.seen, leaving.seen, sinks[999]?.seen]).toEqual([[1, 2, 3, 4, 5], [], [4, 5]])
  })
  test('a stream that joins while others are ahead misses nothing', async () => {
    add(450)
    const first = sink(450)
    await hub.follow(first, false)
    const late = sink()
    const joining = hub.follow(late, false)
    add()
    wake(RUN)
    await joining
    add()
    wake(RUN)
    await settle()
    expect(late.seen).toEqual(log.map(({ seq }) => seq))
    expect(first.seen).toEqual([451, 452])
  })
  test('a wake-up before the first stream is live is not lost', async () => {
    const one = sink()
    const joining = hub.follow(one, false)
    await Promise.resolve()
    add()
    wake(RUN)
    await joining
    await settle()
    expect(one.seen).toEqual([1])
  })
  test('a lost notification is made good within 15 seconds', async () => {
    const one = sink()
    await hub.follow(one, false)
    add()
    await vi.advanceTimersByTimeAsync(15_001)
    expect(one.seen).toEqual([1])
    expect(one.comments).toBe(1)
  })
  test('a broken LISTEN makes every run be looked at', async () => {
    const one = sink()
    await hub.follow(one, false)
    add()
    wake(null)
    await settle()
    expect(one.seen).toEqual([1])
  })
  test('a full reader is left out, and catches up by itself', async () => {
    const [slow, quick] = [sink(), sink()]
    await hub.follow(slow, false)
    await hub.follow(quick, false)
    slow.isFull = true
    add()
    wake(RUN)
    await settle()
    add()
    wake(RUN)
    await settle()
    expect([slow.seen, quick.seen]).toEqual([[], [1, 2]])
    slow.isFull = false
    slow.drain(true)
    await settle()
    add()
    wake(RUN)
    await settle()
    expect(slow.seen).toEqual([1, 2, 3])
  })
  test('a reader that does not drain is dropped', async () => {
    const slow = sink()
    await hub.follow(slow, false)
    slow.isFull = true
    add()
    wake(RUN)
    await settle()
    slow.drain(false)
    await settle()
    expect([slow.isClosed, hub.size()]).toEqual([true, 0])
  })
  test('a revoked key ends its streams within 60 seconds, no others', async () => {
    valid.add('other')
    const [mine, other] = [sink(0, 'key'), sink(0, 'other')]
    await hub.follow(mine, false)
    await hub.follow(other, false)
    valid.delete('key')
    await vi.advanceTimersByTimeAsync(60_000)
    expect([mine.isClosed, other.isClosed, hub.size()]).toEqual([true, false, 1])
  })
  test('forgets streams and runs that are over', async () => {
    const [left, done] = [sink(), sink()]
    await hub.follow(left, false)
    await hub.follow(done, false)
    left.isClosed = true
    add(1, 'done')
    wake(RUN)
    await settle()
    expect([done.isClosed, hub.size()]).toEqual([true, 0])
    reads = 0
    await vi.advanceTimersByTimeAsync(60_000)
    expect(reads).toBe(0)
  })
  test('a read that fails is tried again, from the same place', async () => {
    const one = sink()
    await hub.follow(one, false)
    const spy = vi.spyOn(source, 'read').mockRejectedValueOnce(new Error('gone'))
    add()
    wake(RUN)
    await settle()
    expect([one.seen, errors.splice(0).length]).toEqual([[], 1])
    await vi.advanceTimersByTimeAsync(15_001)
    expect(one.seen).toEqual([1])
    spy.mockRestore()
  })
})
