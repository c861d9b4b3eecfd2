import { createHash } from 'node:crypto'
import { type DefaultTreeAdapterTypes as Dom, parse } from 'parse5'
import { describe, expect, test } from 'vitest'
import fc from '../../../tests/support/properties.ts'
import type { FindingsFile } from '../../contract/findings-file.ts'
import type { LogoFile } from '../logo.ts'
import { HOSTILE } from '../testing/hostile.ts'
import { ownTexts, sampleFile } from '../testing/sample.ts'
import { html, link, marked, prose } from './markup.ts'
import { renderHtml } from './page.ts'

type Element = Dom.Element

const elements = (page: string): Element[] => {
  const found: Element[] = []
  const walk = (node: Dom.Node): void => {
    if ('tagName' in node) found.push(node)
    for (const child of 'childNodes' in node ? node.childNodes : []) walk(child)
  }
  walk(parse(page))
  return found
}
const attribute = (element: Element, name: string): string | undefined =>
  element.attrs.find((each) => each.name === name)?.value
const textOf = (node: Dom.Node): string =>
  'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''
const bodyText = (page: string): string => {
  const body = elements(page).find(({ tagName }) => tagName === 'body')
  return body ? textOf(body) : ''
}

/** The texts in every place that a scanned site can fill. */
const filled = (texts: readonly string[]): FindingsFile => {
  const file = sampleFile({ findings: texts.length })
  return {
    ...file,
    target: { ...file.target, addresses: [...texts] },
    grade: { ...file.grade, caps: [...texts] },
    findings: file.findings.map((finding, index) => {
      const text = texts[index] ?? ''
      return {
        ...finding,
        title: text,
        detail: text,
        description: text,
        remediation: `\`\`\`\n${text}\n\`\`\`\n\n${text}`,
        location: { url: text, method: 'GET', parameter: text },
        references: [`https://example.org/${encodeURI(text.toWellFormed())}`, 'javascript:alert(1)'],
        proof: { excerpt: text.slice(0, 8000), mark: text.slice(1, 5), replay: text.slice(0, 8000) },
      }
    }),
    coverage: file.coverage.map((entry, index) => ({ ...entry, reason: texts[index % texts.length] ?? null })),
    tables: [{ id: 'x', module: 'x', title: 'Hostile', columns: ['a', 'b'], rows: texts.map((text) => [text, text]) }],
  }
}

