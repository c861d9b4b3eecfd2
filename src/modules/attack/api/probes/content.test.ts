import { expect, it } from 'vitest'
import { caseRequest } from '../../crawl/testing/crawl-facts.ts'
import { isJsonRequest } from './content.ts'

const NOTE = {
  ...{ method: 'POST', url: 'https://shop.test/notes', encoding: 'json' as const, body: '{"text":"call back"}' },
}

it.each<[string, object, boolean]>([
  ['what may write', {}, true],
  ['what was seen to write', { effect: 'writes' }, true],
  ['what was seen to read', { effect: 'reads' }, false],
  ['what has a method of its own', { method: 'PUT' }, false],
  ['what sends a header of its own', { headers: [['X-Requested-With', 'fetch']] }, false],
  ['a query', { body: '{"query":"{ notes { text } }"}' }, false],
])('what a page of another site could send as text: %s', (_name, change, expected) => {
  expect(isJsonRequest(caseRequest({ ...NOTE, ...change }))).toBe(expected)
})
