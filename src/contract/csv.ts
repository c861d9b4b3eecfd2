/** Tables as text: RFC 4180, as spreadsheets write and read it. No schemas: the web application loads this file. */

/**
 * One line of a table. A cell that a spreadsheet would run as a formula is quoted with an apostrophe (OWASP, CSV Injection):
 * parts of it come from scanned sites.
 */
export const csvLine = (cells: readonly string[]): string => `${cells.map(field).join(',')}\r\n`

const field = (text: string): string => {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** What no reader of tables could take; `line` counts from 1. */
export class CsvError extends Error {
  readonly line: number
  constructor(line: number, message: string) {
    super(`line ${line} ${message}`)
    this.name = 'CsvError'
    this.line = line
  }
}

/** Characters of one cell: a cell that is longer has lost its closing quote. */
const MAX_CELL = 4_096
const MAX_COLUMNS = 200

/**
 * The rows of a table, the first one included, without empty lines. Cells are separated by what the first line has most of outside of
 * quotes: commas, semicolons (spreadsheets of many languages) or tabs. A byte order mark is left out.
 * @throws CsvError for a quote that is not closed, text behind a closing quote, and cells or rows past the bounds
 */
export function* csvRows(text: string): Generator<readonly string[]> {
  const start = text.startsWith('\uFEFF') ? 1 : 0
  const state = { text, at: start, line: 1, separator: separatorOf(text) }
  while (state.at < text.length) {
    const row = readRow(state)
    if (row.length > 1 || row[0] !== '') yield row
  }
}

interface Reading {
  readonly text: string
  readonly separator: string
  at: number
  line: number
}

const separatorOf = (text: string): string => {
  const first = text.slice(0, MAX_CELL).split(/\r\n|[\r\n]/, 1)[0] ?? ''
  const bare = first.replace(/"(?:[^"]|"")*"/g, '')
  const often = (one: string): number => bare.split(one).length
  // Of equals the rarer one: a comma stands in texts, too.
  const [most] = [';', '\t', ','].toSorted((a, b) => often(b) - often(a))
  return most !== undefined && often(most) > 1 ? most : ','
}

const readRow = (reading: Reading): string[] => {
  const cells: string[] = []
  for (;;) {
    cells.push(reading.text[reading.at] === '"' ? readQuoted(reading) : readBare(reading))
    if (cells.length > MAX_COLUMNS) throw new CsvError(reading.line, `has more than ${MAX_COLUMNS} columns`)
    const next = reading.text[reading.at]
    reading.at += 1
    if (next === reading.separator) continue
    if (next === '\r' && reading.text[reading.at] === '\n') reading.at += 1
    reading.line += 1
    return cells
  }
}

const readBare = (reading: Reading): string => {
  const start = reading.at
  const { text, separator } = reading
  while (reading.at < text.length && !endsCell(text[reading.at], separator)) reading.at += 1
  if (reading.at - start > MAX_CELL) throw new CsvError(reading.line, `has a cell of over ${MAX_CELL} characters`)
  return text.slice(start, reading.at).trim()
}

const readQuoted = (reading: Reading): string => {
  const { text, separator } = reading
  const start = reading.at + 1
  let end = start
  for (;;) {
    end = text.indexOf('"', end)
    if (end < 0 || end - start > MAX_CELL) throw new CsvError(reading.line, 'has a quote that is not closed')
    if (text[end + 1] !== '"') break
    end += 2
  }
  reading.at = end + 1
  if (reading.at < text.length && !endsCell(text[reading.at], separator)) {
    throw new CsvError(reading.line, 'has text behind a closing quote')
  }
  const cell = text.slice(start, end)
  reading.line += cell.split('\n').length - 1
  return cell.replaceAll('""', '"').trim()
}

const endsCell = (character: string | undefined, separator: string): boolean =>
  character === separator || character === '\r' || character === '\n'
