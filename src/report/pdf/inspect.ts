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
  const pages = Number(/^Pages:\s+(\d+)$/m.exec(output)?.[1] ?? 0)
  const size = /^Page size:\s+([\d.]+) x ([\d.]+) pts/m.exec(output)
  if (code !== 0 || pages < 1)
    throw new PdfError('unreadable', `The PDF cannot be opened: ${output.trim().split('\n').at(-1) ?? 'no answer'}`)
  return {
    pages,
    encrypted: /^Encrypted:\s+yes/m.test(output),
    width: Number(size?.[1] ?? 0),
    height: Number(size?.[2] ?? 0),
  }
}
