import { expect, it } from 'vitest'
import { differences, type State, type Volatile } from './state.ts'

const state = (rows: Readonly<Record<string, readonly string[]>>): State =>
  new Map(
    Object.entries(rows).map(([place, texts]) => [place, new Map(texts.map((text) => [`hash of ${text}`, text]))]),
  )

const seen: Volatile = { place: /^table user$/, within: /\bseen \d+/g, is: 'session' }
const log: Volatile = { place: /^table log$/, is: 'log' }
const draft: Volatile = { place: /^table post$/, rows: /auto-draft/, is: 'cache' }

it.each([
  ['nothing', { user: ['1 | a'] }, { user: ['1 | a'] }, 0],
  ['a time within a row', { user: ['1 | a | seen 4'] }, { user: ['1 | a | seen 5'] }, 0],
  ['more of the row than its time', { user: ['1 | a | seen 4'] }, { user: ['1 | b | seen 5'] }, 2],
  ['an account that is new', { user: ['1 | a | seen 4'] }, { user: ['1 | a | seen 4', '2 | b'] }, 1],
  ['an account that is gone', { user: ['1 | a | seen 4', '2 | b | seen 4'] }, { user: ['1 | a | seen 5'] }, 1],
  ['a log', { log: ['1'] }, { log: ['1', '2'] }, 0],
  ['rows that are named', { post: ['1'] }, { post: ['1', '2 | auto-draft'] }, 0],
  ['rows beside those that are named', { post: ['1'] }, { post: ['1', '2 | draft'] }, 1],
  ['a place that is new', {}, { extra: ['1'] }, 1],
])('tells %s', (_name, before, after, count) => {
  const named = (tables: object) =>
    state(Object.fromEntries(Object.entries(tables).map(([table, rows]) => [`table ${table}`, rows])))
  expect(differences(named(before), named(after), [seen, log, draft])).toHaveLength(count)
})
