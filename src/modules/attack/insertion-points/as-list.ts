/** A parameter sent as a list of one value (`name[]=value`): what cleans texts alone often lets a list pass, and writes it as its only member. */
import { withName } from './compose.ts'
import { type Probe, Unsendable } from './prober.ts'

/** Null where the place is no parameter of a query or a form, is a list already, or stands for several. */
export const asList = (probe: Probe): Probe | null => {
  const { point, send } = probe
  const { place, name, request } = point
  if ((place !== 'query' && place !== 'form') || point.members || point.within || /[[\]]/.test(name)) return null
  const listed = `${name}[]`
  const plain = withName({ ...request, body: request.body ?? undefined }, name, listed)
  if (plain === null) return null
  const body = typeof plain.body === 'string' ? plain.body : request.body
  return {
    ...probe,
    point: { ...point, name: listed, request: { ...request, url: plain.url, body } },
    send: (value, asking) =>
      send(value, {
        ...asking,
        change: (composed) => {
          const renamed = withName(composed, name, listed)
          if (renamed === null) throw new Unsendable('its request does not hold the name')
          return asking?.change?.(renamed) ?? renamed
        },
      }),
  }
}
