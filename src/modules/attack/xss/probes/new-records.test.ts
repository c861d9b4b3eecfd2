import { expect, it } from 'vitest'
import { byPart, recordsIn } from './new-records.ts'

const at = (path: string, on: string | null = null) => ({
  url: `http://shop.test${path}`,
  drawnOn: on === null ? null : `http://shop.test${on}`,
})

it('names the addresses of records by that of one which is known', () => {
  const list = JSON.stringify({ items: [{ token: 'b9bcb2f850da' }, { token: 'c0ffee000001' }] })
  expect(
    recordsIn(
      list,
      'http://shop.test/api/wishlists',
      byPart([at('/api/lists/b9bcb2f850da', '/lists/b9bcb2f850da'), at('/help')]),
    ),
  ).toEqual([at('/api/lists/c0ffee000001', '/lists/c0ffee000001')])
})

it('takes a number for a name beside its own kind alone', () => {
  const list = JSON.stringify([
    { id: 3, stars: 5 },
    { id: 4, stars: 1 },
  ])
  const known = byPart([at('/api/notes/3'), at('/api/orders/3'), at('/page/5')])
  expect(recordsIn(list, 'http://shop.test/api/notes', known)).toEqual([at('/api/notes/4')])
})

it.each(['<p>no</p>', '[1, 2]', '{', '{"a":{"b":1}}'])('finds none in %s', (text) => {
  expect(recordsIn(text, 'http://shop.test/api/notes', byPart([at('/api/notes/1')]))).toEqual([])
})
