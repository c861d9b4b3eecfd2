import { expect, it, vi } from 'vitest'
import { timesOfCrawl } from './time.ts'

const SECONDS = 1_000

/** Of a run of an hour, with what is left of it. */
const runOf = (secondsLeft: number, requests_per_second?: number) => ({
  timeFactor: 1.5,
  secondsLeft: () => secondsLeft - performance.now() / SECONDS,
  options: requests_per_second === undefined ? {} : { requests_per_second },
})

const withClock = (work: (pass: (milliseconds: number) => void) => void): void => {
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  try {
    work((milliseconds) => {
      now += milliseconds
    })
  } finally {
    clock.mockRestore()
  }
}

it('with few places the crawl has time that these will not need, and with many its share alone', () => {
  withClock(() => {
    const few = timesOfCrawl(runOf(2_880), () => 20)
    const many = timesOfCrawl(runOf(2_880), () => 3_000)
    expect(few.static).toBe(many.static)
    expect([many.browser(), many.all(), many.leave()]).toEqual([255_000, 315_000, 333_000])
    expect(few.browser() - many.browser()).toBe(450_000)
    expect(few.leave() - few.all()).toBe(many.leave() - many.all())
  })
})

it('at a slower pace the same places need more', () => {
  withClock(() => {
    const usual = timesOfCrawl(runOf(2_880), () => 400)
    const slow = timesOfCrawl(runOf(2_880, 5), () => 400)
    expect(usual.browser()).toBeGreaterThan(slow.browser())
    expect(slow.browser()).toBe(255_000)
  })
})

it('what was spare is gone when places have come', () => {
  withClock((pass) => {
    let places = 10
    const times = timesOfCrawl(runOf(2_880), () => places)
    expect(times.browser()).toBe(705_000)
    places = 5_000
    pass(9_000)
    expect(times.browser()).toBe(705_000)
    pass(2_000)
    expect(times.browser()).toBe(255_000)
  })
})

it('one that is to leave at a given time leaves then', () => {
  withClock(() => {
    expect(timesOfCrawl(runOf(2_880), () => 5, 7_000).leave()).toBe(7_000)
  })
})

it('what requests do is learned beyond the share, as long as it takes and no longer than a part of what places have', () => {
  withClock((pass) => {
    const times = timesOfCrawl(runOf(2_880), () => 3_000)
    const leave = times.leave()
    pass(315_000)
    // Eight requests each, twenty a second.
    expect(times.learning(100)).toBe(315_000 + 40_000)
    expect(times.leave()).toBe(leave + 40_000)
    const least = timesOfCrawl(runOf(1_400), () => 3_000)
    const most = least.learning(10_000) - performance.now()
    expect(most).toBeGreaterThan(60_000)
    expect(most).toBeLessThan(150_000)
  })
})

it.each([
  [0.1, 0.175],
  [0.325, 0.569],
  [0.5, 0.6],
  [1, 1],
  [1.5, 1.5],
])('of a run of %d times the usual length the crawl takes %d times what it takes there', (timeFactor, share) => {
  withClock(() => {
    const times = timesOfCrawl({ ...runOf(2_880), timeFactor }, () => 10_000)
    expect(times.static / 90_000).toBeCloseTo(share, 2)
    expect(times.all() / 210_000).toBeCloseTo(share, 2)
  })
})
