import { describe, expect, test } from 'vitest'
import fc from '../../../tests/support/properties.ts'
import { anyText, readableText } from '../../../tests/support/texts.ts'
import { HOSTILE } from '../testing/hostile.ts'
import { texAddress, texMarked, texPlain, texText } from './escape.ts'
import { texListing } from './listing.ts'

/** Everything an escaped text may consist of. A character that TeX gives a meaning to stands in none of it alone. */
const HARMLESS =
  /^(?:\\(?:textbackslash|textasciicircum|textasciitilde|brk)\{\}|\\[{}$&#%_ ]|\\(?:in[a-z]+|sign|omitted|code|marked)\{|\}|[^\\{}$&#%_^\p{Cc}])*$/u

const depthOf = (tex: string): number => {
  let depth = 0
  for (const [brace] of tex.replaceAll(/\\[{}]/g, '').matchAll(/[{}]/g)) {
    depth += brace === '{' ? 1 : -1
    if (depth < 0) return -1
  }
  return depth
}

const anything = fc.oneof(
  anyText({ maxLength: 300 }),
  readableText({ maxLength: 100 }),
  fc
    .array(
      fc.constantFrom(
        ...'\\{}$&#%_^~`"\n\t\r\0 ab',
        '^^5c',
        '\\input',
        '\u202e',
        '\u0301',
        '\ud800',
        'ع',
        'א',
        '漢',
        '👍',
      ),
    )
    .map((parts) => parts.join('')),
)

describe('texText', () => {
  test.each([
    ['a command', '\\input{x}', '\\textbackslash{}input\\{x\\}'],
    ['percent', '100 % sure', '100 \\% sure'],
    ['superscript notation', '^^5c', '\\textasciicircum{}\\textasciicircum{}5c'],
    ['specials', '$&#_~', '\\$\\&\\#\\_\\textasciitilde{}'],
    ['line ends and spaces', ' a \n\t b ', 'a b'],
    ['umlauts stay', 'Söhne', 'Söhne'],
    ['two hyphens stay two', '--', '--'],
    ['right-to-left override shows', 'a\u202eb', 'a\\brk{}\\sign{U+202E}\\brk{}b'],
    ['NUL shows', 'a\0', 'a\\brk{}\\sign{U+0000}'],
    ['a flood of one invisible character', '\u200b'.repeat(500), '\\sign{U+200B x 500}'],
    ['a lone surrogate', '\ud800', '\ufffd'],
    ['Hebrew words keep their order', 'אב גד', '\\inhebrew{אב גד}'],
    ['Latin after Hebrew', 'אב x', '\\inhebrew{אב} x'],
    ['a mark without a letter', '\u0301', '◌\u0301'],
    ['emoji with skin and joiner', '👍🏽', '\\insymbols{👍🏽}'],
  ])('%s', (_, text, tex) => {
    expect(texText(text).replaceAll('\\brk{}', '')).toBe(tex.replaceAll('\\brk{}', ''))
  })

  test('stacked marks end after three', () => {
    expect(texText(`Z${'\u0301'.repeat(100)}`)).toBe('Z\u0301\u0301\u0301\\sign{more marks}')
  })

  test('a word of 10,000 letters can break everywhere', () => {
    const longest = Math.max(
      ...texText('a'.repeat(10_000), { max: 10_000 })
        .split('\\brk{}')
        .map((part) => part.length),
    )
    expect(longest).toBeLessThanOrEqual(12)
  })

  test('what is too long is cut between characters and says so', () => {
    expect(texText(`${'a'.repeat(9)}👍👍`, { max: 10 })).toBe('aaaaaaaaa\\omitted{4}')
  })

  test('any text is harmless and balanced', () => {
    fc.assert(
      fc.property(anything, fc.constantFrom('sans' as const, 'mono' as const), (text, face) => {
        const tex = texText(text, { face })
        expect(tex).toMatch(HARMLESS)
        expect(depthOf(tex)).toBe(0)
      }),
      { numRuns: 2000 },
    )
  })

  test.each(HOSTILE)('%s is harmless', (_, text) => {
    for (const tex of [texText(text), texText(text, { face: 'mono' }), texMarked(text)]) {
      expect(tex).toMatch(HARMLESS)
      expect(depthOf(tex)).toBe(0)
    }
  })
})

describe('texMarked', () => {
  test('code between backticks, with the spaces around it', () => {
    expect(texMarked('Send `a_b` now')).toBe('Send \\code{a\\_b} now')
  })
  test('a lone backtick is a backtick', () => {
    expect(texMarked('it`s')).toBe('it`s')
  })
})

describe('texListing', () => {
  const rows = (tex: string): string[] => tex.split('\n').slice(1, -1)

  test('marks the decisive part and nothing else', () => {
    expect(rows(texListing({ excerpt: 'a: 1\nb: {2}', mark: '{2}' }))).toEqual([
      '\\codeline{a:\\ 1}',
      '\\codeline{b:\\ \\marked{\\{2\\}}}',
    ])
  })
  test('a mark over a line end is marked on both lines', () => {
    expect(rows(texListing({ excerpt: 'ab\ncd', mark: 'b\nc' }))).toEqual([
      '\\codeline{a\\marked{b}}',
      '\\codeline{\\marked{c}d}',
    ])
  })
  test('a long line is wrapped', () => {
    const [first = '', second = ''] = rows(texListing({ excerpt: 'x'.repeat(150), mark: null }))
    expect(first).toBe(`\\codeline{${'x'.repeat(94)}}`)
    expect(second).toBe(`\\codemore{${'x'.repeat(56)}}`)
  })
  test('the marked line is shown even at the end of a long text', () => {
    const excerpt = `${'line\n'.repeat(200)}HERE`
    const shown = rows(texListing({ excerpt, mark: 'HERE' }))
    expect(shown).toContain('\\codeline{\\marked{HERE}}')
    expect(shown[0]).toBe('\\codenote{198 lines before}')
    expect(shown).toHaveLength(4)
  })
  test('two lines around the marked one, the rest is counted', () => {
    const excerpt = `${'line\n'.repeat(10)}HERE\n${'line\n'.repeat(10)}`
    expect(rows(texListing({ excerpt, mark: 'HERE' }))).toEqual([
      '\\codenote{8 lines before}',
      ...Array.from({ length: 2 }, () => '\\codeline{line}'),
      '\\codeline{\\marked{HERE}}',
      ...Array.from({ length: 2 }, () => '\\codeline{line}'),
      '\\codenote{8 more lines in findings.json}',
    ])
  })
  test('a single line is never left out', () => {
    expect(rows(texListing({ excerpt: 'a\nb\nc', mark: null }, { lines: 2 }))).toHaveLength(3)
    expect(rows(texListing({ excerpt: 'a\nb\nc\nd', mark: null }, { lines: 2 }))).toHaveLength(3)
  })
  test('the command stands last, with its sign', () => {
    expect(rows(texListing({ excerpt: 'a', mark: null }, { replay: 'curl x' }))).toEqual([
      '\\codeline{a}',
      '\\codeline{\\prompt{}curl\\ x}',
    ])
  })
  test('a long command stands there as it is', () => {
    const replay = `curl ${'https://shop.test/a '.repeat(200)}`
    const shown = rows(texListing({ excerpt: 'a', mark: null }, { replay }))
    expect(shown.length).toBeGreaterThan(40)
    expect(shown.join()).not.toContain('more line')
  })

  test.each(['Open this address:', 'https://shop.test/'])('%s is no command, and has none', (replay) => {
    expect(rows(texListing({ excerpt: 'a', mark: null }, { replay })).join()).not.toContain('prompt')
  })
  test('nothing gives nothing', () => {
    expect(texListing({ excerpt: ' \n', mark: null })).toBe('')
  })
  test('any text is harmless and balanced', () => {
    fc.assert(
      fc.property(anything, fc.string({ maxLength: 4 }), (excerpt, mark) => {
        for (const row of rows(texListing({ excerpt, mark }))) {
          const content = /^\\code(?:line|more|note)\{(.*)\}$/su.exec(row)?.[1]
          expect(content).toMatch(HARMLESS)
          expect(depthOf(content ?? '}')).toBe(0)
        }
      }),
      { numRuns: 1000 },
    )
  })
})

describe('texAddress', () => {
  test.each([
    ['plain', 'https://example.org/a', 'https://example.org/a'],
    ['specials', 'https://example.org/a_b?c=1&d=%20#e', 'https://example.org/a\\_b?c=1\\&d=\\%20\\#e'],
    ['braces and backslash', 'https://example.org/?q={\\x}', 'https://example.org/?q=\\%7B\\%5Cx\\%7D'],
  ])('%s', (_, address, tex) => {
    expect(texAddress(address)).toBe(tex)
  })
  test.each(['javascript:alert(1)', 'file:///etc/passwd', 'no address', 'ftp://example.org/'])(
    'no link for %s',
    (address) => {
      expect(texAddress(address)).toBeNull()
    },
  )
})

test('texPlain drops what no bookmark can show', () => {
  expect(texPlain('a\u202e{b}\n\\c\0')).toBe('a\\{b\\} \\textbackslash{}c')
})
