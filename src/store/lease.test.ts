import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ENGINES, type TestDatabase } from '../../tests/support/databases.ts'
import { expireLease, finding, PLANS, seedDomain, seedRun, take, takeAndStart } from '../../tests/support/seed.ts'
import { until } from '../../tests/support/until.ts'
import type { Database } from './database.ts'
import { appendAudit, read } from './events.ts'
import { heartbeat } from './heartbeat.ts'
import { cancelEnd, fail, finish, lease, progress, reap, release, startRun } from './lease.ts'
import { saveModule } from './modules.ts'
import { setOrganisation } from './organisations.ts'
import { cancelRun, getAnyRun } from './runs.ts'

const OUTCOME = { state: 'completed', reason: null, duration_ms: 1, requests: 1 } as const
const NOW = { phase: 'passive', detail: 'headers', progress: 40 } as const

describe.each(ENGINES)('lease on $kind', ({ open, kind }) => {
  let t: TestDatabase
  beforeAll(async () => {
    t = await open()
  })
  afterAll(() => t.drop())
  beforeEach(async () => {
    await t.empty()
  })

  test('queued → leased → running → done', async () => {
    const at = await seedDomain(t.db)
    const run = await seedRun(t.db, at, { sealedCredentials: Buffer.from('sealed') })
    const held = await take(t.db)
    expect(held).toMatchObject({ runId: run.id, attempts: 0, plan: 'enterprise' })
    if (!held) return
    expect(await getAnyRun(t.db, run.id)).toMatchObject({ status: 'leased', phase: 'prepare', started_at: null })
    expect(await startRun(t.db, held)).toMatchObject({ attempt: 1 })
    expect(await startRun(t.db, held)).toBe('lost')
    expect(await progress(t.db, held, NOW)).toBe('ok')
    expect(await finish(t.db, held, { grade: 'B', artifacts: [] })).toMatchObject({
      status: 'done',
      progress: 100,
      grade: 'B',
      phase: 'finished',
    })
    expect(await t.db.query('select credentials, lease_token from runs')).toEqual([
      { credentials: null, lease_token: null },
    ])
    const events = await read(t.db, run.id, 0, 100)
    expect(events.map((event) => event.seq)).toEqual(events.map((_, i) => i + 1))
    expect(events.map((event) => [event.type, event.data.status])).toEqual([
      ['progress', 'queued'],
      ['progress', 'leased'],
      ['progress', 'running'],
      ['progress', 'running'],
      ['done', 'done'],
    ])
    expect(await take(t.db)).toBeNull()
  })

  test('a claim writes in place: what it calls for a run whose domain has no rule is nothing', async () => {
    const at = await seedDomain(t.db)
    await seedRun(t.db, at)
    const called = await t.db.transaction(async (tx) => {
      await tx.query(`set local track_functions = 'all'`)
      await lease({ ...t.db, query: tx.query }, { workerId: 'worker-1', seconds: 30, plans: PLANS })
      return tx.query<{ name: string }>('select funcname::text as name from pg_stat_xact_user_functions order by 1', [])
    })
    expect(called.map(({ name }) => name).filter((name) => !/^(is_light|progress_event)$/.test(name))).toEqual([
      'claim_run',
    ])
  })

  test('an end asks for nothing that there is nothing to be done for', async () => {
    const at = await seedDomain(t.db)
    const asked: string[] = []
    const counting: Database = {
      ...t.db,
      transaction: (work) =>
        t.db.transaction((tx) =>
          work({
            query: (sql, params) => {
              asked.push(sql)
              return tx.query(sql, params)
            },
          }),
        ),
    }
    const ended = async (found: boolean): Promise<number> => {
      await seedRun(t.db, at)
      const held = await takeAndStart(t.db)
      const findings = found ? [finding('headers/hsts-missing')] : []
      await saveModule(t.db, held, { module: 'headers', facts: {}, outcome: OUTCOME, coverage: [], findings })
      asked.length = 0
      expect(await finish(counting, held, { grade: 'A', artifacts: [] })).toMatchObject({ status: 'done' })
      return asked.length
    }
    expect(await ended(false)).toBe(5)
    // One that opens a problem, one that sees it again, and one that finds nothing more of a check that it did not answer.
    expect([await ended(true), await ended(true), await ended(false)]).toEqual([11, 8, 5])
  })

  test('a worker that lost its lease can write nothing more', async () => {
    const run = await seedRun(t.db, await seedDomain(t.db))
    const old = await takeAndStart(t.db)
    await expireLease(t.db, old)
    expect(await reap(t.db)).toEqual({ requeued: 1, failed: 0, canceled: 0 })
    const fresh = await takeAndStart(t.db)
    expect(fresh.runId).toBe(run.id)
    const before = await t.db.query('select * from runs')
    expect(await heartbeat(t.db, old, 30)).toBe('lost')
    expect(await startRun(t.db, old)).toBe('lost')
    expect(await progress(t.db, old, NOW)).toBe('lost')
    expect(await appendAudit(t.db, old, [{ ts: new Date().toISOString(), module: 'site', event: 'x' }])).toBe('lost')
    expect(
      await saveModule(t.db, old, { module: 'site', facts: {}, outcome: OUTCOME, coverage: [], findings: [] }),
    ).toBe('lost')
    expect(await release(t.db, old)).toBe('lost')
    expect(await finish(t.db, old, { grade: 'A', artifacts: [] })).toBe('lost')
    expect(await fail(t.db, old, { kind: 'internal', detail: 'x', artifacts: [] })).toBe('lost')
    expect(await cancelEnd(t.db, old, { artifacts: [] })).toBe('lost')
    expect(await t.db.query('select * from runs')).toEqual(before)
    expect(await finish(t.db, fresh, { grade: 'A', artifacts: [] })).toMatchObject({ status: 'done' })
    expect(await finish(t.db, fresh, { grade: 'A', artifacts: [] })).toBe('lost')
  })

  test('a lease may be a fraction of a second long', async () => {
    await seedRun(t.db, await seedDomain(t.db))
    const held = await lease(t.db, { workerId: 'w', seconds: 0.5, plans: PLANS })
    expect(held).not.toBeNull()
    if (held) expect(await heartbeat(t.db, held, 1.5)).toEqual({ cancelRequested: false, silence: null })
  })

  test('a heartbeat keeps the lease, by the database’s clock', async () => {
    await seedRun(t.db, await seedDomain(t.db))
    const held = await takeAndStart(t.db)
    await expireLease(t.db, held)
    expect(await heartbeat(t.db, held, 30)).toEqual({ cancelRequested: false, silence: null })
    expect(await reap(t.db)).toEqual({ requeued: 0, failed: 0, canceled: 0 })
    const [row] = await t.db.query<{ s: number }>(
      'select extract(epoch from lease_until - clock_timestamp())::float8 as s from runs',
    )
    expect(row?.s).toBeGreaterThan(25)
  })

  describe('lost workers', () => {
    test('before the start: queued again, and the attempt does not count', async () => {
      await seedRun(t.db, await seedDomain(t.db))
      for (let i = 0; i < 5; i += 1) {
        const held = await take(t.db)
        if (!held) throw new Error('nothing to lease')
        await expireLease(t.db, held)
        expect(await reap(t.db)).toEqual({ requeued: 1, failed: 0, canceled: 0 })
      }
      expect((await take(t.db))?.attempts).toBe(0)
    })

    test('the third attempt: failed with worker_lost', async () => {
      const run = await seedRun(t.db, await seedDomain(t.db), { sealedCredentials: Buffer.from('sealed') })
      const lose = async () => expireLease(t.db, await takeAndStart(t.db))
      await lose()
      expect(await reap(t.db)).toMatchObject({ requeued: 1 })
      await lose()
      // It may be what ended both: the last attempt is not begun at once.
      expect(await reap(t.db)).toMatchObject({ requeued: 0 })
      await t.db.query(`update runs set lease_until = clock_timestamp() - interval '16 seconds'`, [])
      expect(await reap(t.db)).toMatchObject({ requeued: 1 })
      await lose()
      expect(await reap(t.db)).toMatchObject({ failed: 1 })
      expect(await getAnyRun(t.db, run.id)).toMatchObject({
        status: 'failed',
        error_kind: 'worker_lost',
        attempts: 3,
        phase: 'finished',
      })
      expect(await t.db.query('select credentials from runs')).toEqual([{ credentials: null }])
      expect((await read(t.db, run.id, 0, 100)).at(-1)).toMatchObject({ type: 'done' })
    })

    test('a cancel that was accepted is kept', async () => {
      const at = await seedDomain(t.db)
      const run = await seedRun(t.db, at)
      const held = await takeAndStart(t.db)
      await cancelRun(t.db, at.organisationId, run.id)
      await expireLease(t.db, held)
      expect(await reap(t.db)).toEqual({ requeued: 0, failed: 0, canceled: 1 })
    })

    test('two reapers at once take each run back once', async () => {
      const at = await seedDomain(t.db)
      for (let i = 0; i < 6; i += 1) {
        await seedRun(t.db, at)
        await expireLease(t.db, await takeAndStart(t.db))
      }
      const reaped = await Promise.all(Array.from({ length: 4 }, () => reap(t.db)))
      expect(reaped.reduce((sum, { requeued }) => sum + requeued, 0)).toBe(6)
    })
  })

  test('handing back does not count the attempt', async () => {
    const run = await seedRun(t.db, await seedDomain(t.db))
    for (let i = 0; i < 5; i += 1) {
      const held = await takeAndStart(t.db)
      expect(await release(t.db, held)).toMatchObject({ status: 'queued', progress: 0 })
    }
    expect(await getAnyRun(t.db, run.id)).toMatchObject({ attempts: 0, status: 'queued' })
  })

  describe('cancel of a running run', () => {
    test('the heartbeat tells, the channel tells, asking again changes nothing, and it never ends done', async () => {
      const at = await seedDomain(t.db)
      const run = await seedRun(t.db, at)
      const held = await takeAndStart(t.db)
      const told: string[] = []
      await t.db.listen('run_cancel', (id) => told.push(id))
      const first = await cancelRun(t.db, at.organisationId, run.id)
      expect(first).toMatchObject({ status: 'running', cancel_requested_at: expect.any(String) })
      expect(await cancelRun(t.db, at.organisationId, run.id)).toMatchObject({
        cancel_requested_at: typeof first === 'string' ? first : first.cancel_requested_at,
      })
      await until(() => told.includes(run.id))
      expect(await heartbeat(t.db, held, 30)).toEqual({ cancelRequested: true, silence: null })
      expect(await finish(t.db, held, { grade: 'A', artifacts: [] })).toBe('canceling')
      expect(await cancelEnd(t.db, held, { artifacts: [] })).toMatchObject({ status: 'canceled', phase: 'finished' })
      expect(await cancelRun(t.db, at.organisationId, run.id)).toBe('not_cancelable')
    })

    test('without a request it is refused', async () => {
      await seedRun(t.db, await seedDomain(t.db))
      expect(await cancelEnd(t.db, await takeAndStart(t.db), { artifacts: [] })).toBe('lost')
    })
  })

  test('progress never falls and reaches 100 only with done', async () => {
    const run = await seedRun(t.db, await seedDomain(t.db))
    const held = await takeAndStart(t.db)
    const shown: number[] = []
    for (const value of [10, 5, 99.9, 100, 250]) {
      await progress(t.db, held, { ...NOW, progress: value })
      shown.push((await getAnyRun(t.db, run.id))?.progress ?? -1)
    }
    expect(shown).toEqual([10, 10, 99, 99, 99])
  })

  describe('queue', () => {
    test('an insert wakes the workers', async () => {
      let woken = 0
      await t.db.listen('runs_queued', () => {
        woken += 1
      })
      await seedRun(t.db, await seedDomain(t.db))
      await until(() => woken > 0)
      expect(woken).toBeGreaterThan(0)
    })

    test('fair: a backlog of one organisation does not delay another’s first run', async () => {
      const [busy, calm] = [await seedDomain(t.db), await seedDomain(t.db)]
      for (let i = 0; i < 5; i += 1) await seedRun(t.db, busy)
      await seedRun(t.db, calm)
      await seedRun(t.db, calm)
      const order: string[] = []
      for (let i = 0; i < 4; i += 1) order.push((await take(t.db))?.organisationId === busy.organisationId ? 'b' : 'c')
      expect(order.join('')).toBe('bcbc')
    })

    test('an organisation at its limit is passed over, its oldest run comes first, a blocked one waits', async () => {
      const [free, team] = [await seedDomain(t.db, { plan: 'free' }), await seedDomain(t.db, { plan: 'team' })]
      const oldest = await seedRun(t.db, free)
      await seedRun(t.db, free)
      for (let i = 0; i < 4; i += 1) await seedRun(t.db, team)
      expect((await take(t.db))?.runId).toBe(oldest.id)
      const rest = [await take(t.db), await take(t.db), await take(t.db)]
      expect(rest.every((held) => held?.organisationId === team.organisationId)).toBe(true)
      expect(await take(t.db)).toBeNull()
      await setOrganisation(t.db, team.organisationId, { plan: 'enterprise', state: 'blocked' })
      expect(await take(t.db)).toBeNull()
      await setOrganisation(t.db, team.organisationId, { state: 'active' })
      expect(await take(t.db)).not.toBeNull()
    })

    test('an unknown plan gets one at a time', async () => {
      const at = await seedDomain(t.db)
      for (let i = 0; i < 3; i += 1) await seedRun(t.db, at)
      const ask = () => lease(t.db, { workerId: 'w', seconds: 30, plans: PLANS.filter(({ id }) => id === 'free') })
      expect(await ask()).not.toBeNull()
      expect(await ask()).toBeNull()
    })

    test(`sixteen workers at once: the limit holds in every moment, every run is taken once (${kind})`, async () => {
      const organisations = [
        await seedDomain(t.db, { plan: 'team' }),
        await seedDomain(t.db, { plan: 'team' }),
        await seedDomain(t.db, { plan: 'free' }),
      ]
      for (let i = 0; i < 8; i += 1) for (const at of organisations) await seedRun(t.db, at)
      const taken: string[] = []
      const limits = new Map(organisations.map((at, i) => [at.organisationId, i === 2 ? 1 : 3]))
      const excess: unknown[] = []
      const worker = async (): Promise<void> => {
        while (taken.length < 24) {
          const held = await take(t.db)
          const rows = await t.db.query<{ organisation_id: string; n: number }>(
            `select organisation_id, count(*) as n from runs where status in ('leased', 'running') group by 1`,
          )
          excess.push(...rows.filter((row) => row.n > (limits.get(row.organisation_id) ?? 0)))
          if (!held) continue
          taken.push(held.runId)
          await startRun(t.db, held)
          await finish(t.db, held, { grade: 'A', artifacts: [] })
        }
      }
      await Promise.all(Array.from({ length: 16 }, worker))
      expect(excess).toEqual([])
      expect(new Set(taken).size).toBe(24)
      expect(taken).toHaveLength(24)
    })

    test('simultaneous claims of one organisation do not miss each other’s runs', async () => {
      const at = await seedDomain(t.db)
      for (let round = 0; round < 10; round += 1) {
        for (let i = 0; i < 3; i += 1) await seedRun(t.db, at)
        const held = await Promise.all([take(t.db), take(t.db), take(t.db)])
        expect(held.every((one) => one !== null)).toBe(true)
        for (const one of held) if (one) await fail(t.db, one, { kind: 'internal', detail: 'x', artifacts: [] })
      }
    })
  })
})
