import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SQL_ENGINES, type TestDatabase } from '../../tests/support/databases.ts'
import { listedRuns, OPTIONS, PLANS, seedDomain, seedRun, takeAndStart } from '../../tests/support/seed.ts'
import { Timing } from '../contract/schedule.ts'
import { setVerified } from './domains.ts'
import { finish } from './lease.ts'
import { setOrganisation } from './organisations.ts'
import { createSchedule, deleteSchedule, fireNext, getSchedule, listSchedules, updateSchedule } from './schedules.ts'

const NIGHTLY = Timing.parse({ rhythm: { every: 'day', at: '03:00' }, time_zone: 'Europe/Berlin' })

describe.each(SQL_ENGINES)('schedules on $kind', ({ open }) => {
  let t: TestDatabase
  let at: Awaited<ReturnType<typeof seedDomain>>
  beforeAll(async () => {
    t = await open()
  })
  afterAll(() => t.drop())
  beforeEach(async () => {
    await t.empty()
    at = await seedDomain(t.db)
  })

  const make = async (active = false): Promise<string> => {
    const made = await createSchedule(t.db, at.organisationId, at.domainId, NIGHTLY, { ...OPTIONS, active })
    if (typeof made === 'string') throw new Error(made)
    return made.id
  }
  /** As if nothing had looked for so many days. */
  const missed = (days: number) =>
    t.db.query(`update schedules set next_at = clock_timestamp() - make_interval(days => $1)`, [days])
  const fireAll = async (): Promise<number> => {
    for (let fired = 0; ; fired += 1) if ((await fireNext(t.db, PLANS)) === null) return fired
  }
  const runs = () => listedRuns(t.db, at.organisationId, {}, null, 100)
  const read = async (id: string) => {
    const found = await getSchedule(t.db, at.organisationId, id)
    if (!found) throw new Error('The schedule is gone')
    return found
  }

  test('nothing fires before its time', async () => {
    await make()
    expect(await fireNext(t.db, PLANS)).toBeNull()
    expect(await runs()).toEqual([])
  })

  test('what was missed for days is caught up with one run, and the next time is to come', async () => {
    const id = await make()
    await missed(5)
    expect(await fireAll()).toBe(1)
    const [run, ...others] = await runs()
    expect(others).toEqual([])
    const now = await read(id)
    expect(now).toMatchObject({ last_run_id: run?.id, last_refusal: null })
    expect(Date.parse(now.next_at ?? '')).toBeGreaterThan(Date.now())
  })

  test('many workers at once: each firing happens once', async () => {
    for (let n = 0; n < 6; n += 1) await make(n % 2 === 0)
    for (let round = 0; round < 5; round += 1) {
      await missed(1)
      const fired = await Promise.all(Array.from({ length: 8 }, fireAll))
      expect(fired.reduce((sum, one) => sum + one, 0)).toBe(6)
      // One of each tier: the others wait for it.
      const all = await runs()
      expect(
        all
          .filter(({ status }) => status === 'queued')
          .map(({ tier }) => tier)
          .toSorted(),
      ).toEqual(['active', 'passive'])
      for (const _ of [1, 2]) await finish(t.db, await takeAndStart(t.db), { grade: 'A', artifacts: [] })
    }
    expect(await runs()).toHaveLength(10)
  })

  test('a run that goes on is waited for, by hand or not, of the same tier only', async () => {
    const id = await make()
    await seedRun(t.db, at)
    await missed(1)
    expect(await fireNext(t.db, PLANS)).toMatchObject({ runId: null, refusal: 'the run before has not ended' })
    expect(await runs()).toHaveLength(1)
    expect(Date.parse((await read(id)).next_at ?? '') - Date.now()).toBeLessThan(6 * 60_000)
    await make(true)
    await missed(1)
    await fireAll()
    expect((await runs()).map(({ tier }) => tier)).toEqual(['active', 'passive'])
  })

  test('a refusal is remembered, costs nothing, and the schedule goes on', async () => {
    const id = await make(true)
    await setVerified(t.db, at.domainId, null)
    await missed(1)
    await fireAll()
    expect((await read(id)).last_refusal).toMatch(/Verify shop\.test/)
    await setOrganisation(t.db, at.organisationId, { state: 'blocked' })
    await missed(1)
    await fireAll()
    expect((await read(id)).last_refusal).toMatch(/blocked/)
    expect(await runs()).toEqual([])
  })

  test('paused, it fires no more; resumed, it does not catch up', async () => {
    const id = await make()
    expect((await updateSchedule(t.db, at.organisationId, id, { state: 'paused' }))?.next_at).toBeNull()
    await missed(3)
    expect(await fireAll()).toBe(0)
    await updateSchedule(t.db, at.organisationId, id, { state: 'active' })
    expect(await fireAll()).toBe(0)
  })

  test('a new time counts from now, other changes leave it', async () => {
    const id = await make()
    const before = await read(id)
    const same = await updateSchedule(t.db, at.organisationId, id, { options: { make_pdf: true } })
    expect(same).toMatchObject({ next_at: before.next_at, options: { ...OPTIONS, make_pdf: true } })
    const moved = await updateSchedule(t.db, at.organisationId, id, { time_zone: 'Asia/Tokyo' })
    expect(moved?.next_at).not.toBe(before.next_at)
  })

  test("another organisation's is not there", async () => {
    const id = await make()
    const other = await seedDomain(t.db)
    expect(await createSchedule(t.db, other.organisationId, at.domainId, NIGHTLY, OPTIONS)).toBe('domain_not_found')
    expect(await updateSchedule(t.db, other.organisationId, id, { state: 'paused' })).toBeNull()
    expect(await deleteSchedule(t.db, other.organisationId, id)).toBe(false)
    expect(await listSchedules(t.db, other.organisationId, null)).toEqual([])
    expect(await deleteSchedule(t.db, at.organisationId, id)).toBe(true)
  })
})
