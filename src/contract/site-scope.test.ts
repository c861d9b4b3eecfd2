import { expect, it } from 'vitest'
import { isOfSite } from './site-scope.ts'

it.each([
  [null, 'https://shop.test/', true],
  [null, 'http://www.shop.test/a', true],
  [null, 'https://shop.test:8443/', false],
  [null, 'https://api.shop.test/', false],
  [8443, 'https://shop.test:8443/', true],
  [8443, 'https://www.shop.test:8443/', true],
  [8443, 'https://shop.test/', false],
  [8443, 'http://shop.test/', false],
  [443, 'https://shop.test/', true],
  [443, 'http://shop.test/', false],
  [80, 'http://shop.test/', true],
  [null, 'ftp://shop.test/', false],
  [null, 'https://somebody@shop.test/', false],
])('of a domain at port %s, %s belongs to the site: %s', (port, url, is) => {
  expect(isOfSite({ host: 'shop.test', port }, new URL(url))).toBe(is)
})
