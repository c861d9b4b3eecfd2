import { describe, expect, test } from 'vitest'
import { identity } from '../src/contract/examples.ts'
import { CreateIdentity } from '../src/contract/identity.ts'
import {
  bodyOf,
  fieldAt,
  hostsOf,
  type IdentityValues,
  NO_IDENTITY,
  stepCount,
  valuesOf,
} from '../web/src/identity-values.ts'

const PROOF = { path: '/account', text: 'Sign out', status: '', json: '' }
const values = (change: Partial<IdentityValues>): IdentityValues => ({
  ...{ ...NO_IDENTITY, name: 'ada', role: 'customer', proof: PROOF },
  ...change,
})
const request = (change: Partial<IdentityValues['request']>) =>
  values({ kind: 'request', request: { ...NO_IDENTITY.request, url: '/login', ...change } })
const oauth2 = (change: Partial<IdentityValues['oauth2']>) =>
  values({
    kind: 'oauth2',
    oauth2: {
      ...NO_IDENTITY.oauth2,
      token_url: 'https://id.test/token',
      client_id: 'c',
      client_secret: 's',
      ...change,
    },
  })
const LIST = [{ do: 'goto', url: '/login' }]
const RECORDING = { title: 'Sign in', steps: [{ type: 'navigate', url: 'https://shop.test/login' }] }

describe('what the form holds becomes what the interface takes', () => {
  test.each([
    ['a header', values({ kind: 'header', header: ' X-Key: 1 ' }), { header: 'X-Key: 1' }],
    ['a cookie alone', values({ kind: 'cookie', cookie: 'a=b' }), { cookie: 'a=b' }],
    ['a list of steps', values({ steps: JSON.stringify(LIST) }), { steps: { steps: LIST } }],
    ['an object of steps', values({ steps: JSON.stringify({ steps: LIST }) }), { steps: { steps: LIST } }],
    ['a recording', values({ steps: JSON.stringify(RECORDING) }), { steps: { recording: RECORDING } }],
    [
      'a seed',
      values({ steps: JSON.stringify(LIST), totp: { secret: ' MFRGGZDF ' } }),
      { totp: { secret: 'MFRGGZDF' } },
    ],
    [
      'a form',
      request({
        fields: [
          { name: 'user', value: 'ada' },
          { name: ' ', value: 'x' },
        ],
      }),
      { request: { requests: [{ url: '/login', form: { user: 'ada' } }] } },
    ],
    [
      'JSON whose answer has a token',
      request({ sent: 'json', fields: [{ name: 'user', value: 'ada' }], pointer: '/token' }),
      {
        request: {
          requests: [{ url: '/login', json: { user: 'ada' }, read: { token: { pointer: '/token' } } }],
          header: 'Authorization: Bearer {{token}}',
        },
      },
    ],
    [
      'JSON whose token goes within later bodies',
      request({
        ...{ sent: 'json', fields: [{ name: 'user', value: 'ada' }], pointer: '/result' },
        ...{ carried: 'member', member: ' auth ' },
      }),
      {
        request: {
          requests: [{ url: '/login', json: { user: 'ada' }, read: { token: { pointer: '/result' } } }],
          member: { name: 'auth', value: '{{token}}' },
        },
      },
    ],
    [
      'a proof that is asked by POST',
      values({ kind: 'cookie', cookie: 'a=b', proof: { ...PROOF, json: '{"method": "me", "auth": ""}' } }),
      { proof: { path: '/account', text: 'Sign out', json: { method: 'me', auth: '' } } },
    ],
    [
      'a form with a hidden field',
      request({ fields: [{ name: 'user', value: 'ada' }], page: '/login', field: 'csrf' }),
      {
        request: {
          requests: [
            { url: '/login', read: { hidden: { field: 'csrf' } } },
            { url: '/login', form: { user: 'ada', csrf: '{{hidden}}' } },
          ],
        },
      },
    ],
    [
      'requests as JSON',
      request({ asJson: true, whole: '{"requests": [{"url": "/a"}]}' }),
      { request: { requests: [{ url: '/a' }] } },
    ],
    [
      'client credentials',
      oauth2({ refresh_token: 'not of this grant', parameters: 'audience=https://api.test\nnothing' }),
      {
        oauth2: {
          ...{ grant: 'client_credentials', token_url: 'https://id.test/token', client_id: 'c', client_secret: 's' },
          ...{ client_auth: 'basic', parameters: { audience: 'https://api.test' } },
        },
      },
    ],
    [
      'a status as proof',
      values({ kind: 'cookie', cookie: 'a=b', proof: { path: '/account', text: '', status: '200', json: '' } }),
      { proof: { path: '/account', status: 200 } },
    ],
  ] as const)('%s', (_name, given, expected) => {
    const body = bodyOf(given, null)
    expect(body).toMatchObject({ name: 'ada', role: 'customer', kind: given.kind, ...expected })
    expect(CreateIdentity.safeParse(body).error?.issues ?? []).toEqual([])
  })

  test('text that is no JSON is thrown, for the form to say it', () => {
    expect(() => bodyOf(values({ steps: '{' }), null)).toThrow(SyntaxError)
  })
})

