/** A cookie whose reader decodes no per cent signs, asked in quotes. */
import { compose } from './compose.ts'
import type { Probe } from './prober.ts'

/** All that is sent to the cookie goes in quotes, in which servers written in Python read octal digits: see `quotedCookie`. */
export const inQuotes = (probe: Probe): Probe => {
  const point = { ...probe.point, quoted: true as const }
  return {
    ...probe,
    point,
    send: (value, asking = {}) =>
      probe.send(value, {
        ...asking,
        change: (request) => {
          const quoted = { ...request, ...compose(point, value) }
          return asking.change?.(quoted) ?? quoted
        },
      }),
  }
}
