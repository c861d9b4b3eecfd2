import { expect, test } from 'vitest'
import type { Slot } from './operations.ts'
import { createOwnIds } from './own-ids.ts'

const slot = (name: string, of: string | null = name): Slot => ({ place: 'path', at: '2', name, of, value: '1' })
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const token = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ data: { id: 31, customer: { id: 77 } }, exp: 1_900_000_000 })}.c2lnbmF0dXJl`
const ids = createOwnIds([
  {
    url: 'https://shop.test/login',
    text: JSON.stringify({
      auth: { token, bid: 4, cart_id: 'c-99', role_id: 2, login: 'ada+7@post.example' },
      ...{ wallet: { id: 12 }, locker: 8 },
    }),
  },
])

test.each<[string, Slot, readonly string[]]>([
  ['by its first letter', slot('basket'), ['4']],
  ['by its whole name', slot('cart'), ['c-99']],
  ['of what holds it', slot('wallets'), ['12']],
  ['by the thing itself, of many', slot('lockers'), ['8']],
  ['in the claims of a token', slot('customers'), ['77']],
  ['by the name of a parameter', slot('cart_id', 'things'), ['c-99']],
  ['by the form of an address', slot('customerEmail', 'orders'), ['ada+7@post.example']],
  ['nothing of another thing', slot('orders'), []],
  ['nothing of what has no name', slot('id', null), []],
])('%s', (_name, place, found) => {
  expect(ids(place)).toEqual(found)
})
