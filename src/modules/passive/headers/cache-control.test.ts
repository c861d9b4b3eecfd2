import { expect, it } from 'vitest'
import { judgeCases } from '../../testing/judge-cases.ts'
import { casePage, caseSite } from '../../testing/site-facts.ts'
import { cacheControl, cacheRulesOf } from './cache-control.ts'
import { NO_FACTS, sends, unjudgedCases } from './testing/cases.ts'

const personal = (value: string, extra: Record<string, string> = {}) =>
  sends({ 'Cache-Control': value, ...extra }, 'authenticated')
const SESSION = { 'Set-Cookie': 'PHPSESSID=abcdef0123456789; Secure' }

judgeCases(cacheControl, [
  ...unjudgedCases,
  { name: 'public page', ...sends({ 'Cache-Control': 'public, max-age=60' }), expect: [], unjudged: 'not_applicable' },
  { name: 'no-store', ...personal('no-store'), expect: [] },
  { name: 'private in another case', ...personal('Private, MAX-AGE=60'), expect: [] },
  { name: 'public', ...personal('public, max-age=60'), expect: ['headers/cache-control-private-page-public'] },
  { name: 's-maxage alone', ...personal('s-maxage="60"'), expect: ['headers/cache-control-private-page-public'] },
  { name: 'max-age without private', ...personal('max-age=60'), expect: ['headers/cache-control-private-page-public'] },
  { name: 's-maxage=0', ...personal('max-age=60, s-maxage=0'), expect: ['headers/cache-control-private-page-unset'] },
  {
    name: 'Vary: * keeps shared caches out',
    ...personal('public', { Vary: 'Cookie, *' }),
    expect: ['headers/cache-control-private-page-unset'],
  },
  { name: 'public beside no-cache', ...personal('public, no-cache'), expect: [] },
  {
    name: 'max-age with a session cookie, not said to be for all',
    ...sends({ 'Cache-Control': 'max-age=60', ...SESSION }),
    expect: [],
    unjudged: 'not_applicable',
  },
  { name: 'nothing said', ...sends({}, 'authenticated'), expect: ['headers/cache-control-private-page-unset'] },
  {
    name: 'differs without credentials',
    facts: { ...NO_FACTS, anonymous: [{ url: 'https://shop.test/', status: 302, differs: true }] },
    known: { site: caseSite() },
    expect: ['headers/cache-control-private-page-unset'],
  },
  {
    name: 'what nobody is shown at the same address may be kept by all',
    facts: { ...NO_FACTS, anonymous: [{ url: 'https://shop.test/', status: 200, differs: true }] },
    known: {
      site: {
        ...caseSite({ page: { kind: 'authenticated', headers: { 'Cache-Control': 'no-store' } } }),
        asNobody: [casePage({ kind: 'login', headers: { 'Cache-Control': 'public' } })],
      },
    },
    expect: [],
  },
  {
    name: 'public with a session cookie',
    ...sends({ 'Cache-Control': 'public, max-age=60', ...SESSION }),
    expect: ['headers/cache-control-session-cookie-public'],
    unjudged: 'not_applicable',
  },
  {
    name: 'session cookie that is being deleted',
    ...sends({ 'Cache-Control': 'public', 'Set-Cookie': 'PHPSESSID=x; Max-Age=0' }),
    expect: [],
    unjudged: 'not_applicable',
  },
])

it('keeps a comma inside quotes', () => {
  expect([...cacheRulesOf([['Cache-Control', 'no-cache="a, private", max-age=1']]).names]).toEqual([
    'no-cache',
    'max-age',
  ])
})
