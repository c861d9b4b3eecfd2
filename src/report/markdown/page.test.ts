import { describe, expect, test } from 'vitest'
import fc from '../../../tests/support/properties.ts'
import type { FindingsFile } from '../../contract/findings-file.ts'
import { renderHtml } from '../html/page.ts'
import { HOSTILE } from '../testing/hostile.ts'
import { type Scanned, scanMarkdown } from '../testing/markdown-scan.ts'
import { ownTexts, sampleFile } from '../testing/sample.ts'
import { blocks, code, codeBlock, link, list, marked, md, prose } from './markup.ts'
import { renderMarkdown } from './page.ts'

const ALL = ['method', 'findings', 'tables', 'checks'] as const

/** The texts in every place that a scanned site can fill, and in those of the owners. */
const filled = (text: string): string => {
  const file = sampleFile({ findings: 6 })
  const findings = file.findings.map((finding) => ({
    ...finding,
    ...{ title: text, detail: text, description: text, remediation: `\`\`\`\n${text}\n\`\`\`\n\n${text}` },
    location: { url: text, method: 'GET', parameter: text },
    places: [{ url: text }, { url: `${text}2` }],
    references: [`https://example.org/${encodeURI(text.toWellFormed())}`, 'javascript:alert(1)'],
    proof: { excerpt: text.slice(0, 8000), mark: text.slice(1, 5), replay: text.slice(0, 8000) },
  }))
  const hostile: FindingsFile = {
    ...file,
    findings,
    target: { ...file.target, url: null, addresses: [text] },
    grade: { ...file.grade, caps: [text] },
    coverage: file.coverage.map((entry) => ({ ...entry, reason: text })),
    resolved: file.resolved.map((entry) => ({ ...entry, title: text, location: { url: text } })),
    tables: [{ id: 'x', module: 'x', title: text, columns: ['a', 'b'], rows: [[text, text]] }],
  }
  return renderMarkdown(hostile, { organisation: text, watermark: text, texts: ownTexts(text), sections: ALL })
}

/** Of words alone: what a text that is no markup leaves. */
const plain = scanMarkdown(filled('words'))
/** Texts with several paragraphs or listings have more of these. */
const structure = ({ blocks: all }: Scanned): string[] => all.filter((kind) => kind !== 'p' && kind !== 'fence')

