import { describe, expect, it } from 'vitest'
import type { HeaderPairs } from '../../../../egress/door/egress.ts'
import type { Hop } from '../../../../page/page.ts'
import { type CasePage, caseEntry, casePage, caseSite, redirect } from '../../../testing/site-facts.ts'
import type { SiteFacts } from '../../site/facts.ts'
import type { CorsProbe } from '../facts.ts'
import { NO_FACTS } from '../testing/cases.ts'
import { scoreContentSecurityPolicy } from './csp.ts'
import {
  observatoryGrade,
  scoreCookies,
  scoreCors,
  scoreFraming,
  scoreIntegrity,
  scoreIsolation,
  scoreOf,
  scoreReferrerPolicy,
  scoreSniffing,
} from './grade.ts'
import { scoreRedirect, scoreTransportSecurity } from './transport.ts'

const YEAR = ['Strict-Transport-Security', 'max-age=31536000'] as const
const withHeaders = (...headers: HeaderPairs) => casePage({ headers })
const csp = (value: string) => withHeaders(['Content-Security-Policy', value])
const body = (markup: string, change: CasePage = {}) => casePage({ body: `<!doctype html><body>${markup}`, ...change })

describe('content security policy', () => {
  it.each([
    ['absent', casePage(), -25],
    ['report-only', withHeaders(['Content-Security-Policy-Report-Only', "default-src 'none'"]), -25],
    ['repeated directive', csp("default-src 'none'; default-src *"), -25],
    ['strict-dynamic alone', csp("default-src 'none'; script-src 'strict-dynamic'"), -25],
    ["default-src 'none'", csp("default-src 'none'; script-src 'self'"), 10],
    ['no unsafe', csp("default-src 'self'"), 5],
    ['unsafe style only', csp("default-src 'self'; style-src 'unsafe-inline'"), 0],
    ['http images', csp("default-src 'self'; img-src http:"), -10],
    ['eval', csp("default-src 'self'; script-src 'self' 'unsafe-eval'"), -10],
    ['unsafe-inline', csp("default-src 'self' 'unsafe-inline'"), -20],
    ['data in scripts', csp("default-src 'self'; script-src data:"), -20],
    ['broad objects', csp("script-src 'self'"), -20],
    ['http fonts', csp("default-src 'self'; font-src http://cdn.test"), -20],
    ['nonce voids unsafe-inline', csp("default-src 'none'; script-src 'nonce-AAAAAAAA' 'unsafe-inline'"), 10],
    ['strict-dynamic voids https:', csp("default-src 'self'; script-src 'nonce-AAAAAAAA' 'strict-dynamic' https:"), 5],
    ['two policies join', csp("default-src 'self' 'unsafe-inline', default-src 'self'"), 5],
  ])('%s', (_name, page, points) => {
    expect(scoreContentSecurityPolicy(page).points).toBe(points)
  })
})

describe('cookies', () => {
  const cookie = (line: string, ...more: HeaderPairs) => withHeaders(['Set-Cookie', line], ...more)
  it.each([
    ['none', casePage(), 0],
    ['all flags', cookie('SESSID=1; Secure; HttpOnly; SameSite=Lax'), 5],
    ['without SameSite', cookie('SESSID=1; Secure; HttpOnly'), 0],
    ['one of two without SameSite', cookie('a=1; Secure; SameSite=Lax', ['Set-Cookie', 'b=1; Secure']), 0],
    ['not secure', cookie('a=1; SameSite=Lax'), -20],
    ['not secure under HSTS', cookie('a=1; SameSite=Lax', YEAR), -5],
    ['session not secure', cookie('login=1; HttpOnly; SameSite=Lax'), -40],
    ['session not secure under HSTS', cookie('login=1; HttpOnly; SameSite=Lax', YEAR), -10],
    ['session readable', cookie('sess=1; Secure; SameSite=Lax'), -30],
    ['SameSite unknown', cookie('a=1; Secure; SameSite=Sure'), -20],
    ['SameSite=None not secure', cookie('a=1; SameSite=None', YEAR), -20],
    ['token without SameSite', cookie('csrftoken=1; Secure'), -20],
    ['the platform’s own', cookie('heroku-session-affinity=1'), 0],
  ])('%s', (_name, page, points) => {
    expect(scoreCookies(page, caseSite({ pages: [page], https: caseEntry('https://shop.test/') })).points).toBe(points)
  })
})

