/** The report's functions as the worker asks for them, and who makes the PDF: TeX, else the browser. */
import type { FindingsFile } from '../contract/findings-file.ts'
import type { Language } from '../contract/language.ts'
import { isNotInstalled } from '../engine/browser/programs.ts'
import { fileIn } from '../knowledge/texts/localise.ts'
import { translator } from '../knowledge/texts/texts.ts'
import { MODULE_TITLES } from '../modules/titles.ts'
import { renderFindingsJson } from '../report/canonical.ts'
import { renderHtml } from '../report/html/page.ts'
import type { LogoFile } from '../report/logo.ts'
import { renderMarkdown } from '../report/markdown/page.ts'
import { type CompileOptions, compilePdf } from '../report/pdf/compile.ts'
import { PdfError } from '../report/pdf/errors.ts'
import { countPages } from '../report/pdf/inspect.ts'
import { renderTex } from '../report/pdf/layout.ts'
import { drawable } from '../report/pictures.ts'
import {
  type PdfReport,
  type ReportExtras,
  type ReportLog,
  ReportUnavailable,
  type ReportWriter,
} from '../worker/report-writer.ts'

export const WATERMARK = 'FREE PLAN'

/** Prints a page to PDF; engine/browser/print.ts. */
export type Printer = (
  page: string,
  options: { readonly signal: AbortSignal; readonly log: (line: string) => void },
) => Promise<Buffer>

/** Loaded only where it is needed: most machines have TeX, and the browser's driver is large. */
const printPage: Printer = async (page, options) =>
  (await import('../engine/browser/print.ts')).printPage(page, options)

/** `tex` and `print` say how the two makers are run; by default as the machine has them. */
export const createReportWriter = (
  tex: Pick<CompileOptions, 'path' | 'tier'> = {},
  print: Printer = printPage,
): ReportWriter => ({
  findingsJson: renderFindingsJson,
  html: (file, extras) => renderHtml(read(file, extras), rendering(extras)),
  markdown: (file, extras) => renderMarkdown(read(file, extras), rendering(extras)),
  pdf: async (file, extras, { signal, log }) => {
    try {
      return await byTex(file, extras, tex, signal)
    } catch (error) {
      if (signal.aborted || !(error instanceof PdfError)) throw error
      const tell = error.kind === 'program_missing' ? log.info : log.warn
      tell(`TeX made no PDF, the browser prints it: ${error.message}`)
      return byBrowser(file, extras, { print, signal, log, tex: error })
    }
  },
})

export const reportWriter: ReportWriter = createReportWriter()

const byTex = async (
  file: FindingsFile,
  extras: ReportExtras,
  how: Pick<CompileOptions, 'path' | 'tier'>,
  signal: AbortSignal,
): Promise<PdfReport> => {
  const { logo, ...words } = rendering(extras)
  const tex = renderTex(read(file, extras), { ...words, logo })
  const { pdf, pages } = await compilePdf(tex, {
    ...{ ...how, logo, pictures: words.pictures, signal },
    date: new Date(file.run.finished_at),
  })
  return { tex, pdf, pages }
}

const byBrowser = async (
  file: FindingsFile,
  extras: ReportExtras,
  {
    print,
    signal,
    log,
    tex,
  }: {
    readonly print: Printer
    readonly signal: AbortSignal
    readonly log: ReportLog
    /** Why there is none by TeX. */
    readonly tex: PdfError
  },
): Promise<PdfReport> => {
  try {
    const pdf = await print(renderHtml(read(file, extras), rendering(extras)), { signal, log: log.warn })
    return { tex: null, pdf, pages: countPages(pdf) }
  } catch (cause) {
    signal.throwIfAborted()
    const browserSaid = cause instanceof Error ? cause.message : String(cause)
    const notInstalled = tex.kind === 'program_missing' && isNotInstalled(cause)
    const reason = `${sentence(tex.message)} ${sentence(browserSaid)}`
    // That of a browser that is not there says so by itself.
    const hint = tex.kind === 'program_missing' && !notInstalled ? ' See "sonde doctor".' : ''
    throw new ReportUnavailable(`${reason}${hint}`, { cause, notInstalled })
  }
}

const sentence = (text: string): string => {
  const trimmed = text.trim()
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${/[.!?]$/.test(trimmed) ? '' : '.'}`
}

/** As its reader has it: findings.json itself stays English. */
const read = (file: FindingsFile, { language }: ReportExtras): FindingsFile =>
  language === 'en' ? file : fileIn(translator(language), file)

const rendering = ({
  organisation,
  logo,
  watermark,
  texts,
  colours,
  sections,
  language,
  signer,
  pictures,
}: ReportExtras) => ({
  organisation,
  watermark: watermark ? WATERMARK : null,
  texts,
  colours,
  sections,
  language,
  signer,
  pictures: drawable(pictures),
  moduleTitles: titlesIn(language),
  logo: logo === null ? null : logoFile(logo),
})

const titlesIn = (language: Language): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(MODULE_TITLES).map(([id, title]) => [id, translator(language).module(id, title)]))

/** Checked and converted when it was set; the first bytes tell which of the two it is. */
export const logoFile = (body: Buffer): LogoFile =>
  body.subarray(0, 5).toString('latin1') === '%PDF-'
    ? { extension: 'pdf', contentType: 'application/pdf', body }
    : { extension: 'png', contentType: 'image/png', body }
