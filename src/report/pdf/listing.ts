/** Evidence as a listing: wrapped here, so that no line can leave the page, with the decisive part marked. */

import type { Proof } from '../../contract/finding.ts'
import { isCommand } from '../excerpt.ts'
import { type Words, wordsOf } from '../words/words.ts'
import { texGlyphs } from './escape.ts'
import { type Glyph, glyphs } from './glyphs.ts'

/** Columns of the monospaced face at 8 pt in the width of the text. */
const COLUMNS = 94
/** Lines kept on each side of the marked ones; the whole stands in findings.json. */
const AROUND = 2
const MAX_LINES = 12
/** Of a command: whoever has the document alone replays it. As much as the page shows. */
const MAX_COMMAND_LINES = 66
/** Columns that the sign before a command takes. */
const PROMPT = 2

export interface ListingOptions {
  readonly columns?: number
  /** Lines at most when nothing in the text is marked. */
  readonly lines?: number
  readonly around?: number
  /** A command that shows the same again, as the last line. */
  readonly replay?: string | null
  /** English by default. */
  readonly words?: Words
}

interface Row {
  readonly glyphs: readonly Glyph[]
  readonly continued: boolean
}

/** TeX of a listing; nothing to show gives an empty string. */
export const texListing = (
  { excerpt, mark }: Pick<Proof, 'excerpt' | 'mark'>,
  {
    columns = COLUMNS,
    lines = MAX_LINES,
    around = AROUND,
    replay = null,
    words: w = wordsOf('en'),
  }: ListingOptions = {},
): string => {
  const shown = [...excerptRows(excerpt, mark, { columns, lines, around, w }), ...replayRows(replay, columns, w)]
  return shown.length === 0 ? '' : ['\\begin{listing}', ...shown, '\\end{listing}'].join('\n')
}

const excerptRows = (
  excerpt: string,
  mark: string | null,
  { columns, lines, around, w }: { columns: number; lines: number; around: number; w: Words },
): string[] => {
  const text = excerpt.replace(/\s+$/, '')
  if (text === '') return []
  const from = mark ? text.indexOf(mark) : -1
  const marked = (glyph: Glyph): boolean =>
    from >= 0 && mark !== null && glyph.offset >= from && glyph.offset < from + mark.length
  const rows = wrapped(glyphs(text, 'mono'), columns)
  const [first, end] = windowOf(rows, marked, lines, around)
  return [
    ...(first > 0 ? [`\\codenote{${w('{1} before', w.many(first, 'line'))}}`] : []),
    ...rows.slice(first, end).map((row) => texLine(row, texRow(row.glyphs, marked))),
    ...(end < rows.length ? [`\\codenote{${w('{1} in findings.json', w.many(rows.length - end, 'more line'))}}`] : []),
  ]
}

const replayRows = (replay: string | null, columns: number, w: Words): string[] => {
  const text = replay?.trim() ?? ''
  if (text === '') return []
  const sign = isCommand(text) ? '\\prompt{}' : ''
  const rows = wrapped(glyphs(text, 'mono'), columns - PROMPT)
  return [
    ...rows
      .slice(0, MAX_COMMAND_LINES)
      .map((row, index) => texLine(row, `${index === 0 ? sign : ''}${texGlyphs(row.glyphs, 'mono')}`)),
    ...(rows.length > MAX_COMMAND_LINES
      ? [`\\codenote{${w('{1} in findings.json', w.many(rows.length - MAX_COMMAND_LINES, 'more line'))}}`]
      : []),
  ]
}

const texLine = ({ continued }: Row, tex: string): string => `\\${continued ? 'codemore' : 'codeline'}{${tex}}`

/** Rows to show, as first and end. One row is never left out: the note about it would be as long. */
const windowOf = (
  rows: readonly Row[],
  marked: (glyph: Glyph) => boolean,
  lines: number,
  around: number,
): readonly [first: number, end: number] => {
  const from = rows.findIndex((row) => row.glyphs.some(marked))
  const to = rows.findLastIndex((row) => row.glyphs.some(marked))
  const first = from < 0 ? 0 : Math.max(0, from - around)
  const end = from < 0 ? lines : Math.min(to + around + 1, from + MAX_LINES)
  return [first <= 1 ? 0 : first, end >= rows.length - 1 ? rows.length : end]
}

const wrapped = (list: readonly Glyph[], columns: number): Row[] => {
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
    if (width + glyph.width > columns - (continued ? 2 : 0)) end(true)
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
