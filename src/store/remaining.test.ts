import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SQL_ENGINES, type TestDatabase } from '../../tests/support/databases.ts'
import { seedDomain, seedRun, takeAndStart } from '../../tests/support/seed.ts'
import type { Remaining } from '../contract/remaining.ts'
import { finish, progress } from './lease.ts'
import { type Course, estimate, remainingOf } from './remaining.ts'
import { readStates } from './runs.ts'

/** Ten minutes; slow at first, as runs are that crawl before they ask. */
const COURSE: Course = [
  [2, 1_000],
  [10, 200_000],
  [50, 400_000],
  [90, 590_000],
  [100, 600_000],
]
const SECOND = 1_000

describe('an estimate', () => {
  test.each([
    ['has just begun', 0, 0, 0, 600],
    ['stands where the other stood', 300, 10, 200, 300],
    ['is twice as slow', 800, 50, 800, 400],
    ['is twice as fast', 200, 50, 200, 100],
    ['is over what the other took', 700, 90, 700, 11],
    ['stays where it is for three times as long', 600, 10, 200, 300],
  ])('of a run that %s', (_, elapsed, percent, reached, left) => {
    const at = { elapsed: elapsed * SECOND, percent, reached: reached * SECOND }
    const { least_ms: least, most_ms: most } = estimate([COURSE], at, 'domain')
    expect(least / SECOND).toBeLessThan(left)
    expect(most / SECOND).toBeGreaterThan(left)
    expect((most - 20_000) / (least + 20_000)).toBeLessThan(2.3)
  })

  test('is wider the fewer it rests on, and for another domain', () => {
    const width = (courses: readonly Course[], basis: 'domain' | 'organisation') => {
      const { least_ms, most_ms } = estimate(courses, { elapsed: 0, percent: 0, reached: 0 }, basis)
      return most_ms - least_ms
    }
    expect(width([COURSE], 'domain')).toBeGreaterThan(width([COURSE, COURSE, COURSE], 'domain'))
    expect(width([COURSE], 'organisation')).toBeGreaterThan(width([COURSE], 'domain'))
  })

  test('holds to the end of runs that go half as fast to twice as fast as the one before', () => {
    const missed: string[] = []
    let asked = 0
    for (const pace of [0.5, 0.7, 0.9, 1, 1.2, 1.5, 2]) {
      const end = 600_000 * pace
      for (let elapsed = 60_000; elapsed < end; elapsed += 15_000) {
        const [percent, ms] = COURSE.findLast(([, ms]) => ms * pace <= elapsed) ?? [0, 0]
        const { least_ms, most_ms } = estimate([COURSE], { elapsed, percent, reached: ms * pace }, 'domain')
        asked += 1
        if (end - elapsed < least_ms || end - elapsed > most_ms) missed.push(`${pace} at ${elapsed}`)
      }
    }
    expect(missed.length / asked).toBeLessThan(0.25)
  })
})

describe.each(SQL_ENGINES)('on $kind', ({ open }) => {
  let t: TestDatabase
  beforeAll(async () => {
    t = await open()
  })
  afterAll(() => t.drop())

  type Place = Awaited<ReturnType<typeof seedDomain>>
  const begun = async (at: Place, changes: object = {}): Promise<string> => {
    const made = await seedRun(t.db, at, changes)
    await takeAndStart(t.db)
    return made.id
  }
  const remaining = async (at: Place, id: string): Promise<Remaining | null> => {
    const [run = null] = await readStates(t.db, [{ organisationId: at.organisationId, id }])
    if (run === null) throw new Error('The run is gone')
    return run.going_on && remainingOf(t.db, run.going_on)
  }
  const ended = async (at: Place, changes: object = {}): Promise<void> => {
    await seedRun(t.db, at, changes)
    const held = await takeAndStart(t.db)
    await progress(t.db, held, { phase: 'passive', detail: 'tls: some', progress: 40 })
    await finish(t.db, held, { grade: 'A', artifacts: [] })
  }

  test('rests on earlier runs of the domain that were asked for the same, else on those of others, else on what is usual', async () => {
    const at = await seedDomain(t.db)
    const queued = await seedRun(t.db, at)
    expect(await remaining(at, queued.id)).toBeNull()
    const held = await takeAndStart(t.db)
    expect(await remaining(at, queued.id)).toMatchObject({ basis: 'usual', runs: 0 })
    await progress(t.db, held, { phase: 'passive', detail: 'tls: some', progress: 40 })
    const [waiting] = await readStates(t.db, [{ organisationId: at.organisationId, id: queued.id }])
    const { going_on: stands } = waiting ?? { going_on: null }
    const [said] = await t.db.query<{ course: Course }>('select course from runs where id = $1', [queued.id])
    expect(stands).toMatchObject({ progress: 40, reached: said?.course.at(-1)?.[1], options: queued.options })
    await finish(t.db, held, { grade: 'A', artifacts: [] })
    expect(await remaining(at, queued.id)).toBeNull()
    const [kept] = await t.db.query<{ course: Course }>('select course from runs where id = $1', [queued.id])
    expect(kept?.course.at(-1)?.[0]).toBe(100)
    expect(kept?.course.map(([, ms]) => ms)).toEqual(kept?.course.map(([, ms]) => ms).toSorted((a, b) => a - b))

    await ended(at, { privacy: true })
    expect(await remaining(at, await begun(at, { privacy: true }))).toMatchObject({ basis: 'domain', runs: 1 })
  })
})
