import { describe, expect, it } from 'vitest'
import { SETS_PASSWORD } from '../../../safety/form-effect.ts'
import type { RequestTemplate } from '../crawl/facts.ts'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { prepareAttempts } from './attempts.ts'
import { choose, couponAt, couponsBeside } from './endpoints.ts'

describe('endpoints', () => {
  it('a search that may write is asked no series', () => {
    const search = caseRequest({ method: 'GET', url: 'https://shop.test/find?q=a' })
    const kindsOf = (more: Partial<RequestTemplate>) =>
      choose(caseCrawl({ requests: [{ ...search, ...more }] }), null).map(({ kind }) => kind)
    expect(kindsOf({})).toEqual(['search'])
    expect(kindsOf({ bound: 40, boundBy: 'it deletes' })).toEqual([])
  })

  it('a search is first what is called so, before pages that take its parameter', () => {
    const requests = ['/?q=a', '/list?q=a', '/search?q=a'].map((path) =>
      caseRequest({ id: path, method: 'GET', url: `https://shop.test${path}` }),
    )
    expect(choose(caseCrawl({ requests })).map(({ request }) => request.id)).toEqual(['/search?q=a'])
  })

  const post = (path: string, names: readonly (readonly [string, string])[]): RequestTemplate =>
    caseRequest({
      id: path,
      method: 'POST',
      url: `https://shop.test${path}`,
      encoding: 'urlencoded',
      fields: names.map(([name, type]) => ({ name, type, value: '' })),
      sent: false,
    })
  const mutation = (query: string) =>
    caseRequest({
      ...{ id: 'g', method: 'POST', url: 'https://shop.test/graphql', encoding: 'json' as const },
      body: JSON.stringify({ query, variables: { name: 'ada', password: 'x' } }),
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
    ['a recovery that is named for the password alone', post('/users/password', [['user[email]', 'email']]), 'reset'],
    ['a recovery by mail', post('/password/email', [['email', 'email']]), 'reset'],
    [
      'a password that is changed there',
      post('/users/password', [
        ['email', 'email'],
        ['new', 'password'],
        ['again', 'password'],
      ]),
      null,
    ],
    ['login by a mutation', mutation('mutation($name: String!) { login(name: $name) { token } }'), 'login'],
    [
      'a mutation that takes a password for something else',
      mutation('mutation($name: String!) { lock(name: $name) }'),
      null,
    ],
    ['login with JSON', json, 'login'],
    ['one-time code', post('/2fa/verify', [['code', 'text']]), 'one-time-code'],
    [
      'one-time code that sets a password',
      post('/auth/verify-code', [
        ['email', 'email'],
        ['code', 'text'],
        ['password', 'password'],
      ]),
      'one-time-code',
    ],
    ['reset', post('/password/forgot', [['email', 'email']]), 'reset'],
    ['reset, by a name', post('/reminder.php', [['uname', 'text']]), 'reset'],
    [
      'reset, which a parameter chooses',
      { ...post('/index.php?action=forgot', [['email', 'email']]), shape: 'https://shop.test/index.php?action=forgot' },
      'reset',
    ],
    [
      'a value that chooses nothing',
      { ...post('/index.php?note=forgot', [['email', 'email']]), shape: 'https://shop.test/index.php?note' },
      null,
    ],
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
  const typed = (path: string, ...more: readonly string[]) => ({
    ...form(path),
    ...{ encoding: 'urlencoded' as const, body: null },
    fields: ['user', 'password', ...more].map((name) => ({ name, type: name, value: '' })),
  })
  const requests = [
    typed('/admin/'),
    typed('/mailbox', 'host'),
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
    'login /admin/',
    'reset /partner/reset',
    'reset /reset-password',
  ])
})

describe('the code of a coupon', () => {
  const coupon = (method: string, path: string, body: object | null = null, more: Partial<RequestTemplate> = {}) =>
    caseRequest({
      ...{ id: path, method, url: `https://shop.test${path}`, encoding: body === null ? 'none' : 'json', sent: false },
      ...{ body: body === null ? null : JSON.stringify(body), ...more },
    })
  const place = async (request: RequestTemplate) => {
    const { next } = await prepareAttempts({ kind: 'coupon', request }, async () => null)
    const [one, two] = [next(), next()]
    return [one, two].map(({ method, url, body }) =>
      `${method} ${new URL(url).pathname} ${body ?? ''}`.replace(/SONDE[0-9A-F]{10}/, 'CODE'),
    )
  }
  it('that is sent with all of an order is counted, and sent in no series', () => {
    const order = coupon('POST', '/orders', { article: 4, quantity: 1, coupon: 'A1' })
    expect([couponsBeside([order]), couponAt(order)]).toEqual([1, null])
    expect(couponsBeside([coupon('POST', '/cart', { voucher: 'A1' }), coupon('GET', '/orders')])).toBe(0)
  })

  it.each([
    ['in the path', coupon('PUT', '/rest/basket/1/coupon/A1'), 'PUT /rest/basket/1/coupon/CODE '],
    ['in a member', coupon('POST', '/cart', { voucher: 'A1' }), 'POST /cart {"voucher":"CODE"}'],
    [
      'in a member of a place',
      coupon('POST', '/coupons', { code: 'A1', cart: 2 }),
      'POST /coupons {"code":"CODE","cart":2}',
    ],
    [
      'of what checks it',
      coupon('POST', '/gift-cards/check', { code: 'A1' }),
      'POST /gift-cards/check {"code":"CODE"}',
    ],
    ['of what redeems it', coupon('POST', '/wallet/redeem', { code: 'A1' }), 'POST /wallet/redeem {"code":"CODE"}'],
    ['of a program', coupon('POST', '/voucher.php', { code: 'A1' }), 'POST /voucher.php {"code":"CODE"}'],
    [
      'of a page of a front controller',
      coupon('POST', '/index.php?page=voucher', { code: 'A1' }, { shape: 'https://shop.test/index.php?page=voucher' }),
      'POST /index.php {"code":"CODE"}',
    ],
  ])('%s, another each time', async (_name, request, sent) => {
    expect(choose(caseCrawl({ requests: [request] })).map(({ kind }) => kind)).toEqual(['coupon'])
    expect(await place(request)).toEqual([sent, sent])
  })
  it('of one route is one, whatever cart and code it was found with', () => {
    const requests = ['/basket/1/coupon/1', '/basket/2/coupon/test', '/voucher/1'].map((path) => coupon('PUT', path))
    expect(choose(caseCrawl({ requests })).map(({ request }) => request.id)).toEqual([
      '/basket/1/coupon/1',
      '/voucher/1',
    ])
  })
  it.each([
    ['of a list', coupon('GET', '/coupons/A1')],
    ['where they are made', coupon('POST', '/admin/coupons/import', { code: 'A1' })],
    ['of something else', coupon('POST', '/country', { code: 'A1' })],
    ['that may not be sent', coupon('PUT', '/coupon/A1', null, { harm: SETS_PASSWORD })],
  ])('none %s', (_name, request) => {
    expect(choose(caseCrawl({ requests: [request] })).filter(({ kind }) => kind === 'coupon')).toEqual([])
  })
})
