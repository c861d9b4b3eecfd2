import { expect, test } from 'vitest'
import { translationsAmong } from './translations.ts'

const others = (paths: readonly string[], kindOf: (path: string) => string = () => 'GET'): readonly string[] => [
  ...translationsAmong(paths, (path) => `http://lodge.test${path}`, kindOf),
]

test('of addresses that a language alone tells apart those of the first language stand for the others', () => {
  const paths = ['/en/', '/en/rooms?sort=a', '/en/find?q=a', '/de/rooms?sort=b', '/de/find?q=b', '/de/', '/de/only']
  expect(others(paths)).toEqual(['/de/', '/de/rooms?sort=b', '/de/find?q=b'])
  expect(others(['/en/item/1', '/en/a', '/pt-BR/item/2', '/pt-BR/a', '/pt-BR/b', '/en/b'])).toEqual([
    ...['/pt-BR/item/2', '/pt-BR/a', '/pt-BR/b'],
  ])
  expect(others(['/shop/fr/a', '/shop/fr/b', '/shop/fr/c', '/shop/nl/a', '/shop/nl/b', '/shop/nl/c'])).toHaveLength(3)
})

test('what only looks like a language is none', () => {
  expect(others(['/en/a', '/en/b', '/de/a', '/de/b'])).toEqual([])
  expect(others(['/db/a', '/db/b', '/db/c', '/ui/a', '/ui/b', '/ui/c'])).toEqual([])
  expect(others(['/en/a?x=1', '/en/b', '/en/c', '/de/a?y=1', '/de/b', '/de/d'])).toEqual([])
  expect(others(['/en/a', '/en/b', '/en/c', '/de/a', '/de/b', '/de/c'], (path) => path.slice(0, 3))).toEqual([])
})
