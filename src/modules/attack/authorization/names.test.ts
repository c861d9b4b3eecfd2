import { expect, it } from 'vitest'
import { isOfMoney, isUser } from './names.ts'

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

it.each([
  ['balance', true],
  ['owner', false],
])('a member that is called %s tells an account of money from a person: %s', (name, expected) => {
  expect(isOfMoney({ name })).toBe(expected)
})
