import { describe, expect, test } from 'vitest'
import type { FindingsFile } from '../../contract/findings-file.ts'
import { NO_EXTRAS, reportModel } from '../model.ts'
import { sampleFile } from '../testing/sample.ts'
import { renderTex } from './layout.ts'
import { commonShift } from './shifts.ts'

const SHOP = 'a shop handles payments and customer accounts'
const HINT = 'it is a hint that was not proven'

/** The sample with a reason for every severity, in turns. */
const shifted = (...reasons: readonly string[]): FindingsFile => {
  const file = sampleFile()
  const shift = (index: number) => {
    const reason = reasons[index % reasons.length]
    return reason === undefined ? null : { base: 'low' as const, reason }
  }
  return { ...file, findings: file.findings.map((one, index) => ({ ...one, shift: shift(index) })) }
}

const times = (text: string, part: string): number => text.split(part).length - 1

describe('why severities are others here', () => {
  test('the reason that most share is the common one', () => {
    expect(commonShift(reportModel(shifted(SHOP, SHOP, HINT), NO_EXTRAS))).toBe(SHOP)
    expect(commonShift(reportModel(shifted(), NO_EXTRAS))).toBeNull()
  })

  test('it stands once, before the findings, and each says which severity it has in general', () => {
    const tex = renderTex(shifted(SHOP))
    expect(times(tex, SHOP)).toBe(1)
    expect(times(tex, 'Low in general,')).toBeGreaterThan(5)
  })

  test('another reason stands with its finding', () => {
    const tex = renderTex(shifted(SHOP, SHOP, HINT))
    expect(times(tex, SHOP)).toBe(1)
    expect(times(tex, HINT)).toBeGreaterThan(1)
  })

  test('of one or two findings each says its own', () => {
    const file = shifted(SHOP)
    const few = { ...file, findings: file.findings.map((one, index) => (index < 2 ? one : { ...one, shift: null })) }
    expect(times(renderTex(few), SHOP)).toBe(2)
  })
})

describe('addresses of further reading', () => {
  /** As they are printed, without the places where a line may break. */
  const printed = (address: string): string[] => {
    const file = sampleFile()
    const tex = renderTex({ ...file, findings: file.findings.map((one) => ({ ...one, references: [address] })) })
    return tex
      .replaceAll('\\brk{}', '')
      .split(`\\href{${address}}{`)
      .slice(1)
      .map((rest) => rest.split('}')[0] ?? '')
  }

  test.each([
    ['a short one is printed whole', 'https://www.rfc-editor.org/rfc/rfc6797', 'rfc-editor.org/rfc/rfc6797'],
    [
      'a long one leads to all of it, and is printed by its host and its end',
      `https://example.org/${'a-long-part/'.repeat(6)}the-end-of-it`,
      'example.org/…/the-end-of-it',
    ],
    ['without a path it is its host', `https://example.org/?${'a'.repeat(80)}`, 'example.org'],
  ])('%s', (_, address, name) => {
    expect(new Set(printed(address))).toEqual(new Set([name]))
  })
})
