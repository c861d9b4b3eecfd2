import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { USUAL_SECTIONS } from '../contract/report.ts'
import { PrintFailed } from '../engine/browser/print.ts'
import { NotInstalled } from '../engine/browser/programs.ts'
import { countPages } from '../report/pdf/inspect.ts'
import { sampleFile } from '../report/testing/sample.ts'
import { type ReportLog, ReportUnavailable, type ReportWriter } from '../worker/report-writer.ts'
import { createReportWriter, type Printer } from './report-writer.ts'

const run = promisify(execFile)
const extras = {
  organisation: 'Tee & Söhne',
  logo: null,
  watermark: true,
  texts: { introduction: 'Read this first.' },
  colours: {},
  sections: USUAL_SECTIONS,
  language: 'en' as const,
  signer: 'ab'.repeat(32),
  pictures: [],
}
const file = sampleFile({ findings: 12 })
const NO_TEX = { path: '/nonexistent' }
const silent: ReportLog = { info: () => undefined, warn: () => undefined }

const textOf = async (pdf: Buffer): Promise<{ text: string; pages: number; marked: number }> => {
  const folder = await mkdtemp(join(tmpdir(), 'sonde-writer-test-'))
  try {
    const path = join(folder, 'report.pdf')
    await writeFile(path, pdf)
    const { stdout } = await run('pdftotext', ['-layout', path, '-'], { timeout: 60_000 })
    const info = (await run('pdfinfo', [path], { timeout: 60_000 })).stdout
    // The letters of the slanted line come one by one.
    const raw = (await run('pdftotext', ['-raw', path, '-'], { timeout: 60_000 })).stdout
    const marked = raw.split('\f').filter((page) => page.replaceAll(/\s/g, '').includes('FREEPLAN')).length
    return { text: stdout.replaceAll(/\s+/g, ' '), pages: Number(/^Pages:\s+(\d+)/m.exec(info)?.[1]), marked }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** What a reader's program finds of headings, lists and tables. */
const structureOf = async (pdf: Buffer): Promise<{ tagged?: string; title?: string; elements: string[] }> => {
  const folder = await mkdtemp(join(tmpdir(), 'sonde-writer-test-'))
  try {
    const path = join(folder, 'report.pdf')
    await writeFile(path, pdf)
    const info = (await run('pdfinfo', [path], { timeout: 60_000 })).stdout
    const said = (name: string): string | undefined => new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(info)?.[1]
    const { stdout } = await run('pdfinfo', ['-struct', path], { timeout: 60_000, maxBuffer: 64 * 1024 ** 2 })
    const elements = [...new Set([...stdout.matchAll(/^ *([A-Z]\w*)/gm)].map(([, name = '']) => name))]
    return { ...{ tagged: said('Tagged'), title: said('Title') }, elements }
  } finally {
    await rm(folder, { recursive: true })
  }
}

const told = (said: string[]): ReportLog => ({
  info: (line) => void said.push(`info: ${line}`),
  warn: (line) => void said.push(`warn: ${line}`),
})

/** As the browser's maker ends where that is why. */
const without =
  (cause: Error): Printer =>
  () =>
    Promise.reject(new PrintFailed(cause.message, { cause }))

const failure = async (writer: ReportWriter, log = silent): Promise<ReportUnavailable> => {
  const { signal } = new AbortController()
  const error = await writer.pdf(file, extras, { signal, log }).then(
    () => 'a PDF',
    (reason: unknown) => reason,
  )
  if (error instanceof ReportUnavailable) return error
  throw new Error('It did not end as it should', { cause: error })
}

describe('who makes the PDF', { timeout: 180_000 }, () => {
  test('TeX, in German too, and its source comes with it', async () => {
    const said: string[] = []
    const { signal } = new AbortController()
    const german = { ...extras, language: 'de' } as const
    const made = await createReportWriter().pdf(file, german, { signal, log: told(said) })
    expect(said).toEqual([])
    expect(made.tex).toContain('\\begin{document}')
    const { text, pages } = await textOf(made.pdf)
    expect(pages).toBe(made.pages)
    for (const words of [
      'Read this first.',
      'Maßnahmenplan',
      'jQuery 1.12.4 hat bekannte Schwachstellen',
      `Seite ${pages} von ${pages}`,
    ])
      expect(text).toContain(words)
  })

  test('where TeX cannot run the browser, with the same findings and no source', async () => {
    const said: string[] = []
    const { signal } = new AbortController()
    const made = await createReportWriter(NO_TEX).pdf(file, extras, { signal, log: told(said) })
    // That TeX is not there is how the machine was set up.
    expect(said).toEqual([expect.stringMatching(/^info: .*the browser prints it: The PDF report needs xelatex/)])
    expect(made.tex).toBeNull()
    const { text, pages, marked } = await textOf(made.pdf)
    expect(made.pages).toBe(pages)
    expect(countPages(made.pdf)).toBe(pages)
    for (const { title } of file.findings) expect(text).toContain(title)
    expect(marked).toBe(pages)
    expect(await structureOf(made.pdf)).toMatchObject({ tagged: 'yes', title: expect.stringMatching(/shop\.test/) })
    expect((await structureOf(made.pdf)).elements).toEqual(
      expect.arrayContaining(['H1', 'H2', 'H3', 'Table', 'TH', 'L']),
    )
    for (const words of ['Read this first.', 'Tee & Söhne', 'could not look', `Page ${pages} of ${pages}`]) {
      expect(text).toContain(words)
    }
  })

  test('where neither can: one sentence of each', async () => {
    const said: string[] = []
    const failed = await failure(createReportWriter(NO_TEX, without(new NotInstalled())), told(said))
    expect(failed).toMatchObject({ name: 'ReportUnavailable', notInstalled: true })
    expect(failed.message).toBe(
      'The PDF report needs xelatex, which is not installed. No Chromium is installed; see "sonde doctor".',
    )
    expect(said).toEqual([expect.stringMatching(/^info: /)])
  })

  test('what should have worked is a warning, and no report that nobody expected', async () => {
    const said: string[] = []
    const folder = await mkdtemp(join(tmpdir(), 'sonde-writer-test-'))
    await writeFile(join(folder, 'xelatex'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    const broken = createReportWriter({ path: `${folder}:${process.env.PATH}` }, without(new NotInstalled()))
    expect(await failure(broken, told(said))).toMatchObject({ notInstalled: false })
    await rm(folder, { recursive: true })
    expect(said).toEqual([expect.stringMatching(/^warn: TeX made no PDF/)])
    const crashed = await failure(createReportWriter(NO_TEX, without(new Error('it crashed'))))
    expect(crashed).toMatchObject({ notInstalled: false, message: expect.stringMatching(/ See "sonde doctor"\.$/) })
  })

  test('a cancel is no reason to try the next one', async () => {
    const stop = new AbortController()
    stop.abort(new Error('drained'))
    let printed = 0
    const writer = createReportWriter({}, async () => {
      printed += 1
      return Buffer.alloc(0)
    })
    await expect(writer.pdf(file, extras, { signal: stop.signal, log: silent })).rejects.toThrow()
    expect(printed).toBe(0)
  })
})

describe('pages of a print', () => {
  const object = (number: number, body: string) => `${number} 0 obj\n${body}\nendobj\n`
  const pdf = (count: string, more = ''): Buffer => {
    const objects = [object(1, '<</Type /Catalog\n/Pages 2 0 R>>'), object(2, `<</Type /Pages\n/Count ${count}>>`)]
    const head = `%PDF-1.4\n${more}`
    const starts = objects.map((_, index) => head.length + objects.slice(0, index).join('').length)
    const entries = ['0000000000 65535 f \n', ...starts.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`)].join(
      '',
    )
    const body = head + objects.join('')
    return Buffer.from(
      `${body}xref\n0 3\n${entries}trailer\n<</Size 3\n/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF\n`,
    )
  }
  test('are read along the way of a reader, whatever the text says', () => {
    expect(countPages(pdf('7'))).toBe(7)
    expect(countPages(pdf('7', '(/Type /Pages /Count 99)\n2 0 obj\n<</Count 98>>\nendobj\n'))).toBe(7)
  })
  test.each([
    ['nothing', Buffer.alloc(0)],
    ['no pages', pdf('0')],
    ['half of it', pdf('7').subarray(0, 80)],
    ['something else', Buffer.from('startxref\n0\n%%EOF')],
  ])('%s: unreadable', (_, bytes) => {
    expect(() => countPages(bytes)).toThrow(/cannot be read/)
  })
})
