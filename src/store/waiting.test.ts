import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ENGINES, openPostgresDatabase, type TestDatabase } from '../../tests/support/databases.ts'
import { expireLease, PLANS, seedDomain, seedRun, take, takeAndStart } from '../../tests/support/seed.ts'
import { createAgent } from './agents.ts'
import type { Queryable } from './database.ts'
import { setAgent } from './domains.ts'
import { releaseRuns, stopRuns } from './holds.ts'
import { fail, reap, release } from './lease.ts'
import { setOrganisation } from './organisations.ts'
import { cancelRun } from './runs.ts'
import { settleWaiting, type Waiting, whatWaits } from './what-waits.ts'

const waiting = async ({ db }: TestDatabase): Promise<number> =>
  (await db.query('select 1 from organisations where waiting', [])).length

/** Rows of organisations that this connection has read. */
const lookedAt = async (tx: Queryable): Promise<number> => {
  const [row] = await tx.query<{ rows: number }>(
    `select seq_tup_read + idx_tup_fetch as rows from pg_stat_xact_user_tables where relname = 'organisations'`,
    [],
  )
  if (!row) throw new Error('There are no statistics')
  return row.rows
}

describe.each(ENGINES)('organisations that wait on $kind', ({ open }) => {
  let t: TestDatabase
  beforeAll(async () => {
    t = await open()
  })
  afterAll(() => t.drop())
  beforeEach(() => t.empty())

  test('are those with a run in the queue, also one that came back', async () => {
    await seedDomain(t.db)
    const at = await seedDomain(t.db)
    expect(await waiting(t)).toBe(0)
    await seedRun(t.db, at)
    await settleWaiting(t.db)
    expect(await waiting(t)).toBe(1)
    const held = await take(t.db)
    if (!held) throw new Error('unreachable')
    await settleWaiting(t.db)
    expect(await waiting(t)).toBe(0)
    expect(await take(t.db)).toBeNull()
    await release(t.db, held)
    expect(await waiting(t)).toBe(1)
    const again = await take(t.db)
    if (!again) throw new Error('unreachable')
    await settleWaiting(t.db)
    await expireLease(t.db, again)
    await reap(t.db)
    const last = await take(t.db)
    expect(last?.runId).toBe(held.runId)
  })

  test('a run that is cancelled in the queue leaves none waiting', async () => {
    const at = await seedDomain(t.db)
    const run = await seedRun(t.db, at)
    await cancelRun(t.db, at.organisationId, run.id)
    expect(await take(t.db)).toBeNull()
    await settleWaiting(t.db)
    expect(await waiting(t)).toBe(0)
  })

  test('are walked through in the order of their turns, not all looked at, whatever the planner knows of them', async () => {
    await t.db.query(
      `insert into organisations (id, name, plan) select gen_random_uuid(), 'organisation ' || n, 'team' from generate_series(1, 300) n`,
    )
    await t.db.query(
      `insert into runs (id, organisation_id, domain, tier, options)
       select gen_random_uuid(), o.id, 'shop.test', 'passive', '{}' from organisations o`,
    )
    const looked = await t.db.transaction(async (tx) => {
      const before = await lookedAt(tx)
      expect(await tx.query(`select id from claim_run('worker', 30, '{}')`, [])).toHaveLength(1)
      return (await lookedAt(tx)) - before
    })
    expect(looked).toBeGreaterThan(0)
    expect(looked).toBeLessThan(10)
  })
})

const NOTHING = null
const ALONE: Waiting = { alone: true, scanned: false, batch: false }

