import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '../../temporary/temporary.ts'
import type { LogoFile } from '../logo.ts'
import type { Picture } from '../pictures.ts'
import { PdfError } from './errors.ts'
import { ARGUMENTS, ENVIRONMENT, FORMAT, forgetFormat, MAX_MEMORY_BYTES, putFormat } from './format.ts'
import { pagesIn } from './inspect.ts'
import { PACKAGES } from './preamble.ts'
import { requireProgram } from './programs.ts'
import { DRAFT, FIRST, inRounds, ROUNDS, ROUNDS_TEX, type Rounds } from './rounds.ts'
import { type Ended, runConfined, SHELL } from './sandbox.ts'
import type { SandboxTier } from './tiers.ts'

export interface CompileOptions {
  readonly logo?: LogoFile | null
  /** That the document names. */
  readonly pictures?: readonly Picture[]
  readonly signal?: AbortSignal
  /** For all passes together; default 60. */
  readonly seconds?: number
  /** Stamped into the PDF, so that the same document gives the same bytes. */
  readonly date?: Date
  /** Where programs are looked for; the process's own PATH by default. */
  readonly path?: string
  /** By default the best that the machine allows. */
  readonly tier?: SandboxTier
}

export interface CompiledPdf {
  readonly pdf: Buffer
  readonly pages: number
  /** Characters for which no font was found, as TeX names them; empty in a whole installation. */
  readonly missing: readonly string[]
  /** Whether TeX had its packages from a format; else it read them for each pass. */
  readonly fromFormat: boolean
  /** Two rounds in one count as one. */
  readonly passes: number
}

const MAX_TEX_BYTES = 32 * 1024 ** 2
const MAX_PDF_BYTES = 128 * 1024 ** 2
/** Two rounds in one pass count as two: the second has every reference; a page that a reference moves may ask for another. */
const MAX_PASSES = 4

/**
 * Typesets a document of `renderTex` and opens the result again to count its pages.
 * @throws {PdfError} always with a sentence for the operator.
 */
