import { expect, test } from 'vitest'
import { meantBy } from './meant.ts'

const meant = meantBy([
  { url: 'https://shop.test/api/orders/list', source: 'script' },
  { url: 'https://shop.test/api/account?full=1', source: 'browser' },
  { url: 'https://shop.test/help/terms', source: 'link' },
])

test.each([
  ['https://shop.test/orders/list', 'https://shop.test/api/orders/list'],
  ['https://shop.test/account/', 'https://shop.test/api/account?full=1'],
  // Whole parts of a path alone, and not itself.
  ['https://shop.test/ders/list', null],
  ['https://shop.test/api/orders/list', null],
  ['https://other.test/orders/list', null],
  ['https://shop.test/', null],
  // Pages lead to other pages by their whole address.
  ['https://shop.test/terms', null],
])('%s means %s', (address, request) => {
  expect(meant(address)).toBe(request)
})
