import { describe, expect, it } from 'vitest'
import fc from '../../../../tests/support/properties.ts'
import { anyText } from '../../../../tests/support/texts.ts'
import type { HeaderPairs } from '../../../egress/door/egress.ts'
import { parseTransportSecurity } from '../../../page/headers/strict-transport-value.ts'
import { judgeCases } from '../../testing/judge-cases.ts'
import { caseEntry, casePage, caseSite, redirect } from '../../testing/site-facts.ts'
import type { SiteFacts } from '../site/facts.ts'
import { strictTransportSecurity } from './strict-transport-security.ts'
import { NO_FACTS, sends } from './testing/cases.ts'

const NAME = 'Strict-Transport-Security'
const YEAR = 'max-age=31536000; includeSubDomains'
const id = (noun: string) => `headers/strict-transport-security-${noun}`
const site = (change: Parameters<typeof caseSite>[0]): { facts: typeof NO_FACTS; known: { site: SiteFacts } } => ({
  facts: NO_FACTS,
  known: { site: caseSite(change) },
})
const clear = (headers: HeaderPairs) => ({
  url: 'http://shop.test/',
  status: 301,
  location: 'https://shop.test/',
  headers: [['Location', 'https://shop.test/'] as const, ...headers],
})
const refused = caseEntry('https://shop.test/', {
  error: { code: 'unreachable', message: 'connection refused' },
  finalUrl: null,
})

const LISTED = { ...NO_FACTS, preloaded: { 'shop.test': 'shop.test' } }

judgeCases(strictTransportSecurity, [
  { name: 'a year, all names', ...sends({ [NAME]: YEAR }), expect: [] },
  { name: 'directives in another case', ...sends({ [NAME]: 'MAX-AGE=31536000; INCLUDESUBDOMAINS' }), expect: [] },
  { name: 'max-age quoted', ...sends({ [NAME]: 'max-age="31536000"; includeSubDomains' }), expect: [] },
  { name: 'absent', ...sends({}), expect: [id('missing')] },
  { name: 'absent, and on the list of browsers', ...sends({}), facts: LISTED, expect: [id('preload')] },
  {
    name: 'a day, and on the list of browsers',
    ...sends({ [NAME]: 'max-age=86400; includeSubDomains' }),
    facts: LISTED,
    expect: [id('preload')],
  },
  { name: 'as the list of browsers wants it', ...sends({ [NAME]: YEAR }), facts: LISTED, expect: [] },
  { name: 'no max-age', ...sends({ [NAME]: 'includeSubDomains' }), expect: [id('invalid')] },
  { name: 'max-age twice', ...sends({ [NAME]: `max-age=1; ${YEAR}` }), expect: [id('invalid')] },
  {
    name: 'two values joined by a comma',
    ...sends({ [NAME]: 'max-age=31536000, max-age=31536000' }),
    expect: [id('invalid')],
  },
  { name: 'max-age=0', ...sends({ [NAME]: 'max-age=0; includeSubDomains' }), expect: [id('off')] },
  { name: 'a day', ...sends({ [NAME]: 'max-age=86400; includeSubDomains' }), expect: [id('short')] },
  {
    name: 'sent twice, the first counts',
    ...sends([
      [NAME, YEAR],
      [NAME, 'max-age=0'],
    ]),
    expect: [id('duplicate')],
  },
  { name: 'this name alone', ...sends({ [NAME]: 'max-age=31536000' }), expect: [id('subdomains')] },
  {
    name: 'preload of half a year',
    ...sends({ [NAME]: 'max-age=15768000; includeSubDomains; preload' }),
    expect: [id('preload')],
  },
  { name: 'preload that qualifies', ...sends({ [NAME]: `${YEAR}; preload` }), expect: [] },
  {
    name: 'preload without a redirect',
    ...site({
      page: { headers: { [NAME]: `${YEAR}; preload` } },
      http: caseEntry('http://shop.test/', {
        hops: [{ url: 'http://shop.test/', status: 200, location: null, headers: [] }],
      }),
    }),
    expect: [id('preload')],
  },
  {
    name: 'certificate refused',
    ...site({ page: { headers: { [NAME]: YEAR }, certificateError: 'self-signed certificate' } }),
    expect: [id('inert')],
  },
  {
    name: 'only over http',
    ...site({
      http: caseEntry('http://shop.test/', { hops: [clear([[NAME, YEAR]])], finalUrl: 'https://shop.test/' }),
    }),
    expect: [id('missing'), id('over-http')],
  },
  {
    name: 'missing on the first hop alone',
    ...site({
      https: caseEntry('https://shop.test/', {
        hops: [redirect('https://shop.test/', 'https://www.shop.test/')],
        finalUrl: 'https://www.shop.test/',
      }),
      pages: [casePage({ url: 'https://www.shop.test/', headers: { [NAME]: YEAR } })],
    }),
    expect: [id('missing')],
  },
  {
    name: 'no https at all',
    ...site({
      https: refused,
      http: caseEntry('http://shop.test/', {
        hops: [{ url: 'http://shop.test/', status: 200, location: null, headers: [] }],
      }),
      pages: [casePage({ url: 'http://shop.test/' })],
    }),
    expect: [],
    unjudged: 'not_applicable',
  },
  {
    name: 'nothing fetched',
    ...site({ https: caseEntry('https://shop.test/'), http: caseEntry('http://shop.test/'), pages: [] }),
    expect: [],
    unjudged: 'not_tested',
  },
])

describe('the value', () => {
  it.each([
    ['max-age=1;', 'valid'],
    [' ; max-age = 1', 'valid'],
    ['max-age=1; future="a;b"', 'valid'],
    ['max-age', 'invalid'],
    ['max-age=-1', 'invalid'],
    ['max-age=1.5', 'invalid'],
    ['max-age=1; includeSubDomains=1', 'invalid'],
    ['max-age=1 includeSubDomains', 'invalid'],
    ['', 'invalid'],
  ])('%s is %s', (text, kind) => {
    expect(parseTransportSecurity(text).kind).toBe(kind)
  })

  it('never throws', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(['valid', 'invalid']).toContain(parseTransportSecurity(text).kind)
      }),
    )
  })
})
