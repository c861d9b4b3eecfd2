/**
 * The grade of MDN's HTTP Observatory, scoring version 6 (https://developer.mozilla.org/en-US/observatory).
 * It looks at one page; here every page is scored, at most 20, and the worst speaks for the site.
 */

import type { Page } from '../../../../page/page.ts'
import type { SiteFacts } from '../../site/facts.ts'
import { documentsOf } from '../../site/facts-pages.ts'
import type { HeadersFacts } from '../facts.ts'
import { scoreCookies } from './cookies.ts'
import { scoreCors } from './cors.ts'
import { scoreContentSecurityPolicy } from './csp.ts'
import { scoreFraming, scoreIsolation, scoreReferrerPolicy, scoreSniffing } from './headers.ts'
import { scoreIntegrity } from './integrity.ts'
import { scoreRedirect, scoreTransportSecurity } from './transport.ts'

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
  return { id: 'headers', title: 'Response headers (HTTP Observatory)', grade: worst.grade, score: worst.score }
}

export const scorePage = (page: Page, site: SiteFacts, facts: HeadersFacts): ObservatoryScore =>
  scoreOf([
    scoreContentSecurityPolicy(page),
    scoreCookies(page, site),
    scoreCors(facts),
    scoreRedirect(site),
    scoreReferrerPolicy(page),
    scoreTransportSecurity(page),
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
