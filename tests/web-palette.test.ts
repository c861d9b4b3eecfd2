import { expect, test } from 'vitest'
import { offered } from '../web/src/palette.ts'

const place = (name: string, kind = 'domain') => ({ to: `/${name}`, name, kind })
const names = (
  typed: string,
  places = [place('Overview', 'page'), place('shop.test'), place('my-shop.test'), place('shop.test', 'run')],
) => offered(places, typed).map(({ name, kind }) => `${name} ${kind}`)

test('every word counts, whatever its case; what begins so comes first', () => {
  expect(names('')).toHaveLength(4)
  expect(names('SHOP')).toEqual(['shop.test domain', 'shop.test run', 'my-shop.test domain'])
  expect(names('shop run')).toEqual(['shop.test run'])
  expect(names('shop nothing')).toEqual([])
})

test('twelve at once, in the order in which they came', () => {
  const many = Array.from({ length: 40 }, (_, n) => place(`d${n}.test`))
  expect(names('test', many)).toEqual(many.slice(0, 12).map(({ name }) => `${name} domain`))
})
