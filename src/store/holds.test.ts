import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ENGINES, type TestDatabase } from '../../tests/support/databases.ts'
import { expireLease, PLANS, seedDomain, seedRun, take, takeAndStart } from '../../tests/support/seed.ts'
import type { Database } from './database.ts'
import { heartbeat } from './heartbeat.ts'
import { holdState, isDomainHeld, listHolds, releaseRuns, stopRuns } from './holds.ts'
import { askLoginTest, claimLoginTest, setLogin } from './identities.ts'
import { cancelEnd, finish, lease, reap, release } from './lease.ts'
import { openDatabase } from './open-database.ts'
import { used } from './quota.ts'
import { getAnyRun } from './runs.ts'

type Site = Awaited<ReturnType<typeof seedDomain>>
const BY = { heldBy: 'J. Weber', reason: 'the shop is slow' }

describe.each(ENGINES)('the emergency stop on $kind', ({ open }) => {
  let t: TestDatabase
  beforeAll(async () => {
    t = await open()
  }, 300_000)
  afterAll(() => t?.drop())
  beforeEach(() => t.empty())

  const detail = async (id: string): Promise<string | undefined> => (await getAnyRun(t.db, id))?.phase_detail
  const stop = (at: Site | null): Promise<void> => stopRuns(t.db, { organisationId: at?.organisationId ?? null, ...BY })

  test('asks what goes on to end, holds what waits, and says so', async () => {
    const [ours, theirs] = [await seedDomain(t.db), await seedDomain(t.db)]
    const [running, waiting] = [await seedRun(t.db, ours), await seedRun(t.db, ours)]
    const held = await takeAndStart(t.db)
    await stop(ours)
    expect(await holdState(t.db, ours.organisationId)).toMatchObject({
      hold: { by: 'organisation', held_by: 'J. Weber', reason: 'the shop is slow' },
      ...{ ending: 1, waiting: 1 },
    })
    expect(await heartbeat(t.db, held, 30)).toEqual({ cancelRequested: true, silence: null })
    expect(await finish(t.db, held, { grade: 'A', artifacts: [] })).toBe('canceling')
    expect(await cancelEnd(t.db, held, { artifacts: [] })).toMatchObject({
      ...{ status: 'canceled', phase_detail: 'Ended by the emergency stop of J. Weber' },
    })
    expect(running.id).toBe(held.runId)
    expect(await detail(waiting.id)).toBe('Held by the emergency stop of J. Weber')
    expect(await detail((await seedRun(t.db, ours)).id)).toBe('Held by the emergency stop of J. Weber')
    expect(await take(t.db)).toBeNull()
    // Others are not concerned.
    const other = await seedRun(t.db, theirs)
    expect(await take(t.db)).toMatchObject({ runId: other.id })
    expect((await holdState(t.db, theirs.organisationId)).hold).toBeNull()
  })

  test('is there until it is released; then the queue goes on in its order', async () => {
    const at = await seedDomain(t.db)
    const first = await seedRun(t.db, at)
    await stop(at)
    await stop(at)
    expect(await listHolds(t.db)).toHaveLength(1)
    const second = await seedRun(t.db, at)
    expect(await take(t.db)).toBeNull()
    expect(await releaseRuns(t.db, at.organisationId)).toBe(true)
    expect(await releaseRuns(t.db, at.organisationId)).toBe(false)
    expect(await detail(first.id)).toBe('Waiting for a worker')
    expect([(await take(t.db))?.runId, (await take(t.db))?.runId]).toEqual([first.id, second.id])
  })

  test('over all: owners cannot release it, and their own stays below it', async () => {
    const at = await seedDomain(t.db)
    const run = await seedRun(t.db, at)
    await stop(at)
    await stop(null)
    expect((await holdState(t.db, at.organisationId)).hold?.by).toBe('operator')
    expect(await releaseRuns(t.db, at.organisationId)).toBe(true)
    expect(await take(t.db)).toBeNull()
    expect(await detail(run.id)).toMatch(/^Held by/)
    expect((await listHolds(t.db)).map(({ organisation, waiting }) => [organisation, waiting])).toEqual([[null, 1]])
    expect(await releaseRuns(t.db, null)).toBe(true)
    expect(await take(t.db)).toMatchObject({ runId: run.id })
  })

  test('a run that was leased past it ends at its heartbeat; one whose worker is lost or drained does not come back', async () => {
    const at = await seedDomain(t.db)
    for (const _ of [1, 2, 3]) await seedRun(t.db, at)
    const [slipped, lost, drained] = [await takeAndStart(t.db), await takeAndStart(t.db), await takeAndStart(t.db)]
    await stop(at)
    await t.db.query('update runs set cancel_requested_at = null where id = $1', [slipped.runId])
    expect(await heartbeat(t.db, slipped, 30)).toEqual({ cancelRequested: true, silence: null })
    await expireLease(t.db, lost)
    expect(await reap(t.db)).toMatchObject({ canceled: 1, requeued: 0 })
    expect(await release(t.db, drained)).toMatchObject({ status: 'canceled' })
    expect(await detail(lost.runId)).toBe('Ended by the emergency stop of J. Weber')
  })

  test('many workers and a stop at the same moment: nothing is leased that is not asked to end', async () => {
    const at = await seedDomain(t.db)
    for (let count = 0; count < 10; count += 1) await seedRun(t.db, at)
    const taking = Array.from({ length: 8 }, (_, n) => lease(t.db, { workerId: `w${n}`, seconds: 30, plans: PLANS }))
    await Promise.all([...taking, stop(at)])
    const live = await t.db.query<{ asked: boolean }>(
      `select cancel_requested_at is not null as asked from runs where status in ('leased', 'running')`,
    )
    expect(live.every(({ asked }) => asked)).toBe(true)
    expect(await take(t.db)).toBeNull()
  })

  test('counts as every cancel does: what had begun is used, what never began and is cancelled then is not', async () => {
    const at = await seedDomain(t.db)
    await seedRun(t.db, at)
    const held = await takeAndStart(t.db)
    await seedRun(t.db, at)
    await stop(at)
    await cancelEnd(t.db, held, { artifacts: [] })
    expect(await used(t.db, at.organisationId)).toBe(2)
  })

  test('no login is tested meanwhile', async () => {
    const at = await seedDomain(t.db)
    const login = { kinds: ['cookie' as const], page: '/', set_by: 'x', sealed: Buffer.from('x') }
    await setLogin(t.db, at.organisationId, at.domainId, login)
    await askLoginTest(t.db, at.organisationId, at.domainId, { name: 'default' })
    await stop(at)
    expect([await claimLoginTest(t.db), await isDomainHeld(t.db, at.domainId)]).toEqual([null, true])
    await releaseRuns(t.db, at.organisationId)
    expect(await claimLoginTest(t.db)).toMatchObject({ domainId: at.domainId })
  })

  test('outlasts the end of every process', async () => {
    const at = await seedDomain(t.db)
    await seedRun(t.db, at)
    await stop(at)
    await t.db.close()
    const db = await openDatabase(t.where)
    const { where } = t
    t = { ...t, db, empty: async () => undefined, drop: () => dropAgain(db, where) }
    expect(await take(db)).toBeNull()
    await releaseRuns(db, at.organisationId)
    expect(await take(db)).not.toBeNull()
  })
})

/** The database of the run of tests goes with its cluster; an embedded one is a folder. */
const dropAgain = async (db: Database, where: TestDatabase['where']): Promise<void> => {
  await db.close()
  if ('dataDir' in where) rmSync(dirname(where.dataDir), { recursive: true, force: true })
}
