import { expect, test } from 'vitest'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { requestOf } from './inventory.ts'
import { isHiddenToken, isToken } from './tokens.ts'

test.each([
  ['k', '9f3ac81b77de2046', 'hidden', true],
  ['hash', '9f3ac81b77de2046', 'hidden', false],
  ['order_id', '9f3ac81b77de2046', 'hidden', false],
  ['k', '9f3ac81b77de2046', 'text', false],
  ['k', '201206021102', 'hidden', false],
  ['step', 'confirmation', 'hidden', false],
])('a field %s that holds %s and is of type %s is a token: %s', (name, value, type, is) => {
  expect(isHiddenToken(name, value, type)).toBe(is)
})

test.each([
  ['drawn', 'qL9xT2vB7nM4kR8sW1yZ6cD3fG5hJ0pQ', true],
  [
    'an object of Java',
    'rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcAUH2sHDFmDRAwACRgAKbG9hZEZhY3RvckkACXRocmVzaG9sZHhwP0A',
    false,
  ],
  ['an object of PHP', 'Tzo2OiJCYXNrZXQiOjE6e3M6NToiaXRlbXMiO2E6MDp7fX0', false],
])('a value that is %s is a token: %s %s', (_what, value, is) => {
  expect([isToken('state', value), isHiddenToken('state', value, 'hidden')]).toEqual([is, is])
})

test('a form of which a hidden field alone is minted is sent with the one of today', () => {
  const form = caseRequest({
    ...{ method: 'POST', encoding: 'urlencoded', seenOn: ['https://shop.test/note'] },
    fields: [
      { name: 'k', value: '9f3ac81b77de2046', type: 'hidden' },
      { name: 'text', value: '9f3ac81b77de2046', type: 'text' },
    ],
  })
  expect(requestOf(form).tokens).toEqual([{ name: 'k', value: '9f3ac81b77de2046' }])
})

test('what the run has sent itself, and a step of several hands on, is none', () => {
  const value = 'sondebe22e1ab03'
  expect([isToken('reason', `${value}${'a'.repeat(12)}`), isHiddenToken('reason', value, 'hidden')]).toEqual([
    false,
    false,
  ])
})

test.each([
  ['authenticity_token', 'x', true],
  ['__RequestVerificationToken', 'x', true],
  ['t', 'q8Zk3vT9xLw2Rm5Yb7Nc4Hd6', true],
  ['q', 'tents', false],
  ['id', '12345678901234567890123456', false],
  ['next', 'https://shop.test/', false],
])('%s=%s is a token: %s', (name, value, expected) => expect(isToken(name, value)).toBe(expected))
