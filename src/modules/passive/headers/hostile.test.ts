import { describe, expect, it } from 'vitest'
import fc from '../../../../tests/support/properties.ts'
import { anyText } from '../../../../tests/support/texts.ts'
import { Location, Proof } from '../../../contract/finding.ts'
import type { HeaderPairs } from '../../../egress/door/egress.ts'
import type { Judgement } from '../../module.ts'
import { caseContext } from '../../testing/judge-cases.ts'
import { casePage, caseSite } from '../../testing/site-facts.ts'
import { observeCookies } from '../cookies/collect.ts'
import { cookies } from '../cookies/module.ts'
import { markup, takeInventory } from '../markup/module.ts'
import type { SiteFacts } from '../site/facts.ts'
import { headers } from './module.ts'
import { NO_FACTS } from './testing/cases.ts'

/** Names that some check reads, so that hostile values reach it. */
const NAMES = [
  'Content-Security-Policy',
  'Content-Security-Policy-Report-Only',
  'Strict-Transport-Security',
  'X-Frame-Options',
  'X-Content-Type-Options',
  'Referrer-Policy',
  'Permissions-Policy',
  'Cross-Origin-Opener-Policy',
  'Cross-Origin-Embedder-Policy',
  'Cross-Origin-Resource-Policy',
  'Cache-Control',
  'X-XSS-Protection',
  'Set-Cookie',
  'Location',
  'Vary',
  'Age',
]
const PIECES = [
  "'self'",
  '*',
  'https:',
  ';',
  ',',
  '=',
  '"',
  'max-age',
  '(',
  ')',
  'script-src',
  'nonce-',
  'Secure',
  'eyJ',
  '.',
  '%',
  '\\',
  ':',
  '?1',
  '@1',
  '%"',
]
const value = fc.oneof(
  anyText({ maxLength: 80 }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((parts) => parts.join(' ')),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((parts) => parts.join('')),
)
const lines = fc.array(fc.tuple(fc.constantFrom(...NAMES), value), { maxLength: 12 })

const judgeAll = (site: SiteFacts): readonly Judgement[] => {
  const about = caseContext()
  const cors = NAMES.slice(0, 2).map((url) => ({
    url: `https://shop.test/${url}`,
    method: 'GET' as const,
    kind: 'arbitrary' as const,
    origin: 'https://sonde-probe.example',
    status: 200,
    headers: site.pages[0]?.headers ?? [],
    error: null,
    evidence: null,
  }))
  headers.grade?.({ ...NO_FACTS, cors }, { site })
  return [
    ...headers.checks.map((check) => check.judge({ ...NO_FACTS, cors }, { site }, about)),
    ...cookies.checks.map((check) => check.judge(observeCookies(site), { site }, about)),
    ...markup.checks.map((check) => check.judge(takeInventory(site), { site, cookies: observeCookies(site) }, about)),
  ]
}

const expectSound = (judgements: readonly Judgement[]): void => {
  for (const judgement of judgements) {
    for (const { at, places = [], proof, detail } of 'state' in judgement ? (judgement.findings ?? []) : judgement) {
      for (const place of [at, ...places]) Location.parse(place)
      if (proof) Proof.parse(proof)
      expect(detail.length).toBeLessThan(10_000)
    }
  }
}

describe('hostile answers', () => {
  it('any header lines: no check throws, every finding is one the contract takes', () => {
    fc.assert(
      fc.property(lines, (sent) => {
        const page = casePage({ headers: sent as HeaderPairs })
        expectSound(judgeAll(caseSite({ pages: [page], reloads: [page] })))
      }),
      { numRuns: 150 },
    )
  })

  it('any markup', () => {
    const piece = fc.constantFrom(
      '<script src=//x>',
      '<form action=http://',
      '<input type=password name=',
      '<a href="',
      '<meta http-equiv=content-security-policy content="',
      '<base href=',
      '<link rel=stylesheet href=',
      "integrity='",
      '>',
      '"',
      '<template>',
      'http://[',
      '\u0000',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (parts) => {
        expectSound(judgeAll(caseSite({ page: { body: parts.join('') } })))
      }),
      { numRuns: 150 },
    )
  })

  it.each([
    ['20,000 sources', 'Content-Security-Policy', `script-src ${'a.test '.repeat(20_000)}`],
    ['20,000 directives', 'Content-Security-Policy', 'x;'.repeat(20_000)],
    ['a long label chain', 'Content-Security-Policy', `script-src ${'a.'.repeat(30_000)}`],
    ['nested lists', 'Permissions-Policy', `camera=${'('.repeat(30_000)}`],
    ['quotes', 'Cache-Control', '"\\'.repeat(30_000)],
    ['semicolons', 'Strict-Transport-Security', ';'.repeat(60_000)],
    ['a cookie of attributes', 'Set-Cookie', `a=b${';Domain=x'.repeat(10_000)}`],
  ])('%s end in bounded time', (_name, header, text) => {
    const page = casePage({ headers: [[header, text]] })
    const begun = process.cpuUsage()
    expectSound(judgeAll(caseSite({ pages: [page] })))
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(3_000)
  })
})
