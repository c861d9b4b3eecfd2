/** How much of what only reads was asked: what was left alone is asked once afterwards, and reads where nothing has changed. */

import type { RequestTemplate } from '../../src/modules/attack/crawl/facts.ts'
import { ENDS_SESSION } from '../../src/safety/deeds.ts'
import type { Scanned } from './scan.ts'

export interface Reach {
  /** Places of requests that only read: asked by a module that probes, and left alone. */
  readonly asked: number
  readonly reading: number
  /** Left alone although asking it changed nothing. */
  readonly wronged: readonly string[]
  /** Left alone, and asking it changed something. */
  readonly rightly: number
  /** Of posts that were left alone nobody can say that they only read. */
  readonly posts: number
  /** Not reached for want of time. */
  readonly unreached: number
}

/** `changes` asks for an address as the administrator and says whether it altered anything; null where it did not answer well. */
export const reachOf = async (
  { crawl, probed }: Scanned,
  changes: (address: string) => Promise<boolean | null>,
): Promise<Reach> => {
  const places = new Map<string, number>()
  for (const { request, place } of crawl.points)
    if (place !== 'header' && place !== 'cookie') places.set(request, (places.get(request) ?? 0) + 1)
  const key = (method: string, url: string, place: string, name: string): string =>
    `${method} ${place === 'query' ? (url.split('?')[0] ?? url) : url} ${place} ${name}`
  const done = new Set(
    probed.flatMap(({ points }) =>
      points.filter(({ requests }) => requests > 0).map(({ at }) => key(at.method, at.url, at.place, at.name)),
    ),
  )
  const requests = new Map(crawl.requests.map((request) => [request.id, request]))
  const kept = crawl.points.filter(
    ({ request, place }) => place !== 'header' && place !== 'cookie' && requests.get(request)?.harm === null,
  )
  const asked = kept.filter(({ request, place, name }) => {
    const { method = '', url = '' } = requests.get(request) ?? {}
    return done.has(key(method, url, place, name))
  }).length
  const wronged: string[] = []
  let wrongedPlaces = 0
  let rightly = 0
  let posts = 0
  for (const request of crawl.requests.filter(({ id, harm }) => harm !== null && places.has(id))) {
    const count = places.get(request.id) ?? 0
    if (request.method !== 'GET') posts += count
    else if (request.harm === ENDS_SESSION) rightly += count
    else {
      const changed = await changes(request.url)
      if (changed === null) continue
      if (changed) rightly += count
      else {
        wrongedPlaces += count
        wronged.push(lineOf(request))
      }
    }
  }
  return { asked, reading: asked + wrongedPlaces, wronged, rightly, posts, unreached: kept.length - asked }
}

const lineOf = ({ url, harm }: RequestTemplate): string => `${url} (${harm})`
