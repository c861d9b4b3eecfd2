import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { ENGINES, type TestDatabase } from '../../tests/support/databases.ts'
import { expireLease, seedDomain, seedRun, takeAndStart } from '../../tests/support/seed.ts'
import { until } from '../../tests/support/until.ts'
import { AuditLine } from '../contract/event.ts'
import { appendAudit, listenRuns, read, readAuditTexts } from './events.ts'
import { type LeasedRun, progress, reap } from './lease.ts'

const entry = (event: string, more = {}) => ({ ts: new Date().toISOString(), module: 'site', event, ...more })
const HOUR = 3_600_000
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe.each(ENGINES)('events on $kind', ({ open }) => {
  let t: TestDatabase
  let held: LeasedRun
  beforeAll(async () => {
    t = await open()
  })
  afterAll(() => t.drop())
  beforeEach(async () => {
    await t.empty()
    await seedRun(t.db, await seedDomain(t.db))
    held = await takeAndStart(t.db)
  })

  test('the audit chain holds over batches and attempts, whatever a line contains', async () => {
    await appendAudit(t.db, held, [entry('a'), entry('b', { url: 'http://shop.test/\0\ud800"\u2028', status: null })])
    await appendAudit(t.db, held, [])
    await expireLease(t.db, held)
    await reap(t.db)
    await appendAudit(t.db, await takeAndStart(t.db), [entry('c', { seq: 99, prev: 'forged', 1: 'numeric key' })])
    const texts = (await readAuditTexts(t.db, held.runId, 0, 100)).map(({ text }) => text)
    const lines = texts.map((text) => AuditLine.parse(JSON.parse(text)))
    expect(lines.map(({ seq, event }) => [seq, event])).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ])
    expect(lines.map(({ prev }) => prev)).toEqual(['0'.repeat(64), ...texts.slice(0, 2).map(sha256)])
    expect(texts.some((text) => text.includes('\n'))).toBe(false)
  })

  test.each([
    ['three hours ahead', 3 * HOUR],
    ['a day behind', -24 * HOUR],
  ])('a worker whose clock is %s writes the right times', { timeout: 60_000 }, async (_, wrong) => {
    const right = async () => (await t.db.query<{ now: Date }>('select clock_timestamp() as now', []))[0]?.now.getTime()
    const start = (await right()) ?? 0
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + wrong })
    try {
      const first = Date.now()
      vi.setSystemTime(first + 200)
      const some = [first, first + 150].map((ts, n) => entry(`e${n}`, { ts: new Date(ts).toISOString() }))
      await appendAudit(t.db, held, some)
    } finally {
      vi.useRealTimers()
    }
    // The next one has a right clock, and its line was said to be earlier than it was.
    await appendAudit(t.db, held, [entry('e2', { ts: new Date(start - HOUR).toISOString() }), entry('e3')])
    const end = (await right()) ?? 0
    const lines = (await readAuditTexts(t.db, held.runId, 0, 100)).map(({ text }) => AuditLine.parse(JSON.parse(text)))
    const times = lines.map(({ ts }) => Date.parse(ts))
    expect(lines.map(({ event }) => event)).toEqual(['e0', 'e1', 'e2', 'e3'])
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBe(150)
    // The clock of the test's worker stood still meanwhile, so its first line may seem older by what that took.
    expect(times[0]).toBeGreaterThanOrEqual(start - 1_000)
    expect(times[3]).toBeLessThanOrEqual(end)
  })

  test('simultaneous writers leave no gap, and readers resume without loss or repetition', async () => {
    const write = async (n: number) => {
      if (n % 2) await appendAudit(t.db, held, [entry(`e${n}`), entry(`f${n}`)])
      else await progress(t.db, held, { phase: 'passive', detail: `${n}`, progress: n })
    }
    const seen: number[] = []
    let writing = true
    const reader = (async () => {
      while (writing || (await read(t.db, held.runId, seen.at(-1) ?? 0, 1)).length > 0) {
        seen.push(...(await read(t.db, held.runId, seen.at(-1) ?? 0, 7)).map((event) => event.seq))
      }
    })()
    await Promise.all(Array.from({ length: 40 }, (_, n) => write(n)))
    writing = false
    await reader
    expect(seen).toEqual(Array.from({ length: 63 }, (_, i) => i + 1))
  })

  test('a listener hears the last number of each commit', async () => {
    const woken: number[] = []
    const stop = await listenRuns(t.db, (wake) => {
      if (wake?.runId === held.runId) woken.push(wake.seq)
    })
    const last = (await read(t.db, held.runId, 0, 100)).length
    await appendAudit(t.db, held, [entry('a'), entry('b')])
    // The word of an earlier commit may still be under way when it begins to listen.
    await until(() => woken.includes(last + 2))
    expect(woken).not.toContain(last + 1)
    await stop()
  })
})
