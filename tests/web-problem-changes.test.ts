/** What takes a change of findings back, as the web application sends it. */
import { describe, expect, test } from 'vitest'
import { ChangeDomainFinding, type DomainFinding } from '../src/contract/domain-finding.ts'
import { finding } from '../src/contract/domain-finding-examples.ts'
import { UNDECIDED } from '../src/contract/triage.ts'
import { takingBack } from '../web/src/problem-changes.ts'

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
