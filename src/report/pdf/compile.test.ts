import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { constants, inflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import fc from '../../../tests/support/properties.ts'
import { anyText, readableText } from '../../../tests/support/texts.ts'
import type { FindingsFile } from '../../contract/findings-file.ts'
import { REPORT_SECTIONS } from '../../contract/report.ts'
import { prepareLogo } from '../logo.ts'
import { HOSTILE } from '../testing/hostile.ts'
import { ownTexts, sampleFile } from '../testing/sample.ts'
import { compilePdf } from './compile.ts'
import { renderTex } from './layout.ts'

const run = promisify(execFile)
const DATE = new Date('2026-11-21T09:06:12Z')
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sonde-compile-test-'))
})
afterAll(() => rm(folder, { recursive: true }))

const textOf = async (pdf: Buffer): Promise<string> => {
  const file = join(folder, 'read.pdf')
  await writeFile(file, pdf)
  const { stdout } = await run('pdftotext', ['-layout', file, '-'], { timeout: 20_000, maxBuffer: 64 * 1024 ** 2 })
  return stdout
}
const infoOf = async (pdf: Buffer): Promise<string> => {
  const file = join(folder, 'info.pdf')
  await writeFile(file, pdf)
  return (await run('pdfinfo', [file], { timeout: 20_000 })).stdout
}

/** Pages whose text ends above two thirds; the next page begins a part with a page of its own there, or there is none. */
const emptyPages = async (pdf: Buffer, pages: number): Promise<number[]> => {
  const file = join(folder, 'boxes.pdf')
  await writeFile(file, pdf)
  const { stdout } = await run('pdftotext', ['-bbox', file, '-'], { timeout: 20_000, maxBuffer: 64 * 1024 ** 2 })
  const all = stdout
    .split('<page ')
    .slice(1)
    .map((page) => ({
      height: Number(/height="([\d.]+)"/.exec(page)?.[1]),
      words: [...page.matchAll(/yMin="([\d.]+)"[^>]* yMax="([\d.]+)">([^<]*)</g)].map(([, top, end, word]) => ({
        top: Number(top),
        end: Number(end),
        word: word ?? '',
      })),
    }))
  const begins = (page: (typeof all)[number] | undefined): boolean =>
    page === undefined ||
    /^\d$/.test(page.words.toSorted((a, b) => a.top - b.top).find(({ top }) => top > 60)?.word ?? '')
  return all.flatMap(({ height, words }, index) => {
    const footer = height * 0.94
    const end = Math.max(...words.filter(({ end: at }) => at < footer).map(({ end: at }) => at))
    const last = index === pages - 1 || begins(all[index + 1])
    return index === 0 || last || end > height * 0.62 ? [] : [index + 1]
  })
}

/** The texts in every place of a finding that a site can fill. */
const filled = (texts: readonly string[]): FindingsFile => {
  const file = sampleFile({ findings: texts.length })
  return {
    ...file,
    target: { ...file.target, addresses: [...texts] },
    findings: file.findings.map((finding, index) => {
      const text = texts[index] ?? ''
      return {
        ...finding,
        title: text,
        detail: text,
        remediation: `\`\`\`\n${text}\n\`\`\`\n\n${text}`,
        location: { url: text, method: 'GET', parameter: text },
        references: [...finding.references, `https://example.org/${encodeURI(text.toWellFormed())}`],
        proof: { excerpt: text.slice(0, 8000), mark: text.slice(1, 5), replay: text.slice(0, 8000) },
      }
    }),
    coverage: file.coverage.map((entry, index) => ({ ...entry, reason: texts[index % texts.length] ?? null })),
    tables: [{ id: 'x', module: 'x', title: 'Hostile', columns: ['a', 'b'], rows: texts.map((text) => [text, text]) }],
  }
}

