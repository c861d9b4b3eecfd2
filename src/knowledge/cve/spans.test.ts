import { describe, expect, it } from 'vitest'
import fc from '../../../tests/support/properties.ts'
import { compareVersions, inRange } from '../versions/version.ts'
import { scoreOf } from './score.ts'
import { affectedRanges, type Span } from './spans.ts'

const span = (start: string | null, end: string | null, affected: boolean, endIncluded = false): Span => ({
  ...{ range: { start, startIncluded: true, end, endIncluded }, affected },
})
const inside = (spans: readonly Span[], otherwise: boolean, version: string): boolean =>
  affectedRanges(spans, 'semver', otherwise).some((range) => inRange('semver', version, range))

describe('affected unless told otherwise', () => {
  it.each([
    ['nothing told', [], ['0', '1', '99'], []],
    ['one fixed line', [span('2.0', null, false)], ['0.1', '1.9'], ['2.0', '3']],
    ['a fix in the middle', [span('1.5', '2.0', false)], ['1.4', '2.0', '3'], ['1.5', '1.9.9']],
    ['an end that is included', [span('1.5', '2.0', false, true)], ['2.0.1'], ['2.0']],
    ['a single version', [span('1.5', '1.5', false, true)], ['1.4', '1.5.1'], ['1.5']],
    ['told in no order', [span('3', '4', false), span('1', '2', false)], ['0', '2', '2.5', '4'], ['1', '3.5']],
    ['one inside another', [span('1', '4', false), span('2', '3', false)], ['0.9', '4'], ['2', '3', '3.9']],
    ['from the first', [span(null, '2', false)], ['2', '3'], ['0', '1.9']],
  ] as const)('%s', (_trick, spans, affected, safe) => {
    for (const version of affected) expect(inside(spans, true, version), version).toBe(true)
    for (const version of safe) expect(inside(spans, true, version), version).toBe(false)
  })

  it('every version is in exactly what is told or in what is left', () => {
    const number = fc.nat(12).map(String)
    const spans = fc.array(
      fc
        .tuple(fc.option(number), number, fc.boolean(), fc.boolean())
        .filter(([start, end]) => start === null || Number(start) <= Number(end)),
      { maxLength: 5 },
    )
    fc.assert(
      fc.property(spans, fc.nat(13), (told, version) => {
        const list = told.map(([start, end, affected, included]) =>
          span(start, end, affected, included || start === end),
        )
        const covered = list.some(({ range }) => inRange('semver', `${version}`, range))
        const said = list.some(({ range, affected }) => affected && inRange('semver', `${version}`, range))
        expect(inside(list, true, `${version}`)).toBe(said || !covered)
        expect(compareVersions('semver', `${version}`, `${version}`)).toBe(0)
      }),
      { numRuns: 3_000 },
    )
  })
})

describe('scores of vectors', () => {
  // Of FIRST's own examples for 3.1, 4.0, and NVD's record of CVE-2016-5385 for 3.0.
  it.each([
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', 6.1],
    ['CVSS:3.0/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H', 8.1],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 9.3],
    ['CVSS:4.0/AV:N/AC:L', null],
    ['CVSS:3.1/AV:N', null],
    ['CVSS:2.0/AV:N', null],
    ['high', null],
  ])('%s is %s', (vector, score) => {
    expect(scoreOf(vector)).toBe(score)
  })
})
