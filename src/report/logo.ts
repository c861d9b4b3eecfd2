/** An organisation's logo as the report uses it: a whole PNG, or a PDF of one page. */
import { spawn } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../temporary/temporary.ts'
import { PdfError } from './pdf/errors.ts'
import { inspectPdf } from './pdf/inspect.ts'
import { checkPng } from './png.ts'

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
/** For drawing an SVG. */
const SVG_SECONDS = 10
const MAX_PNG_BYTES = 16 * 1024 ** 2
const SVG_WORKER = new URL('./svg-worker.ts', import.meta.url)

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

type SvgAnswer = { readonly png: Buffer } | { readonly problem: string }

/**
 * Draws an SVG in a process of its own, which a drawing without end cannot outlive. Nothing outside the file is
 * loaded: references that are not its own fragments or embedded bitmaps are refused.
 */
const svgToPng = async (file: Buffer, signal?: AbortSignal): Promise<SvgAnswer> => {
  const problem = outsideReference(file.toString('utf8'))
  return problem === null ? draw(file, signal) : { problem }
}

/** Entities could spell a reference that the search below does not see, so a file with a DOCTYPE is refused. */
const outsideReference = (svg: string): string | null => {
  if (svg.includes('\0')) return 'has a NUL character'
  if (/<!(?:DOCTYPE|ENTITY)/i.test(svg)) return 'has a DOCTYPE; remove it'
  if (/<\?xml-stylesheet/i.test(svg) || /@import/i.test(svg)) return 'loads a style sheet'
  const references = [...svg.matchAll(/(?:^|[\s:"'])href\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)].map(
    ([, double, single]) => double ?? single ?? '',
  )
  const quoted = [...svg.matchAll(/url\(\s*["']?([^)"']*)/gi)].map(([, address = '']) => address)
  const outside = [...references, ...quoted].find(
    (address) => !/^\s*#/.test(address) && !/^\s*data:image\/(?:png|jpeg|gif|webp);base64,/i.test(address),
  )
  return outside === undefined ? null : `refers to something outside itself: ${outside.trim().slice(0, 60)}`
}

const draw = (file: Buffer, signal?: AbortSignal): Promise<SvgAnswer> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--max-old-space-size=256', fileURLToPath(SVG_WORKER)], {
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: SVG_SECONDS * 1000,
      killSignal: 'SIGKILL',
      env: {},
      ...(signal && { signal }),
    })
    const parts: Buffer[] = []
    let size = 0
    child.stdout.on('data', (part: Buffer) => {
      size += part.length
      if (size > MAX_PNG_BYTES) child.kill('SIGKILL')
      else parts.push(part)
    })
    // The child may end before it has read everything; its exit code says why.
    child.stdin.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') reject(error)
    })
    child.once('error', reject)
    child.once('close', (code) => resolve(code === 0 ? { png: Buffer.concat(parts) } : { problem: 'cannot be drawn' }))
    child.stdin.end(file)
  })
