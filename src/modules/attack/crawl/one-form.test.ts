import { expect, it } from 'vitest'
import { createFrontier } from './frontier.ts'
import { scopeOf } from './scope.ts'

const ORIGIN = 'https://shop.test'
const scope = scopeOf({ host: 'shop.test', port: null })
const add = (frontier: ReturnType<typeof createFrontier>, path: string, label = '') =>
  frontier.add(`${ORIGIN}${path}`, 1, 'link', null, label)

it('the order of parameters and how they are encoded make no other page', () => {
  const frontier = createFrontier(scope)
  const ways = [
    '/find?q=a%3Ab&since=1%20week',
    '/find?since=1+week&q=a:b',
    '/find?since=1+month&q=a:b',
    '/find?q=a:b&since',
  ]
  expect(ways.map((path) => add(frontier, path))).toEqual([true, false, true, true])
  expect(frontier.add(`${ORIGIN}/find?since=1+week&q=a:b`, 1, 'redirect', `${ORIGIN}${ways[0]}`)).toBe(true)
})

it('what a link says of an address holds however the address is written', () => {
  const frontier = createFrontier(scope)
  expect(add(frontier, '/note?id=4&act=x')).toBe(true)
  expect(add(frontier, '/note?act=x&id=4', 'Delete note')).toBe(false)
  expect(frontier.next()).toBeNull()
})