describe('redirect', () => {
  const chain = (hops: readonly Hop[], finalUrl: string | null): SiteFacts =>
    caseSite({ http: caseEntry('http://shop.test/', { hops, finalUrl }) })
  it.each([
    ['to https here', chain([redirect('http://shop.test/', 'https://shop.test/')], 'https://shop.test/'), 0],
    [
      'off the host first',
      chain([redirect('http://shop.test/', 'https://www.shop.test/')], 'https://www.shop.test/'),
      -5,
    ],
    [
      'http first',
      chain(
        [redirect('http://shop.test/', 'http://shop.test/x'), redirect('http://shop.test/x', 'https://shop.test/')],
        'https://shop.test/',
      ),
      -10,
    ],
    ['ends in clear', chain([redirect('http://shop.test/', '/x')], 'http://shop.test/x'), -20],
    ['none', chain([{ url: 'http://shop.test/', status: 200, location: null, headers: [] }], 'http://shop.test/'), -20],
    ['leaves the host over https', chain([redirect('http://shop.test/', 'https://other.test/')], null), -5],
    ['bad certificate', caseSite({ page: { certificateError: 'expired' } }), -20],
    [
      'http closed',
      caseSite({ http: caseEntry('http://shop.test/', { error: { code: 'unreachable', message: 'refused' } }) }),
      0,
    ],
  ])('%s', (_name, site, points) => {
    expect(scoreRedirect(site).points).toBe(points)
  })
})

describe('transport security', () => {
  it.each([
    ['a year', withHeaders(YEAR), 0],
    ['three months', withHeaders(['Strict-Transport-Security', 'max-age=7776000']), -10],
    ['absent', casePage(), -20],
    ['invalid', withHeaders(['Strict-Transport-Security', 'yes']), -20],
    ['bad certificate', casePage({ headers: [YEAR], certificateError: 'expired' }), -20],
    ['no https', casePage({ url: 'http://shop.test/', headers: [YEAR] }), -20],
  ])('%s', (_name, page, points) => {
    expect(scoreTransportSecurity(page).points).toBe(points)
  })

  it('is better than any header where browsers know the host by their list, unless its certificate is refused', () => {
    expect(scoreTransportSecurity(casePage(), true)).toEqual({ id: 'hsts-preloaded', points: 5 })
    expect(scoreTransportSecurity(casePage({ certificateError: 'expired' }), true).points).toBe(-20)
  })
})

describe('integrity', () => {
  const hash = 'integrity="sha384-AAAA"'
  it.each([
    ['no scripts', body(''), 0],
    ['own scripts', body('<script src=/a.js></script>'), 0],
    ['own scripts with hash', body(`<script src=/a.js ${hash}></script>`), 5],
    ['other host of the site', body('<script src=https://cdn.shop.test/a.js></script>'), 0],
    ['external with hash', body(`<script src=https://cdn.test/a.js ${hash}></script>`), 5],
    ['external without', body('<script src=https://cdn.test/a.js></script>'), -5],
    ['external with hash, in clear', body(`<script src=http://cdn.test/a.js ${hash}></script>`), -20],
    ['external without, in clear', body('<script src=http://cdn.test/a.js></script>'), -50],
    ['without scheme', body('<script src=//shop.test/a.js></script>'), -50],
    ['unreadable', body('', { body: '', truncated: true }), -20],
  ])('%s', (_name, page, points) => {
    expect(scoreIntegrity(page).points).toBe(points)
  })
})

