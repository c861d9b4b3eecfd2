import { expect, test, vi } from 'vitest'
import { BESIDE_SCRIPTS, clockOf, overWithin, secondsForPlaces, TIMES } from './times.ts'

test.each([
  ['an hour that has just begun', 2, 3_300, 0, 3_180],
  ['an hour in which more follows its places', 2, 3_300, 500, 2_180],
  ['an hour that is half over', 2, 1_500, 500, TIMES.places * 2],
  ['ten minutes', 0.25, 480, 0, 450],
  ['an hour, of one that asks while scripts are looked at', 2, 3_300, 60 - BESIDE_SCRIPTS, 3_260],
  ['a run whose time is over', 0.1, 0, 0, TIMES.places * 0.1],
])('%s leaves its places what nothing after them needs', (_name, timeFactor, left, after, seconds) =>
  expect(secondsForPlaces({ timeFactor, secondsLeft: () => left }, after)).toBe(seconds),
)

test('what is kept for others goes to the places once these are done', () => {
  let spared = 0
  const clock = clockOf({ timeFactor: 1, secondsLeft: () => 2_000 }, { after: 570, spared: () => spared })
  const before = clock.until()
  spared = 420
  expect(clock.until() - before).toBeCloseTo(420_000, 3)
  expect(clock.isOver()).toBe(false)
})

test('of a short run a place that was begun has less time, so that the module ends before the run ends it', () => {
  const overAfter = (timeFactor: number, seconds: number): boolean => {
    const clock = clockOf({ timeFactor, secondsLeft: () => 200 }, {})
    const now = vi.spyOn(performance, 'now').mockReturnValue(clock.until() + seconds * 1_000)
    try {
      return clock.isOver()
    } finally {
      now.mockRestore()
    }
  }
  expect([5, 10, 19].map((seconds) => overAfter(0.125, seconds))).toEqual([false, true, true])
  expect([19, 21].map((seconds) => overAfter(1, seconds))).toEqual([false, true])
})

test('a time that was said holds, whatever is done', () => {
  const ctx = { timeFactor: 1, secondsLeft: () => 2_000 }
  const clock = clockOf(ctx, { time: { places: -1, grace: 0 }, spared: () => 420 })
  expect(clock.isOver()).toBe(true)
  clock.end()
  expect(clock.isOver()).toBe(false)
})

test('what follows the places is over before the module is ended, however much of its own time is left', () => {
  expect(overWithin({ timeFactor: 1, secondsToEnd: () => 10 }, 60)()).toBe(true)
  expect(overWithin({ timeFactor: 1, secondsToEnd: () => 600 }, 60)()).toBe(false)
})
