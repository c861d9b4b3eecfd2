/** A cookie whose reader decodes no per cent signs, asked in quotes. */
import { compose } from './compose.ts'
import type { ProbePoint } from './inventory.ts'
import type { Probe } from './prober.ts'

/** All that is sent to the cookie, or to those of a group, goes in quotes, in which servers written in Python read octal digits: see `quotedCookie`. */
export const inQuotes = (probe: Probe): Probe => {
  const point = quoted(probe.point)
  return {
    ...probe,
    point,
    send: (value, asking = {}) =>
      probe.send(value, {
        ...asking,
        change: (request) => {
          const changed = { ...request, ...compose(point, value) }
          return asking.change?.(changed) ?? changed
        },
      }),
  }
}

/** A cookie that is not asked in quotes yet. */
export const isUnquoted = ({ place, quoted, members }: ProbePoint): boolean =>
  members ? members.some(isUnquoted) : place === 'cookie' && !quoted

const quoted = (point: ProbePoint): ProbePoint => {
  if (point.members) return { ...point, members: point.members.map(quoted) }
  return point.place === 'cookie' ? { ...point, quoted: true } : point
}
