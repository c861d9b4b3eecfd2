/**
 * Fields of a form that holds a whole page, each of whose buttons and links sends them all. One is asked with what is pressed beside it, and stands
 * there for the same field of the same address as the others send it.
 */
import { type ProbePoint, slotOf } from './inventory.ts'

/** By each place that is not asked itself, those that stand for it. */
export const farMerged = (points: readonly ProbePoint[]): ReadonlyMap<ProbePoint, readonly ProbePoint[]> => {
  const near = Map.groupBy(
    points.filter((point) => point.far !== true && FIELDS.has(point.place)),
    keyOf,
  )
  return new Map(
    points.flatMap((point) => {
      const asked = point.far === true ? near.get(keyOf(point)) : undefined
      return asked === undefined ? [] : [[point, asked] as const]
    }),
  )
}

const FIELDS: ReadonlySet<ProbePoint['place']> = new Set(['form', 'multipart'])

const keyOf = (point: ProbePoint): string =>
  `${point.request.method} ${point.request.url} ${slotOf({ ...point, place: 'form' })}`