test('of one that is kept nothing secret is sent, unless it is replaced or becomes another kind', () => {
  const kept = { ...identity, kind: 'steps' as const }
  const shown = valuesOf(kept)
  expect(Object.keys(bodyOf(shown, kept)).toSorted()).toEqual(['kind', 'name', 'proof', 'role'])
  expect(bodyOf({ ...shown, replaced: true, steps: JSON.stringify(LIST) }, kept)).toHaveProperty('steps')
  expect(bodyOf({ ...shown, kind: 'cookie', cookie: 'a=b' }, kept)).toMatchObject({ kind: 'cookie', cookie: 'a=b' })
})

test('a proof that is asked by POST stays so when something else is changed', () => {
  const kept = { ...identity, proof: { path: '/rpc', text: 'Ada', json: { method: 'me' } } }
  expect(bodyOf(valuesOf(kept), kept).proof).toEqual(kept.proof)
})

test.each([
  ['proof.json.method', {}, 'proof.json'],
  ['request.member.name', {}, 'request.member'],
  ['request.requests.0.url', {}, 'request.url'],
  ['request.requests.0.form.user', {}, 'request.fields.user'],
  ['request.requests.0.read.token.pointer', {}, 'request.pointer'],
  ['request.requests.0.url', { page: '/login' }, 'request.page'],
  ['request.requests.1.url', { page: '/login' }, 'request.url'],
  ['request.requests.0.read.hidden.field', { page: '/login' }, 'request.field'],
  ['request.requests.1.url', { asJson: true }, 'request.whole.requests.1.url'],
  ['request.header', {}, 'request.header'],
  ['request', {}, 'request.fields'],
  ['proof', {}, 'proof.text'],
  ['name', {}, 'name'],
] as const)('%s of %j is said at %s', (path, change, field) => {
  expect(fieldAt(path, request(change))).toBe(field)
})

test('hosts elsewhere are known while they are typed', () => {
  const url = 'https://id.test/token'
  for (const given of [
    oauth2({}),
    request({ url }),
    request({ page: url }),
    request({ asJson: true, whole: JSON.stringify({ requests: [{ url }, { url: '/' }, { url }] }) }),
    values({ steps: JSON.stringify([...LIST, { do: 'goto', url }]) }),
    values({ steps: JSON.stringify({ ...RECORDING, steps: [...RECORDING.steps, { type: 'navigate', url }] }) }),
  ])
    expect(hostsOf(given, 'shop.test')).toEqual(['id.test'])
  expect(hostsOf(values({ steps: '[{"do": "goto", "url": "https://id.' }), 'shop.test')).toEqual([])
  expect(hostsOf(values({ kind: 'cookie', steps: JSON.stringify([{ url }]) }), 'shop.test')).toEqual([])
})

test('steps are counted where there are some', () => {
  const texts = [JSON.stringify(LIST), JSON.stringify(RECORDING), '', '{', '{}', '7']
  expect(texts.map(stepCount)).toEqual([1, 1, null, null, null, null])
})
