/**
 * A parameter that chooses the program (`index.php?page=terms`) is read by what chooses, whatever stands in it: of the pages that are asked
 * for with the same names two are asked for it, and stand for the others.
 */
import { parametersOf } from '../../../page/segments.ts'
import { type ProbePoint, slotOf } from './inventory.ts'

const ASKED = 2

/** By each place that is not asked itself, those that stand for it. */
export const choosersMerged = (points: readonly ProbePoint[]): ReadonlyMap<ProbePoint, readonly ProbePoint[]> =>
  new Map(
    [...Map.groupBy(points.filter(isChooser), keyOf).values()].flatMap((same) =>
      same.slice(ASKED).map((point) => [point, same.slice(0, ASKED)] as const),
    ),
  )

const isChooser = ({ request, place, name, within }: ProbePoint): boolean =>
  place === 'query' &&
  within === undefined &&
  request.effect === 'reads' &&
  request.bound === undefined &&
  new URLSearchParams(request.route).has(name)

/** What else chooses chooses another program. */
const keyOf = (point: ProbePoint): string => {
  const { method, url, body, route } = point.request
  const { origin, pathname } = new URL(url)
  const others = new URLSearchParams(route)
  others.delete(point.name)
  const names = [...new Set(parametersOf(url).map(([name]) => name))].toSorted()
  const fields = [...new Set(new URLSearchParams(body ?? '').keys())].toSorted()
  return JSON.stringify([method, origin, pathname, names, fields, others.toString(), slotOf(point)])
}
