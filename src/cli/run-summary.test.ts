import { describe, expect, test } from 'vitest'
import * as example from '../contract/examples.ts'
import type { Coverage, Finding } from '../contract/finding.ts'
import type { RunState } from '../contract/run.ts'
import { type RunSummary, summaryText } from './run-summary.ts'
import type { Screen } from './screen.ts'

const screen = (columns: number): Screen => ({
  ...{ out: () => undefined, err: () => undefined, isTTY: true, colour: false },
  columns: () => columns,
})
const run: RunState = {
  ...example.runState,
  ...{ domain: 'shop.test', status: 'done', phase: 'finished', progress: 100, grade: 'F', duration_ms: 65_000 },
  report: { state: 'ready', reason: null, version: 1 },
}
const finding = (change: Partial<Finding>): Finding => ({ ...example.finding, ...change })
const check = (change: Partial<Coverage>): Coverage => ({
  ...{ module: 'tls', check_id: 'tls/x', title: 'A problem', state: 'pass', reason: null },
  ...change,
})
const many: RunSummary = {
  run: { ...run, report: { state: 'failed', reason: 'The PDF cannot be made. '.repeat(30), version: 1 } },
  findings: Array.from({ length: 101 }, (_, index) =>
    finding({
      severity: (['info', 'low', 'medium', 'high', 'critical'] as const)[index % 5] ?? 'info',
      check_id: `module/check-${index % 17}`,
      title: `A problem with a long name that says a great deal about what is wrong here, number ${index % 17}`,
      location: { url: `https://shop.test/a/very/long/path/that/goes/on/${'x'.repeat(200)}?q=1`, parameter: 'q' },
    }),
  ),
  coverage: Array.from({ length: 300 }, (_, index) =>
    check(index % 7 === 0 ? { state: 'not_tested', reason: `reason ${index % 5} ${'and so on '.repeat(20)}` } : {}),
  ),
  reach: {
    kinds: [{ kind: 'insertion_point', known: 1_412, asked: 1_388, merged: 0, left_out: 20, cut_off: 4 }],
    reasons: [],
  },
  files: {
    folder: `/home/somebody/${'folder/'.repeat(9)}demo`,
    names: ['report.pdf (61 pages)', 'report.html', 'findings.txt', 'evidence.zip (33 files)'],
  },
  whole: `./run status ${run.id}`,
  next: [[`./run findings ${run.id} --long`, 'all of them']],
}
const lines = (summary: RunSummary, columns: number): string[] =>
  summaryText(screen(columns), summary).trimEnd().split('\n')

