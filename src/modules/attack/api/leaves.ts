/** The leaves of a JSON document, by where they stand. */
import { CsvError, csvRows } from '../../../contract/csv.ts'
import type { HttpExchange } from '../../../egress/door/egress.ts'
import { jsonOf } from '../../../page/json.ts'
import { mediaTypeOf, textOf } from '../../../page/text.ts'
import { toldRedirect } from '../../../page/told-redirect.ts'

export interface Leaf {
  /** JSON Pointer (RFC 6901) with `*` for the index of a list. */
  readonly pointer: string
  /** The last name in it; '' where it has none. */
  readonly name: string
  readonly value: string | number | boolean | null
}

const MOST_LEAVES = 5_000
const MOST_ITEMS = 50
const DEEPEST = 12

const TABLES = /^text\/(?:csv|tab-separated-values)$/

/** Records that an answer hands out: a JSON document, or the rows of a table (RFC 4180) by the names of its columns. Undefined for all else. */
export const documentOf = (answer: Pick<HttpExchange, 'headers' | 'body'>): unknown => {
  const text = textOf(answer)
  return jsonOf(text) ?? (TABLES.test(mediaTypeOf(answer)) ? tableOf(text) : undefined)
}

const tableOf = (text: string): unknown => {
  const rows: (readonly string[])[] = []
  try {
    for (const row of csvRows(text)) if (rows.push(row) > MOST_ITEMS) break
  } catch (error) {
    // Cut off within a cell: the rows before it are read.
    if (!(error instanceof CsvError)) throw error
  }
  const [first = [], ...others] = rows
  const hasHeader = !first.some((cell) => /[\d@]/.test(cell))
  const records = hasHeader ? others : rows
  const names = hasHeader
    ? first
    : first.map((_cell, at) =>
        nameOf(
          at,
          records.map((row) => row[at] ?? ''),
        ),
      )
  return records.length === 0
    ? undefined
    : records.map((row) => Object.fromEntries(row.map((cell, at) => [names[at] ?? nameOf(at, []), cell])))
}

/** Of a column that nobody has named, by what stands in most of it: telephone numbers as they are dialled. */
const nameOf = (at: number, cells: readonly string[]): string => {
  const filled = cells.filter((cell) => cell !== '')
  const dialled = filled.filter((cell) => /^(?:\+|00?)[1-9][\d ()/.-]{5,18}$/.test(cell))
  return dialled.length > filled.length / 2 ? `phone, column ${at + 1}` : `column ${at + 1}`
}

export const leavesOf = (document: unknown): readonly Leaf[] => {
  const found: Leaf[] = []
  walk(document, '', '', 0, found)
  return found
}

/** Objects and lists too, each once: the names that an answer has. */
export const namesOf = (document: unknown): readonly string[] => {
  const names = new Set<string>()
  for (const { pointer } of leavesOf(document)) {
    const keys = pointer.split('/').slice(1)
    for (let depth = 1; depth <= keys.length; depth += 1) names.add(`/${keys.slice(0, depth).join('/')}`)
  }
  return [...names]
}

const walk = (value: unknown, pointer: string, name: string, depth: number, found: Leaf[]): void => {
  if (found.length >= MOST_LEAVES || depth > DEEPEST) return
  if (Array.isArray(value)) {
    for (const one of value.slice(0, MOST_ITEMS)) walk(one, `${pointer}/*`, name, depth + 1, found)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, one] of Object.entries(value))
      walk(one, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, key, depth + 1, found)
  } else if (value === null || ['string', 'number', 'boolean'].includes(typeof value))
    found.push({ pointer, name, value: value as Leaf['value'] })
}

/** Names that say how it went, and nothing of what is kept. */
const OF_AN_ENVELOPE =
  /^(?:ok|success|status|status_?code|code|message|msg|error|errors|detail|details|title|type|reason|total|count|page|limit|offset|per_?page|size|next|prev|timestamp|path|trace_?id|request_?id)$/i

/** What an answer says beyond how it went. */
export const dataOf = (document: unknown): readonly Leaf[] =>
  leavesOf(document).filter(({ name, value }) => !OF_AN_ENVELOPE.test(name) && value !== null && value !== '')

const DENIES =
  /unauthori[sz]ed|unauthenticated|forbidden|access denied|not (?:logged|signed) in|(?:log|sign) ?in (?:first|to|required)|please (?:log|sign)|authentication (?:is )?required|(?:missing|invalid|no) (?:token|credentials|api key)|permission denied|not allowed|nicht angemeldet/i

/** A refusal under whatever status. */
export const isDenial = (status: number, text: string): boolean =>
  status === 401 ||
  status === 403 ||
  (status >= 300 && status < 400) ||
  (text.length < 2_000 && (DENIES.test(text) || toldRedirect(jsonOf(text)) !== null))
