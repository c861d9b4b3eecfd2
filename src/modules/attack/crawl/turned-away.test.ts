import { expect, test } from 'vitest'
import { caseRequest } from './testing/crawl-facts.ts'
import { withTurnedAway } from './turned-away.ts'

const at = (path: string): string => `https://shop.test${path}`
const field = (name: string, type: string) => ({ name, type, value: 'x' })
const signIn = caseRequest({
  ...{
    method: 'POST',
    url: at('/office/login'),
    encoding: 'urlencoded' as const,
    seenOn: [at('/office/login?next=%2F')],
  },
  fields: [field('email', 'email'), field('password', 'password')],
})

test.each([
  ['to the page of a sign-in', at('/office/orders'), at('/office/login?next=%2Foffice%2Forders'), true],
  ['elsewhere', at('/office/orders'), at('/office/orders/all'), undefined],
  ['nowhere', at('/office/orders'), null, undefined],
  ['from that page to itself', at('/office/login'), at('/office/login?next=%2F'), undefined],
])('what leads %s', (_name, url, target, expected) => {
  const one = caseRequest({ method: 'GET', url })
  const led = new Map(target === null ? [] : [[url, target]])
  expect(withTurnedAway([one, signIn], led)[0]?.turnedAway).toBe(expected)
})
