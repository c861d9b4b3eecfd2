/** What an operation is asked with that its description does not allow. */
import { expect, test } from 'vitest'
import { caseRequest } from '../../crawl/testing/crawl-facts.ts'
import { wrongOf } from './input.ts'

const inputsOf = (change: Parameters<typeof caseRequest>[0]) =>
  wrongOf(caseRequest(change)).map(({ input, parameter }) => `${input}: ${parameter}`)

test.each([
  ['?from=2026-09-01', ['an object where a text is expected: from', 'a text where a date is expected: from']],
  ['?limit=20', ['an object where a text is expected: limit', 'a text where a number is expected: limit']],
  ['?search=tap', ['an object where a text is expected: search']],
])('a query %s', (query, expected) => {
  expect(inputsOf({ url: `http://shop.test/payments${query}` })).toEqual(expected)
})

test('a document of XML is sent by half', () => {
  const given = {
    method: 'POST',
    url: 'http://shop.test/import',
    encoding: 'xml',
    body: '<units><street>a</street></units>',
  }
  expect(inputsOf(given as Parameters<typeof caseRequest>[0])).toEqual(['half a document: the body'])
})