const TAGS = new Set(
  `a article b body br caption code dd details div dl dt footer h1 h2 h3 h4 h5 h6 head header hr html i img li main mark meta nav ol p pre
  section small span style summary table tbody td th thead title tr ul svg rect text circle path`.split(/\s+/),
)
const ADDRESSES = /^(?:#[\w-]+|https?:\/\/.+)$/

/** Whatever a site wrote: nothing acts, nothing is fetched, nothing hides. */
const assertHarmless = (page: string): void => {
  const all = elements(page)
  expect(all.map(({ tagName }) => tagName).filter((name) => !TAGS.has(name))).toEqual([])
  for (const element of all) {
    for (const { name, value } of element.attrs) {
      expect(name, name).not.toMatch(/^on|^style$|^srcset$|^action$|^formaction$|^ping$/)
      if (name === 'href') expect(value).toMatch(ADDRESSES)
      if (name === 'src') expect(value).toMatch(/^data:image\/png;base64,/)
      if (name === 'http-equiv') expect(value).toBe('Content-Security-Policy')
    }
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(page).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/)
  expect(page.isWellFormed()).toBe(true)
}

describe('the page', () => {
  const file = sampleFile({ findings: 25 })
  const page = renderHtml(file, { organisation: 'Tee & Söhne' })

  test('shows every finding with its place and evidence, the grade, and what nobody looked at', () => {
    const text = bodyText(page)
    for (const { title, detail, proof } of file.findings) {
      expect(text).toContain(title)
      expect(text).toContain(detail.split('`')[0])
      expect(text).toContain(proof?.mark ?? '')
    }
    for (const { reason, state } of file.coverage) if (state === 'blocked') expect(text).toContain(reason ?? '')
    expect(text).toContain('Tee & Söhne')
    expect(text).toContain('12 of 100 points')
    expect(text).toContain('5 checks could not look.')
    const ids = elements(page).flatMap((each) => attribute(each, 'id') ?? [])
    for (const index of file.findings.keys()) expect(ids).toContain(`f${index + 1}`)
  })

  test('says what is the same of many findings once, and keeps each with its place', () => {
    const many = sampleFile({ findings: 120 })
    const drawn = renderHtml(many)
    const all = elements(drawn)
    const causes = new Set(many.findings.map(({ title }) => title))
    expect(all.filter(({ tagName }) => tagName === 'article')).toHaveLength(causes.size)
    const why = many.findings[0]?.description.split('`')[0]?.slice(0, 60) ?? ''
    expect(bodyText(drawn).split(why).length - 1).toBeLessThanOrEqual(2)
    const folded = all.filter(({ tagName }) => tagName === 'details')
    expect(folded).toHaveLength(causes.size)
    expect(textOf(folded[0] as Element)).toContain('6 findings of the same kind')
    assertHarmless(drawn)
  })

  test('the same result gives the same bytes', () => {
    const shuffled = { ...file, findings: file.findings.toReversed(), coverage: file.coverage.toReversed() }
    expect(renderHtml(shuffled, { organisation: 'Tee & Söhne' })).toBe(page)
  })

  test('its policy allows its own style and nothing else', () => {
    const all = elements(page)
    const policy = all.map((each) => attribute(each, 'content') ?? '').find((value) => value.startsWith('default-src'))
    const [style, ...others] = all.filter(({ tagName }) => tagName === 'style')
    if (!style) throw new Error('no style')
    const hash = createHash('sha256').update(textOf(style)).digest('base64')
    expect(others).toEqual([])
    expect(policy).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'`,
    )
    expect(textOf(style)).not.toMatch(/url\(|@import|@font-face/)
  })

  test('can be read without eyes: language, title, landmarks, headings in order, tables with heads, links that lead somewhere', () => {
    const all = elements(page)
    const named = (name: string) => all.filter(({ tagName }) => tagName === name)
    expect(attribute(named('html')[0] as Element, 'lang')).toBe('en-GB')
    expect(textOf(named('title')[0] as Element)).toBe('Security report: shop.test, 21 November 2026')
    for (const landmark of ['main', 'nav', 'footer']) expect(named(landmark), landmark).toHaveLength(1)
    const levels = all.flatMap(({ tagName }) => /^h([1-6])$/.exec(tagName)?.[1] ?? []).map(Number)
    expect(levels[0]).toBe(1)
    expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([])
    for (const cell of named('th')) expect(attribute(cell, 'scope')).toMatch(/^(?:col|row)$/)
    const ids = all.flatMap((each) => attribute(each, 'id') ?? [])
    expect(new Set(ids).size).toBe(ids.length)
    for (const anchor of named('a')) {
      const [, target] = /^#(.+)/.exec(attribute(anchor, 'href') ?? '') ?? []
      if (target !== undefined) expect(ids).toContain(target)
    }
    for (const each of all) {
      const by = attribute(each, 'aria-labelledby')
      if (by !== undefined) expect(ids).toContain(by)
    }
  })

  test('without findings it says what that means', () => {
    const empty = renderHtml(sampleFile({ findings: 0 }))
    expect(bodyText(empty)).toContain('No problem was found by the checks that could look.')
    assertHarmless(empty)
  })

  test('the mark, the logo and the words of the owners', () => {
    const logo: LogoFile = { extension: 'png', contentType: 'image/png', body: Buffer.from('\x89PNG') }
    const own = renderHtml(file, { watermark: 'FREE <PLAN>', logo, texts: { introduction: 'One <b>\n\nTwo & three' } })
    const text = bodyText(own)
    expect(text).toContain('FREE <PLAN>')
    expect(text).toContain('One <b>')
    const colours = { accent: '#8a1c5b', dark: '#101010' }
    const whole = renderHtml(file, { texts: ownTexts('Ours & <theirs>'), colours })
    expect(bodyText(whole).split('Ours & <theirs>').length - 1).toBe(7)
    expect(bodyText(whole)).toMatch(/Authorised by[\s\S]*Tested by[\s\S]*Scope of the test[\s\S]*26 November 2026/)
    expect(whole).toContain(':root{--accent:#8A1C5B;--navy:#101010;--ring:#2E2E2E}')
    assertHarmless(whole)
    expect(elements(own).find(({ tagName }) => tagName === 'img')?.attrs).toContainEqual({
      name: 'src',
      value: `data:image/png;base64,${logo.body.toString('base64')}`,
    })
    assertHarmless(own)
  })

  test('a logo as PDF leaves the product’s own mark', () => {
    const logo: LogoFile = { extension: 'pdf', contentType: 'application/pdf', body: Buffer.from('%PDF-1.7') }
    expect(renderHtml(file, { logo })).not.toContain('<img')
  })
})

describe('hostile text', { timeout: 60_000 }, () => {
  test.each(HOSTILE)('%s', (_, text) => {
    const page = renderHtml(filled([text]), { organisation: text, watermark: text, texts: ownTexts(text) })
    assertHarmless(page)
  })

  test('all of it at once', () => {
    assertHarmless(renderHtml(filled(HOSTILE.map(([, text]) => text))))
  })

  test('what changes the direction or is invisible shows as a sign', () => {
    expect(html`${'invoice\u202egpj.exe'}`.text).toBe('invoice<span class="sign">U+202E</span>gpj.exe')
    expect(html`${'\u200b'.repeat(500)}`.text).toBe('<span class="sign">U+200B ×500</span>')
    expect(html`${'👩‍👩‍👧'}`.text).toBe('👩‍👩‍👧')
    expect(html`${'pay\u200dpal'}`.text).toContain('U+200D')
    expect(html`${`Z${'\u0351'.repeat(300)}`}`.text.length).toBeLessThan(100)
  })

  test('in an attribute a text ends nothing', () => {
    const tricky = '" onload="x" data-a=\'><script>'
    const [element] = elements(html`<p title="${tricky}" id="a-${tricky}">x</p>`.text).filter(
      ({ tagName }) => tagName === 'p',
    )
    expect(element?.attrs).toEqual([
      { name: 'title', value: tricky },
      { name: 'id', value: `a-${tricky}` },
    ])
  })

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'vbscript:x',
    '//evil.test',
    ' java\nscript:x',
  ])('no link to %s', (address) => {
    expect(link(address, 'name').text).toBe('name')
  })

  test('what is drawn is what was given', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 200 }), (text) => {
        const drawn = (page: string) => bodyText(`<pre>x${page}</pre>`).slice(1)
        expect(drawn(html`${text}`.text)).toBe(text)
        expect(bodyText(marked(text).text).replaceAll('`', '').trim()).toBe(text.replaceAll('`', '').trim())
        assertHarmless(`<body>${prose(text).text}`)
      }),
    )
  })

  test('4,000 findings: the gravest in full, the others in the overview, and the file stays small', () => {
    const page = renderHtml(sampleFile({ findings: 4000 }))
    expect(page.length).toBeLessThan(8 * 1024 ** 2)
    expect(bodyText(page)).toContain('The first 500 findings are described below')
  })
})
