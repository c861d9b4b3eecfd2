import { expect, test } from 'vitest'
import type { SignIn } from '../contract/identity.ts'
import type { SignInRequest } from '../contract/sign-in.ts'
import { signInFormOf } from './form.ts'

const ORIGIN = 'https://shop.test'
const how = (...requests: SignInRequest[]): SignIn => ({ request: { requests } })

test('a form: an account that nobody has, no password, and values that its page gives', () => {
  const form = { email: 'ada@shop.test', password: 'canary-4711', csrf: '{{csrf}}', remember: '1' }
  const found = signInFormOf(how({ url: '/start' }, { url: '/login', form }), ORIGIN)
  expect(found).toEqual({
    ...{ url: 'https://shop.test/login', encoding: 'urlencoded', body: null, page: 'https://shop.test/start' },
    fields: [
      { name: 'email', value: 'sonde@sonde.invalid', type: 'text' },
      { name: 'password', value: '', type: 'password' },
      { name: 'csrf', value: '', type: 'hidden' },
      { name: 'remember', value: '1', type: 'hidden' },
    ],
  })
})

test('names of one letter', () => {
  const form = { u: 'ada', p: 'canary-4711', id: 'start', do: 'login' }
  const found = signInFormOf(how({ url: '/?do=login' }, { url: '/?id=start', form }), ORIGIN)
  expect(found?.fields).toEqual([
    { name: 'u', value: 'sonde', type: 'text' },
    { name: 'p', value: '', type: 'password' },
    { name: 'id', value: 'start', type: 'hidden' },
    { name: 'do', value: 'login', type: 'hidden' },
  ])
  expect(signInFormOf(how({ url: '/list', form: { p: '2', q: 'ada' } }), ORIGIN)).toBeNull()
})

test('JSON, however deep', () => {
  const json = { user: { login: 'ada', password: 'canary-4711' }, tenant: 'shop' }
  const found = signInFormOf(how({ url: '/api/session', json }), ORIGIN)
  expect(JSON.parse(found?.body ?? '')).toEqual({ user: { login: 'sonde', password: '' }, tenant: 'shop' })
})

test.each<[string, SignIn]>([
  ['without a password', how({ url: '/login', form: { email: 'ada@shop.test' } })],
  ['of another site', how({ url: 'https://id.test/login', json: { login: 'a', password: 'x' } })],
  ['at an address that was read', how({ url: '/' }, { url: '{{at}}', form: { login: 'a', password: 'x' } })],
  [
    'with a header that was read',
    how({ url: '/login', headers: { 'X-T': '{{t}}' }, json: { login: 'a', password: 'x' } }),
  ],
  ['JSON with a value that was read', how({ url: '/login', json: { login: 'a', password: 'x', t: '{{t}}' } })],
  ['with a value that no page before it gave', how({ url: '/login', form: { login: 'a', password: 'x', t: '{{t}}' } })],
  ['by steps', { steps: { steps: [{ do: 'goto', url: '/login' }] } }],
])('none: %s', (_name, given) => {
  expect(signInFormOf(given, ORIGIN)).toBeNull()
})
