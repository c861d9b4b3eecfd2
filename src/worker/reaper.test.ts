import { expect, test } from 'vitest'
import { createReach } from './reaper.ts'

const LEASE = 30_000
const reachAt = ({ alone = false } = {}) => {
  let now = 0
  const reach = createReach({ lease: LEASE, alone }, () => now)
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

test.each([false, true])('a machine that stood still begins it anew (alone: %s)', async (alone) => {
  const { round, pass, holds } = reachAt({ alone })
  const quietly = async (rounds: number): Promise<void> => {
    for (let index = 0; index < rounds; index += 1) {
      await round()
      pass(LEASE / 3)
    }
  }
  await quietly(4)
  expect(holds()).toBe(true)
  pass(2 * LEASE)
  await round()
  expect(holds()).toBe(false)
  await quietly(3)
  expect(holds()).toBe(true)
})

test('a clock that was set back begins it anew, and does not end it', async () => {
  const { round, pass, holds } = reachAt({ alone: true })
  await round()
  pass(-100 * LEASE)
  await round()
  expect(holds()).toBe(false)
  for (let index = 0; index < 3; index += 1) {
    pass(LEASE / 3)
    await round()
  }
  expect(holds()).toBe(true)
})

test('where nobody else has runs, nobody is waited for', () => expect(reachAt({ alone: true }).holds()).toBe(true))
