/** Where what is sent says that it comes from. */
import { expect, test } from 'vitest'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { requestOf } from './inventory.ts'

const SEEN = ['https://shop.test/app.js', 'https://shop.test/tree.html?key=7f3a', 'https://shop.test/']

test.each([
  ['a script writes', { method: 'POST', source: 'script', seenOn: SEEN }, 'https://shop.test/tree.html'],
  ['a form does', { method: 'POST', source: 'form', seenOn: ['https://shop.test/note'] }, 'https://shop.test/note'],
  ['nobody knows whence', { method: 'POST', source: 'browser', seenOn: [] }, 'https://shop.test/'],
  ['another site does', { method: 'POST', source: 'form', seenOn: ['https://else.test/note'] }, 'https://shop.test/'],
  ['it reads', { method: 'GET', source: 'script', seenOn: SEEN }, undefined],
  ['a description names it', { method: 'POST', source: 'openapi', seenOn: SEEN }, undefined],
] as const)('where %s', (_what, of, expected) => {
  const { headers } = requestOf(caseRequest({ url: 'https://shop.test/tree', encoding: 'urlencoded', ...of }))
  expect(headers.filter(([name]) => name === 'Referer').map(([, value]) => value)).toEqual(
    expected === undefined ? [] : [expected],
  )
})

test('what the page itself said of it stays', () => {
  const own = [['referer', 'https://shop.test/own']] as const
  const { headers } = requestOf(caseRequest({ method: 'POST', source: 'browser', headers: own }))
  expect(headers.filter(([name]) => /^referer$/i.test(name))).toEqual(own)
})
