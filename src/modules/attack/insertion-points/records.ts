/** What became of each place of one module, and what was found there. */
import type { CollectContext } from '../../module.ts'
import type { LeftWay, ProbedPlace, ProbedPoint, ProbingFacts } from './facts.ts'
import type { ProbePoint } from './inventory.ts'
import { LOST, type Settled } from './planner.ts'
import type { Leave } from './prober.ts'

export interface Records<Hit> {
  readonly settle: (settled: Settled) => void
  /** Counts only where its place is settled. */
  readonly hit: (point: ProbePoint, hit: Hit) => void
  readonly leave: Leave
  /** A fault of ours around the places, by its id. */
  readonly fault: (id: string) => void
  /** The session was lost: places that were settled since its last proof, and those never asked, were not tested signed in. */
  readonly lose: (epoch: number) => void
  readonly facts: () => Pick<ProbingFacts<Hit>, 'points' | 'left' | 'fault'>
}

/** `points` in the order in which facts list them. Tells `ctx` of progress. */
export const createRecords = <Hit>(
  ctx: Pick<CollectContext, 'progress'>,
  what: string,
  points: readonly ProbePoint[],
): Records<Hit> => {
  const settled = new Map<ProbePoint, Settled>()
  const hits = new Map<ProbePoint, Hit[]>()
  const ways = new Map<ProbePoint, Map<string, LeftWay>>()
  let fault: string | undefined
  const settle = (one: Settled): void => {
    settled.set(one.point, one)
    ctx.progress(`${what}: ${settled.size} of ${points.length} places`, settled.size / points.length)
  }
  const resultOf = (point: ProbePoint): readonly ProbedPoint<Hit>[] => {
    const known = settled.get(point)
    if (!known) return []
    const left = [...(ways.get(point)?.values() ?? [])]
    return [
      {
        id: idOf(point),
        at: placeOf(point),
        ...known.ended,
        requests: known.requests,
        hits: hits.get(point) ?? [],
        ...(left.length > 0 ? { leftWays: left } : {}),
      },
    ]
  }
  return {
    settle,
    hit: (point, hit) => void hits.set(point, [...(hits.get(point) ?? []), hit]),
    leave: (point, way, reason) => {
      ways.set(point, (ways.get(point) ?? new Map<string, LeftWay>()).set(way, { way, reason }))
    },
    fault: (id) => {
      fault = id
    },
    lose: (epoch) => {
      for (const point of points) {
        const known = settled.get(point)
        if (known === undefined) settle({ point, ended: LOST, requests: 0, epoch })
        else if (known.epoch === epoch) settled.set(point, { ...known, ended: { ...known.ended, ...LOST } })
      }
    },
    facts: () => {
      const tested = points.flatMap(resultOf)
      return { points: tested, left: points.length - tested.length, ...(fault === undefined ? {} : { fault }) }
    },
  }
}

/** As in the crawl's facts. */
export const idOf = ({ request, place, name }: ProbePoint): string => `${request.id}:${place}:${name}`

export const placeOf = ({ request, place, name }: ProbePoint): ProbedPlace => {
  const route = place === 'query' ? withoutName(request.route, name) : (request.route ?? '')
  const [start = request.url] = request.url.split('?')
  return {
    url: place === 'query' ? `${start}${route === '' ? '' : `?${route}`}` : request.url,
    method: request.method,
    place,
    name,
    ...(route === '' ? {} : { route }),
  }
}

/** What chooses the program is no part of its own place. */
const withoutName = (route: string | undefined, name: string): string => {
  const left = new URLSearchParams(route)
  left.delete(name)
  return left.toString()
}
