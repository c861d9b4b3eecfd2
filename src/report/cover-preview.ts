/** The first page of a report as a picture, made as reports are: the same TeX, the same fonts, the same sandbox. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { finding as example, ids } from '../contract/examples.ts'
import { SEVERITIES } from '../contract/finding.ts'
import { FINDINGS_SCHEMA_VERSION, type FindingsFile } from '../contract/findings-file.ts'
import { SWITCH_DEFAULTS } from '../contract/run-switches.ts'
import { temporaryFolder } from '../temporary/temporary.ts'
import type { LogoFile } from './logo.ts'
import { NO_EXTRAS, reportModel } from './model.ts'
import { compilePdf } from './pdf/compile.ts'
import { cover } from './pdf/cover.ts'
import { PdfError } from './pdf/errors.ts'
import { preamble } from './pdf/preamble.ts'
import { runConfined } from './pdf/sandbox.ts'

export interface CoverOf {
  readonly organisation: string
  readonly logo: LogoFile | null
  readonly watermark: string | null
  /** Product and version. */
  readonly scanner: string
  readonly date: Date
}

/** Dots an inch: 910 pixels wide, sharp on a dense screen at the size it is shown. */
const RESOLUTION = 110
const SECONDS = 30
const MAX_PNG_BYTES = 8 * 1024 ** 2

/**
 * PNG of the first page of a report with example figures.
 * @throws {PdfError} as `compilePdf` does.
 */
export const coverPicture = async (of: CoverOf, signal?: AbortSignal): Promise<Buffer> => {
  const { pdf } = await compilePdf(coverTex(of), {
    logo: of.logo,
    date: of.date,
    seconds: SECONDS,
    ...(signal && { signal }),
  })
  const folder = await temporaryFolder('cover')
  try {
    await writeFile(join(folder, 'cover.pdf'), pdf)
    // The logo may be somebody's PDF, so what draws it is as confined as what typesets it.
    const { code } = await runConfined(
      'pdftoppm',
      ['-png', '-singlefile', '-r', String(RESOLUTION), '-l', '1', 'cover.pdf', 'cover'],
      { folder, seconds: SECONDS, memoryBytes: 1024 ** 3, fileBytes: MAX_PNG_BYTES, signal },
    )
    if (code !== 0) throw new PdfError('unreadable', 'The first page of the report cannot be drawn')
    return await readFile(join(folder, 'cover.png'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const coverTex = ({ organisation, logo, watermark, scanner, date }: CoverOf): string => {
  const model = reportModel(exampleFile(scanner, date), { ...NO_EXTRAS, organisation, watermark })
  const page = cover(model, logo)
  return `${preamble(model, page)}\n\\begin{document}\n${page}\n\\end{document}\n`
}

/** How many findings the example has of each severity, the gravest first. */
const COUNTS = { critical: 0, high: 2, medium: 5, low: 8, info: 4 }

const exampleFile = (scanner: string, date: Date): FindingsFile => {
  const at = date.toISOString()
  const findings = SEVERITIES.flatMap((severity) =>
    Array.from({ length: COUNTS[severity] }, () => ({ ...example, severity, shift: null })),
  )
  const options = { active: false, ...SWITCH_DEFAULTS }
  return {
    schema_version: FINDINGS_SCHEMA_VERSION,
    run: {
      ...{ id: ids.run, tier: 'passive', context: null, options, scanner, requests: 214 },
      ...{ created_at: at, started_at: at, finished_at: at },
    },
    target: { domain: 'shop.example.com', url: 'https://shop.example.com/', addresses: ['192.0.2.17'] },
    grade: { grade: 'B', score: 78, provisional: false, caps: [], parts: [] },
    counts: COUNTS,
    open_counts: COUNTS,
    findings,
    ...{ coverage: [], resolved: [], tables: [], knowledge: {} },
  }
}
