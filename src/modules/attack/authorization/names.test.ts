import { expect, it } from 'vitest'
import { isUser } from './names.ts'

it.each([
  ['id', 'account', true],
  ['name', 'users', true],
  ['account', null, true],
  ['number', 'account', false],
  ['accountNumber', 'api', false],
  ['number', 'members', true],
  ['number', 'orders', false],
])('what %s of %s is of: a person %s', (name, of, expected) => {
  expect(isUser({ place: 'query', at: name, name, of, value: '700101' })).toBe(expected)
})
