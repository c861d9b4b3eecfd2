import { parse } from 'parse5'
import { describe, expect, test } from 'vitest'
import { openCounts, UNDECIDED } from '../contract/triage.ts'
import { renderCsv } from './csv.ts'
import { renderJunit } from './junit.ts'
import { sampleFile } from './testing/sample.ts'

const file = sampleFile()
const withFirst = (change: object) => {
  const findings = file.findings.map((finding, index) => (index === 0 ? { ...finding, ...change } : finding))
  return { ...file, findings, open_counts: openCounts(findings) }
}
const accepted = { ...UNDECIDED, state: 'accepted', owner: 'J. Weber', reason: 'until "spring"' } as const

describe('CSV', () => {
  /** Reads RFC 4180. */
  const rowsOf = (csv: string): string[][] =>
    [...csv.replace('\uFEFF', '').matchAll(/((?:(?:"(?:[^"]|"")*"|[^,\r\n]*),?)+)\r\n/g)].map(([, line = '']) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
      ),
    )
  test('one row a finding, as many cells in each', () => {
    const rows = rowsOf(renderCsv(file))
    expect(rows).toHaveLength(file.findings.length + 1)
    expect(new Set(rows.map((row) => row.length)).size).toBe(1)
    expect(rows[0]?.slice(0, 4)).toEqual(['severity', 'confidence', 'title', 'where'])
  })
  test.each(['=cmd|calc', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])('a formula stays text: %j', (title) => {
    expect(rowsOf(renderCsv(withFirst({ title }))).some((row) => row[2] === `'${title}`)).toBe(true)
  })
  test('quotes, commas and line ends stay in their cell', () => {
    const title = 'a "b",\r\nc'
    expect(rowsOf(renderCsv(withFirst({ title }))).some((row) => row[2] === title)).toBe(true)
  })
})

describe('JUnit', () => {
  const open = file.findings.filter(({ severity }) => severity !== 'info').length
  const count = (xml: string, part: string) => xml.split(part).length - 1
  test('an open finding fails, what could not be looked at is skipped', () => {
    const xml = renderJunit(file)
    expect(count(xml, '<failure ')).toBe(open)
    expect(xml).toContain(` failures="${open}"`)
    const unseen = file.coverage.filter(({ state }) => state !== 'pass' && state !== 'fail')
    expect(unseen.length).toBeGreaterThan(0)
    expect(count(xml, '<skipped ')).toBe(unseen.length)
  })
  test('a decided finding is skipped with the decision', () => {
    const xml = renderJunit(withFirst({ triage: accepted }))
    expect(count(xml, '<failure ')).toBe(open - 1)
    expect(xml).toContain('<skipped message="Accepted (J. Weber): until &quot;spring&quot;"/>')
  })
  test('what a site sent ends no element and is no bad character', () => {
    const xml = renderJunit(withFirst({ title: '</testcase>\u0000\u001b"&<x y="', detail: ']]><script>\ud800' }))
    for (const harmful of ['\u0000', '\u001b', '<script', '<x ']) expect(xml).not.toContain(harmful)
    const cases = count(xml, '<testcase ')
    expect(count(xml, '</testcase>')).toBe(cases)
    expect(JSON.stringify(parse(xml), (key, value) => (key === 'parentNode' ? undefined : value))).not.toContain(
      '"script"',
    )
  })
})
