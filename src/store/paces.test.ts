import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ENGINES, type TestDatabase } from '../../tests/support/databases.ts'
import { seedDomain, seedRun } from '../../tests/support/seed.ts'
import { forgetSlices, leaseSlice } from './paces.ts'

describe.each(ENGINES)('parts of paces on $kind', ({ open }) => {
  let t: TestDatabase
  let runs: string[]
  beforeAll(async () => {
    t = await open()
  })
  afterAll(() => t.drop())
  beforeEach(async () => {
    await t.empty()
    runs = []
    const at = await seedDomain(t.db)
    for (let i = 0; i < 5; i += 1) runs.push((await seedRun(t.db, at)).id)
  })
  const lease = async (run: number, address = '192.0.2.1') => (await leaseSlice(t.db, runs[run] ?? '', address)).share
  const held = async () => (await t.db.query<{ sum: number }>('select sum(share) as sum from paces'))[0]?.sum

  test('one run has all of an address, and of each', async () => {
    expect(await lease(0)).toBe(1)
    expect(await lease(0)).toBe(1)
    expect(await lease(1, '2001:db8::1')).toBe(1)
  })

  test('a second waits until the first has asked again, and then each has half', async () => {
    expect(await lease(0)).toBe(1)
    expect(await lease(1)).toBe(0)
    expect(await lease(0)).toBe(0.5)
    expect(await lease(1)).toBe(0.5)
  })

  test('asked at once, they never hold more than the whole', async () => {
    for (let round = 0; round < 4; round += 1) {
      await Promise.all(runs.map((_, run) => lease(run)))
      expect(await held()).toBeLessThanOrEqual(1.000_001)
    }
    expect(await held()).toBeGreaterThan(0.9)
  })

  test('what has ended is nobody’s, and goes with its run', async () => {
    expect(await lease(0)).toBe(1)
    await t.db.query("update paces set until = clock_timestamp() - interval '1 second'")
    expect(await lease(1)).toBe(1)
    await t.db.query("update paces set until = clock_timestamp() - interval '1 second'")
    await forgetSlices(t.db)
    expect(await held()).toBeNull()
    expect(await lease(2)).toBe(1)
    await t.db.query('delete from runs where id = $1', [runs[2]])
    expect(await held()).toBeNull()
  })
})
