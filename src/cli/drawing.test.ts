import { describe, expect, test } from 'vitest'
import type { ProgressEvent } from '../contract/event.ts'
import { draw, picture } from './drawing.ts'
import { clean, cut, elapsed, type Screen, table, wrap } from './screen.ts'

const EVENT: ProgressEvent = {
  phase: 'passive',
  phase_detail: 'tls: 214 of 331 cipher suites',
  progress: 37,
  counts: { critical: 0, high: 1, medium: 20, low: 300, info: 4000 },
  status: 'running',
}
const screenOf = (more: Partial<Screen> = {}): { screen: Screen; text: () => string } => {
  let text = ''
  const out = (chunk: string): void => {
    text += chunk
  }
  return { screen: { out, err: out, isTTY: false, columns: () => 80, colour: false, ...more }, text: () => text }
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: the control character is what is looked for
const withoutColour = (text: string): string => text.replace(/\u001b\[[0-9;]*m/g, '')

describe('the picture', () => {
  test('shows phase, bar, percentage, time, detail and counts', () => {
    expect(picture(screenOf().screen, { event: EVENT, elapsed: 62_000 })).toEqual([
      `passive   ${'█'.repeat(11)}${'░'.repeat(19)}  37 %  1:02`,
      'tls: 214 of 331 cipher suites',
      'critical 0  high 1  medium 20  low 300  info 4000',
    ])
  })

  test.each([20, 40, 63, 64, 65, 80, 200])('never wraps on %i columns, colours or not', (columns) => {
    const event = { ...EVENT, phase_detail: 'x'.repeat(500) }
    for (const colour of [true, false]) {
      const { screen } = screenOf({ columns: () => columns, colour })
      for (const line of picture(screen, { event, elapsed: 36_000_000 })) {
        expect([...withoutColour(line)].length).toBeLessThan(Math.max(columns, 21))
      }
    }
  })
})

describe('drawing', () => {
  test('on a terminal: over the picture before', () => {
    const { screen, text } = screenOf({ isTTY: true })
    const drawing = draw(screen, () => 0)
    drawing.show(EVENT)
    drawing.show({ ...EVENT, progress: 38 })
    drawing.end()
    expect(text().split('\u001b[3A')).toHaveLength(2)
    expect(text()).toContain(' 38 %')
  })

  test('elsewhere: a line for each phase at once, within a phase one a second at most', () => {
    let now = 0
    const { screen, text } = screenOf()
    const drawing = draw(screen, () => now)
    const at = (milliseconds: number, event: Partial<ProgressEvent>): void => {
      now = milliseconds
      drawing.show({ ...EVENT, ...event })
    }
    at(0, {})
    at(10, { progress: 38 })
    at(20, { phase: 'judge', progress: 90 })
    at(500, { phase: 'judge', progress: 91 })
    at(1_100, { phase: 'judge', progress: 92 })
    at(5_000, { phase: 'judge', progress: 92 })
    at(11_200, { phase: 'judge', progress: 92 })
    drawing.end()
    const seen = text().match(/\d+ %/g)
    expect(seen).toEqual(['37 %', '90 %', '92 %', '92 %'])
  })
})

describe('text on the screen', () => {
  test.each([
    ['a terminal escape', 'a\u001b[31mb', 'a\ufffd[31mb'],
    ['a right-to-left override', 'a\u202eb', 'a\ufffdb'],
    ['a line break', 'a\r\nb', 'a  b'],
    ['a line separator', 'a\u2028b', 'a b'],
    ['a bell and a NUL', '\u0007\u0000', '\ufffd\ufffd'],
    ['the C1 form of an escape', '\u009b31m', '\ufffd31m'],
    ['a lone surrogate', '\ud800', '\ufffd'],
    ['other scripts', 'äß漢字🦉', 'äß漢字🦉'],
  ])('%s', (_trick, text, expected) => {
    expect(clean(text)).toBe(expected)
  })

  test.each([
    ['short', 'abc', 5, 'abc'],
    ['exact', 'abcde', 5, 'abcde'],
    ['long', 'abcdef', 5, 'abcd…'],
    ['emoji are not halved', '🦉🦉🦉', 2, '🦉…'],
  ])('cut: %s', (_trick, text, length, expected) => {
    expect(cut(text, length)).toBe(expected)
  })

  test('wrap keeps words whole and never loses one', () => {
    const text = 'the quick brown fox jumps over an extraordinarily-long-word-that-does-not-fit and goes on'
    const wrapped = wrap(text, 30, '  ')
    expect(
      wrapped
        .split('\n')
        .map((line) => line.trim())
        .join(' ')
        .trim(),
    ).toBe(text)
  })

  test('a table aligns and is harmless', () => {
    expect(
      table(
        ['A', 'B'],
        [
          ['xx', '1\n2'],
          ['y', ''],
        ],
      ),
    ).toBe('A   B\nxx  1 2\ny\n')
  })

  test.each([
    [0, '0:00'],
    [59_999, '0:59'],
    [3_600_000, '1:00:00'],
    [-5, '0:00'],
  ])('%i ms is %s', (milliseconds, expected) => {
    expect(elapsed(milliseconds)).toBe(expected)
  })
})
