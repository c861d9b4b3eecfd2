import { describe, expect, test } from 'vitest'
import { until } from '../../tests/support/until.ts'
import { silentLogger } from '../../tests/support/worker.ts'
import type { Database } from '../store/database.ts'
import { heartbeat } from '../store/heartbeat.ts'
import { createStop, startHeartbeat } from './heartbeat.ts'
import { TIMING } from './options.ts'

const LEASE = { runId: 'r', token: 't' }
const timing = { ...TIMING, lease: 300, heartbeat: 50 }

/** A database of which only the heartbeat's one query is asked. */
const answering = (query: () => Promise<unknown[]>) => ({
  runId: LEASE.runId,
  heartbeat: () => heartbeat({ query: query as Database['query'] }, LEASE, timing.lease / 1_000),
})

describe('heartbeat', () => {
  test.each([
    ['no row: lost', async () => [], 'lost'],
    ['a cancel was asked for', async () => [{ asked: true, silence: null }], 'cancel'],
    ['the database refuses for as long as the lease', () => Promise.reject(new Error('away')), 'lost'],
    ['the database hangs for as long as the lease', () => new Promise<unknown[]>(() => undefined), 'lost'],
  ])('%s', async (_, query, reason) => {
    const stop = createStop()
    const beat = startHeartbeat(answering(query), stop, new AbortController(), timing, silentLogger())
    await until(() => stop.why() !== null, 2_000)
    beat.end()
    expect(stop.why()).toBe(reason)
    expect(stop.signal.aborted).toBe(true)
    expect(stop.lost.aborted).toBe(reason === 'lost')
  })

  test('a short failure of the database is survived', async () => {
    let asked = 0
    const query = () =>
      asked++ % 2 ? Promise.reject(new Error('away')) : Promise.resolve([{ asked: false, silence: null }])
    const stop = createStop()
    const beat = startHeartbeat(answering(query), stop, new AbortController(), timing, silentLogger())
    await until(() => asked > 12, 5_000)
    beat.end()
    expect(stop.why()).toBeNull()
  })

  test.each([
    ['goes on where nobody has taken the run', [{ asked: false, silence: null }], null],
    ['ends where somebody has', [], 'lost'],
  ])('a process that stood still for longer than a lease %s', async (_, rows, reason) => {
    let asked = 0
    let kept: unknown[] = [{ asked: false, silence: null }]
    const stop = createStop()
    const query = () => {
      asked += 1
      return Promise.resolve(kept)
    }
    const beat = startHeartbeat(answering(query), stop, new AbortController(), timing, silentLogger())
    await until(() => asked > 1, 2_000)
    kept = rows
    const before = asked
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * timing.lease)
    await until(() => asked > before + 1 || stop.why() !== null, 2_000)
    beat.end()
    expect([stop.why(), beat.silent()]).toEqual([reason, false])
  })

  test('what keeps the run from sending more is told once, and ends nothing', async () => {
    let asked = 0
    const query = () => Promise.resolve([{ asked: false, silence: asked++ < 2 ? null : `for reason ${asked}` }])
    const [stop, muted] = [createStop(), new AbortController()]
    const beat = startHeartbeat(answering(query), stop, muted, timing, silentLogger())
    await until(() => asked > 5, 5_000)
    beat.end()
    expect([muted.signal.reason, stop.why()]).toEqual(['for reason 3', null])
  })

  test('a lost lease overrules a cancel and a drain', () => {
    for (const first of ['cancel', 'drain'] as const) {
      const stop = createStop()
      stop.ask(first)
      stop.ask(first === 'cancel' ? 'drain' : 'cancel')
      expect(stop.why()).toBe(first)
      stop.ask('lost')
      expect([stop.why(), stop.lost.aborted]).toEqual(['lost', true])
    }
  })
})