describe.each(ENGINES)('what a worker would get on $kind', ({ open }) => {
  let t: TestDatabase
  let at: { organisationId: string; domainId: string }
  beforeAll(async () => {
    t = await open()
  })
  afterAll(() => t.drop())
  beforeEach(async () => {
    await t.empty()
    at = await seedDomain(t.db, { plan: 'free' })
  })
  const waits = (light = false): Promise<Waiting | null> => whatWaits(t.db, { plans: PLANS, light })

  test('a run alone, until it is taken; no second one of an organisation at its limit', async () => {
    expect(await waits()).toBe(NOTHING)
    await seedRun(t.db, at)
    await seedRun(t.db, at)
    expect(await waits()).toEqual(ALONE)
    const held = await takeAndStart(t.db)
    expect(await waits()).toBe(NOTHING)
    expect(await take(t.db)).toBeNull()
    await fail(t.db, held, { kind: 'internal', detail: '', artifacts: [] })
    expect(await waits()).toEqual(ALONE)
    expect(await take(t.db)).not.toBeNull()
  })

  test('no run whose time has not come, and only a light one where only such is asked for', async () => {
    await seedRun(t.db, at, { privacy: true })
    expect(await waits(true)).toBe(NOTHING)
    expect(await waits()).toEqual(ALONE)
    await t.db.query(`update runs set not_before = clock_timestamp() + interval '1 hour'`)
    expect(await waits()).toBe(NOTHING)
    await t.db.query(`update runs set not_before = null, options = '{"privacy":false}'`)
    expect(await waits(true)).toEqual(ALONE)
  })

  test('nothing of an organisation that is blocked or under a hold', async () => {
    await seedRun(t.db, at)
    await setOrganisation(t.db, at.organisationId, { state: 'blocked' })
    expect(await waits()).toBe(NOTHING)
    await setOrganisation(t.db, at.organisationId, { state: 'active' })
    expect(await waits()).toEqual(ALONE)
    for (const organisationId of [at.organisationId, null]) {
      await stopRuns(t.db, { organisationId, heldBy: 'a', reason: null })
      expect(await waits()).toBe(NOTHING)
      await releaseRuns(t.db, organisationId)
      expect(await waits()).toEqual(ALONE)
    }
  })

  test('no run that an agent has to take, but what one has scanned', async () => {
    const made = await createAgent(t.db, { organisationId: at.organisationId, name: 'warehouse', createdBy: 'test' })
    if (made === 'agent_exists') throw new Error('unreachable')
    await setAgent(t.db, at.organisationId, at.domainId, made.agent.id)
    const { id } = await seedRun(t.db, at)
    expect(await waits()).toBe(NOTHING)
    await t.db.query(
      `update runs set status = 'running', scan_end = '{"result":"completed"}', lease_token = gen_random_uuid(),
              leased_by = 'agent', lease_until = clock_timestamp() - interval '1 second' where id = $1`,
      [id],
    )
    expect(await waits()).toEqual({ alone: false, scanned: true, batch: false })
    // For the last time: now the reaper ends it.
    await t.db.query('update runs set finishes = 3')
    expect(await waits()).toBe(NOTHING)
  })

  test('a batch that goes on, below the limit of its organisation', async () => {
    await t.db.query(
      `insert into batches (id, organisation_id, options, total, state, prepared_at)
       values (gen_random_uuid(), $1, '{"active":false,"privacy":true}', 1, 'running', clock_timestamp())`,
      [at.organisationId],
    )
    expect(await waits()).toEqual({ alone: false, scanned: false, batch: true })
    expect(await waits(true)).toBe(NOTHING)
    await seedRun(t.db, at)
    expect(await waits()).toEqual({ alone: true, scanned: false, batch: true })
    await take(t.db)
    expect(await waits()).toBe(NOTHING)
  })
})

describe('while somebody settles it', () => {
  let t: TestDatabase
  beforeAll(async () => {
    t = await openPostgresDatabase()
  })
  afterAll(() => t.drop())

  test('a run that comes back in a transaction that is still open is not forgotten', async () => {
    await seedRun(t.db, await seedDomain(t.db))
    const held = await take(t.db)
    await t.db.transaction(async (tx) => {
      await tx.query(
        `update runs set status = 'queued', phase = 'queued', lease_token = null, lease_until = null, leased_by = null where id = $1`,
        [held?.runId],
      )
      await settleWaiting(t.db)
    })
    expect((await take(t.db))?.runId).toBe(held?.runId)
  })

  test('so is one whose organisation was found empty a moment before', async () => {
    const at = await seedDomain(t.db)
    await seedRun(t.db, at)
    await take(t.db)
    // As settle_waiting does: locked, looked at, and not yet committed.
    const locked = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const settling = t.db.transaction(async (tx) => {
      await tx.query('select 1 from organisations where id = $1 for update', [at.organisationId])
      await tx.query('update organisations set waiting = false where id = $1', [at.organisationId])
      locked.resolve()
      await go.promise
    })
    await locked.promise
    const started = seedRun(t.db, at)
    go.resolve()
    await settling
    const { id } = await started
    expect((await take(t.db))?.runId).toBe(id)
  })
})
