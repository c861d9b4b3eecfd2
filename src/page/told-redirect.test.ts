import { expect, test } from 'vitest'
import { toldRedirect } from './told-redirect.ts'

test.each<[unknown, string | null]>([
  [{ type: 'redirect', location: '/login?redirectTo=%2Ffiles' }, '/login?redirectTo=%2Ffiles'],
  [{ type: 'redirect', status: 303, location: '/orders' }, '/orders'],
  [{ redirect: '/auth/sign-in' }, '/auth/sign-in'],
  [{ success: false, redirect_url: 'https://shop.test/login' }, 'https://shop.test/login'],
  [{ location: '/halls/3', name: 'Hall 3' }, null],
  [{ location: 'Berlin' }, null],
  [{ type: 'data', nodes: [] }, null],
  [{ location: '/login', id: 1, name: 'a', mail: 'b', phone: 'c' }, null],
  [['/login'], null],
  [null, null],
])('%j leads to %s', (document, to) => {
  expect(toldRedirect(document)).toBe(to)
})
