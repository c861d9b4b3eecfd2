/** How long a cookie is asked to last, and how long the browser keeps it. */
import { describe, expect, it } from 'vitest'
import { caseContext } from '../testing/judge-cases.ts'
import { caseSite } from '../testing/site-facts.ts'
import { cookieTable } from './evidence/cookie-table.ts'
import type { CookieRecord } from './facts.ts'
import { cookies } from './judge/cookies.ts'
import { privacyTables } from './tables.ts'
import { cookie, privacyFacts } from './testing/facts.ts'

const DAY = 86_400_000
const cut = cookie('_ga', { moment: 'accepted', lifetime: 400 * DAY, asked: 730 * DAY })

const detailOf = (one: CookieRecord): string => {
  const facts = privacyFacts({ accept: { cookies: [one] } })
  const judged = cookies.judge(facts, { site: caseSite() }, caseContext())
  const findings = 'state' in judged ? (judged.findings ?? []) : judged
  return findings.map(({ detail }) => detail).join('\n')
}

describe('a cookie that the browser keeps for less than it is asked to', () => {
  it('is told by what is asked for', () => {
    expect(detailOf(cut)).toContain('lasts 730 days, of which the browser keeps 400.')
    expect(detailOf(cookie('_ga', { moment: 'accepted', lifetime: 400 * DAY, asked: 400 * DAY }))).toContain(
      'lasts 400 days.',
    )
    expect(detailOf(cookie('_ga', { moment: 'accepted', lifetime: 400 * DAY }))).toContain('lasts 400 days.')
  })

  it('has both in the table of the report, and in the one of the evidence', () => {
    const facts = privacyFacts({ accept: { cookies: [cut, cookie('a', { lifetime: null, asked: null })] } })
    const table = privacyTables(facts).find(({ id }) => id === 'privacy-cookies')
    expect(table?.columns.slice(3, 5)).toEqual(['Days asked', 'Days kept'])
    expect(table?.rows.map((row) => row.slice(3, 5))).toEqual([
      ['730', '400'],
      ['session', 'session'],
    ])
    const lines = cookieTable([{ name: 'accept', cookies: [cut] }]).split('\r\n')
    expect(lines[0]).toContain('lifetime_days,asked_days')
    expect(lines[1]).toContain(',400.00,730.00,')
  })
})
