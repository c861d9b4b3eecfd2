/** Evidence as a listing: wrapped here, so that no line can leave the page, with the decisive part marked. */
import type { Proof } from '../../contract/finding.ts'
import { texGlyphs } from './escape.ts'
import { type Glyph, glyphs } from './glyphs.ts'

/** Columns of the monospaced face at 8 pt in the width of the text. */
const COLUMNS = 94
const MAX_LINES = 32
/** Lines kept before the marked one when the listing is too long. */
const LEAD = 6

interface Row {
  readonly glyphs: readonly Glyph[]
  readonly continued: boolean
}

/** TeX of a listing; empty text gives an empty string. */
export const texListing = (proof: Pick<Proof, 'excerpt' | 'mark'>, maxLines = MAX_LINES): string => {
  const text = proof.excerpt.replace(/\s+$/, '')
  if (text === '') return ''
  const from = proof.mark ? text.indexOf(proof.mark) : -1
  const marked = (glyph: Glyph): boolean =>
    from >= 0 && proof.mark !== null && glyph.offset >= from && glyph.offset < from + proof.mark.length
  const rows = wrapped(glyphs(text, 'mono'))
  const first = firstRow(rows, marked, maxLines)
  const shown = rows.slice(first, first + maxLines)
  const before = first > 0 ? [note(first, 'before')] : []
  const rest = rows.length - first - shown.length
  return [
    '\\begin{listing}',
    ...before,
    ...shown.map((row) => `\\${row.continued ? 'codemore' : 'codeline'}{${texRow(row.glyphs, marked)}}`),
    ...(rest > 0 ? [note(rest, 'more')] : []),
    '\\end{listing}',
  ].join('\n')
}

const note = (lines: number, where: string): string =>
  `\\codenote{${lines} ${where === 'more' ? 'more ' : ''}${lines === 1 ? 'line' : 'lines'}${where === 'before' ? ' before' : ''}: see findings.json}`

const firstRow = (rows: readonly Row[], marked: (glyph: Glyph) => boolean, maxLines: number): number => {
  const row = rows.findIndex((candidate) => candidate.glyphs.some(marked))
  return row < maxLines ? 0 : Math.min(row - LEAD, rows.length - maxLines)
}

const wrapped = (list: readonly Glyph[]): Row[] => {
  const rows: Row[] = []
  let current: Glyph[] = []
  let width = 0
  let continued = false
  const end = (nextIsContinued: boolean) => {
    rows.push({ glyphs: current, continued })
    current = []
    width = 0
    continued = nextIsContinued
  }
  for (const glyph of list) {
    if (glyph.kind === 'newline') {
      end(false)
      continue
    }
    if (width + glyph.width > COLUMNS - (continued ? 2 : 0)) end(true)
    current.push(glyph)
    width += glyph.width
  }
  end(false)
  return rows
}

const texRow = (list: readonly Glyph[], marked: (glyph: Glyph) => boolean): string => {
  const runs: { marked: boolean; glyphs: Glyph[] }[] = []
  for (const glyph of list) {
    const last = runs.at(-1)
    if (last && last.marked === marked(glyph)) last.glyphs.push(glyph)
    else runs.push({ marked: marked(glyph), glyphs: [glyph] })
  }
  return runs
    .map((run) => (run.marked ? `\\marked{${texGlyphs(run.glyphs, 'mono')}}` : texGlyphs(run.glyphs, 'mono')))
    .join('')
}
