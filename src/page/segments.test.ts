import { expect, test } from 'vitest'
import { parametersOf, queryRouteOf, segmentsOf, withSegmentAt } from './segments.ts'

const AT = 'https://app.test'

test.each([
  ['a path alone', '/item/3', null, ['item', '3']],
  ['names and values', '/index.php?item=3&a/b=1', null, ['index.php']],
  ['a value that is a path', '/index.php?r=item/view', null, ['index.php']],
  ['a name alone', '/index.php?item', null, ['index.php']],
  ['a route', '/index.php?/item/3', '/item/3', ['index.php', 'item', '3']],
  ['a route of one word', '/?/items', '/items', ['', 'items']],
  ['a route and parameters', '/index.php?/item/3&order=1', '/item/3', ['index.php', 'item', '3']],
  [
    'a route that begins with a word',
    '/index.php?threads/welcome.42/',
    'threads/welcome.42/',
    ['index.php', 'threads', 'welcome.42', ''],
  ],
  ['a route behind a parameter', '/index.php?a=1&/item/3', null, ['index.php']],
])('%s', (_name, address, route, segments) => {
  expect(queryRouteOf(`${AT}${address}`)).toBe(route)
  expect(segmentsOf(`${AT}${address}`)).toEqual(segments)
})

test('a segment is put into the path or into the route, and the rest stays as it is', () => {
  const address = `${AT}/app/index.php?/item/3&order=1`
  expect(withSegmentAt(address, 0, 'x')).toBe(`${AT}/x/index.php?/item/3&order=1`)
  expect(withSegmentAt(address, 3, 'x')).toBe(`${AT}/app/index.php?/item/x&order=1`)
  expect(withSegmentAt(address, 4, 'x')).toBe(`${AT}/app/index.php?/item/3/x&order=1`)
  expect(withSegmentAt(`${AT}/index.php?threads/42/`, 2, 'x')).toBe(`${AT}/index.php?threads/x/`)
  expect(withSegmentAt(`${AT}/a/b?c=1`, 2, 'x')).toBe(`${AT}/a/b/x?c=1`)
})

test('parameters are those of the query without its route', () => {
  expect(parametersOf(`${AT}/index.php?/item/3&order=1&x=`)).toEqual([
    ['order', '1'],
    ['x', ''],
  ])
  expect(parametersOf(`${AT}/index.php?item&order=1`)).toEqual([
    ['item', ''],
    ['order', '1'],
  ])
})
