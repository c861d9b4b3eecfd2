import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SQL_ENGINES, type TestDatabase } from '../../tests/support/databases.ts'
import { seedDomain, seedRun, take, takeAndStart } from '../../tests/support/seed.ts'
import { countFault } from './faults.ts'
import { fail, finish, progress } from './lease.ts'
import { saveModule } from './modules.ts'
import { queueStats } from './queue-stats.ts'

describe.each(SQL_ENGINES)('figures of the queue on $kind', ({ open }) => {
  let t: TestDatabase
  beforeAll(async () => {
    t = await open()
  })
  afterAll(() => t.drop())
  beforeEach(() => t.empty())

  test('nothing waits, nothing ran', async () => {
    expect(await queueStats(t.db)).toEqual({
      live: [],
      oldestQueuedSeconds: 0,
      held: { organisations: 0, all: 0 },
      ended: [],
      ...{ failed: [], found: [] },
      faults: [],
    })
  })

  test('faults of the scanner by module, more and never fewer', async () => {
    await countFault(t.db, 'xss', 'F-00000001')
    await countFault(t.db, 'xss', 'F-00000002')
    await countFault(t.db, 'delivery', 'F-00000003')
    expect((await queueStats(t.db)).faults).toEqual([
      { module: 'delivery', faults: 1 },
      { module: 'xss', faults: 2 },
    ])
  })

  test('live runs by state and phase, the oldest wait, and what ended within the hour', async () => {
    const at = await seedDomain(t.db)
    for (let run = 0; run < 6; run += 1) await seedRun(t.db, at)
    await t.db.query(`update runs set created_at = clock_timestamp() - interval '90 seconds'`, [])
    await take(t.db)
    const running = await takeAndStart(t.db)
    await progress(t.db, running, { phase: 'passive', detail: '', progress: 20 })
    for (const [index, age] of ['1 minute', '10 minutes', '2 hours'].entries()) {
      const held = await takeAndStart(t.db)
      for (const module of ['site', 'headers']) {
        const outcome = { state: 'completed', reason: null, duration_ms: 1, requests: 7 } as const
        await saveModule(t.db, held, { module, facts: {}, outcome, coverage: [], findings: [] })
      }
      await fail(t.db, held, { kind: 'internal', detail: '', artifacts: [] })
      await t.db.query(
        `update runs set finished_at = clock_timestamp() - $2::interval,
                first_leased_at = clock_timestamp() - $2::interval - make_interval(secs => $3)
          where id = $1`,
        [held.runId, age, 10 + index * 20],
      )
    }
    const stats = await queueStats(t.db)
    expect(stats.live.toSorted((a, b) => a.status.localeCompare(b.status))).toEqual([
      { status: 'leased', phase: 'prepare', runs: 1 },
      { status: 'queued', phase: 'queued', runs: 1 },
      { status: 'running', phase: 'passive', runs: 1 },
    ])
    expect(stats.oldestQueuedSeconds).toBeGreaterThanOrEqual(90)
    expect(stats.oldestQueuedSeconds).toBeLessThan(150)
    expect(stats.ended).toEqual([
      {
        ...{ status: 'failed', runs: 2, requests: 28 },
        seconds: expect.closeTo(40, 1),
        slowestSeconds: expect.closeTo(30, 1),
      },
    ])
    expect(stats.failed).toEqual([{ kind: 'internal', runs: 2 }])
  })

  test('open findings of what was done within the hour, by severity', async () => {
    const at = await seedDomain(t.db)
    for (const [counts, age] of [
      [{ critical: 1, high: 2, medium: 0, low: 0, info: 4 }, '5 minutes'],
      [{ critical: 0, high: 3, medium: 0, low: 0, info: 1 }, '50 minutes'],
      [{ critical: 9, high: 9, medium: 9, low: 9, info: 9 }, '2 hours'],
    ] as const) {
      await seedRun(t.db, at)
      const held = await takeAndStart(t.db)
      expect(await finish(t.db, held, { grade: 'A', artifacts: [] })).not.toBe('lost')
      await t.db.query(
        `update runs set open_counts = $2, first_leased_at = clock_timestamp() - $3::interval,
                finished_at = clock_timestamp() - $3::interval where id = $1`,
        [held.runId, JSON.stringify(counts), age],
      )
    }
    const { found } = await queueStats(t.db)
    expect(Object.fromEntries(found.map(({ severity, findings }) => [severity, findings]))).toEqual({
      ...{ critical: 1, high: 5, medium: 0, low: 0, info: 5 },
    })
  })
})
