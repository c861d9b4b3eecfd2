import { expect, test } from 'vitest'
import type { Language } from '../contract/language.ts'
import { mailOf } from './mail.ts'

const COUNTS = { critical: 1, high: 0, medium: 2, low: 0, info: 5 }
const RUN = {
  ...{ id: 'r-1', domain: 'shop.test', tier: 'active', status: 'done', grade: 'D', error_detail: null },
  ...{ counts: COUNTS, open_counts: COUNTS },
}
const PROBLEMS = { total: 2, findings: [{ domain: 'shop.test' }, { domain: 'app.test' }, { domain: 'shop.test' }] }
const MENTION = {
  ...{ domain_id: 'd-1', fingerprint: 'f-1', domain: 'shop.test', title: 'Secret title', total: 1 },
  ...{ by: 'Ada', mentions: ['Bob'], comment: 'Secret comment' },
}

const letter = (event: string, data: object, language: Language, baseUrl: string | null = 'https://sonde.test') =>
  mailOf({ id: 'm-1', event, payload: JSON.stringify({ data }), address: 'a@b.test', language }, baseUrl)

test.each([
  ['scan.finished', RUN, 'en', 'shop.test: scan finished, grade D', /critical 1, high 0, medium 2[\s\S]*\/runs\/r-1/],
  [
    'scan.finished',
    RUN,
    'de',
    'shop.test: Scan beendet, Note D',
    /Der aktive Scan [\s\S]*kritisch 1, hoch 0[\s\S]*\/runs\/r-1/,
  ],
  [
    'scan.finished',
    { ...RUN, status: 'failed', grade: null },
    'de',
    'shop.test: Scan fehlgeschlagen',
    /ist fehlgeschlagen\./,
  ],
  ['scan.new_critical', { ...RUN, new_critical: 1 }, 'de', 'shop.test: ein neuer kritischer Befund', /Offen: /],
  ['scan.new_critical', { ...RUN, new_critical: 3 }, 'en', 'shop.test: 3 new critical findings', /Open: /],
  ['finding.overdue', PROBLEMS, 'en', '2 findings are overdue', /shop\.test, app\.test\n[\s\S]*\/findings\?overdue=1/],
  ['finding.overdue', { ...PROBLEMS, total: 1 }, 'de', 'Ein Befund ist überfällig', /Die Frist/],
  ['finding.mentioned', MENTION, 'en', 'shop.test: Ada mentions you', /\/findings\/d-1\/f-1/],
  ['finding.mentioned', { ...MENTION, total: 4 }, 'de', 'shop.test: Ada erwähnt Sie', /zu 4 Befunden/],
] as const)(
  '%s in its language, with the way there and nothing of what was found',
  (event, data, language, subject, text) => {
    const mail = letter(event, data, language)
    expect(mail).toMatchObject({ to: 'a@b.test', subject, messageId: 'm-1@sonde' })
    expect(mail.text).toMatch(text)
    expect(mail.text).not.toMatch(/Secret|undefined|null/)
    expect(letter(event, data, language, null).text).not.toContain('http')
  },
)

test('a name of several lines makes no header of its own', () => {
  const { subject } = letter('finding.mentioned', { ...MENTION, by: 'Ada\r\nBcc: x@y.test' }, 'en')
  expect(subject).toBe('shop.test: Ada Bcc: x@y.test mentions you')
})
