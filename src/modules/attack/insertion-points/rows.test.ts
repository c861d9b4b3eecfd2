import { expect, it } from 'vitest'
import type { ProbePoint } from './inventory.ts'
import { rowsMerged } from './rows.ts'

const at = (place: ProbePoint['place'], name: string, value = 'a', id = 'r'): ProbePoint => ({
  request: {
    ...{ id, method: 'POST', url: 'http://shop.test/order', headers: [], body: null, effect: 'reads', seenOn: [] },
  },
  ...{ place, name, value },
})
const mergedOf = (points: readonly ProbePoint[]): readonly string[] =>
  [...rowsMerged(points).keys()].map(({ name }) => name)

it.each<[string, ProbePoint['place'], readonly string[], readonly string[]]>([
  ['a form', 'form', ['lines[0][qty]', 'lines[1][qty]', 'lines[2][qty]', 'lines[2][note]'], ['lines[2][qty]']],
  ['a form in parts', 'multipart', ['item[-2][title]', 'item[-3][title]', 'item[-4][title]'], ['item[-4][title]']],
  ['a query', 'query', ['columns[0][data]', 'columns[1][data]', 'columns[2][data]'], ['columns[2][data]']],
  ['JSON', 'json', ['/items/0/name', '/items/1/name', '/items/2/name', '/ids/0'], ['/items/2/name']],
  ['the items themselves', 'json', ['/ids/0', '/ids/1', '/ids/2'], ['/ids/2']],
  ['no list', 'form', ['field1', 'field2', 'field3', 'a[x]', 'a[y]', 'a[z]'], []],
  ['headers', 'header', ['x[0]', 'x[1]', 'x[2]'], []],
])('two rows stand for the others: %s', (_what, place, names, expected) => {
  expect(mergedOf(names.map((name) => at(place, name)))).toEqual(expected)
})

it('keeps what has another kind of value, and what another request has', () => {
  const points = [
    at('form', 'rows[0]', 'a'),
    at('form', 'rows[1]', 'b'),
    at('form', 'rows[2]', '7'),
    at('form', 'rows[3]', ''),
    at('form', 'rows[2]', 'c', 'another'),
  ]
  expect(mergedOf(points)).toEqual([])
  const [first, second, third] = points.map((point) => ({ ...point, value: 'a' }))
  if (!first || !second || !third) throw new Error('three points')
  expect(rowsMerged([first, second, third]).get(third)).toEqual([first, second])
})
