import type { FactTable } from '../../contract/findings-file.ts'
import type { Words } from '../words/words.ts'
import { texText } from './escape.ts'

const MAX_ROWS = 100
const MAX_COLUMNS = 8
const WIDE = 6
const FEW = 3
/** Text width less the space between columns, millimetres. */
const WIDTH = 164
const GAP = 4.3

/** A table that may run over pages. Widths are millimetres; cells are TeX already. `above` spans it, and no page parts it from the first row. */
export const table = (
  widths: readonly number[],
  head: readonly string[],
  rows: readonly (readonly string[])[],
  above: string | null = null,
): string => {
  if (rows.length === 0) return ''
  const columns = widths.map((width) => `L{${width}mm}`).join('')
  const title = head.map((cell) => `\\thead{${texText(cell, { max: 200 })}}`).join(' & ')
  const lines = rows.map((row) => `${row.join(' & ')} \\\\\\rowline`)
  return [
    `{\\small\\begin{longtable}{@{}${columns}@{}}`,
    above === null ? '' : `\\multicolumn{${widths.length}}{@{}p{\\textwidth}@{}}{${above}}\\\\\\endfirsthead\\endhead`,
    head.length > 0 ? `${title} \\\\\\headline\\endhead` : '',
    ...lines,
    '\\end{longtable}}',
  ].join('\n')
}

/** A module's own table: columns as wide as their content asks, within the page; few wide rows stand as columns. */
export const factTable = ({ columns, rows }: Pick<FactTable, 'columns' | 'rows'>, w: Words): string => {
  if (rows.length === 0) return `${w('The table is empty.')}\\par`
  if (columns.length > WIDE && rows.length <= FEW)
    return factTable(
      {
        columns: ['', ...rows.map((row) => row[0] ?? '')],
        rows: columns.slice(1).map((name, index) => [name, ...rows.map((row) => row[index + 1] ?? '')]),
      },
      w,
    )
  const count = Math.min(MAX_COLUMNS, Math.max(columns.length, ...rows.map((row) => row.length)))
  const used = Array.from({ length: count }, (_, index) => index)
  const lengths = used.map((index) => {
    const cells = [columns[index] ?? '', ...rows.slice(0, MAX_ROWS).map((row) => row[index] ?? '')]
    return Math.min(60, Math.max(6, ...cells.map((cell) => cell.length)))
  })
  const total = lengths.reduce((sum, length) => sum + length, 0)
  const room = WIDTH - GAP * (count - 1)
  const widths = lengths.map((length) => Number(Math.max(10, (length / total) * room).toFixed(1)))
  const excess = Math.max(1, widths.reduce((sum, width) => sum + width, 0) / room)
  const body = rows.slice(0, MAX_ROWS).map((row) => used.map((index) => texText(row[index] ?? '', { max: 1000 })))
  const omitted = [
    ...(rows.length > MAX_ROWS ? [w('{1} more rows', rows.length - MAX_ROWS)] : []),
    ...(columns.length > MAX_COLUMNS ? [w('{1} more columns', columns.length - MAX_COLUMNS)] : []),
  ]
  return [
    table(
      widths.map((width) => Number((width / excess).toFixed(1))),
      used.map((index) => columns[index] ?? ''),
      body,
    ),
    omitted.length > 0 ? `\\quiet{${w('{1} in findings.json.', w.list(omitted))}}\\par` : '',
  ].join('\n')
}
