import { describe, expect, test } from 'vitest'
import { GLOSSARY } from './glossary.ts'
import { renderHtml } from './html/page.ts'
import { renderMarkdown } from './markdown/page.ts'
import { renderTex } from './pdf/layout.ts'
import { sampleFile } from './testing/sample.ts'
import { DE, NOUNS_DE, TABLE_DE } from './words/de.ts'
import { wordsOf } from './words/words.ts'

/** Without what the scan saw and the texts of findings: those are not the report's own. */
const bare = (findings: number) => {
  const file = sampleFile({ findings })
  const mute = <One extends { title: string }>(one: One): One => ({ ...one, title: 'X' })
  return {
    ...file,
    findings: file.findings.map((one) => ({
      ...mute(one),
      detail: 'X',
      description: 'X',
      remediation: 'X',
      proof: null,
      shift: null,
    })),
    coverage: file.coverage.map((line) => ({ ...mute(line), reason: line.reason && 'X' })),
    resolved: file.resolved.map(mute),
    tables: [],
    ...(file.reach && { reach: { ...file.reach, reasons: [] } }),
    grade: { ...file.grade, caps: [], parts: [] },
  }
}

const EXTRAS = { language: 'de', organisation: 'Acme', sections: ['method', 'findings', 'tables', 'checks'] } as const

const GERMAN = [...Object.values(DE), ...TABLE_DE.flat()].join('\n')

/** English words of the report that no German one is made of; as a whole word or sentence, without values. */
const ENGLISH = Object.entries(DE)
  .filter(([english, german]) => english !== german)
  .flatMap(([english]) => english.split(/\{\d\}/).map((piece) => piece.trim()))
  .filter((piece) => /[a-z]{4}/i.test(piece) && !GERMAN.includes(piece))

/** What a reader sees: without tags, and without the names of colours, marks and files. */
const SHOWN = {
  HTML: (text: string) => text.replace(/<style>.*?<\/style>|<[^>]*>/gs, ' '),
  Markdown: (text: string) => text,
  TeX: (text: string) => text.slice(text.indexOf('\\begin{document}')).replace(/[{[][a-z-]+[}\]](?:\{[a-z]+\})?/g, ' '),
}

describe.each([0, 12])('a German report of %i findings', (count) => {
  test.each([
    ['HTML', renderHtml],
    ['Markdown', renderMarkdown],
    ['TeX', renderTex],
  ] as const)('%s has no English word of ours', (name, render) => {
    const text = render(bare(count), EXTRAS)
    const body = SHOWN[name](text).replaceAll('shop.test', '')
    const said = ENGLISH.filter((piece) =>
      new RegExp(`(?<![\\p{L}/-])${RegExp.escape(piece)}(?![\\p{L}-])`, 'u').test(body),
    )
    expect(said).toEqual([])
    expect(text).toContain(DE['Management summary'])
  })
})

test('a German report says its language, and writes numbers and dates so', () => {
  const file = sampleFile()
  expect(renderHtml(file, EXTRAS)).toContain('<html lang="de-DE">')
  expect(renderTex(file, EXTRAS)).toMatch(/pdflang=\{de-DE\}[\s\S]*l@ngerman/)
  expect(renderMarkdown(file, EXTRAS)).toMatch(/21\\?\. November 2026[\s\S]*2\.417 Anfragen/)
})

test('every word has its value in German, and the glossary every entry', () => {
  const values = (text: string): readonly string[] => [...text.matchAll(/\{\d\}/g)].map(([value]) => value).toSorted()
  expect(Object.entries(DE).filter(([english, german]) => `${values(english)}` !== `${values(german)}`)).toEqual([])
  expect(TABLE_DE).toHaveLength(GLOSSARY.length)
  expect(Object.keys(NOUNS_DE).map((noun) => wordsOf('de').many(1, noun as keyof typeof NOUNS_DE))).not.toContain(
    '1 check',
  )
})
