/** Conditions that hold for everybody go behind a sign-in, and behind nothing else that asks for a password. */
import { expect, it } from 'vitest'
import type { RequestTemplate } from '../crawl/facts.ts'
import { isForStrangers, isSignIn, mayWiden } from './sign-in.ts'

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

const graphql = (query: string, variables: object): Asked => json('/graphql', { query, variables })

it.each([
  ['a mutation', graphql('mutation($n:String!,$p:String!){login(name:$n,password:$p){token}}', { n: 'a', p: 'x' })],
  [
    'of an input',
    graphql('mutation S($input:In!){signIn(input:$input){token}}', { input: { email: 'a', password: 'x' } }),
  ],
])('a sign-in of GraphQL: %s', (_kind, template) => {
  expect([isSignIn(template), isForStrangers(template as RequestTemplate)]).toEqual([true, true])
})

it.each([
  ['a registration', graphql('mutation($n:String!,$p:String!){register(name:$n,password:$p){id}}', { n: 'a', p: 'x' })],
  ['a new password', graphql('mutation($p:String!){setPassword(password:$p)}', { p: 'x' })],
  ['what asks for no password', graphql('mutation($n:String!){login(name:$n){token}}', { n: 'a' })],
  ['a query', graphql('query($n:String!,$p:String!){login(name:$n,password:$p){token}}', { n: 'a', p: 'x' })],
])('no sign-in of GraphQL: %s', (_kind, template) => {
  expect(isSignIn(template)).toBe(false)
})

it.each([
  ['a form', form('/login.php', ['username', 'password', 'csrf_token', 'remember'])],
  ['by mail', form('/account/login', ['email', 'password'])],
  ['a form that posts to its own page', form('/', ['user', 'pwd'])],
  ['in JSON', json('/rest/user/login', { email: 'a@b.test', password: 'x' })],
  ['for a token', json('/api/auth/token', { username: 'a', password: 'x' })],
  ['without a word for the secret', json('/partners/session', { partner: 'a', phrase: 'x' })],
  ['of two texts', form('/members/login', ['number', 'pin'])],
])('a sign-in: %s', (_kind, template) => {
  expect(isSignIn(template)).toBe(true)
})

it.each([
  ['what makes a token', json('/api/tokens', { label: 'a', scope: 'x' })],
  ['two texts elsewhere', form('/members/search', ['number', 'pin'])],
  ['one text', form('/login', ['mail'])],
  ['two passwords', form('/login.php', ['user', 'password', 'password2'])],
  ['a new one for a name', form('/forgot.php', ['username', 'password'])],
  ['a new one, on a page of that name', form('/', ['username', 'password'], 'http://shop.test/password-reset')],
  ['a new one by its field', form('/user', ['username', 'new_password'])],
  ['a registration', form('/register', ['username', 'password'])],
  ['a registration in JSON', json('/api/users/signup', { name: 'a', password: 'x' })],
  ['one more of a collection', json('/api/Users', { email: 'a@b.test', password: 'x', question: 'y' })],
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

it.each([
  ['a name and a password', form('/login.php', ['username', 'password', 'remember']), true],
  ['in JSON', json('/rest/user/login', { email: 'a@b.test', password: 'x' }), true],
  ['one that its address names', json('/partners/session', { partner: 'a', phrase: 'x' }), true],
  ['a password alone', form('/sudo', ['password']), false],
  ['a deed with a password', form('/transfer', ['amount', 'password']), false],
  ['a whole profile with a password', form('/me', ['name', 'street', 'city', 'zip', 'password']), false],
])('is one for strangers, also where the run is signed in: %s', (_kind, template, expected) => {
  expect(isForStrangers(template as RequestTemplate)).toBe(expected)
})
