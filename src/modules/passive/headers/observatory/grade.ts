/**
 * The grade of MDN's HTTP Observatory, scoring version 6 (https://developer.mozilla.org/en-US/observatory).
 * It looks at one page; here every page is scored, at most 20, and the worst speaks for the site.
 */

import { type Cookie, parseSetCookie } from '../../../../page/cookies/set-cookie.ts'
import type { Page } from '../../../../page/page.ts'
import { combined, markupOf, valuesOf } from '../../../../page/pages.ts'
import { isSameSite } from '../../../../page/same-site.ts'
import type { SiteFacts } from '../../site/facts.ts'
import { documentsOf } from '../../site/facts-pages.ts'
import { embedderPolicyOf, openerPolicyOf, resourcePolicyOf } from '../cross-origin-isolation.ts'
import type { HeadersFacts } from '../facts.ts'
import { framingOf } from '../framing.ts'
import { referrerPolicyOf } from '../referrer-policy.ts'
import { isNosniff } from '../x-content-type-options.ts'
import { scoreContentSecurityPolicy } from './csp.ts'
import { isTransportSecured, scoreRedirect, scoreTransportSecurity } from './transport.ts'

/** One row of the published table: a bonus when positive. */
export interface Modifier {
  readonly id: string
  readonly points: number
}

export interface ObservatoryScore {
  readonly score: number
  readonly grade: string
  readonly modifiers: readonly Modifier[]
}

const MAX_PAGES = 20
const BONUS_FROM = 90
const GRADES: readonly (readonly [from: number, grade: string])[] = [
  [100, 'A+'],
  [90, 'A'],
  [85, 'A-'],
  [80, 'B+'],
  [70, 'B'],
  [65, 'B-'],
  [60, 'C+'],
  [50, 'C'],
  [45, 'C-'],
  [40, 'D+'],
  [30, 'D'],
  [25, 'D-'],
]

/** Null when there is no document to grade. */
export const observatoryGrade = (facts: HeadersFacts, { site }: { readonly site: SiteFacts }) => {
  const scores = documentsOf(site)
    .slice(0, MAX_PAGES)
    .map((page) => scorePage(page, site, facts))
  const [worst] = scores.toSorted((one, other) => one.score - other.score)
  if (worst === undefined) return null
  return {
    id: 'headers',
    title: 'Response headers (HTTP Observatory)',
    grade: worst.grade,
    score: worst.score,
    reasons: reasonsOf(worst.modifiers),
  }
}

/** What a row of the table is about, by the beginning of its id. */
const SUBJECTS: readonly (readonly [start: string, subject: string])[] = [
  ['csp-', 'Content-Security-Policy'],
  ['cookies-', 'Cookies'],
  ['cross-origin-resource-sharing-', 'CORS'],
  ['cross-origin-resource-policy-', 'Cross-Origin-Resource-Policy'],
  ['cross-origin-embedder-policy-', 'Cross-Origin-Embedder-Policy'],
  ['cross-origin-opener-policy-', 'Cross-Origin-Opener-Policy'],
  ['redirection-', 'redirect to https'],
  ['referrer-policy-', 'Referrer-Policy'],
  ['hsts-', 'Strict-Transport-Security'],
  ['sri-', 'Subresource Integrity'],
  ['html-', 'a page that cannot be read'],
  ['x-content-type-options-', 'X-Content-Type-Options'],
  ['x-frame-options-', 'X-Frame-Options'],
]

/** What took points, the most first. */
const reasonsOf = (modifiers: readonly Modifier[]): string[] =>
  modifiers
    .filter(({ points }) => points < 0)
    .toSorted((one, other) => one.points - other.points)
    .map(({ id, points }) => {
      const subject = SUBJECTS.find(([start]) => id.startsWith(start))?.[1] ?? id
      return `${subject}: ${-points} points off`
    })

