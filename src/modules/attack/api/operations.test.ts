import { expect, test } from 'vitest'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { whereOf } from './operations.ts'

test.each([
  ['http://shop.test/index.php?page=login&next=/', 'http://shop.test/index.php?next&page=login', '?page=login'],
  ['http://shop.test/items?id=7', 'http://shop.test/items?id', ''],
  ['http://shop.test/items', 'http://shop.test/items', ''],
])('a finding is told with what chooses the program alone: %s', (url, shape, query) => {
  expect(whereOf(caseRequest({ url, shape })).url).toBe(`${url.split('?')[0]}${query}`)
})
