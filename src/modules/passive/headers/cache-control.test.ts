import { expect, it } from 'vitest'
import { judgeCases } from '../../testing/judge-cases.ts'
import { casePage, caseSite } from '../../testing/site-facts.ts'
import { cacheControl } from './cache-control.ts'
import { cacheRulesOf } from './cache-rules.ts'
import { NO_FACTS, sends, unjudgedCases } from './testing/cases.ts'

const personal = (value: string, extra: Record<string, string> = {}) =>
  sends({ 'Cache-Control': value, ...extra }, 'authenticated')
const SESSION = { 'Set-Cookie': 'PHPSESSID=abcdef0123456789; Secure' }

const DATES = { Expires: 'Wed, 25 Nov 2026 10:10:00 GMT', Date: 'Wed, 25 Nov 2026 10:00:00 GMT' }

function ofPerson(value: string, extra: Record<string, string> = {}, by = 'cookie') {
  const headers = Object.entries({ ...(value === '' ? {} : { 'Cache-Control': value }), ...extra })
  const evidence = { id: 'e1', filename: 'answer-of-session.txt', contentType: 'text/plain', size: 1, sha256: '0' }
  return { personal: [{ url: 'https://shop.test/api/me', status: 200, headers, evidence }], sessionHeaders: [by] }
}

function answerCases(
  rows: readonly (readonly [value: string, extra: Record<string, string>, expect: readonly string[]])[],
  by = 'cookie',
) {
  return rows.map(([value, extra, expect]) => ({
    name: `answer for one person, whose session goes by ${by}: ${value} ${Object.keys(extra)}`,
    facts: { ...NO_FACTS, ...ofPerson(value, extra, by) },
    known: { site: caseSite() },
    expect,
  }))
}

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
  { name: 'Expires alone', ...personal('', DATES), expect: ['headers/cache-control-private-page-public'] },
  ...answerCases([
    ['public', {}, ['headers/cache-control-private-page-public']],
    ['public, max-age=60', { Vary: 'Accept, Cookie' }, ['headers/cache-control-private-page-unset']],
    ['', {}, ['headers/cache-control-private-page-unset']],
  ]),
  // RFC 9111, 3.5
  ...answerCases(
    [
      ['max-age=60', {}, ['headers/cache-control-private-page-unset']],
      ['max-age=60, must-revalidate', {}, ['headers/cache-control-private-page-public']],
      ['public, max-age=60', {}, ['headers/cache-control-private-page-public']],
    ],
    'authorization',
  ),
  {
    name: 'answers for one person of a host without pages',
    facts: { ...NO_FACTS, ...ofPerson('public') },
    known: { site: caseSite({ page: { contentType: 'application/json', body: '{}' } }) },
    expect: ['headers/cache-control-private-page-public'],
  },
  {
    name: 'every answer forbids it',
    facts: { ...NO_FACTS, personal: [], personalClosed: 3 },
    known: { site: caseSite() },
    expect: [],
  },
  {
    name: 'some were not asked',
    facts: { ...NO_FACTS, personal: [], personalClosed: 3, personalUnasked: 2 },
    known: { site: caseSite() },
    expect: [],
    unjudged: 'inconclusive',
  },
])

it('keeps a comma inside quotes', () => {
  expect([...cacheRulesOf([['Cache-Control', 'no-cache="a, private", max-age=1']]).names]).toEqual([
    'no-cache',
    'max-age',
  ])
})