export const scorePage = (page: Page, site: SiteFacts, facts: HeadersFacts): ObservatoryScore =>
  scoreOf([
    scoreContentSecurityPolicy(page),
    scoreCookies(page, site),
    scoreCors(facts),
    scoreRedirect(site),
    scoreReferrerPolicy(page),
    scoreTransportSecurity(page, (URL.parse(page.url)?.hostname ?? '') in (facts.preloaded ?? {})),
    scoreIntegrity(page),
    scoreSniffing(page),
    scoreFraming(page),
    ...scoreIsolation(page),
  ])

/** Losses first; bonuses count only where at least 90 is left without them. Rounded down to fives, never below 0; may exceed 100. */
export const scoreOf = (modifiers: readonly Modifier[]): ObservatoryScore => {
  const sum = (rows: readonly Modifier[]): number => rows.reduce((total, { points }) => total + points, 0)
  const without = 100 + sum(modifiers.filter(({ points }) => points < 0))
  const total = without >= BONUS_FROM ? without + sum(modifiers.filter(({ points }) => points > 0)) : without
  const score = Math.max(0, Math.floor(total / 5) * 5)
  return { score, grade: GRADES.find(([from]) => score >= from)?.[1] ?? 'F', modifiers }
}

/** Only a foreign origin that is granted together with credentials costs points. */
export const scoreCors = ({ cors }: HeadersFacts): Modifier => {
  const universal = cors.some(
    ({ kind, origin, headers }) =>
      (kind === 'arbitrary' || kind === 'preflight') &&
      combined(headers, 'access-control-allow-origin') === origin &&
      combined(headers, 'access-control-allow-credentials') === 'true',
  )
  return universal
    ? { id: 'cross-origin-resource-sharing-implemented-with-universal-access', points: -50 }
    : { id: 'cross-origin-resource-sharing-not-universal', points: 0 }
}

export const scoreReferrerPolicy = (page: Page): Modifier => {
  const { kind } = referrerPolicyOf(page)
  return { id: `referrer-policy-${kind}`, points: kind === 'private' ? 5 : kind === 'missing' ? 0 : -5 }
}

export const scoreSniffing = (page: Page): Modifier =>
  isNosniff(page)
    ? { id: 'x-content-type-options-nosniff', points: 0 }
    : { id: 'x-content-type-options-missing-or-invalid', points: -5 }

/** ALLOW-FROM costs nothing in the Observatory, although browsers ignore it. */
export const scoreFraming = (page: Page): Modifier => {
  const state = framingOf(page)
  if (state.kind === 'restricted') return { id: `x-frame-options-by-${state.by}`, points: 5 }
  if (state.kind === 'invalid' && /^allow-from\b/i.test(combined(page.headers, 'x-frame-options') ?? '')) {
    return { id: 'x-frame-options-allow-from', points: 0 }
  }
  return { id: 'x-frame-options-missing-or-invalid', points: -20 }
}

export const scoreIsolation = (page: Page): readonly Modifier[] => {
  const row = ({ kind, name, value }: ReturnType<typeof openerPolicyOf>, good: readonly string[]): Modifier => {
    if (kind === 'invalid') return { id: `${name}-invalid`, points: -5 }
    return good.includes(value) ? { id: `${name}-${value}`, points: 10 } : { id: `${name}-open`, points: 0 }
  }
  return [
    row(resourcePolicyOf(page.headers), ['same-origin', 'same-site']),
    row(embedderPolicyOf(page.headers), ['require-corp', 'credentialless']),
    row(openerPolicyOf(page.headers), ['same-origin', 'same-origin-allow-popups', 'noopener-allow-popups']),
  ]
}

/**
 * Subresource integrity of scripts. A script of the own registrable domain counts as one's own, but written without
 * a scheme (`//host/x.js`) it counts as external and insecure, as in the Observatory.
 */