describe('single headers', () => {
  it.each([
    ['referrer private', scoreReferrerPolicy(withHeaders(['Referrer-Policy', 'no-referrer'])), 5],
    ['referrer absent', scoreReferrerPolicy(casePage()), 0],
    ['referrer unsafe', scoreReferrerPolicy(withHeaders(['Referrer-Policy', 'unsafe-url'])), -5],
    ['referrer invalid', scoreReferrerPolicy(withHeaders(['Referrer-Policy', 'x'])), -5],
    ['nosniff', scoreSniffing(withHeaders(['X-Content-Type-Options', 'nosniff'])), 0],
    ['sniffing', scoreSniffing(casePage()), -5],
    ['framing by option', scoreFraming(withHeaders(['X-Frame-Options', 'DENY'])), 5],
    ['framing by policy', scoreFraming(csp("frame-ancestors 'none'")), 5],
    ['ALLOW-FROM', scoreFraming(withHeaders(['X-Frame-Options', 'ALLOW-FROM https://a.test'])), 0],
    ['framing open', scoreFraming(casePage()), -20],
  ])('%s', (_name, modifier, points) => {
    expect(modifier.points).toBe(points)
  })

  it.each([
    ['Cross-Origin-Resource-Policy', 'same-site', 10],
    ['Cross-Origin-Resource-Policy', 'cross-origin', 0],
    ['Cross-Origin-Resource-Policy', 'x', -5],
    ['Cross-Origin-Embedder-Policy', 'require-corp', 10],
    ['Cross-Origin-Embedder-Policy', 'unsafe-none', 0],
    ['Cross-Origin-Embedder-Policy', 'x', -5],
    ['Cross-Origin-Opener-Policy', 'noopener-allow-popups', 10],
    ['Cross-Origin-Opener-Policy', 'unsafe-none', 0],
    ['Cross-Origin-Opener-Policy', 'x', -5],
  ])('%s: %s', (name, value, points) => {
    const rows = scoreIsolation(withHeaders([name, value]))
    expect(rows.reduce((sum, row) => sum + row.points, 0)).toBe(points)
  })

  it.each([
    ['true', -50],
    ['false', 0],
  ])('CORS with credentials %s', (credentials, points) => {
    const origin = 'https://sonde-probe.example'
    const probe: CorsProbe = {
      url: 'https://shop.test/',
      method: 'GET',
      kind: 'arbitrary',
      origin,
      status: 200,
      headers: [
        ['Access-Control-Allow-Origin', origin],
        ['Access-Control-Allow-Credentials', credentials],
      ],
      error: null,
      evidence: null,
    }
    expect(scoreCors({ ...NO_FACTS, cors: [probe] }).points).toBe(points)
  })
})

describe('score and grade', () => {
  const rows = (...points: number[]) => points.map((value, index) => ({ id: `row-${index}`, points: value }))
  it.each([
    ['nothing lost', rows(), 100, 'A+'],
    ['bonus on top', rows(10, 5), 115, 'A+'],
    ['bonus from 90', rows(-10, 5, 5), 100, 'A+'],
    ['no bonus below 90', rows(-15, 5, 5), 85, 'A-'],
    ['rounded down', rows(-12), 85, 'A-'],
    ['95 is an A', rows(-5), 95, 'A'],
    ['80', rows(-20), 80, 'B+'],
    ['75', rows(-25), 75, 'B'],
    ['65', rows(-35), 65, 'B-'],
    ['60', rows(-40), 60, 'C+'],
    ['50', rows(-50), 50, 'C'],
    ['45', rows(-55), 45, 'C-'],
    ['40', rows(-60), 40, 'D+'],
    ['30', rows(-70), 30, 'D'],
    ['25', rows(-75), 25, 'D-'],
    ['20', rows(-80), 20, 'F'],
    ['never below 0', rows(-80, -50), 0, 'F'],
  ])('%s', (_name, modifiers, score, grade) => {
    expect(scoreOf(modifiers)).toMatchObject({ score, grade })
  })

  it('takes the worst page', () => {
    const good: HeaderPairs = [
      ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
      YEAR,
      ['X-Content-Type-Options', 'nosniff'],
    ]
    const pages = [casePage({ headers: good }), casePage({ url: 'https://shop.test/old', headers: [YEAR] })]
    expect(observatoryGrade(NO_FACTS, { site: caseSite({ pages: pages.slice(0, 1) }) })).toMatchObject({ grade: 'A+' })
    expect(observatoryGrade(NO_FACTS, { site: caseSite({ pages }) })).toMatchObject({
      ...{ score: 50, grade: 'C' },
      reasons: [
        'Content-Security-Policy: 25 points off',
        'X-Frame-Options: 20 points off',
        'X-Content-Type-Options: 5 points off',
      ],
    })
  })

  it('has no grade without a document', () => {
    expect(observatoryGrade(NO_FACTS, { site: caseSite({ pages: [] }) })).toBeNull()
  })
})
