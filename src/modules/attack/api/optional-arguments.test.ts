import { expect, test } from 'vitest'
import { withoutOptional } from './optional-arguments.ts'

const without = (body: string): string | null => {
  const request = withoutOptional({ method: 'POST', url: 'https://shop.test/graphql', body })
  return request === null ? null : String(request.body)
}
const of = (query: string, variables: unknown): string => JSON.stringify({ query, variables })

test.each([
  ['one that may be absent', 'query ($f: Filter) { a(f: $f) { id } }', { f: { city: 'test' } }, {}],
  ['a list of which each is there', 'query ($ids: [ID!]) { a(ids: $ids) { id } }', { ids: ['1'] }, {}],
  [
    'beside one that has to be given',
    'query ($id: ID!, $n: Int) { a(id: $id, n: $n) { id } }',
    { id: '7', n: 1 },
    { id: '7' },
  ],
])('what need not be given is left out: %s', (_name, query, variables, kept) => {
  expect(without(of(query, variables))).toBe(of(query, kept))
})

test.each([
  ['all has to be given', of('query ($id: ID!) { a(id: $id) { id } }', { id: '7' })],
  ['it has none', JSON.stringify({ query: '{ a { id } }' })],
  ['it is no query', '{"items":[1]}'],
  ['it is no JSON', 'query=a'],
])('nothing where %s', (_name, body) => {
  expect(without(body)).toBeNull()
})
