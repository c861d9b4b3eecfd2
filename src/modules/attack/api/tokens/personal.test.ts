import { expect, test } from 'vitest'
import { personalClaims } from './personal.ts'

test.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
  ['by their names', { sub: '7', email: 'x', phone: 49 }, ['email', 'phone']],
  ['by what they look like', { sub: 'ida@shop.test' }, ['sub']],
  [
    'in a record that the token holds',
    { data: { id: 7, email: 'ida@shop.test', password: '5f4d', role: 'x' } },
    ['data.email', 'data.password'],
  ],
  ['an address as a whole', { address: { street: 'Mill Road', city: 'Ulm' } }, ['address']],
  ['none', { sub: '7', roles: ['a'], data: { id: 7, plan: null } }, []],
])('%s', (_name, claims, found) => {
  expect(personalClaims(claims)).toEqual(found)
})

test('no deeper than somebody would look', () => {
  expect(personalClaims({ a: { b: { c: { d: { email: 'ida@shop.test' } } } } })).toEqual([])
})