/** The PDF's objects lie in compressed streams. */
const unpacked = (pdf: Buffer): string =>
  [...pdf.toString('latin1').matchAll(/\/Type\s*\/ObjStm[^>]*\/FlateDecode[^>]*>>\s*stream\r?\n/g)]
    .map(({ index, 0: head }) =>
      inflateSync(pdf.subarray(index + head.length), { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1'),
    )
    .join('\n')

/** So many that pages end in every way. */
const MANY = ['many', process.env.SONDE_LONG ? 300 : 100] as const

const document = (body: string): string => `\\documentclass{article}\\begin{document}${body}\\end{document}`

describe('a report', { timeout: 60_000 }, () => {
  test('opens, has its title, language and contents, numbers and marks its pages, and no annex unasked', async () => {
    const file = sampleFile({ findings: 12 })
    const tex = renderTex(file, { organisation: 'Tee & Söhne', watermark: 'Free plan' })
    const { pdf, pages, missing } = await compilePdf(tex, { date: DATE })
    const text = await textOf(pdf)
    expect(missing).toEqual([])
    expect(pages).toBeGreaterThan(6)
    expect(text).toContain(`Page ${pages} of ${pages}`)
    expect(text).toMatch(/1\s+Management summary/)
    expect(text).toContain('Tee & Söhne')
    expect(text).toContain('Set-Cookie: shop_session=')
    expect(text).not.toContain('??')
    expect(await infoOf(pdf)).toMatch(/^Title:\s+Security report: shop\.test, 21 November 2026$/m)
    expect(unpacked(pdf)).toContain('/Lang(en-GB)')
    const marked = join(folder, 'marked.pdf')
    await writeFile(marked, pdf)
    // The letters of the slanted line come one by one, after the rest of the page.
    const { stdout } = await run('pdftotext', ['-raw', marked, '-'], { timeout: 20_000 })
    const withMark = stdout.split('\f').filter((page) => page.replaceAll(/\s/g, '').endsWith('FREEPLAN'))
    expect(withMark.length).toBe(pages)
    expect(text).toMatch(/Remediation plan/)
    expect(text).not.toMatch(/annex [AB]|All checks/)
  })

  test('the annexes stand where they are asked for, and nothing points at what does not', async () => {
    const file = sampleFile({ findings: 3 })
    const whole = await textOf((await compilePdf(renderTex(file, { sections: [...REPORT_SECTIONS] }))).pdf)
    expect(whole).toMatch(/A\s+Tables/)
    expect(whole).toMatch(/B\s+All checks/)
    const short = await textOf((await compilePdf(renderTex(file, { sections: [] }))).pdf)
    expect(short).toMatch(/1\s+Management summary/)
    expect(short).not.toMatch(/Remediation plan|section 2|\?\?/)
  })

  test.each(process.env.SONDE_LONG ? [['a few findings', 12] as const, MANY] : [MANY])(
    '%s: no page but the first, the last and the one before a new part is a third empty, and none begins with what ends a finding',
    async (_, count) => {
      const file = sampleFile({ findings: count })
      // Of all lengths, so that pages end anywhere in a finding.
      const findings = file.findings.map((one, index) => ({
        ...one,
        remediation: `${one.remediation}${' Then look again.'.repeat((index * 7) % 31)}`,
      }))
      const { pdf, pages } = await compilePdf(renderTex({ ...file, findings }), { seconds: 50 })
      const short = await emptyPages(pdf, pages)
      expect(short).toEqual([])
      const firstLines = (await textOf(pdf)).split('\f').map((page) => page.trim().split(/\n\s*/)[1])
      expect(firstLines.filter((line) => /^CWE-\d+ •/.test(line ?? ''))).toEqual([])
    },
  )

  test('a logo as PNG stands on the cover; without findings it says what that means; again it has the same bytes', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20"><circle cx="10" cy="10" r="9" fill="#a33"/></svg>'
    const logo = await prepareLogo(Buffer.from(svg))
    const tex = renderTex(sampleFile({ findings: 0 }), { logo })
    const { pdf } = await compilePdf(tex, { logo, date: DATE })
    expect((await compilePdf(tex, { logo, date: DATE })).pdf.equals(pdf)).toBe(true)
    expect(await textOf(pdf)).toContain('No problem was found by the checks that could look.')
    expect(await textOf(pdf)).not.toContain('Remediation plan')
    const file = join(folder, 'logo.pdf')
    await writeFile(file, pdf)
    expect((await run('pdfimages', ['-list', file])).stdout).toMatch(/^\s+1\s+\d+\s+image\s+1200\s+400/m)
  })

  test('hostile text neither breaks it nor acts', async () => {
    const texts = HOSTILE.map(([, text]) => text)
    const { pdf, missing } = await compilePdf(
      renderTex(filled(texts), {
        organisation: texts[0] ?? '',
        watermark: texts[5] ?? '',
        texts: ownTexts(texts.join('\n\n')),
      }),
    )
    const text = await textOf(pdf)
    expect(missing).toEqual([])
    expect(text).toContain('\\input{/etc/passwd}')
    expect(text).not.toContain('root:x:0')
    expect(text).toContain('<U+202E>')
  })

  test.runIf(process.env.SONDE_LONG)('a hundred random texts, each in a dozen places', async () => {
    const seed = Date.now() % 2 ** 31
    const texts = fc.sample(fc.oneof(anyText({ maxLength: 200 }), readableText({ maxLength: 60 })), {
      numRuns: 100,
      seed,
    })
    const { pages, missing } = await compilePdf(renderTex(filled(texts)))
    expect(pages, `seed ${seed}`).toBeGreaterThan(20)
    expect(missing, `seed ${seed}`).toEqual([])
  })

  test.runIf(process.env.SONDE_LONG)('4,000 findings in time', async () => {
    const { pages } = await compilePdf(renderTex(sampleFile({ findings: 4000 })), { seconds: 50 })
    expect(pages).toBeGreaterThan(300)
  })
})

/** As if the escape had failed: what a document can do even then. */
describe('the sandbox', { timeout: 60_000 }, () => {
  test('runs no command', async () => {
    const proof = join(tmpdir(), `sonde-owned-${process.pid}`)
    const { pages } = await compilePdf(document(`\\immediate\\write18{touch ${proof}}x`))
    expect(pages).toBe(1)
    expect(existsSync(proof)).toBe(false)
  })

  test('reads neither a file of the machine, nor one above its folder, nor a process, nor a pipe', async () => {
    const names = ['/etc/passwd', '../etc/passwd', '/proc/self/environ', '|id']
    const asked = names.map((name) => `\\openin\\r="${name}" \\ifeof\\r refused\\else opened\\fi\\closein\\r`)
    const { pdf } = await compilePdf(document(`\\newread\\r ${asked.join('\\par ')}`))
    expect((await textOf(pdf)).match(/refused|opened/g)).toEqual(names.map(() => 'refused'))
  })

  test('writes nothing outside its folder', async () => {
    const name = join(tmpdir(), `sonde-written-${process.pid}`)
    const answer = compilePdf(document(`\\newwrite\\w\\immediate\\openout\\w=${name} \\immediate\\write\\w{x}y`))
    await expect(answer).rejects.toThrow(/could not typeset/)
    expect(existsSync(name)).toBe(false)
  })

  test('a document without end ends at its deadline', async () => {
    const start = performance.now()
    await expect(compilePdf(document('\\loop\\iftrue\\repeat'), { seconds: 1 })).rejects.toMatchObject({
      kind: 'deadline_exceeded',
      message: expect.stringContaining('longer than 1 s'),
    })
    expect(performance.now() - start).toBeLessThan(10_000)
  })

  test('a cancel ends it', async () => {
    const cancel = new AbortController()
    const answer = compilePdf(document('\\loop\\iftrue\\repeat'), { signal: cancel.signal })
    setTimeout(() => cancel.abort(), 300)
    await expect(answer).rejects.toMatchObject({ kind: 'canceled' })
  })

  test('a document that eats memory fails alone', async () => {
    await expect(compilePdf(document('\\def\\x{\\x\\x}\\x'), { seconds: 30 })).rejects.toMatchObject({
      kind: 'tex_failed',
    })
  })

  test('dies with the process that started it', async () => {
    const module = new URL('./compile.ts', import.meta.url).href
    const own = await mkdtemp(join(folder, 'killed-'))
    const script = `import(${JSON.stringify(module)}).then((m) => m.compilePdf(${JSON.stringify(document('\\loop\\iftrue\\repeat'))}))`
    const child = spawn(process.execPath, ['-e', script], { env: { ...process.env, TMPDIR: own }, stdio: 'ignore' })
    await until(async () => (await processesNaming(own)) > 0)
    child.kill('SIGKILL')
    await until(async () => (await processesNaming(own)) === 0)
  })

  test('leaves nothing behind', async () => {
    const before = await temporary()
    await expect(compilePdf(document('\\undefined'))).rejects.toThrow('Undefined control sequence')
    expect((await temporary()).filter((name) => !before.includes(name))).toEqual([])
  })

  test('a missing program is named', async () => {
    await expect(compilePdf(document('x'), { path: '/nonexistent' })).rejects.toMatchObject({
      kind: 'program_missing',
      message: expect.stringMatching(/needs \w+, which is not installed$/),
    })
  })

  test('a missing font is named', async () => {
    const tex = renderTex(sampleFile({ findings: 0 })).replace('{Noto Sans}', '{Nosuch Sans}')
    await expect(compilePdf(tex)).rejects.toMatchObject({
      kind: 'program_missing',
      message: expect.stringContaining('Nosuch Sans'),
    })
  })
})

const temporary = async (): Promise<string[]> =>
  (await readdir(tmpdir())).filter((name) => name.startsWith('sonde-report-'))

/** Processes with the text in their command line. */
const processesNaming = async (text: string): Promise<number> => {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.allSettled(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8')))
  return lines.filter((line) => line.status === 'fulfilled' && line.value.includes(text)).length
}

const until = async (condition: () => Promise<boolean>): Promise<void> => {
  const deadline = performance.now() + 15_000
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('The condition did not come true in 15 s')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
