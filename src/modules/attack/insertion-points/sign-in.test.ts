/** Conditions that hold for everybody go behind a sign-in, and behind nothing else that asks for a password. */
import { expect, it } from 'vitest'
import { isSignIn, mayWiden } from './sign-in.ts'

const field = (name: string, type = 'text') => ({ name, value: 'test', type })
type Asked = Parameters<typeof isSignIn>[0]

const form = (url: string, names: readonly string[], page = 'http://shop.test/'): Asked => ({
  ...{ method: 'POST', url: `http://shop.test${url}`, encoding: 'urlencoded', body: null, seenOn: [page] },
  fields: names.map((name) => field(name, /pass|pwd/.test(name) ? 'password' : 'text')),
})
const json = (url: string, body: object): Asked => ({
  ...{ method: 'POST', url: `http://shop.test${url}`, encoding: 'json', fields: [], seenOn: [] },
  body: JSON.stringify(body),
})

it.each([
  ['a form', form('/login.php', ['username', 'password', 'csrf_token', 'remember'])],
  ['by mail', form('/account/login', ['email', 'password'])],
  ['a form that posts to its own page', form('/', ['user', 'pwd'])],
  ['in JSON', json('/rest/user/login', { email: 'a@b.test', password: 'x' })],
  ['for a token', json('/api/auth/token', { username: 'a', password: 'x' })],
])('a sign-in: %s', (_kind, template) => {
  expect(isSignIn(template)).toBe(true)
})

it.each([
  ['two passwords', form('/login.php', ['user', 'password', 'password2'])],
  ['a new one for a name', form('/forgot.php', ['username', 'password'])],
  ['a new one, on a page of that name', form('/', ['username', 'password'], 'http://shop.test/password-reset')],
  ['a new one by its field', form('/user', ['username', 'new_password'])],
  ['a registration', form('/register', ['username', 'password'])],
  ['a registration in JSON', json('/api/users/signup', { name: 'a', password: 'x' })],
  ['a reset in JSON', json('/api/password/reset', { email: 'a@b.test', password: 'x' })],
  ['an address that is changed', form('/me', ['email', 'current_password'])],
  ['a deed that is confirmed', form('/account/delete', ['password'])],
])('no sign-in: %s', (_kind, template) => {
  expect(isSignIn(template)).toBe(false)
})

it.each([
  ['a sign-in that has shown to read', { signsIn: true, effect: 'reads' }, true],
  ['one of which nothing is known', { signsIn: true, effect: 'unknown' }, false],
  ['one that is counted, as a word of it tells of a deed', { signsIn: true, effect: 'reads', bound: 40 }, false],
  ['any other request with a body', { effect: 'reads' }, false],
] as const)('is widened or not: %s', (_kind, request, expected) => {
  expect(mayWiden({ method: 'POST', ...request })).toBe(expected)
})
