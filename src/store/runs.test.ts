import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SQL_ENGINES, type TestDatabase } from '../../tests/support/databases.ts'
import { listedRuns, newRun, PLANS, seedDomain, seedRun, takeAndStart } from '../../tests/support/seed.ts'
import { RunState } from '../contract/run.ts'
import { setVerified, updateDomain } from './domains.ts'
import { read } from './events.ts'
import { fail } from './lease.ts'
import { setOrganisation } from './organisations.ts'
import { used } from './quota.ts'
import { cancelRun, createRun, getRun, type NewRun } from './runs.ts'

describe.each(SQL_ENGINES)('runs on $kind', ({ open }) => {
  let t: TestDatabase
  beforeAll(async () => {
    t = await open()
  })
  afterAll(() => t.drop())

  const create = (run: NewRun) => createRun(t.db, PLANS, run)

  test('a new run is queued, and its state is of the contract', async () => {
    const at = await seedDomain(t.db)
    const run = await seedRun(t.db, at, { context: 'shop', sealedCredentials: Buffer.from('sealed') })
    const { organisationId: _o, domainId: _d, options: _p, attempts: _a, eventSeq: _e, ...state } = run
    expect(RunState.parse(state)).toMatchObject({
      status: 'queued',
      phase: 'queued',
      progress: 0,
      duration_ms: 0,
      context: 'shop',
      tier: 'passive',
      domain: 'shop.test',
      started_at: null,
    })
    expect(Object.keys(run.counts)).toEqual(['critical', 'high', 'medium', 'low', 'info'])
    expect(await getRun(t.db, at.organisationId, run.id)).toEqual(run)
    expect(await getRun(t.db, randomUUID(), run.id)).toBeNull()
    expect(await read(t.db, run.id, 0, 10)).toMatchObject([{ seq: 1, type: 'progress', data: { status: 'queued' } }])
  })

  test('a start is two statements, writes the row of its run once, and asks it by texts that stay the same', async () => {
    const at = await seedDomain(t.db)
    await t.db.query('update domains set verified_until = null where id = $1', [at.domainId])
    const starts: string[][] = [[], []]
    for (const asked of starts) {
      const db: typeof t.db = {
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
      expect(await createRun(db, PLANS, newRun(at))).toMatchObject({ created: true, run: { eventSeq: 1 } })
    }
    expect(starts[0]).toHaveLength(2)
    expect(starts[0]?.filter((sql) => /\bupdate runs\b/.test(sql))).toEqual([])
    expect(starts[1]).toEqual(starts[0])
  })

  test('null takes the domain’s own context', async () => {
    const at = await seedDomain(t.db)
    await t.db.query(`update domains set context = 'saas' where id = $1`, [at.domainId])
    expect((await seedRun(t.db, at)).context).toBe('saas')
  })

  test('the environment is the domain’s, as it was when the run was made', async () => {
    const at = await seedDomain(t.db)
    const before = await seedRun(t.db, at)
    await updateDomain(t.db, at.organisationId, at.domainId, { environment: 'test' })
    const after = await seedRun(t.db, at)
    expect([before.environment, after.environment]).toEqual(['production', 'test'])
    expect((await getRun(t.db, at.organisationId, before.id))?.environment).toBe('production')
  })

  test('a dry run takes no unit, and starts without one', async () => {
    const at = await seedDomain(t.db, { plan: 'none' })
    const plans = [{ id: 'none', runs_per_month: 0, concurrent_runs: 1, retention_days: 1, watermark: false }]
    const made = await createRun(t.db, plans, newRun(at, { active: true, dry_run: true }))
    expect(made).toMatchObject({ run: { dry_run: true, options: { dry_run: true } } })
    expect(await used(t.db, at.organisationId)).toBe(0)
  })

  describe('refusals', () => {
    test.each([
      [
        'blocked before everything',
        'organization_blocked',
        { state: 'blocked' as const, verified: false, plan: 'none' },
      ],
      [
        'throttled before the domain',
        'organization_throttled',
        { state: 'throttled' as const, verified: false, plan: 'none' },
      ],
      [
        'active on an unverified domain, before the quota',
        'domain_not_verified',
        { state: 'active' as const, verified: false, plan: 'none' },
      ],
      ['quota', 'quota_exceeded', { state: 'active' as const, verified: true, plan: 'none' }],
    ])('%s', async (_, refused, { state, verified, plan }) => {
      const at = await seedDomain(t.db, { plan })
      await setOrganisation(t.db, at.organisationId, { state })
      if (!verified) await setVerified(t.db, at.domainId, null)
      const plans = [{ id: 'none', runs_per_month: 0, concurrent_runs: 1, retention_days: 1, watermark: false }]
      expect(await createRun(t.db, plans, newRun(at, { active: true }))).toMatchObject({ refused })
      expect(await listedRuns(t.db, at.organisationId, {}, null, 10)).toEqual([])
    })

    test('another organisation’s domain', async () => {
      const [a, b] = [await seedDomain(t.db), await seedDomain(t.db)]
      expect(await create(newRun({ organisationId: a.organisationId, domainId: b.domainId }))).toMatchObject({
        refused: 'domain_not_found',
      })
    })

    test('a verification that has lapsed', async () => {
      const at = await seedDomain(t.db)
      await setVerified(t.db, at.domainId, { at: new Date(0), until: new Date(1) })
      expect(await create(newRun(at, { active: true }))).toMatchObject({ refused: 'domain_not_verified' })
      expect(await create(newRun(at))).toMatchObject({ created: true })
    })
  })

  describe('quota', () => {
    test('twenty simultaneous starts sell ten units', async () => {
      const at = await seedDomain(t.db, { plan: 'free' })
      const results = await Promise.all(Array.from({ length: 20 }, () => create(newRun(at))))
      expect(results.filter((result) => 'run' in result)).toHaveLength(10)
      expect(results.filter((result) => 'refused' in result && result.refused === 'quota_exceeded')).toHaveLength(10)
      expect(await used(t.db, at.organisationId)).toBe(10)
      await t.db.query('delete from runs where organisation_id = $1', [at.organisationId])
    })

    test('given back by a failed run and by one cancelled in the queue, kept by one cancelled later', async () => {
      await t.db.query('delete from runs')
      const at = await seedDomain(t.db, { plan: 'team' })
      const waiting = await seedRun(t.db, at)
      await cancelRun(t.db, at.organisationId, waiting.id)
      expect(await used(t.db, at.organisationId)).toBe(0)
      await seedRun(t.db, at)
      const held = await takeAndStart(t.db)
      expect(await used(t.db, at.organisationId)).toBe(1)
      await fail(t.db, held, { kind: 'internal', detail: 'x', artifacts: [] })
      expect(await used(t.db, at.organisationId)).toBe(0)
      const later = await seedRun(t.db, at)
      await t.db.query(
        `update runs set status = 'canceled', finished_at = now(), first_leased_at = now() where id = $1`,
        [later.id],
      )
      expect(await used(t.db, at.organisationId)).toBe(1)
    })

    test('last month’s runs do not count', async () => {
      const at = await seedDomain(t.db, { plan: 'team' })
      const run = await seedRun(t.db, at)
      await t.db.query(
        `update runs set created_at = date_trunc('month', now() at time zone 'utc') at time zone 'utc' - interval '1 ms'
          where id = $1`,
        [run.id],
      )
      expect(await used(t.db, at.organisationId)).toBe(0)
      const today = new Date()
      const lastMonth = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 0))
      expect(await used(t.db, at.organisationId, lastMonth)).toBe(1)
      await cancelRun(t.db, at.organisationId, run.id)
    })
  })

  describe('Idempotency-Key', () => {
    test('same body: the same run, simultaneously too; other body: conflict; after a day: a new run', async () => {
      const at = await seedDomain(t.db)
      const run = newRun(at, { idempotency: { key: 'k', bodyHash: 'a' } })
      const results = await Promise.all(Array.from({ length: 8 }, () => create(run)))
      const ids = new Set(results.map((result) => ('run' in result ? result.run.id : 'refused')))
      expect(ids.size).toBe(1)
      expect(results.filter((result) => 'run' in result && result.created)).toHaveLength(1)
      expect(await create({ ...run, idempotency: { key: 'k', bodyHash: 'b' } })).toMatchObject({
        refused: 'idempotency_conflict',
      })
      expect(await create({ ...run, idempotency: { key: 'other', bodyHash: 'b' } })).toMatchObject({ created: true })
      await t.db.query(`update idempotency_keys set created_at = now() - interval '25 hours'`)
      expect(await create({ ...run, idempotency: { key: 'k', bodyHash: 'b' } })).toMatchObject({ created: true })
    })
  })

  describe('cancel', () => {
    test('a queued run ends at once and its credentials are gone; again: not cancelable', async () => {
      const at = await seedDomain(t.db)
      const run = await seedRun(t.db, at, { sealedCredentials: Buffer.from('sealed') })
      expect(await cancelRun(t.db, at.organisationId, run.id)).toMatchObject({
        status: 'canceled',
        phase: 'finished',
        finished_at: expect.any(String),
        cancel_requested_at: expect.any(String),
      })
      expect(await cancelRun(t.db, at.organisationId, run.id)).toBe('not_cancelable')
      expect(await t.db.query('select credentials from runs where id = $1', [run.id])).toEqual([{ credentials: null }])
      expect((await read(t.db, run.id, 0, 10)).at(-1)).toMatchObject({ type: 'done', data: { status: 'canceled' } })
    })

    test('another organisation’s run is not found', async () => {
      const [a, b] = [await seedDomain(t.db), await seedDomain(t.db)]
      const run = await seedRun(t.db, a)
      expect(await cancelRun(t.db, b.organisationId, run.id)).toBe('not_found')
      await cancelRun(t.db, a.organisationId, run.id)
    })
  })
})