describe('a run on one screen', () => {
  test.each([
    [80, 24],
    [100, 40],
    [132, 24],
  ])('of %i columns and %i lines, however much there is', (columns, rows) => {
    const shown = lines(many, columns)
    // As the terminal folds them; below stand the lines about the service that goes on.
    const folded = shown.reduce((sum, line) => sum + Math.max(1, Math.ceil([...line].length / columns)), 0)
    expect(folded).toBeLessThanOrEqual(rows - 3)
    for (const line of shown) if (!/^(?:Files|Next)/.test(line)) expect([...line].length).toBeLessThan(columns)
  })

  test('grade, counts, what to fix first, what nobody looked at, files and the next command', () => {
    const text = summaryText(screen(100), many)
    for (const part of [
      'Reach: 1,412 insertion points known, 1,388 asked, 24 left out',
      'grade F',
      'critical 0',
      'Fix first  (',
      'Not looked at: 43 of 300 checks',
      'report.pdf (61 pages)',
      `./run findings ${run.id}`,
    ])
      expect(text).toContain(part)
    expect(text.match(/^ {2}(?:critical|high|medium|low)/gm)).toHaveLength(4)
  })

  test('the gravest first, each problem once, decided ones not at all', () => {
    const { triage } = example
    const findings = [
      finding({ severity: 'low', title: 'Small' }),
      finding({ severity: 'high', title: 'Known', triage }),
      finding({ severity: 'critical', title: 'Great' }),
      finding({ severity: 'critical', title: 'Great' }),
      finding({ severity: 'info', title: 'Nothing' }),
    ]
    const shown = summaryText(screen(80), { ...many, findings, coverage: [] })
    expect(shown).toMatch(/critical {2}Great \(\+1\).*\n {2}low {7}Small/)
    expect(shown).not.toMatch(/Known|Nothing /)
  })

  test('what kept several modules from looking is told once', () => {
    const reason = 'no Chromium is installed'
    const gap = (module: string, why = reason) => check({ module, state: 'not_tested', reason: why })
    const coverage = [
      gap('xss'),
      gap('privacy'),
      gap('privacy'),
      gap('tls', 'silence'),
      gap('tls', 'silence'),
      check({}),
    ]
    const shown = summaryText(screen(80), { ...many, coverage })
    expect(shown).toMatch(
      /Not looked at: 5 of 6 checks.*\n +3 {2}privacy and 1 more: no Chromium is installed\n +2 {2}tls: silence\n/,
    )
  })

  test('the largest reason is named, and those that the reader can mend however small; the rest are counted', () => {
    const gap = (reason: string, count: number) =>
      Array.from({ length: count }, () => check({ state: 'not_tested', reason }))
    const coverage = [
      ...[gap('the target was silent', 9), gap('it is odd', 5), gap('it is even', 4)],
      gap('of 9 places: 4 read without a browser: no Chromium is installed; see "sonde doctor"', 3),
      ...[gap('no Chromium is installed; see "sonde doctor"', 2), gap('SONDE_RESOLVERS is not set', 1)],
    ].flat()
    const shown = summaryText(screen(100), { ...many, coverage }).split('\n')
    const from = shown.findIndex((line) => line.startsWith('Not looked at'))
    expect(shown.slice(from, from + 4)).toEqual([
      'Not looked at: 24 of 24 checks that apply; the report names the other 12',
      '    9  tls: the target was silent',
      '    2  tls: no Chromium is installed; see "sonde doctor"',
      '    1  tls: SONDE_RESOLVERS is not set',
    ])
  })

  test.each([
    ['ends at a sentence', 'TeX broke. '.repeat(6), /^Report no PDF: (?:TeX broke\. ?){5,6}$/m],
    [
      'of one long sentence: none of it',
      `It needs this: apt-get install ${'a-package '.repeat(30)}`,
      /^Report no PDF$/m,
    ],
  ])('a reason without end %s, and the command that says it whole follows', (_, reason, says) => {
    const long = { state: 'failed', reason: `${reason}${'And so on. '.repeat(30)}`, version: 1 } as const
    const shown = summaryText(screen(80), { ...many, run: { ...run, report: long } })
    expect(shown).toMatch(says)
    expect(shown).toContain(`\n       the whole reason: ./run status ${run.id}\n`)
    expect(shown).not.toContain('apt-get')
  })

  test('nothing found is said of the checks that looked', () => {
    const shown = summaryText(screen(80), { ...many, findings: [], coverage: [check({})] })
    expect(shown).toContain('Nothing to fix was found by the checks that could look.')
    expect(shown).toContain('The 1 check that applies could look.')
  })

  test.each([
    ['pending', null, 'still being made'],
    ['failed', 'No Chromium is installed.', 'no PDF: No Chromium is installed.'],
  ] as const)('a report that is %s', (state, reason, words) => {
    expect(summaryText(screen(80), { ...many, run: { ...run, report: { state, reason, version: 1 } } })).toContain(
      words,
    )
  })

  test('a site cannot write to the terminal', () => {
    const findings = [finding({ severity: 'high', title: '\u001b[2Jgone', location: { url: 'https://x.test/\u202e' } })]
    const text = summaryText(screen(80), { ...many, findings })
    for (const character of ['\u001b', '\u202e']) expect(text).not.toContain(character)
  })
})
