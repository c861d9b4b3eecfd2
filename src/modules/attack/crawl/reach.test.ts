import { expect, test } from 'vitest'
import type { ReachRow } from './facts.ts'
import { createReachNotes } from './reach.ts'

const row = (url: string, change: Partial<ReachRow> = {}): ReachRow => ({
  ...{ kind: 'address', method: 'GET', url, fate: 'asked', reason: null, holds: true },
  ...change,
})
const SAMPLED = { fate: 'left_out', reason: 'one of many alike' } as const

test('the latest word holds, but what was asked stays asked', () => {
  const notes = createReachNotes()
  notes.note(row('/a', SAMPLED))
  notes.note(row('/a'))
  notes.note(row('/a', { fate: 'cut_off', reason: 'the time was over' }))
  expect(notes.facts()).toEqual({
    rows: [row('/a')],
    counts: [{ kind: 'address', fate: 'asked', reason: null, holds: true, count: 1 }],
  })
})

test('beyond the bound rows are counted, and what was not asked is kept first', () => {
  const notes = createReachNotes(2)
  for (const url of ['/a', '/b', '/c']) notes.note(row(url))
  notes.note(row('/d', SAMPLED))
  notes.count({ kind: 'operation', fate: 'left_out', reason: 'one of many alike', holds: true }, 7)
  const { rows, counts } = notes.facts()
  expect(rows.map(({ url }) => url)).toEqual(['/d', '/a'])
  expect(counts.map(({ kind, fate, count }) => [kind, fate, count])).toEqual([
    ['operation', 'left_out', 7],
    ['address', 'asked', 3],
    ['address', 'left_out', 1],
  ])
})
