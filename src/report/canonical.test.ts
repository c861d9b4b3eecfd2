import { describe, expect, test } from 'vitest'
import { canonical, placeText } from './canonical.ts'
import { sampleFile } from './testing/sample.ts'

describe('canonical', () => {
  const file = sampleFile({ findings: 25 })

  test('the gravest and surest come first', () => {
    const order = canonical(file).findings.map(({ severity, confidence }) => `${severity} ${confidence}`)
    expect(order).toEqual(order.toSorted((a, b) => rank(a) - rank(b)))
  })
  test('the order of the input does not matter', () => {
    const reversed = {
      ...file,
      findings: file.findings.toReversed(),
      coverage: file.coverage.toReversed(),
      knowledge: Object.fromEntries(Object.entries(file.knowledge).toReversed()),
    }
    expect(JSON.stringify(canonical(reversed))).toBe(JSON.stringify(canonical(file)))
  })
  test('counts that are not those of the findings are refused', () => {
    expect(() => canonical({ ...file, counts: { ...file.counts, low: 99 } })).toThrow(/99 findings of severity low/)
  })
  test('an unknown field is refused', () => {
    const wrong = { ...file, more: 1 }
    expect(() => canonical(wrong)).toThrow(/more/)
  })
})

describe('placeText', () => {
  test.each([
    ['url', { url: 'https://a.test/' }, 'https://a.test/'],
    ['GET is not said', { url: 'https://a.test/', method: 'GET' }, 'https://a.test/'],
    [
      'POST and parameter',
      { url: 'https://a.test/', method: 'POST', parameter: 'q' },
      'POST https://a.test/, parameter q',
    ],
    ['host and port', { host: 'a.test', port: 443 }, 'a.test:443'],
    ['host', { host: 'a.test' }, 'a.test'],
    ['nothing', {}, ''],
  ])('%s', (_, location, text) => {
    expect(placeText(location)).toBe(text)
  })
})

const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info']
const CONFIDENCES = ['confirmed', 'firm', 'tentative']
const rank = (text: string): number => {
  const [severity = '', confidence = ''] = text.split(' ')
  return SEVERITIES.indexOf(severity) * 10 + CONFIDENCES.indexOf(confidence)
}