export const scoreIntegrity = (page: Page): Modifier => {
  if (page.truncated && page.body === '') return { id: 'html-not-parseable', points: -20 }
  const scripts = markupOf(page).scripts.flatMap(({ src, integrity }) =>
    src === null ? [] : [{ raw: src.raw.trim(), url: src.url, integrity: (integrity ?? '').trim() !== '' }],
  )
  if (scripts.length === 0) return { id: 'sri-not-implemented-but-no-scripts-loaded', points: 0 }
  const judged = scripts.map(({ raw, url, integrity }) => {
    const schemeless = /^\/\/[^/]/.test(raw)
    const absolute = /^https?:\/\//i.test(raw)
    const external = schemeless || (absolute && url !== null && !isSameSite(url, page.url))
    const secure = absolute ? /^https:/i.test(raw) : !schemeless && page.url.startsWith('https:')
    return { external, secure, integrity }
  })
  const external = judged.filter((script) => script.external)
  if (external.some(({ integrity, secure }) => !integrity && !secure)) {
    return { id: 'sri-not-implemented-and-external-scripts-not-loaded-securely', points: -50 }
  }
  if (external.some(({ integrity, secure }) => integrity && !secure)) {
    return { id: 'sri-implemented-but-external-scripts-not-loaded-securely', points: -20 }
  }
  if (external.some(({ integrity }) => !integrity)) {
    return { id: 'sri-not-implemented-but-external-scripts-loaded-securely', points: -5 }
  }
  if (external.length > 0) return { id: 'sri-implemented-and-external-scripts-loaded-securely', points: 5 }
  return judged.some(({ integrity, secure }) => integrity && secure)
    ? { id: 'sri-implemented-and-all-scripts-loaded-securely', points: 5 }
    : { id: 'sri-not-implemented-but-all-scripts-loaded-from-secure-origin', points: 0 }
}

/** The Observatory's own recognition by name; the checks of the cookies module look closer. */
const isSession = ({ name }: Cookie): boolean => /login|sess/i.test(name)
const isCsrf = ({ name }: Cookie): boolean => /csrf/i.test(name)
/** Set by a platform and out of the site's hands. */
const LEFT_OUT = ['heroku-session-affinity']

/** The worst row that any cookie earns. */
export const scoreCookies = (page: Page, site: SiteFacts): Modifier => {
  const lines = [page.headers, ...(page === site.pages[0] ? site.https.hops.map(({ headers }) => headers) : [])]
  const cookies = [...new Set(lines.flatMap((headers) => valuesOf(headers, 'set-cookie')))]
    .flatMap((line) => parseSetCookie(line) ?? [])
    .filter(({ name }) => name !== '' && !LEFT_OUT.includes(name))
  if (cookies.length === 0) return { id: 'cookies-not-found', points: 0 }
  const secured = isTransportSecured(page)
  const rows = cookies.flatMap((cookie) => rowsOf(cookie, secured))
  const [worst] = rows.toSorted((one, other) => one.points - other.points)
  if (worst) return worst
  return cookies.every(({ sameSite }) => sameSite.kind !== 'absent')
    ? { id: 'cookies-secure-with-httponly-sessions-and-samesite', points: 5 }
    : { id: 'cookies-secure-with-httponly-sessions', points: 0 }
}

const rowsOf = (cookie: Cookie, secured: boolean): readonly Modifier[] => {
  const rows: Modifier[] = []
  const { sameSite } = cookie
  if (sameSite.kind === 'unknown' || (sameSite.kind === 'none' && !cookie.secure)) {
    rows.push({ id: 'cookies-samesite-flag-invalid', points: -20 })
  }
  if (!cookie.secure) {
    rows.push(
      secured
        ? { id: 'cookies-without-secure-flag-but-protected-by-hsts', points: -5 }
        : { id: 'cookies-without-secure-flag', points: -20 },
    )
  }
  if (isCsrf(cookie) && sameSite.kind === 'absent') {
    rows.push({ id: 'cookies-anticsrf-without-samesite-flag', points: -20 })
  }
  if (isSession(cookie) && !cookie.secure) {
    rows.push(
      secured
        ? { id: 'cookies-session-without-secure-flag-but-protected-by-hsts', points: -10 }
        : { id: 'cookies-session-without-secure-flag', points: -40 },
    )
  }
  if (isSession(cookie) && !cookie.httpOnly) rows.push({ id: 'cookies-session-without-httponly-flag', points: -30 })
  return rows
}