const assertHarmless = (text: string): void => {
  const scanned = scanMarkdown(text)
  expect(structure(scanned)).toEqual(structure(plain))
  expect(scanned.signs.filter((sign) => !['**', '[', ']'].includes(sign))).toEqual([])
  expect(scanned.links.filter((target) => !/^https:\/\/(?:cwe\.mitre|example)\.org\//.test(target))).toEqual([])
  // Programs make links and mentions of these by themselves.
  const theirs = scanned.words.replaceAll('in findings.json', '')
  expect(theirs.match(/(?::\/\/|\bwww\.|@|[\p{L}\p{N}]\.\p{L}{2,}).{0,20}/gu)).toBeNull()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(text).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/)
  expect(text.isWellFormed()).toBe(true)
}

const TRICKS: readonly (readonly [string, string])[] = [
  [
    'addresses that become links',
    'https://evil.test/x www.evil.test a@evil.test evil.test <https://evil.test> HTTP://EVIL.TEST',
  ],
  ['links, images, definitions', '[x](https://evil.test) ![i](https://evil.test/i.png) [r]\n\n[r]: https://evil.test'],
  ['code marks of every length', 'a`b`c ``x`y`` ` `https://evil.test` \\`[x](http://evil.test)` x@y.zz`b`'],
  [
    'blocks',
    '# h\n\n- l\n\n1. x\n\n> q\n\n---\n\n    code\n\n<b>x</b>\n\n| a |\n|---|\n| x |\n\n~~~\nq\n~~~\n\n+ x\n\n1) y',
  ],
  ['bars and backslashes', 'a|b `c|d\\|[x](http://evil.test)` \\|[x](http://evil.test) x\\@y.zz|'],
  ['tags and entities', '<img src=x onerror=alert(1)> <!-- --> <?x?> <![CDATA[ ]]> &lt;b&gt; &#60;b&#62;'],
  ['mentions, footnotes, formulas', '@somebody #12 [^1] $x$ $$y$$ :smile: ~~x~~ ==m== {{7*7}}'],
  ['the end of a listing', '```\n[x](http://evil.test)\n````\n~~~\n'],
  ...['- x', '1. x', '=== ', '# x', '    x', '***', '```', '~~~', '> x', '+ x'].map(
    (text) => [`begins with ${text}`, text] as const,
  ),
]

describe('hostile text makes no markup, no link and no picture', { timeout: 60_000 }, () => {
  test.each([...HOSTILE.filter(([, text]) => text.trim() !== ''), ...TRICKS])('%s', (_, text) => {
    assertHarmless(filled(text))
  })

  test('whatever it is made of, wherever it stands', () => {
    const sign = fc.constantFrom(
      ...[
        '`',
        '``',
        '```',
        '\\',
        '|',
        '[x](http://e.ee)',
        '![',
        '](',
        ']',
        '<b>',
        '<',
        '>',
        'www.e.ee',
        'a@b.cc',
        'e.com',
      ],
      ...[
        ' ',
        '\n',
        '\n\n',
        '- ',
        '1. ',
        '# ',
        '*',
        '**',
        '_',
        '~~',
        '&lt;',
        'a',
        '\u200b',
        '\u202e',
        '.',
        ':',
        '=',
        '$',
        '<!--',
      ],
    )
    const text = fc.array(sign, { minLength: 1, maxLength: 14 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, text, text, (a, b, c) => {
        const items = list([md`${a}: ${b}`, marked(c), md`x ${code(a)}, ${code(b)}${c}`])
        const page = blocks([
          md`# ${a}`,
          md`${b}`,
          md`**${a}** (${b}): ${marked(c)}`,
          items,
          ...prose(c),
          codeBlock(a),
          md`end`,
        ])
        const scanned = scanMarkdown(page.text)
        expect(structure(scanned)).toEqual(['#', '-', '-', '-'])
        expect(scanned.signs).toEqual(['**', '**'])
        expect(scanned.links).toEqual([])
        expect(scanned.words.match(/.{0,20}(?::\/\/|www\.|@).{0,20}/g)).toBeNull()
      }),
      { numRuns: 2000 },
    )
  })

  test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', '//evil.test', ' java\nscript:x'])(
    'no link to %s',
    (address) => {
      expect(link(address, 'name').text).toBe('name')
    },
  )

  test('the address of a link ends where it should', () => {
    expect(link('https://example.org/a?b=\\>c <d', 'x').text).toMatch(/^\[x\]\(<https:\/\/example\.org\/[^<>\\\s]*>\)$/)
  })
})

describe('the file', () => {
  const file = { ...sampleFile({ findings: 25 }), version: 2 }
  const text = renderMarkdown(file, { organisation: 'Tee & Söhne', signer: 'ab'.repeat(32), sections: ALL })

  test('has every finding once, each cause under one heading, in the order of the report', () => {
    const numbers = [...text.matchAll(/^\*\*Finding (\d+)\*\*/gm)].map(([, number]) => Number(number))
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 25 }, (_, index) => index + 1))
    const causes = [...text.matchAll(/^#### (\d+) /gm)].map(([, number]) => Number(number))
    expect(causes).toEqual(causes.toSorted((a, b) => a - b))
    expect(causes.length).toBeLessThan(25)
  })

  test('has the parts of the page in the same order', () => {
    const heads = [...text.matchAll(/^##+ (.+)$/gm)].map(([, name = '']) => name)
    const page = [
      ...renderHtml(file, { sections: ALL }).matchAll(/<h2[^>]*>(?:<span class="number">([^<]*)<\/span>)?([^<]+)/g),
    ]
      .map(([, number = '', name = '']) => `${number} ${name}`.trim())
      .filter((name) => name !== 'Contents')
    expect(heads.filter((name) => page.includes(name))).toEqual(page)
    expect(heads).toContain('Remediation plan')
    expect(heads).toContain('What could not be looked at')
  })

  test('says what it is a version of, who signed it and how that is checked', () => {
    expect(text).toContain(`Run: ${file.run.id}, version 2`)
    expect(text).toContain(`Signed by: ${'ab'.repeat(32)}`)
    expect(text).toContain('sonde verify')
    expect(renderMarkdown(file)).not.toContain('Signed by')
  })

  test('the same result gives the same bytes', () => {
    const shuffled = { ...file, findings: file.findings.toReversed(), coverage: file.coverage.toReversed() }
    expect(renderMarkdown(shuffled)).toBe(renderMarkdown(file))
  })

  test('without findings it says what that means, and 4,000 stay a small file', () => {
    expect(renderMarkdown(sampleFile({ findings: 0 }))).toContain('The checks that could look found no problem.')
    expect(renderMarkdown(sampleFile({ findings: 4000 })).length).toBeLessThan(8 * 1024 ** 2)
  })
})
