/** What takes a change of findings back, as the web application sends it. */
import { describe, expect, test } from 'vitest'
import { ChangeDomainFinding, type ChangeFields, DomainFinding } from '../src/contract/domain-finding.ts'
import { finding } from '../src/contract/domain-finding-examples.ts'
import { UNDECIDED } from '../src/contract/triage.ts'
import { changedBy, refusedOf, takingBack } from '../web/src/problem-changes.ts'

const PLAIN: DomainFinding = {
  ...finding,
  ...{ state: 'open', triage: UNDECIDED, override: null, severity: 'high', judged_severity: 'high' },
  ...{ assignee: null, due: null },
}
const ACCEPTED: DomainFinding = {
  ...{ ...PLAIN, fingerprint: 'b'.repeat(64), state: 'accepted', assignee: 'J. Weber' },
  triage: { ...UNDECIDED, state: 'accepted', owner: 'A. Kern', reason: 'Until spring.' },
}
const LOWERED: DomainFinding = {
  ...{ ...ACCEPTED, fingerprint: 'c'.repeat(64), severity: 'low' },
  override: { reason: 'Inside alone.', by: 'A. Kern', at: '2026-11-01T10:00:00.000Z' },
}
const DECIDES = { state: 'false_positive', owner: 'O', reason: 'R' } as const

const backOf = (findings: readonly DomainFinding[], change: Parameters<typeof takingBack>[0]['change']) => {
  const all = takingBack({ findings, change })
  // As the service takes it.
  for (const one of all) ChangeDomainFinding.parse(JSON.parse(JSON.stringify(one.change)))
  return all.map((one) => [one.findings.length, JSON.parse(JSON.stringify(one.change))])
}

describe('taking a change back', () => {
  test('an open one is open again, and those that were alike go together', () => {
    expect(backOf([PLAIN, { ...PLAIN, fingerprint: 'd'.repeat(64) }], DECIDES)).toEqual([[2, { state: 'open' }]])
  })
  test('a decision that held holds again, with who and why and until when', () => {
    const expires_at = '2999-01-01T00:00:00.000Z'
    const dated = { ...ACCEPTED, triage: { ...ACCEPTED.triage, expires_at } }
    expect(backOf([dated, PLAIN], DECIDES)).toEqual([
      [1, { state: 'accepted', owner: 'A. Kern', reason: 'Until spring.', expires_at }],
      [1, { state: 'open' }],
    ])
  })
  test('one whose day has passed is open again', () => {
    const over = { ...ACCEPTED, triage: { ...ACCEPTED.triage, expires_at: '2020-01-01T00:00:00.000Z' } }
    expect(backOf([over], DECIDES)).toEqual([[1, { state: 'open' }]])
  })
  test('a decision and a severity with reasons of their own are two changes', () => {
    expect(backOf([LOWERED], { ...DECIDES, severity: 'medium' })).toEqual([
      [1, { state: 'accepted', owner: 'A. Kern', reason: 'Until spring.', expires_at: null }],
      [1, { severity: 'low', reason: 'Inside alone.' }],
    ])
  })
  test('what was not changed is not touched; a comment stays', () => {
    expect(backOf([ACCEPTED], { assignee: 'M. Otto', due: '2027-01-31', comment: 'x' })).toEqual([
      [1, { assignee: 'J. Weber', due: null }],
    ])
    expect(backOf([ACCEPTED], { comment: 'x' })).toEqual([])
  })
})

const NOW = '2026-11-27T10:00:00.000Z'

describe('a change that is shown before the service knows of it', () => {
  const shown = (finding: DomainFinding, change: ChangeFields) => {
    ChangeDomainFinding.parse(change)
    return DomainFinding.parse(changedBy(finding, change, 'A. Kern', NOW))
  }
  test('a decision is who, why and until when', () => {
    const { state, triage } = shown(PLAIN, { ...DECIDES, expires_at: '2999-01-01T00:00:00.000Z' })
    expect([state, triage]).toMatchObject([
      'false_positive',
      {
        state: 'false_positive',
        owner: 'O',
        reason: 'R',
        expires_at: '2999-01-01T00:00:00.000Z',
        decided_by: 'A. Kern',
      },
    ])
  })
  test('one that is taken back is open, with nothing of it left', () => {
    expect(shown(ACCEPTED, { state: 'open' })).toMatchObject({ state: 'open', triage: UNDECIDED })
  })
  test('what is fixed stays so', () => {
    expect(shown({ ...PLAIN, state: 'fixed' }, DECIDES).state).toBe('fixed')
  })
  test('a severity is the person’s, and the judged one again', () => {
    expect(shown(PLAIN, { severity: 'low', reason: 'Inside.' })).toMatchObject({
      ...{ severity: 'low', judged_severity: 'high', override: { reason: 'Inside.', by: 'A. Kern' } },
    })
    expect(shown(LOWERED, { severity: null })).toMatchObject({ severity: 'high', override: null })
  })
  test.each([
    ['a day that has passed', PLAIN, { due: '2026-11-26' }, true],
    ['today', PLAIN, { due: '2026-11-27' }, false],
    ['a decision meanwhile', { ...PLAIN, due: '2020-01-01', overdue: true }, DECIDES, false],
    ['taken back', { ...ACCEPTED, due: '2020-01-01' }, { state: 'open' }, true],
  ] as const)('overdue: %s', (_, finding, change, overdue) => {
    expect(shown(finding, change).overdue).toBe(overdue)
  })
})

describe('what would be refused is known before it is sent', () => {
  test.each([
    ['nothing', {}, ['state']],
    ['a reason alone', { reason: 'R' }, ['state']],
    ['a decision without anything', { state: 'accepted' }, ['owner', 'reason']],
    ['a severity without a reason', { severity: 'low' }, ['reason']],
    ['a whole decision', DECIDES, []],
    ['taken back', { state: 'open' }, []],
    ['a severity as judged', { severity: null }, []],
    ['a comment', { comment: 'x' }, []],
  ] as readonly (readonly [string, ChangeFields, readonly string[]])[])('%s', (_, change, fields) => {
    expect(Object.keys(refusedOf(change, NOW)).toSorted()).toEqual(fields)
    expect(ChangeDomainFinding.safeParse(change).success).toBe(fields.length === 0)
  })
  test('a decision that has ended before it began', () => {
    expect(refusedOf({ ...DECIDES, expires_at: '2020-01-01T00:00:00.000Z' }, NOW)).toEqual({
      expires_at: 'Must be in the future',
    })
  })
})
