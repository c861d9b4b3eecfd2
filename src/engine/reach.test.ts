import { expect, test } from 'vitest'
import type { ReachEntry } from '../modules/reach.ts'
import { reachOf } from './reach.ts'

const entry = (id: string, change: Partial<ReachEntry> = {}): ReachEntry => ({
  ...{ id, kind: 'insertion_point', method: 'GET', url: `https://shop.test/${id}`, parameter: 'q' },
  ...{ fate: 'asked', reason: null },
  ...change,
})
const listed = (id: string): ReachEntry =>
  entry(id, { fate: 'cut_off', reason: 'nothing came to ask it', listed: true })
const part = (...entries: readonly ReachEntry[]) => ({ entries, beyond: [] })

test('a place is asked where all that speak of it asked it, and what only lists it says nothing', () => {
  const reach = reachOf([
    part(listed('a'), listed('b'), listed('c')),
    part(entry('a'), entry('b')),
    part(entry('a'), entry('b', { fate: 'left_out', reason: 'blocked by a firewall or limit' })),
  ])
  expect(reach?.kinds).toEqual([
    { kind: 'insertion_point', known: 3, asked: 1, merged: 0, left_out: 1, cut_off: 1, in_part: 1 },
  ])
  expect(reach?.rows.map(({ url, fate }) => `${url.at(-1)} ${fate}`)).toEqual(['b left_out', 'c cut_off', 'a asked'])
  expect(reach?.reasons.map(({ reason, count }) => [reason, count])).toEqual([
    ['blocked by a firewall or limit', 1],
    ['nothing came to ask it', 1],
  ])
})

test('what is beyond the rows counts as they do', () => {
  const alike = { kind: 'address', fate: 'left_out', reason: 'one of many alike' } as const
  const reach = reachOf([
    {
      entries: [entry('x', { ...alike, parameter: undefined }), entry('y', { kind: 'address', fate: 'merged' })],
      beyond: [{ ...alike, count: 41 }],
    },
  ])
  expect(reach?.kinds).toEqual([{ kind: 'address', known: 43, asked: 0, merged: 1, left_out: 42, cut_off: 0 }])
  expect(reach?.reasons).toEqual([{ kind: 'address', reason: 'one of many alike', count: 42 }])
})

test('rows are bounded, counts are not', () => {
  const reach = reachOf([part(...Array.from({ length: 10_001 }, (_, index) => entry(`p${index}`)))])
  expect(reach?.rows).toHaveLength(10_000)
  expect(reach?.kinds[0]?.known).toBe(10_001)
})

test('a run of which no module speaks has none', () => {
  expect(reachOf([])).toBeNull()
})

test('what some modules have asked, or asked first questions alone, is told beside what nobody asked anything', () => {
  const cut = { fate: 'cut_off', reason: 'its share of the time was used up' } as const
  const reach = reachOf([
    part(entry('a'), entry('b', { ...cut, inPart: true }), entry('c', cut), entry('d')),
    part(entry('a', cut), entry('b', cut), entry('c', cut), entry('d')),
  ])
  expect(reach?.kinds).toMatchObject([{ known: 4, asked: 1, cut_off: 3, in_part: 2 }])
})
