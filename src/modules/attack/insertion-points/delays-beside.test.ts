/** Places that are made to wait side by side: none is taken for another, and none is missed. */

import { describe, expect, it } from 'vitest'
import fc from '../../../../tests/support/properties.ts'
import { askDelays } from './delays.ts'
import type { Probe } from './prober.ts'
import { fakeProbe } from './testing/fake-probe.ts'
import { type WaitingPlace, type WaitingServer, waitingServer } from './testing/waiting-server.ts'
import { createTurns, type Turns } from './turns.ts'

const TEST = 4

const probeOf = (
  server: WaitingServer,
  place: WaitingPlace,
  turns: Turns,
  sleepers: number,
  leave: Probe['leave'],
): Probe => {
  // One of them was asked while nobody else asked anything.
  const times = Array.from({ length: 12 }, (_, index) => place.own + (index === 5 ? 0 : place.queued + (index % 3)))
  const { probe } = fakeProbe(() => ({ text: '' }))
  return {
    ...probe,
    turns,
    sleepers,
    leave,
    timings: () => times,
    send: async (value, { timeout = 10_000 } = {}) => {
      const waits = Number(/wait(\d+\.\d+)/.exec(value)?.[1] ?? 0)
      const { ms, status } = await server.ask(place, waits, timeout)
      return { value, status, text: '', contentType: '', location: '', headers: [], ms, replay: '' }
    },
  }
}

/** What is said of each place: that it waits, that it does not, or that nobody can tell. */
const said = async (server: WaitingServer, places: readonly WaitingPlace[], sleepers = TEST) => {
  const turns = createTurns(3)
  const all = Promise.all(
    places.map(async (place) => {
      let left = false
      const probe = probeOf(server, place, turns, sleepers, () => {
        left = true
      })
      const delays = await askDelays(probe, (seconds) => `wait${seconds}`, 'sql', 'time')
      return delays ? 'waits' : left ? 'left' : 'does not'
    }),
  )
  return server.until(all)
}

const truthOf = ({ keeps }: WaitingPlace) => (keeps > 0 ? 'waits' : 'does not')

const place = fc.record({
  own: fc.constantFrom(5, 20, 300, 1_500),
  keeps: fc.constantFrom(0, 0, 0, 1, 1, 2, 3),
  lock: fc.constantFrom(null, null, 'row'),
  queued: fc.constantFrom(0, 0, 200, 900, 2_500),
})
const jitterOf = (seed: number, most: number): (() => number) => {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return (state / 2_147_483_648) * most
  }
}

describe('places that wait side by side', () => {
  it('are told from the others, whatever holds them up', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(place, { minLength: 2, maxLength: 12 }),
        fc.constantFrom(1, 2, 5, 100),
        fc.nat(1_000_000),
        async (places, workers, seed) => {
          const all = await said(waitingServer(workers, jitterOf(seed, 10)), places)
          const wrong = places.filter((one, at) => all[at] !== 'left' && all[at] !== truthOf(one))
          expect(wrong).toEqual([])
          // Where requests do not wait for each other, nothing is left.
          expect(workers === 100 && places.every(({ lock }) => lock === null) ? all : []).not.toContain('left')
        },
      ),
      { numRuns: 100 },
    )
  })

  it.each([
    ['four at once in a test environment', TEST, 4],
    ['two of those that are known to, three first tries in production', 2, 3],
  ])('%s', async (_name, sleepers, most) => {
    const server = waitingServer(100, () => 0)
    const places = Array.from({ length: 12 }, () => ({ own: 20, keeps: 1, lock: null, queued: 0 }))
    expect(await said(server, places, sleepers)).toEqual(places.map(truthOf))
    expect(server.seen().sleeping).toBe(most)
  })

  it('take less than half of the time that a server takes which serves one at a time', async () => {
    const places = Array.from({ length: 24 }, () => ({ own: 20, keeps: 1, lock: null, queued: 0 }))
    const [wide, narrow] = [waitingServer(100, () => 0), waitingServer(1, () => 0)]
    await said(wide, places)
    await said(narrow, places)
    expect(wide.seen().now).toBeLessThan(narrow.seen().now / 2)
  })
})
