import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ENGINES, type TestDatabase } from '../../tests/support/databases.ts'
import { expireLease, seedDomain, seedRun, takeAndStart } from '../../tests/support/seed.ts'
import { until } from '../../tests/support/until.ts'
import { AuditLine } from '../contract/event.ts'
import { appendAudit, listenRuns, read, readAuditTexts } from './events.ts'
import { type LeasedRun, progress, reap } from './lease.ts'

const entry = (event: string, more = {}) => ({ ts: new Date().toISOString(), module: 'site', event, ...more })
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
    const woken: unknown[] = []
    const stop = await listenRuns(t.db, (wake) => woken.push(wake))
    const last = (await read(t.db, held.runId, 0, 100)).length
    await appendAudit(t.db, held, [entry('a'), entry('b')])
    await until(() => woken.length > 0)
    expect(woken).toEqual([{ runId: held.runId, seq: last + 2 }])
    await stop()
  })
})
