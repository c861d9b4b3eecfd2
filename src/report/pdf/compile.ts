import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '../../temporary/temporary.ts'
import type { LogoFile } from '../logo.ts'
import type { Picture } from '../pictures.ts'
import { PdfError } from './errors.ts'
import { inspectPdf } from './inspect.ts'
import { INSTALL } from './programs.ts'
import { runConfined } from './sandbox.ts'
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
}

const MAX_TEX_BYTES = 32 * 1024 ** 2
const MAX_PDF_BYTES = 128 * 1024 ** 2
/** XeTeX needs 230 MB for a large report; address space also counts the mapped CJK fonts. */
const MAX_MEMORY_BYTES = 3 * 1024 ** 3
/** The second pass has every reference; a page that a reference moves may ask for a third. */
const MAX_PASSES = 4

/**
 * Typesets a document of `renderTex` and opens the result again to count its pages.
 * @throws {PdfError} always with a sentence for the operator.
 */
export const compilePdf = async (tex: string, options: CompileOptions = {}): Promise<CompiledPdf> => {
  const { logo = null, pictures = [], signal, seconds = 60, date, path, tier } = options
  if (Buffer.byteLength(tex) > MAX_TEX_BYTES)
    throw new PdfError('too_large', `The report's text is larger than ${MAX_TEX_BYTES / 1024 ** 2} MiB`)
  const deadline = performance.now() + seconds * 1000
  const left = () => Math.max(0.01, (deadline - performance.now()) / 1000)
  const folder = await temporaryFolder('report')
  try {
    await writeFile(join(folder, 'report.tex'), tex)
    if (logo) await writeFile(join(folder, `logo.${logo.extension}`), logo.body)
    for (const { name, body } of pictures) await writeFile(join(folder, name), body)
    const typeset = async (...more: readonly string[]) => {
      const { code, output } = await runConfined('xelatex', [...ARGUMENTS, ...more, 'report.tex'], {
        folder,
        seconds: left(),
        memoryBytes: MAX_MEMORY_BYTES,
        fileBytes: MAX_PDF_BYTES,
        environment: { ...ENVIRONMENT, ...(date && stamp(date)) },
        signal,
        path,
        tier,
      })
      if (code !== 0) throw texError(output)
      return output
    }
    await typeset('-no-pdf')
    let output = await typeset()
    for (let pass = 3; pass <= MAX_PASSES && wantsAnotherPass(output); pass++) output = await typeset()
    if (wantsAnotherPass(output))
      throw new PdfError('tex_failed', `The page numbers did not settle in ${MAX_PASSES} passes`)
    const file = join(folder, 'report.pdf')
    if ((await stat(file)).size >= MAX_PDF_BYTES) throw new PdfError('too_large', 'The PDF is larger than 128 MiB')
    const { pages } = await inspectPdf(folder, 'report.pdf', { signal, path, tier, seconds: left() })
    return { pdf: await readFile(file), pages, missing: missingCharacters(output) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const ARGUMENTS = ['-no-shell-escape', '-halt-on-error', '-interaction=nonstopmode', '-file-line-error']

/** Locks beside the sandbox, and the only ones against reading where it is of the last tier: no shell, no file outside the folder, no configuration of a user. */
const ENVIRONMENT = {
  openin_any: 'p',
  openout_any: 'p',
  shell_escape: 'f',
  TEXMFHOME: '/nonexistent',
  TEXMFVAR: './texmf-var',
  TEXMFCONFIG: './texmf-config',
  TEXMFOUTPUT: '.',
  max_print_line: '1000',
}

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
    return new PdfError(
      'program_missing',
      `The PDF report needs the font ${font}. On Debian or Ubuntu: ${INSTALL.xelatex}`,
    )
  const style = /File `([^']+)' not found/.exec(output)?.[1]
  if (style?.endsWith('.sty'))
    return new PdfError('program_missing', `The PDF report needs ${style}. On Debian or Ubuntu: ${INSTALL.xelatex}`)
  // TeX's own words, or those of the driver that writes the PDF.
  const line = /^(?:\S*report\.tex:\d+: .*|! .*|\w+:fatal: .*)$/m.exec(output)?.[0] ?? 'it ended without a message'
  return new PdfError('tex_failed', `XeLaTeX could not typeset the report: ${line.slice(0, 300)}`)
}
