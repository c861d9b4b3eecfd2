import { expect, it } from 'vitest'
import { createStrain } from './strain.ts'

/** Addresses in turn, each three times at what it usually takes; then so many rounds with other times. Whether strain was ever told of. */
const isStrained = (usual: Readonly<Record<string, number>>, later: Readonly<Record<string, number>>, rounds = 40) => {
  const strain = createStrain()
  for (let i = 0; i < 3; i += 1) for (const [of, latency] of Object.entries(usual)) strain.add(latency, of)
  const told: boolean[] = []
  for (let i = 0; i < rounds; i += 1)
    for (const [of, latency] of Object.entries(later)) told.push(strain.add(latency, of))
  return told.includes(true)
}
const PROGRAMS = { a: 10, b: 15, c: 20, d: 30, e: 60, f: 900, g: 1_500, h: 2_000 }
const times = (by: number, of = Object.keys(PROGRAMS)) =>
  Object.fromEntries(Object.entries(PROGRAMS).map(([name, latency]) => [name, latency * (of.includes(name) ? by : 1)]))

it.each<[string, object, object, boolean]>([
  ['slow programs beside quick ones', PROGRAMS, PROGRAMS, false],
  ['slow programs alone, where quick ones were asked before', PROGRAMS, { f: 900, g: 1_500, h: 2_000 }, false],
  ['all slower by a half', PROGRAMS, times(1.5), false],
  ['all four times as slow', PROGRAMS, times(4), true],
  ['those behind a database that is full, the others as quick as ever', PROGRAMS, times(4, ['f', 'g', 'h']), true],
  ['one program that has more to do', PROGRAMS, times(10, ['e']), false],
  ['quick ones slower by what is noise', { a: 5, b: 6 }, { a: 60, b: 70 }, false],
  ['the only address there is', { a: 50 }, { a: 400 }, true],
])('%s', (_name, usual, later, is) => {
  expect(isStrained({ ...usual }, { ...later })).toBe(is)
})

it.each([
  [1.2, false],
  [5, true],
])('of addresses that are asked once alone all %f times as slow: %s', (by, is) => {
  const strain = createStrain()
  const told = Array.from({ length: 400 }, (_, at) => strain.add(at < 100 ? 60 : 60 * by, `GET /articles/a-${at}`))
  expect(told.includes(true)).toBe(is)
})

it('forgets addresses, and goes on telling of those it knows', () => {
  const strain = createStrain()
  for (let i = 0; i < 5_000; i += 1) strain.add(1_000, `/page-${i}`)
  for (let i = 0; i < 3; i += 1) strain.add(20, '/list')
  expect(Array.from({ length: 80 }, () => strain.add(500, '/list'))).toContain(true)
})
