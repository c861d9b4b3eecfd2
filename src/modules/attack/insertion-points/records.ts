/** What became of each place of one module, and what was found there. */
import type { CollectContext } from '../../module.ts'
import { FIRST_ONLY, type LeftWay, type ProbedPlace, type ProbedPoint, type ProbingFacts } from './facts.ts'
import type { ProbePoint } from './inventory.ts'
import { wayOf } from './packed.ts'
import { LOST, type Settled } from './planner.ts'
import { argumentOf, procedureText } from './procedure.ts'

/** Told of a way that was not gone at a place, or at each member of a group. */
export type Leave = (point: ProbePoint, way: string, reason: string) => void

export interface Records<Hit> {
  readonly settle: (settled: Settled) => void
  /** Counts only where its place is settled. */
  readonly hit: (point: ProbePoint, hit: Hit) => void
  readonly hits: (point: ProbePoint) => readonly Hit[]
  readonly leave: Leave
  /** What was left for this reason was asked after all. */
  readonly ask: (point: ProbePoint, reason: string) => void
  /** A fault of ours around the places, by its id. */
  readonly fault: (id: string) => void
  /** The session was lost: places that were settled since its last proof, and those never asked, were not tested signed in. */
  readonly lose: (epoch: number) => void
  /** Places that were settled since this proof of the session. */
  readonly since: (epoch: number) => readonly ProbePoint[]
  readonly facts: () => Pick<ProbingFacts<Hit>, 'points' | 'left' | 'fault'>
}

/** `points` in the order in which facts list them; `merged`: those in whose stead others are asked. Tells `ctx` of progress. */
export const createRecords = <Hit>(
  ctx: Pick<CollectContext, 'progress'>,
  what: string,
  points: readonly ProbePoint[],
  merged: ReadonlyMap<ProbePoint, readonly ProbePoint[]> = new Map(),
): Records<Hit> => {
  const all = points.length - merged.size
  const settled = new Map<ProbePoint, Settled>()
  const hits = new Map<ProbePoint, Hit[]>()
  const ways = new Map<ProbePoint, Map<string, LeftWay>>()
  const waiting = new Set<ProbePoint>()
  let fault: string | undefined
  const settle = (one: Settled): void => {
    settled.set(one.point, { ...one, requests: one.requests + (settled.get(one.point)?.requests ?? 0) })
    const done = settled.size < all ? settled.size : settled.size - waiting.size
    const last = settled.size < all ? '' : ' to the last question'
    ctx.progress(`${what}: ${done} of ${all} places${last}`, (settled.size - waiting.size / 2) / all)
  }
  const resultOf = (point: ProbePoint): readonly ProbedPoint<Hit>[] => {
    const known = settled.get(point)
    if (!known) return standInFor(point)
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
  /** The end of the first of those that stand for it: nothing is found there, as nothing was sent there. */
  const standInFor = (point: ProbePoint): readonly ProbedPoint<Hit>[] =>
    (merged.get(point) ?? []).slice(0, 1).flatMap((other) =>
      resultOf(other).map((one) => ({
        ...one,
        id: idOf(point),
        at: placeOf(point),
        requests: 0,
        hits: [],
        with: idOf(other),
      })),
    )
  return {
    settle,
    hit: (point, hit) => void hits.set(point, [...(hits.get(point) ?? []), hit]),
    hits: (point) => hits.get(point) ?? [],
    ask: (point, reason) => {
      waiting.delete(point)
      for (const [key, left] of ways.get(point) ?? []) if (left.reason === reason) ways.get(point)?.delete(key)
    },
    leave: (point, way, reason) => {
      if (reason === FIRST_ONLY) waiting.add(point)
      // What waits is asked yet, and what else kept a way from being gone stays said then.
      const key = `${way} ${reason === FIRST_ONLY}`
      ways.set(point, (ways.get(point) ?? new Map<string, LeftWay>()).set(key, { way, reason }))
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
    since: (epoch) => [...settled.values()].flatMap((one) => (one.epoch === epoch ? [one.point] : [])),
    facts: () => {
      const tested = points.flatMap(resultOf)
      return { points: tested, left: points.length - tested.length, ...(fault === undefined ? {} : { fault }) }
    },
  }
}

/** As in the crawl's facts. */
export const idOf = ({ request, place, name, within }: ProbePoint): string =>
  [`${request.id}:${place}:${name}`, ...(within ? [within.steps.join(' ')] : [])].join(':')

export const placeOf = ({ request, place, name, within, guessed }: ProbePoint): ProbedPlace => {
  const route = place === 'query' ? withoutName(request.route, name) : (request.route ?? '')
  const [start = request.url] = request.url.split('?')
  const procedure = procedureText(request.procedure, name)
  const argument = place === 'json' ? argumentOf(request.body, name) : null
  return {
    url: place === 'query' ? `${start}${route === '' ? '' : `?${route}`}` : request.url,
    method: request.method,
    place,
    name,
    ...(within ? { within: wayOf(within) } : {}),
    ...(route === '' ? {} : { route }),
    ...(procedure === '' ? {} : { procedure }),
    ...(request.program === undefined ? {} : { program: request.program }),
    ...(argument === null ? {} : { argument }),
    ...(guessed === true && place === 'query' ? { guessed } : {}),
  }
}

/** What chooses the program is no part of its own place. */
const withoutName = (route: string | undefined, name: string): string => {
  const left = new URLSearchParams(route)
  left.delete(name)
  return left.toString()
}
