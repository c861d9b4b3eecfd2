import { describe, expect, it } from 'vitest'
import { SETS_PASSWORD } from '../../../safety/form-effect.ts'
import type { RequestTemplate } from '../crawl/facts.ts'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { choose } from './endpoints.ts'

describe('endpoints', () => {
  const post = (path: string, names: readonly (readonly [string, string])[]): RequestTemplate =>
    caseRequest({
      id: path,
      method: 'POST',
      url: `https://shop.test${path}`,
      encoding: 'urlencoded',
      fields: names.map(([name, type]) => ({ name, type, value: '' })),
      sent: false,
    })
  const json = caseRequest({
    id: 'j',
    method: 'POST',
    url: 'https://shop.test/api/auth',
    encoding: 'json',
    body: '{"email":"a","password":"b"}',
  })
  it.each([
    [
      'login',
      post('/in', [
        ['user', 'text'],
        ['pass', 'password'],
        ['token', 'hidden'],
      ]),
      'login',
    ],
    ['login with JSON', json, 'login'],
    ['one-time code', post('/2fa/verify', [['code', 'text']]), 'one-time-code'],
    ['reset', post('/password/forgot', [['email', 'email']]), 'reset'],
    ['search', caseRequest({ url: 'https://shop.test/find?q=a' }), 'search'],
    ['version of a style sheet', caseRequest({ url: 'https://shop.test/theme.min.css?s=1794859272' }), null],
    [
      'registration',
      post('/register', [
        ['email', 'email'],
        ['password', 'password'],
      ]),
      null,
    ],
    [
      'change of a password',
      post('/me', [
        ['login', 'text'],
        ['password', 'password'],
        ['repeat', 'password'],
      ]),
      null,
    ],
    ['newsletter', post('/newsletter', [['email', 'email']]), null],
    [
      'contact',
      post('/contact', [
        ['name', 'text'],
        ['email', 'email'],
      ]),
      null,
    ],
    ['coupon', post('/cart', [['code', 'text']]), null],
    ['page', caseRequest(), null],
  ] as const)('%s', (_name, request, kind) => {
    expect(choose(caseCrawl({ requests: [request] })).map((one) => one.kind)).toEqual(kind === null ? [] : [kind])
  })
})

it('the login that is named so comes before a form that asks for another server’s password', () => {
  const fields = ['hostname', 'username', 'password'].map((name) => ({ name, type: name, value: '' }))
  const form = (id: string, path: string) =>
    caseRequest({ id, method: 'POST', url: `https://shop.test${path}`, encoding: 'urlencoded', fields, sent: false })
  const requests = [form('connection', '/'), form('login', '/wp-login.php')]
  expect(choose(caseCrawl({ requests })).map(({ request }) => request.id)).toEqual(['login'])
})

it('each sign-in that is named for it and each reset is a series of its own, and no form twice', () => {
  const form = (path: string, ...names: readonly string[]) =>
    caseRequest({
      ...{ id: path, method: 'POST', url: `https://shop.test${path}`, encoding: 'json', sent: false },
      body: JSON.stringify(Object.fromEntries(names.map((name) => [name, 'x']))),
    })
  const own = form('/rest/user/login', 'email', 'password')
  const setting = { ...form('/reset-password', 'email', 'answer', 'new'), harm: SETS_PASSWORD }
  const requests = [
    form('/rest/partner/login', 'email', 'password'),
    { ...own, id: 'as the crawl has it' },
    form('/connect', 'user', 'password'),
    form('/partner/reset', 'email'),
    setting,
    { ...form('/account/reset-password', 'email', 'new'), harm: SETS_PASSWORD },
  ]
  expect(choose(caseCrawl({ requests }), own).map(({ kind, request }) => `${kind} ${request.id}`)).toEqual([
    'login /rest/user/login',
    'login /rest/partner/login',
    'reset /partner/reset',
    'reset /reset-password',
  ])
})
