/** Pages of a PDF as their reader sees them, and what a typesetter would call wrong about them. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const LIMITS = { timeout: 60_000, maxBuffer: 256 * 1024 ** 2 }

interface Piece {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
  /** Points. */
  readonly size: number
  readonly bold: boolean
  readonly text: string
}

export interface SeenPage {
  readonly width: number
  readonly height: number
  /** Without the lines above and below the text. */
  readonly pieces: readonly Piece[]
}

/** Margins of the sheet, as parts of it: 21 mm left and right, the lines of head and foot. */
const SIDE = 21 / 210
const HEAD = 17 / 297
const FOOT = 280 / 297

/** By poppler's `pdftohtml`, whose unit is 2/3 of a point. */
export const pagesOf = async (pdf: Buffer): Promise<readonly SeenPage[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'sonde-pages-'))
  try {
    await writeFile(join(folder, 'report.pdf'), pdf)
    const { stdout } = await run('pdftohtml', ['-xml', '-i', '-stdout', join(folder, 'report.pdf')], LIMITS)
    const sizes = new Map(
      [...stdout.matchAll(/<fontspec id="(\d+)" size="(-?\d+)"/g)].map(([, id = '', size]) => [id, Number(size) / 1.5]),
    )
    return stdout
      .split('<page ')
      .slice(1)
      .map((page) => seen(page, sizes))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const seen = (page: string, sizes: ReadonlyMap<string, number>): SeenPage => {
  const number = (name: string): number => Number(new RegExp(`^[^>]*\\b${name}="(\\d+)"`).exec(page)?.[1])
  const [width, height] = [number('width'), number('height')]
  const pieces = [
    ...page.matchAll(/<text top="(-?\d+)" left="(-?\d+)" width="(\d+)" height="(\d+)" font="(\d+)">(.*?)<\/text>/gs),
  ].map(([, top, left, wide, high, font = '', text = '']) => ({
    ...{ top: Number(top), left: Number(left), bottom: Number(top) + Number(high), right: Number(left) + Number(wide) },
    size: sizes.get(font) ?? 0,
    bold: /^\s*(?:<a [^>]*>)?\s*<b>/.test(text),
    text: text.replace(/<[^>]*>/g, '').trim(),
  }))
  const shown = pieces.filter(({ top, bottom, text }) => text !== '' && bottom > height * HEAD && top < height * FOOT)
  return { width, height, pieces: shown }
}

/** Points; what the body is set in is 9. */
const HEADING = 10
/** Of the height of the text that has to be used. */
const FILLED = 2 / 3

/**
 * What is wrong with the pages after the cover, in a line each: text beyond the margins, a heading with nothing below it, a page a
 * third empty. The last page ends where the report ends, and the contents stand alone.
 */
export const faultsOf = (pages: readonly SeenPage[]): string[] =>
  pages.flatMap((page, index) =>
    index === 0
      ? []
      : [
          ...overflowing(page),
          ...orphaned(page),
          ...(index === 1 || index === pages.length - 1 ? [] : emptied(page)),
        ].map((fault) => `page ${index + 1}: ${fault}`),
  )

const overflowing = ({ width, pieces }: SeenPage): string[] =>
  pieces
    .filter(({ left, right }) => left < width * SIDE - 3 || right > width * (1 - SIDE) + 4)
    .map(({ text }) => `beyond the margin: ${text.slice(0, 60)}`)

const orphaned = ({ pieces }: SeenPage): string[] => {
  const end = Math.max(...pieces.map(({ bottom }) => bottom))
  const last = pieces.filter(({ bottom, size }) => bottom > end - size)
  const isHeading = last.length > 0 && (last.some(({ size }) => size > HEADING) || last.every(({ bold }) => bold))
  return isHeading
    ? [
        `ends with a heading: ${last
          .map(({ text }) => text)
          .join(' ')
          .slice(0, 60)}`,
      ]
    : []
}

const emptied = ({ height, pieces }: SeenPage): string[] => {
  const [from, to] = [height * (22 / 297), height * (278 / 297)]
  const used = (Math.max(...pieces.map(({ bottom }) => bottom)) - from) / (to - from)
  return used < FILLED ? [`${Math.round(used * 100)} % of it is used`] : []
}
