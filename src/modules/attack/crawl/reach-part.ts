/** What the crawl says of the run's reach: addresses, forms, operations, pages for the browser, and the places it lists. */
import type { ReachEntry, ReachPart } from '../../reach.ts'
import { parameterOf } from '../insertion-points/verdict.ts'
import type { CrawlFacts } from './facts.ts'

/** What became of its places the modules say that ask them; it says why some are left alone. */
export const reachPartOf = (facts: CrawlFacts): ReachPart => {
  const { reach, pointsLeft = 0 } = facts
  const kept = new Map<string, number>()
  const keyOf = (kind: string, fate: string, reason: string | null, holds: boolean): string =>
    JSON.stringify([kind, fate, reason, holds])
  for (const { kind, fate, reason, holds } of reach?.rows ?? []) {
    const key = keyOf(kind, fate, reason, holds)
    kept.set(key, (kept.get(key) ?? 0) + 1)
  }
  return {
    entries: [
      ...(reach?.rows ?? addressesOf(facts)).map(({ holds: _, ...row }) => ({
        ...row,
        id: `${row.kind} ${row.method} ${row.url}`,
      })),
      ...placesOf(facts),
    ],
    beyond: [
      ...(reach?.counts ?? [])
        .map(({ kind, fate, reason, holds, count }) => ({
          ...{ kind, fate, reason },
          count: count - (kept.get(keyOf(kind, fate, reason, holds)) ?? 0),
        }))
        .filter(({ count }) => count > 0),
      ...(reach ? [] : leftOutOf(facts)),
      ...(pointsLeft > 0
        ? [{ ...PLACE, fate: 'left_out' as const, reason: 'beyond the longest list', count: pointsLeft }]
        : []),
    ],
  }
}

const PLACE = { kind: 'insertion_point' } as const

const placesOf = (crawl: CrawlFacts): ReachPart['entries'] => [crawl, ...(crawl.others ?? [])].flatMap(placesIn)

const placesIn = ({ points, requests }: Pick<CrawlFacts, 'points' | 'requests'>): ReachPart['entries'] => {
  const byId = new Map(requests.map((request) => [request.id, request]))
  return points.flatMap(({ id, request: of, place, name }): readonly ReachEntry[] => {
    const request = byId.get(of)
    if (!request) return []
    const { method, url, harm } = request
    const at = { ...PLACE, id, method, url, parameter: parameterOf({ url, method, place, name }) }
    if (harm !== null) return [{ ...at, fate: 'left_out', reason: harm }]
    return [{ ...at, fate: 'cut_off', reason: 'nothing came to ask it', listed: true }]
  })
}

/** Of a crawl that kept no rows. */
const addressesOf = ({ urls }: CrawlFacts) =>
  urls.map(({ url }) => ({
    ...{ kind: 'address' as const, method: 'GET', url, fate: 'asked' as const, reason: null, holds: true },
  }))

const leftOutOf = ({ leftOut }: CrawlFacts): ReachPart['beyond'] =>
  Object.entries(leftOut).map(([reason, count]) => ({ kind: 'address', fate: 'left_out', reason, count }))
