/**
 * The rows of the matrix in a frame that scrolls by itself, so that names and people stay in sight. Only rows in sight are drawn, so five
 * thousand scroll like five. On a phone each row is a block.
 */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, useEffect, useRef } from 'react'
import { Link } from 'react-router'
import type { MatrixCell, MatrixPerson, MatrixRow } from '../../../src/contract/matrix.ts'
import { MATRIX_WORDS } from '../i18n/rooms.ts'
import { useRoom } from '../i18n/text.tsx'
import { AccessMark } from './matrix-marks.tsx'
import { Said } from './said.tsx'

/** Pixels of a row that was not drawn yet. */
const ROW = 46
/** Rows before the end at which the next page is asked for. */
const AHEAD = 60

interface MatrixRowsProps {
  readonly run: string
  readonly people: readonly MatrixPerson[]
  readonly items: readonly MatrixRow[]
  /** Null while more are to come. */
  readonly total: number | null
  readonly more: (() => void) | null
}

export const MatrixRows = ({ run, people, items, total, more }: MatrixRowsProps) => {
  const { t } = useRoom(MATRIX_WORDS)
  const frame = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW,
    overscan: 10,
  })
  const shown = rows.getVirtualItems()
  const last = shown.at(-1)
  const lastIndex = last?.index ?? 0
  useEffect(() => {
    if (more !== null && lastIndex >= items.length - AHEAD) more()
  }, [more, lastIndex, items.length])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard (WCAG 2.1.1)
    <section className="card matrix" ref={frame} tabIndex={0} aria-label={t('matrixRows')}>
      <table
        className="table blocks"
        aria-label={t('matrix')}
        aria-rowcount={total === null ? -1 : total + 1}
        style={{ '--people': people.length } as CSSProperties}
      >
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" className="matrix-operation">
              {t('operation')}
            </th>
            {people.map(({ name, role }) => (
              <th scope="col" key={name} className="matrix-person">
                {name === '' ? t('nobody') : name}
                {role === '' ? null : <span className="quiet"> {role}</span>}
              </th>
            ))}
            <th scope="col">{t('comesTo')}</th>
          </tr>
        </thead>
        <tbody>
          <Space height={shown[0]?.start ?? 0} />
          {shown.map(({ index }) => {
            const item = items[index]
            return item === undefined ? null : (
              <tr key={`${index} ${item.url}`} ref={rows.measureElement} data-index={index} aria-rowindex={index + 2}>
                <OneRow run={run} row={item} people={people} />
              </tr>
            )
          })}
          <Space height={rows.getTotalSize() - (last?.end ?? 0)} />
        </tbody>
      </table>
    </section>
  )
}

/** In the place of rows out of sight; pixels. */
const Space = ({ height }: { readonly height: number }) =>
  height > 0 ? <tr className="space" style={{ height }} /> : null

interface OneRowProps {
  readonly run: string
  readonly row: MatrixRow
  readonly people: readonly MatrixPerson[]
}

const OneRow = ({ run, row, people }: OneRowProps) => {
  const { t } = useRoom(MATRIX_WORDS)
  return (
    <>
      <th scope="row" className="mono break" title={row.url}>
        {row.operation}
      </th>
      {people.map(({ name }, n) => {
        const cell = row.cells[n]
        return (
          <td key={name} data-label={name === '' ? t('nobody') : name}>
            {cell === undefined ? null : <Cell run={run} cell={cell} />}
          </td>
        )
      })}
      <td className="small" data-label={t('comesTo')}>
        {t(`verdict_${row.verdict}`)}
        {row.note === '' ? null : (
          <span className="reason">
            <Said text={row.note} />
          </span>
        )}
      </td>
    </>
  )
}

const Cell = ({ run, cell }: { readonly run: string; readonly cell: MatrixCell }) => {
  const { access, status, reason, finding_id } = cell
  const mark = <AccessMark access={access} />
  return (
    <>
      {finding_id === null ? mark : <Link to={`/runs/${run}/findings/${finding_id}`}>{mark}</Link>}
      {status === null ? null : <span className="num small quiet"> {status}</span>}
      {reason === '' ? null : (
        <span className="reason">
          <Said text={reason} />
        </span>
      )}
    </>
  )
}
