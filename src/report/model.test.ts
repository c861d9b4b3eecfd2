import { describe, expect, test } from 'vitest'
import { firstSentence, span } from './format.ts'
import { NO_EXTRAS, reportModel } from './model.ts'
import { sampleFile } from './testing/sample.ts'
import { wordsOf } from './words/words.ts'

const model = (findings: number, change: object = {}) =>
  reportModel({ ...sampleFile({ findings }), ...change }, NO_EXTRAS)
const summary = (findings: number, change: object = {}) => model(findings, change).summary.paragraphs.join(' ')

describe('summary', () => {
  test.each([
    ['nothing found is said of the checks that looked', 0, 'No problem was found by the checks that could look.'],
    ['what needs attention is counted', 12, '5 of them need attention at once.'],
    ['one that needs attention', 1, '1 problem was found: 1 critical. One of them needs attention at once.'],
  ])('%s', (_, findings, sentence) => {
    expect(summary(findings)).toContain(sentence)
  })
  test('unseen checks are called unknown, not clean', () => {
    expect(summary(12)).toContain('29 checks of 34 that apply could look; 5 checks could not.')
    expect(summary(12)).toContain('unknown, not clean')
  })
  test('a fault of ours is said in one line, with its id', () => {
    const became = { state: 'inconclusive', reason: 'r', reason_kind: 'scanner_fault', fault_id: 'F-0123abcd' } as const
    const coverage = sampleFile().coverage.map((line, at) => (at === 0 ? { ...line, ...became } : line))
    expect(summary(12, { coverage })).toContain('A fault of the scanner kept 1 check from a whole answer (F-0123abcd)')
    expect(summary(12)).not.toContain('A fault of the scanner')
  })
  test('nothing unseen', () => {
    const coverage = sampleFile().coverage.filter(({ state }) => state === 'pass' || state === 'fail')
    expect(summary(12, { coverage })).toContain(
      `${coverage.length} checks of ${coverage.length} that apply could look.`,
    )
  })
  test('no coverage means no statement', () => {
    expect(summary(0, { coverage: [] })).toContain('can make no statement')
  })
  test('a passive scan does not claim to have probed', () => {
    const { run } = sampleFile()
    expect(summary(12, { run: { ...run, tier: 'passive' } })).toContain('sent no attack')
  })
  test('the same flaw on many pages is one thing to fix', () => {
    const { urgent } = model(36).summary
    expect(urgent).toHaveLength(3)
    expect(urgent[0]).toMatchObject({ number: 1, severity: 'critical', alike: 2 })
    expect(urgent[0]?.firstStep).toMatch(/^Pass the value as a parameter/)
  })
})

test('feeds that are old or missing are named where the circumstances are', () => {
  const columns = ['Feed', 'What it is', 'Version', 'Records', 'Age', 'Warning']
  const rows = [
    ['kev', 'exploited', '2026-11-20-a', '1400', '1 day', ''],
    ['nvd', 'records', 'none', '0', '-', 'never imported'],
  ]
  const feeds = { id: 'knowledge-feeds', module: 'cve', title: 'Knowledge', columns, rows }
  const gaps = (tables: object[]) => new Map(model(1, { tables }).circumstances).get('Knowledge gaps')
  expect(gaps([feeds])).toMatch(/: nvd$/)
  expect(gaps([])).toBeUndefined()
})

describe('first steps', () => {
  const step = (remediation: string): string | undefined => {
    const file = sampleFile({ findings: 1 })
    return model(1, { findings: file.findings.map((finding) => ({ ...finding, remediation })) }).summary.urgent[0]
      ?.firstStep
  }
  test.each([
    ['a short one stays', 'Do it.', 'Do it.'],
    ['ends at a word', `${'word '.repeat(60)}`, `${'word '.repeat(39)}word …`],
    ['never inside code', `Send this \`${'x y '.repeat(60)}\` now`, 'Send this …'],
    [
      'at a sentence that goes on in small letters',
      `Send the header Strict-Transport-Security with it. nginx, in the server block, ${'then '.repeat(60)}`,
      'Send the header Strict-Transport-Security with it.',
    ],
  ])('%s', (_, remediation, expected) => {
    expect(step(remediation)).toBe(expected)
  })
})

describe('model', () => {
  test('every finding stands once, numbered in order', () => {
    const numbers = model(40).groups.flatMap(({ findings }) => findings.map((view) => view.number))
    expect(numbers).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
  })
  test('places are capped and the rest is counted', () => {
    const views = model(40).groups.flatMap(({ findings }) => findings)
    const many = views.find(({ morePlaces }) => morePlaces > 0)
    expect(many?.places).toHaveLength(3)
    expect((many?.places.length ?? 0) + (many?.morePlaces ?? 0)).toBe(many?.finding.places.length)
  })
  test('clean and unseen checks are counted apart', () => {
    const { coverage } = model(12)
    expect(coverage.gaps.flatMap(({ titles }) => titles)).toContain('The certificate is revoked')
    expect(coverage.gaps.every(({ why }) => why !== '')).toBe(true)
    for (const tally of [coverage, ...coverage.modules])
      expect(tally.passed + tally.failed + tally.notApplicable + tally.unseen).toBe(tally.total)
  })
  test('an area that could not look at all is one gap with one reason', () => {
    const coverage = ['a', 'b', 'c'].map((name) => ({
      module: 'tls',
      check_id: `tls/${name}`,
      title: name,
      state: 'blocked' as const,
      reason: 'port 443 is closed',
    }))
    expect(model(0, { coverage }).coverage.gaps).toEqual([
      { module: 'Tls', titles: ['a', 'b', 'c'], count: 3, whole: true, why: 'blocked: port 443 is closed' },
    ])
  })
  test('an area that the run leaves out is named and counts nowhere', () => {
    const entry = { module: 'pages', check_id: 'pages/*', title: 'Pages', state: 'not_tested' as const }
    const reason = 'only an active run looks at this'
    const { coverage } = model(0, { coverage: [...sampleFile().coverage, { ...entry, reason }] })
    expect(coverage.leftOut).toEqual([{ module: 'Pages', why: reason }])
    expect(coverage.total).toBe(sampleFile().coverage.length)
    expect(coverage.modules.map(({ id }) => id)).not.toContain('pages')
  })
  test('a shift says both severities and why', () => {
    const shifted = model(12)
      .groups.flatMap(({ findings }) => findings)
      .find(({ shift }) => shift !== null)
    expect(shifted?.shift).toBe('Medium in general, high here: a shop handles payments and customer accounts.')
  })
})

describe('format', () => {
  const en = wordsOf('en')
  test.each([
    [span(372), '6 min 12 s'],
    [span(0.2), '0 s'],
    [span(7260), '2 h 1 min'],
    [en.number(1234567), '1,234,567'],
    [wordsOf('de').number(1234567), '1.234.567'],
    [en.date('2026-11-21T23:59:59Z'), '21 November 2026'],
    [wordsOf('de').date('2026-11-21T23:59:59Z'), '21. November 2026'],
    [en.date('unknown'), 'unknown'],
    [en.many(1, 'check'), '1 check'],
    [wordsOf('de').many(2, 'check'), '2 Prüfungen'],
    [en.list(['a', 'b', 'c']), 'a, b and c'],
    [firstSentence('Replace 1.2 by 1.3. Then rest.'), 'Replace 1.2 by 1.3.'],
    [firstSentence('Add the line:\n\n```\nx\n```'), 'Add the line.'],
  ])('%s', (actual, expected) => {
    expect(actual).toBe(expected)
  })
})
