import { PdfError } from './errors.ts'
import { runConfined } from './sandbox.ts'
import type { SandboxTier } from './tiers.ts'

export interface PdfFacts {
  readonly pages: number
  readonly encrypted: boolean
  /** Size of the first page, points. */
  readonly width: number
  readonly height: number
}

/**
 * Opens a PDF in the folder and counts its pages.
 * @throws {PdfError} unreadable, or as `runConfined` does.
 */
export const inspectPdf = async (
  folder: string,
  name: string,
  {
    signal,
    path,
    tier,
    seconds = 15,
  }: {
    signal?: AbortSignal | undefined
    path?: string | undefined
    tier?: SandboxTier | undefined
    seconds?: number
  } = {},
): Promise<PdfFacts> => {
  const { code, output } = await runConfined('pdfinfo', [name], {
    folder,
    seconds,
    memoryBytes: 1024 ** 3,
    fileBytes: 1024,
    signal,
    path,
    tier,
  })
  const pages = pagesIn(code, output)
  const size = /^Page size:\s+([\d.]+) x ([\d.]+) pts/m.exec(output)
  return {
    pages,
    encrypted: /^Encrypted:\s+yes/m.test(output),
    width: Number(size?.[1] ?? 0),
    height: Number(size?.[2] ?? 0),
  }
}

/**
 * Pages by what `pdfinfo` has said last.
 * @throws {PdfError} unreadable
 */
export const pagesIn = (code: number | null, output: string): number => {
  const pages = Number([...output.matchAll(/^Pages:\s+(\d+)$/gm)].at(-1)?.[1] ?? 0)
  if (code === 0 && pages > 0) return pages
  throw new PdfError('unreadable', `The PDF cannot be opened: ${output.trim().split('\n').at(-1) ?? 'no answer'}`)
}

/** How far from the end the offset of the table of objects may stand (ISO 32000-1, 7.5.5). */
const TAIL = 1024

/**
 * Pages of a PDF that our own browser printed, read along the path that a reader takes: end, table of objects, catalogue,
 * page tree. Text in the pages cannot feign it. Not for PDFs of others: one table, no object streams.
 * @throws {PdfError} unreadable
 */
export const countPages = (pdf: Buffer): number => {
  const text = pdf.toString('latin1')
  const table = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(text.slice(-TAIL))?.[1] ?? Number.NaN)
  const trailer = text.slice(text.indexOf('trailer', table))
  const catalogue = objectAt(text, table, /\/Root\s+(\d+)\s+0\s+R/.exec(trailer)?.[1])
  const pages = objectAt(text, table, /\/Pages\s+(\d+)\s+0\s+R/.exec(catalogue)?.[1])
  const count = Number(/\/Count\s+(\d+)/.exec(pages)?.[1] ?? 0)
  if (!text.startsWith('%PDF-') || count < 1) throw new PdfError('unreadable', 'The printed PDF cannot be read')
  return count
}

/** The text of an object by its number; empty when the table does not lead to it. */
const objectAt = (text: string, table: number, number: string | undefined): string => {
  const head = /^xref\s+0\s+(\d+)\s*\n/.exec(text.slice(table, table + 64))
  if (head === null || number === undefined || Number(number) >= Number(head[1])) return ''
  // Entries have twenty bytes each.
  const entry = table + head[0].length + Number(number) * 20
  const at = Number(text.slice(entry, entry + 10))
  return text.startsWith(`${number} 0 obj`, at) ? text.slice(at, text.indexOf('endobj', at)) : ''
}
