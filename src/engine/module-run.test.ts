import { expect, it } from 'vitest'
import { secondsFor } from './module-run.ts'

/** Of a run of 1,200 seconds on a test system, 25 of them for its end and 156 for what follows the places: what a module may take that begins so late. */
const spec = { deadline: 1_200, target: { environment: 'test' } } as const
const left = (seconds: number): number => Math.round(secondsFor(spec, performance.now() + seconds * 1_000))

it('a module that begins before what follows the places leaves it two thirds of its time', () => {
  expect(left(1_100)).toBe(1_100 - 25 - 104)
})

it('of what follows, the first leaves the others a third, and they have what is left', () => {
  expect(left(250)).toBe(250 - 25 - 52)
  expect(left(150)).toBe(150 - 25)
})

it('there is none behind the end', () => {
  expect(left(20)).toBeLessThan(0)
})
