import { expect, test } from 'vitest'
import type { SignIn } from '../contract/identity.ts'
import { accountOf } from './account.ts'

const request = (one: object): SignIn => ({ request: { requests: [{ url: '/start' }, { url: '/login', ...one }] } })

test.each([
  ['a form', request({ form: { _csrf: '{{csrf}}', email: 'ada@shop.test', password: 'x' } }), 'ada@shop.test'],
  ['JSON', request({ json: { data: { login: 'ada', password: 'x' } } }), 'ada'],
  ['a value of an answer', request({ form: { user: '{{user}}', password: 'x' } }), null],
  ['a password in short', request({ form: { uname: 'ada', pw: 'x' } }), 'ada'],
  ['a secret of a name of its own', request({ form: { uname: 'ada', word: 'x' } }), 'ada'],
  ['a name that says nothing, before the password', request({ form: { log: 'ada', pwd: 'x', keep: '1' } }), 'ada'],
  ['no password', request({ form: { user: 'ada' } }), null],
  [
    'steps',
    {
      steps: {
        steps: [
          { do: 'goto', url: '/login' },
          { do: 'fill', on: '#who', value: 'ada' },
          { do: 'fill', on: '#password', value: 'x' },
        ],
      },
    },
    'ada',
  ],
  [
    'tokens',
    { oauth2: { grant: 'client_credentials', token_url: '/token', client_id: 'a', client_auth: 'basic' } },
    null,
  ],
] as readonly (readonly [string, SignIn, string | null])[])('of %s', (_name, how, account) => {
  expect(accountOf(how)).toBe(account)
})
