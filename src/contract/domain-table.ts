/** Lists of domains as people have them: tables with a header row, and plain lines. No schemas: the web application loads this file. */
import { CsvError, csvRows } from './csv.ts'
import { pastedName } from './pasted-name.ts'

/** Domains of one batch or of one import. */
export const MAX_DOMAINS = 100_000
/** Names of one request that are told apart as not valid; the sentence says how many there were. */
export const MAX_BAD_NAMES = 1_000

/** The columns that are read; others are left out. */
const COLUMNS = ['domain', 'context', 'environment'] as const
export type DomainRow = { readonly domain: string } & Partial<Record<(typeof COLUMNS)[number], string>>

/**
 * The rows of a table with a column `domain`, and `context` and `environment` where it has them; empty cells are absent. Stops
 * one row past the bound, so that a reader sees that there are more.
 * @throws CsvError for what is no such table
 */
export const domainTable = (text: string): DomainRow[] => {
  const [header, ...rows] = within(csvRows(text), MAX_DOMAINS + 2)
  const places = COLUMNS.map((name) => [name, placeOf(header, name)] as const).filter(([, place]) => place >= 0)
  if (placeOf(header, 'domain') < 0) throw new CsvError(1, 'has no column called "domain"')
  return rows.map((row) => {
    const cells = places.flatMap(([name, place]) => (row[place] || name === 'domain' ? [[name, row[place] ?? '']] : []))
    return Object.fromEntries(cells) as DomainRow
  })
}

/**
 * The rows of a table, or of lines with one name each. An address stands for its host, and what begins with # is a comment.
 * @throws CsvError for what is neither
 */
export const rowsIn = (text: string): DomainRow[] => {
  const [first] = csvRows(text)
  const rows =
    placeOf(first, 'domain') >= 0
      ? domainTable(text)
      : within(lines(text), MAX_DOMAINS + 1).map((domain) => ({ domain }))
  return rows.map((row) => ({ ...row, domain: pastedName(row.domain) }))
}

export const namesIn = (text: string): string[] => rowsIn(text).map(({ domain }) => domain)

function* lines(text: string): Generator<string> {
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    const name = line.replace('\uFEFF', '').trim()
    if (name !== '' && !name.startsWith('#')) yield name
  }
}

const placeOf = (header: readonly string[] | undefined, name: string): number =>
  header?.findIndex((cell) => cell.toLowerCase() === name) ?? -1

const within = <Item>(items: Iterator<Item> & Iterable<Item>, most: number): Item[] => {
  const taken: Item[] = []
  for (const item of items) {
    if (taken.push(item) >= most) break
  }
  return taken
}
