import { expect, test } from 'vitest'
import { createReach } from './reaper.ts'

const LEASE = 30_000
const reachAt = (lease = LEASE) => {
  let now = 0
  const reach = createReach(lease, () => now)
  return {
    round: (milliseconds = 10, fails = false) =>
      reach
        .through(async () => {
          now += milliseconds
          if (fails) throw new Error('away')
        })
        .catch(() => undefined),
    pass: (milliseconds: number) => {
      now += milliseconds
    },
    holds: reach.holds,
  }
}

test('whose lease ran out counts as lost once the database has answered for as long as a lease', async () => {
  const { round, pass, holds } = reachAt()
  expect(holds()).toBe(false)
  await round()
  pass(LEASE - 1)
  expect(holds()).toBe(false)
  pass(1)
  expect(holds()).toBe(true)
})

test.each([
  ['refused', 10, true],
  ['silent, and answered in the end', LEASE, false],
])('a database that was %s begins it anew', async (_name, milliseconds, fails) => {
  const { round, pass, holds } = reachAt()
  await round()
  pass(LEASE)
  await round(milliseconds, fails)
  expect(holds()).toBe(false)
  await round()
  pass(LEASE)
  expect(holds()).toBe(true)
})

test('where nobody else has runs, nobody is waited for', () => expect(reachAt(0).holds()).toBe(true))
