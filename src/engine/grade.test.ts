import { describe, expect, it } from 'vitest'
import type { Severity } from '../contract/finding.ts'
import { gradeRun, scoreOf, shareLooked } from './grade.ts'

const one = (
  severity: Severity,
  check_id = `demo/${severity}`,
  more: { confidence?: 'confirmed'; kev?: boolean } = {},
) => ({
  check_id,
  severity,
  confidence: more.confidence ?? ('firm' as const),
  cve: more.kev
    ? [
        {
          id: 'CVE-2026-0001',
          match: 'certain' as const,
          epss: null,
          kev: { date_added: '2026-01-01', ransomware: false },
        },
      ]
    : [],
})
const looked = Array.from({ length: 10 }, () => ({ check_id: 'demo/x', state: 'pass' as const }))
const many = (count: number, severity: Severity) =>
  Array.from({ length: count }, (_, index) => one(severity, `demo/${index}`))

describe('score', () => {
  it.each([
    ['nothing found', [], 100],
    ['information is free', many(50, 'info'), 100],
    ['one of each', [one('critical'), one('high'), one('medium'), one('low')], 37.5],
    ['a repeat costs a quarter', [one('medium'), one('medium'), one('medium')], 91],
    ['a graver repeat counts first', [one('low', 'demo/x'), one('high', 'demo/x')], 84.6],
    ['low costs ten at most', many(20, 'low'), 90],
    ['never under zero', many(5, 'critical'), 0],
  ])('%s', (_name, findings, expected) => {
    expect(scoreOf(findings)).toBe(expected)
  })
})

describe('grade', () => {
  it.each([
    ['nothing found', [], [], 'A+', 0],
    ['two low', many(2, 'low'), [], 'A+', 0],
    ['one medium costs the A+', [one('medium')], [], 'A', 0],
    ['one high is C, though the score says B', [one('high')], [], 'C', 1],
    ['confirmed critical', [one('critical', 'demo/x', { confidence: 'confirmed' })], [], 'F', 1],
    ['critical that is only firm', [one('critical')], [], 'D', 0],
    ['exploited vulnerability', [one('high', 'demo/x', { kev: true })], [], 'F', 2],
    ['one of medium severity, as of a library of a page', [one('medium', 'demo/x', { kev: true })], [], 'C', 1],
    ['TLS trusted by nobody', [], [{ id: 'tls', title: 'TLS', grade: 'T', score: 0 }], 'D', 1],
    ['good TLS', [], [{ id: 'tls', title: 'TLS', grade: 'A', score: 90 }], 'A+', 0],
    ['a bad part of another area', [], [{ id: 'headers', title: 'Headers', grade: 'F', score: 0 }], 'A+', 0],
    ['a cap never raises, and is not named where it limits nothing', many(6, 'high'), [], 'F', 0],
  ])('%s', (_name, findings, parts, letter, caps) => {
    const grade = gradeRun(findings, looked, parts)
    expect([grade.grade, grade.caps.length]).toEqual([letter, caps])
  })
})

describe('provisional', () => {
  const lines = (passed: number, untested: number, inapplicable = 0) => [
    ...Array.from({ length: passed }, () => ({ check_id: 'demo/x', state: 'pass' as const })),
    ...Array.from({ length: untested }, () => ({ check_id: 'demo/x', state: 'not_tested' as const })),
    ...Array.from({ length: inapplicable }, () => ({ check_id: 'demo/x', state: 'not_applicable' as const })),
  ]
  it.each([
    ['seven of ten looked', lines(7, 3), false],
    ['six of ten looked', lines(6, 4), true],
    ['what does not apply is no gap', lines(7, 3, 90), false],
    ['nothing could look', lines(0, 5), true],
    ['no check at all', [], true],
  ])('%s', (_name, coverage, provisional) => {
    expect(gradeRun([], coverage, []).provisional).toBe(provisional)
  })

  it('counts a found problem as looked at', () => {
    expect(shareLooked([{ state: 'fail' }, { state: 'inconclusive' }])).toBe(0.5)
  })
})

describe('areas', () => {
  const clean = (module: string, count = 4, state: 'pass' | 'inconclusive' | 'not_applicable' = 'pass') =>
    Array.from({ length: count }, (_, index) => ({ check_id: `${module}/${index}`, state }))
  it.each([
    ['nobody looked', [], [], []],
    ['only what has a scale of its own', [], clean('headers'), []],
    ['clean names', [], clean('dns'), ['names A+ 100']],
    ['mail and names are one', [one('medium', 'mail/x')], [...clean('dns'), ...clean('mail')], ['names A 94']],
    ['privacy alone', [one('high', 'privacy/x')], clean('privacy'), ['privacy C 85']],
    ['a finding elsewhere costs nothing here', [one('high', 'xss/x')], clean('privacy'), ['privacy A+ 100']],
    ['too little of it was looked at', [], [...clean('xss', 6), ...clean('sqli', 4, 'inconclusive')], []],
    [
      'what does not apply is no gap',
      [],
      [...clean('xss', 1), ...clean('waf', 9, 'not_applicable')],
      ['application A+ 100'],
    ],
  ])('%s', (_name, findings, coverage, expected) => {
    const { parts } = gradeRun(findings, coverage, [])
    expect(parts.map(({ id, grade, score }) => `${id} ${grade} ${score}`)).toEqual(expected)
  })

  it('each says what took its points, the gravest first', () => {
    const found = [one('low', 'xss/a'), one('critical', 'sqli/x'), one('low', 'xss/b'), one('info', 'waf/x')]
    expect(gradeRun(found, clean('xss'), []).parts).toMatchObject([
      { id: 'application', reasons: ['critical findings: 1', 'low findings: 2'] },
    ])
  })
})
