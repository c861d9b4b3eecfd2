import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ENGINES, openPostgresDatabase, type TestDatabase } from '../../tests/support/databases.ts'
import { expireLease, seedDomain, seedRun, take } from '../../tests/support/seed.ts'
import type { Queryable } from './database.ts'
import { reap, release, settleWaiting } from './lease.ts'
import { cancelRun } from './runs.ts'

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
