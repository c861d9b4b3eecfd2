/**
 * Rows of one list in one request (`lines[0][qty]`, `lines[1][qty]`, `/items/0/name`): one loop of its program reads them all. Two rows are asked,
 * and stand for the others.
 */
import { type ProbePoint, slotOf } from './inventory.ts'

const ASKED = 2

/** By each place that is not asked itself, those that stand for it. */
export const rowsMerged = (points: readonly ProbePoint[]): ReadonlyMap<ProbePoint, readonly ProbePoint[]> =>
  new Map(
    [...Map.groupBy(points.filter(isOfRow), keyOf).values()].flatMap((same) =>
      same.slice(ASKED).map((point) => [point, same.slice(0, ASKED)] as const),
    ),
  )

/** The number of a row: as PHP, Rails, Web Forms, Faces and others write lists into names, and as a JSON Pointer (RFC 6901) does. */
const ROW = /\[-?\d+\]|\$ctl\d+(?=\$)|:\d+(?=:)/
const JSON_ROW = /\/\d+(?=\/|$)/
const [ROWS, JSON_ROWS] = [ROW, JSON_ROW].map(({ source }) => new RegExp(source, 'g')) as [RegExp, RegExp]

const rowless = ({ place, name }: ProbePoint): string =>
  place === 'json' ? name.replaceAll(JSON_ROWS, '/0') : name.replaceAll(ROWS, '[0]')

const PLACES: ReadonlySet<ProbePoint['place']> = new Set(['query', 'form', 'multipart', 'json'])

const isOfRow = (point: ProbePoint): boolean =>
  PLACES.has(point.place) && (point.place === 'json' ? JSON_ROW : ROW).test(point.name)

/** What has another kind of value is read otherwise: a list of settings holds what is no row. */
const keyOf = (point: ProbePoint): string =>
  JSON.stringify([point.request.id, kindOf(point.value), slotOf({ ...point, name: rowless(point) })])

const kindOf = (value: string): string => (/^-?\d+(\.\d+)?$/.test(value) ? 'number' : value === '' ? 'empty' : 'text')
