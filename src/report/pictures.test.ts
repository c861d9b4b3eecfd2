import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { renderHtml } from './html/page.ts'
import { renderMarkdown } from './markdown/page.ts'
import { compilePdf } from './pdf/compile.ts'
import { renderTex } from './pdf/layout.ts'
import { drawable, MAX_PICTURES, picturesByFinding } from './pictures.ts'
import { samplePictures, samplePng } from './testing/picture.ts'
import { sampleFile } from './testing/sample.ts'

const run = promisify(execFile)
const body = samplePng(40, 30)

describe('what may be drawn', () => {
  test.each([
    ['a plain name', 'xss-executed-123456.png', body, true],
    ['several dots', 'privacy-a.b.png', body, true],
    ['no PNG by its name', 'privacy-a.txt', body, false],
    ['no PNG by its bytes', 'a.png', Buffer.from('<svg>'), false],
    ['cut off', 'a.png', body.subarray(0, 60), false],
    ['larger than any window', 'a.png', samplePng(4001, 1), false],
    ['a way out of the folder', '../a.png', body, false],
    ['a command of TeX', 'a\\input{b}.png', body, false],
    ['hidden', '.a.png', body, false],
    ['the logo', 'logo.png', body, false],
    ['longer than a file name', `${'a'.repeat(300)}.png`, body, false],
  ])('%s: %s', (_, name, bytes, drawn) => {
    expect(drawable([{ id: '1', name, body: bytes }])).toHaveLength(drawn ? 1 : 0)
  })

  test('a name once', () => {
    const pictures = ['1', '2'].map((id) => ({ id, name: 'a.png', body }))
    expect(drawable(pictures).map(({ id }) => id)).toEqual(['1'])
  })

  test('each stands at the first finding that it belongs to, so many at one', () => {
    const pictures = ['a', 'b', 'c', 'd'].map((id) => ({ id, name: `${id}.png`, body }))
    const shown = picturesByFinding(
      [
        { id: '1', evidence: ['x', 'a', 'b', 'c'] },
        { id: '2', evidence: ['a', 'c', 'd'] },
        { id: '3', evidence: ['b'] },
      ],
      pictures,
    )
    expect([...shown].map(([id, list]) => [id, list.map((one) => one.id)])).toEqual([
      ['1', ['a', 'b']],
      ['2', ['c', 'd']],
      ['3', []],
    ])
    expect(MAX_PICTURES).toBe(2)
  })
})

describe('a report with pictures', { timeout: 120_000 }, () => {
  const file = sampleFile({ findings: 12 })
  const pictures = samplePictures(file.findings, 3)

  test('the page has each once, described, and its text names it', () => {
    const page = renderHtml(file, { pictures })
    for (const { name, body: png } of pictures) {
      expect(page.split(png.toString('base64'))).toHaveLength(pictures.length + 1)
      expect(page.split(`What the browser showed: ${name}`)).toHaveLength(2)
    }
    expect(page.match(/<img alt="Picture of a page of the site"/g)).toHaveLength(pictures.length)
    expect(renderHtml(file)).not.toContain('<figure')
  })

  test('Markdown names them', () => {
    const text = renderMarkdown(file, { pictures, language: 'de' })
    for (const { name } of pictures) expect(text).toContain(`Was der Browser zeigte, in \`evidence.zip\`: \`${name}\``)
  })

  test('the PDF draws them within its margins', async () => {
    const { pdf } = await compilePdf(renderTex(file, { pictures }), { pictures, seconds: 100 })
    const folder = await mkdtemp(join(tmpdir(), 'sonde-pictures-test-'))
    try {
      const path = join(folder, 'report.pdf')
      await writeFile(path, pdf)
      const { stdout: images } = await run('pdfimages', ['-list', path], { timeout: 20_000 })
      const widths = images.split('\n').flatMap((line) => /^\s*\d+\s+\d+\s+image\s+(\d+)/.exec(line)?.[1] ?? [])
      // Three of the same bytes are one object or three.
      expect(widths.filter((width) => width === '1280').length).toBeGreaterThan(0)
      const { stdout: text } = await run('pdftotext', ['-layout', path, '-'], { timeout: 20_000 })
      for (const { name } of pictures) expect(text.replaceAll(/\s+/g, ' ')).toContain(name)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
