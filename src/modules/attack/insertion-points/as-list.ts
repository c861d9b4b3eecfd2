/** A parameter sent as a list of one value (`name[]=value`): what cleans texts alone often lets a list pass, and writes it as its only member. */
import type { HttpRequest } from '../../../egress/door/egress.ts'
import { withName } from './compose.ts'
import type { ProbePoint } from './inventory.ts'
import { type Probe, Unsendable } from './prober.ts'

/** Of several places as one all that are parameters. Null where there is no parameter of a query or a form, or only lists and parts of values. */
export const asList = (probe: Probe): Probe | null => {
  const { point, send } = probe
  const names = (point.members ?? [point]).filter(isParameter).map(({ name }) => name)
  const listed = (request: HttpRequest): HttpRequest | null => {
    let changed: HttpRequest | null = null
    for (const name of names) {
      const renamed = withName(changed ?? request, name, `${name}[]`)
      if (renamed !== null) changed = { ...request, ...renamed }
    }
    return changed
  }
  const { request } = point
  const plain = listed({ ...request, body: request.body ?? undefined })
  if (plain === null) return null
  const body = typeof plain.body === 'string' ? plain.body : request.body
  const alone = { name: `${point.name}[]`, request: { ...request, url: plain.url, body } }
  return {
    ...probe,
    point: point.members ? point : { ...point, ...alone },
    send: (value, asking) =>
      send(value, {
        ...asking,
        change: (composed) => {
          const renamed = listed(composed)
          if (renamed === null) throw new Unsendable('its request does not hold the name')
          return asking?.change?.(renamed) ?? renamed
        },
      }),
  }
}

const isParameter = ({ place, name, within }: ProbePoint): boolean =>
  (place === 'query' || place === 'form') && !within && !/[[\]]/.test(name)
