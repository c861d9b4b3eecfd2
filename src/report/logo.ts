/** An organisation's logo as the report uses it: a whole PNG, or a PDF of one page. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '../temporary/temporary.ts'
import { PdfError } from './pdf/errors.ts'
import { inspectPdf } from './pdf/inspect.ts'
import { checkPng } from './png.ts'
import { svgToPng } from './svg.ts'

export interface LogoFile {
  readonly extension: 'png' | 'pdf'
  readonly contentType: 'image/png' | 'application/pdf'
  readonly body: Buffer
}

/** Why a file cannot be a logo, for the person who uploads it. */
export class LogoError extends Error {
  override readonly name = 'LogoError'
}

export const MAX_LOGO_BYTES = 1024 ** 2
const MAX_PDF_POINTS = 4000

/**
 * PNG and PDF are kept as they are, SVG becomes a PNG of 1,200 pixels in width.
 * @throws {LogoError} for what is none of these, is damaged, too large, or asks for anything outside itself.
 */
export const prepareLogo = async (file: Buffer, signal?: AbortSignal): Promise<LogoFile> => {
  if (file.length > MAX_LOGO_BYTES) throw new LogoError('The logo is larger than 1 MiB')
  if (file.subarray(0, 8).equals(PNG_MAGIC)) {
    const problem = checkPng(file)
    if (problem !== null) throw new LogoError(`The PNG ${problem}`)
    return { extension: 'png', contentType: 'image/png', body: file }
  }
  if (file.subarray(0, 5).toString('latin1') === '%PDF-') {
    await checkPdf(file, signal)
    return { extension: 'pdf', contentType: 'application/pdf', body: file }
  }
  if (/^\uFEFF?\s*(?:<\?xml|<!--|<svg)/.test(file.subarray(0, 1000).toString('utf8'))) {
    const answer = await svgToPng(file, signal)
    if ('problem' in answer) throw new LogoError(`The SVG ${answer.problem}`)
    return { extension: 'png', contentType: 'image/png', body: answer.png }
  }
  throw new LogoError('The logo must be a PNG, a PDF of one page, or an SVG')
}

const PNG_MAGIC = Buffer.from('89504e470d0a1a0a', 'hex')

const checkPdf = async (file: Buffer, signal?: AbortSignal): Promise<void> => {
  const folder = await temporaryFolder('logo')
  try {
    await writeFile(join(folder, 'logo.pdf'), file)
    const facts = await inspectPdf(folder, 'logo.pdf', { signal })
    if (facts.encrypted) throw new LogoError('The PDF is encrypted')
    if (facts.pages !== 1) throw new LogoError(`The PDF has ${facts.pages} pages, a logo has one`)
    if (!(facts.width >= 1 && facts.height >= 1 && facts.width <= MAX_PDF_POINTS && facts.height <= MAX_PDF_POINTS))
      throw new LogoError('The page of the PDF has no usable size')
  } catch (error) {
    if (error instanceof PdfError && error.kind === 'unreadable')
      throw new LogoError('The PDF cannot be opened', { cause: error })
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