export const compilePdf = async (tex: string, options: CompileOptions = {}): Promise<CompiledPdf> => {
  if (Buffer.byteLength(tex) > MAX_TEX_BYTES)
    throw new PdfError('too_large', `The report's text is larger than ${MAX_TEX_BYTES / 1024 ** 2} MiB`)
  const deadline = performance.now() + (options.seconds ?? 60) * 1000
  const left = () => Math.max(0.01, (deadline - performance.now()) / 1000)
  const folder = await temporaryFolder('report')
  try {
    const place = { path: options.path, tier: options.tier }
    const ours = tex.startsWith(PACKAGES)
    if (ours && (await putFormat(folder, PACKAGES, place))) {
      const text = withoutPackages(tex)
      const compiled = await compileIn(folder, { text, rounds: inRounds(text) }, options, left, [`-fmt=${FORMAT}`])
      if (compiled !== null) return { ...compiled, fromFormat: true }
      await forgetFormat(PACKAGES, place)
    }
    const compiled = await compileIn(folder, { text: tex, rounds: ours ? inRounds(tex) : null }, options, left, [])
    if (compiled === null) throw new PdfError('tex_failed', 'XeLaTeX does not take its own format')
    return { ...compiled, fromFormat: false }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Lines keep their numbers, by which errors name them. */
const withoutPackages = (tex: string): string => PACKAGES.replaceAll(/[^\n]+/g, '%') + tex.slice(PACKAGES.length)

/** Null: this TeX does not take the format. */
const compileIn = async (
  folder: string,
  { text, rounds }: { readonly text: string; readonly rounds: Rounds | null },
  { logo = null, pictures = [], signal, date, path, tier }: CompileOptions,
  left: () => number,
  format: readonly string[],
): Promise<Omit<CompiledPdf, 'fromFormat'> | null> => {
  await writeFile(join(folder, 'report.tex'), rounds?.report ?? text)
  if (rounds !== null) {
    await writeFile(join(folder, `${DRAFT}.tex`), rounds.draft)
    await writeFile(join(folder, `${ROUNDS}.tex`), ROUNDS_TEX)
  }
  if (logo) await writeFile(join(folder, `logo.${logo.extension}`), logo.body)
  for (const { name, body } of pictures) await writeFile(join(folder, name), body)
  const xelatex = requireProgram('xelatex', path)
  const pdfinfo = requireProgram('pdfinfo', path)
  const typeset = async (script: string): Promise<Ended | null> => {
    const ended = await runConfined(SHELL, ['-c', script, pdfinfo, xelatex, ...format, ...ARGUMENTS], {
      folder,
      seconds: left(),
      memoryBytes: MAX_MEMORY_BYTES,
      fileBytes: MAX_PDF_BYTES,
      environment: {
        ...{ ...ENVIRONMENT, PATH: `${dirname(xelatex)}:/usr/local/bin:/usr/bin:/bin` },
        ...(date && stamp(date)),
      },
      signal,
      path,
      tier,
    })
    if (ended.code === 0 || ended.code === UNREADABLE) return ended
    if (!REFUSED.test(ended.output)) throw texError(ended.output)
    return null
  }
  const begin = async (): Promise<{ readonly first: Ended | null; readonly passes: number }> => {
    if (rounds === null) return { first: await typeset(TWO_PASSES), passes: 2 }
    try {
      return { first: await typeset(IN_ROUNDS), passes: 1 }
    } catch (error) {
      // Another TeX may lack the inner names that the draft rests on. What is wrong with the text itself is wrong in passes, too.
      if (!(error instanceof PdfError && error.kind === 'tex_failed')) throw error
      await writeFile(join(folder, 'report.tex'), text)
      return { first: await typeset(TWO_PASSES), passes: 2 }
    }
  }
  const { first, passes: begun } = await begin()
  let [ended, passes] = [first, begun]
  const most = begun === 1 ? MAX_PASSES - 1 : MAX_PASSES
  for (; ended !== null && passes < most && wantsAnotherPass(ended.output); passes += 1) ended = await typeset(PASS)
  if (ended === null) return null
  const { code, output } = ended
  if (wantsAnotherPass(output))
    throw new PdfError('tex_failed', `The page numbers did not settle in ${MAX_PASSES} passes`)
  const file = join(folder, 'report.pdf')
  if ((await stat(file)).size >= MAX_PDF_BYTES) throw new PdfError('too_large', 'The PDF is larger than 128 MiB')
  return { pdf: await readFile(file), pages: pagesIn(code, output), passes, missing: missingCharacters(output) }
}

/** What is run in one sandbox. `$0` is pdfinfo, `$@` XeLaTeX with its arguments. */
const UNREADABLE = 3
const OPENED = `"$0" report.pdf || exit ${UNREADABLE}`
const PASS = `"$@" report.tex && { ${OPENED}; }`
const TWO_PASSES = `"$@" -no-pdf report.tex && ${PASS}`
/** With the words that XeTeX itself gives the driver, and the pages of the report alone. */
const IN_ROUNDS = `"$@" -no-pdf report.tex && xdvipdfmx -q -E -s "$(cat ${FIRST})-" -o report.pdf report.xdv && { ${OPENED}; }`

/** What TeX says of a format that another TeX has made. */
const REFUSED = /Fatal format file error/

const stamp = (date: Date) => ({
  SOURCE_DATE_EPOCH: String(Math.floor(date.getTime() / 1000)),
  FORCE_SOURCE_DATE: '1',
})

const wantsAnotherPass = (output: string): boolean =>
  /Label\(s\) may have changed|Rerun to get|There were undefined references/.test(output)

const missingCharacters = (output: string): string[] => [
  ...new Set([...output.matchAll(/Missing character: (There is no .{1,80})/g)].map(([, text = '']) => text)),
]

const texError = (output: string): PdfError => {
  const font = /The font "([^"]+)" cannot be found/.exec(output)?.[1]
  if (font !== undefined)
    return new PdfError('program_missing', `The PDF report needs the font ${font}, which is not installed`)
  const style = /File `([^']+)' not found/.exec(output)?.[1]
  if (style?.endsWith('.sty'))
    return new PdfError('program_missing', `The PDF report needs ${style} of TeX, which is not installed`)
  // TeX's own words, or those of the driver that writes the PDF.
  const line = /^(?:\S*report\.tex:\d+: .*|! .*|\w+:fatal: .*)$/m.exec(output)?.[0] ?? 'it ended without a message'
  return new PdfError('tex_failed', `XeLaTeX could not typeset the report: ${line.slice(0, 300)}`)
}
