/** Prints a page of our own to PDF. */
import { ModuleEnding } from '../../modules/endings.ts'
import { launchOffline } from './launch.ts'

export interface PrintOptions {
  readonly signal: AbortSignal
  /** For the start of the browser and the print together; default 60. */
  readonly seconds?: number
  readonly log: (line: string) => void
}

/** Why there is no print, a sentence. */
export class PrintFailed extends Error {
  override readonly name = 'PrintFailed'
}

const MAX_PDF_BYTES = 128 * 1024 ** 2

/**
 * The PDF of a page that is given as text, on the paper that its style asks for. The page runs no script and reaches
 * nothing; the browser is gone when this returns.
 * @throws {PrintFailed}, or the signal's reason
 */
export const printPage = async (page: string, { signal, seconds = 60, log }: PrintOptions): Promise<Buffer> => {
  const over = AbortSignal.timeout(seconds * 1000)
  const either = AbortSignal.any([signal, over])
  const work = async (): Promise<Buffer> => {
    const browser = await launchOffline(either, log)
    try {
      const tab = await browser.newPage()
      await tab.setContent(page, { waitUntil: 'load', timeout: seconds * 1000 })
      const pdf = await tab.pdf({ preferCSSPageSize: true, printBackground: true, tagged: true, outline: true })
      if (pdf.length > MAX_PDF_BYTES) throw new PrintFailed(`the print is larger than ${MAX_PDF_BYTES / 1024 ** 2} MiB`)
      return pdf
    } finally {
      await browser.close()
    }
  }
  try {
    // A browser that is being ended may leave a question open; nobody waits for it then.
    return await Promise.race([work(), aborted(either)])
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof PrintFailed) throw cause
    if (over.aborted) throw new PrintFailed(`the browser took longer than ${Math.round(seconds)} s`, { cause })
    if (cause instanceof ModuleEnding) throw new PrintFailed(cause.message, { cause })
    const said = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause)
    throw new PrintFailed(`the browser could not print the report (${said.slice(0, 200)})`, { cause })
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
