/**
 * Who asked for a page is written down by many programs and shown by few, so that a wait alone tells of the statement. Waits come behind all places; of a few
 * pages the headers that say it are made to wait before them, as one place.
 */
import { groupOf } from '../../insertion-points/groups.ts'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import { Blocked, type Probe, Unsendable } from '../../insertion-points/prober.ts'
import { firstOf } from '../../insertion-points/techniques.ts'
import type { TimeHit } from '../facts.ts'
import { timeWays } from './time.ts'

const WRITTEN_DOWN = /^(?:user-agent|referer|x-forwarded-for)$/i
/** One program counts the visits of a site, mostly that of every page; some leave the start page out, and what scripts ask for. */
const MOST_PAGES = 4

/** Milliseconds: a page that takes so long by itself would keep all places waiting for what is asked once for the site. */
const SLOW = 1_500

export interface Visit {
  readonly point: ProbePoint
  readonly hit: TimeHit
}

/** The headers of each page that is asked, pages of other paths before those of one. Exported for its test. */
export const visitsOf = (points: readonly ProbePoint[]): readonly (readonly ProbePoint[])[] => {
  const own = points.filter(
    ({ request, place, name }) => request.method === 'GET' && place === 'header' && WRITTEN_DOWN.test(name),
  )
  const pages = [...Map.groupBy(own, ({ request }) => request.id).values()]
  const paths = Map.groupBy(pages, ([first]) => new URL(first?.request.url ?? '').pathname)
  return [...paths.values()].flatMap(([first]) => (first === undefined ? [] : [first])).slice(0, MOST_PAGES)
}

/** `until`: by performance.now(), no page is begun after it. */
export const askVisits = async (
  points: readonly ProbePoint[],
  at: (point: ProbePoint) => Probe,
  found: (visit: Visit) => void,
  until = Number.POSITIVE_INFINITY,
): Promise<void> => {
  for (const members of visitsOf(points)) {
    if (performance.now() >= until) return
    if ((await askWaits(at(groupOf(members)))) === null) continue
    for (const point of members) {
      const hit = members.length === 1 ? null : await askWaits(at(point))
      if (hit) found({ point, hit })
    }
    // One statement has them all.
    return
  }
}

/** Null where it does not wait, or takes no probes. */
const askWaits = async (probe: Probe): Promise<TimeHit | null> => {
  try {
    const [usual] = await probe.baseline()
    return usual.status === 0 || usual.ms > SLOW ? null : await firstOf(timeWays(probe))
  } catch (error) {
    if (error instanceof Blocked || error instanceof Unsendable) return null
    throw error
  }
}
