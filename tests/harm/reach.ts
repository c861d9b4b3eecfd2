/**
 * How much of what only reads was asked: what was left alone is asked once afterwards, and reads where nothing has changed. Of
 * many it is a sample, spread over all, from which the whole is reckoned. What only a script names is counted apart: its values
 * are those that the script works out, and asking it with made-up ones shows neither that it reads nor that it writes.
 */

import type { RequestTemplate } from '../../src/modules/attack/crawl/facts.ts'
import { ENDS_SESSION } from '../../src/safety/deeds.ts'
import { ON_DEMAND } from '../../src/safety/signed-in.ts'
import type { Scanned } from './scan.ts'

export interface Reach {
  /**
   * Places of requests that only read: asked by a module that probes, and left alone. A place counts as asked where one of the
   * same path and name was, whatever stands beside it in the query; `themselves` are those that were asked by themselves.
   */
  readonly asked: number
  readonly themselves: number
  readonly reading: number
  /** Of all that reads the share that nothing forbids to ask, whether its turn came or not: time says nothing of what is left alone. */
  readonly allowed: number
  /** Of the sample, left alone although asking it changed nothing. */
  readonly wronged: readonly string[]
  /** Left alone, and asking it changed something. */
  readonly rightly: number
  /** Of posts that were left alone nobody can say that they only read. */
  readonly posts: number
  /** Of requests that only a script names, nobody can say it either. */
  readonly scripted: number
  /** Not reached for want of time. */
  readonly unreached: number
}

/** Of requests that were left alone, so many are asked; each means to read all that the application keeps. */
const SAMPLE = 80

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
  const keys = kept.map(({ request, place, name }) => {
    const { method = '', url = '' } = requests.get(request) ?? {}
    return key(method, url, place, name)
  })
  const asked = keys.filter((one) => done.has(one)).length
  const left = crawl.requests.filter(({ id, harm }) => harm !== null && places.has(id))
  const countOf = (requests: readonly RequestTemplate[]): number =>
    requests.reduce((sum, { id }) => sum + (places.get(id) ?? 0), 0)
  const ends = left.filter(({ method, harm }) => method === 'GET' && harm === ENDS_SESSION)
  const scripted = left.filter(({ method, harm }) => method === 'GET' && harm === ON_DEMAND)
  const gets = left.filter(({ method, harm }) => method === 'GET' && harm !== ENDS_SESSION && harm !== ON_DEMAND)
  const every = Math.max(1, Math.ceil(gets.length / SAMPLE))
  const sample = gets.filter((_request, index) => index % every === 0)
  const changing: RequestTemplate[] = []
  const reading: RequestTemplate[] = []
  for (const request of sample) {
    const changed = await changes(request.url)
    if (changed !== null) (changed ? changing : reading).push(request)
  }
  const reckoned = countOf(sample) === 0 ? 0 : countOf(gets) / countOf(sample)
  const wronged = Math.round(countOf(reading) * reckoned)
  return {
    asked,
    themselves: done.intersection(new Set(keys)).size,
    reading: asked + wronged,
    allowed: kept.length / (kept.length + wronged),
    wronged: reading.map(lineOf),
    rightly: countOf(ends) + Math.round(countOf(changing) * reckoned),
    posts: countOf(left.filter(({ method }) => method !== 'GET')),
    scripted: countOf(scripted),
    unreached: kept.length - asked,
  }
}

const lineOf = ({ url, harm }: RequestTemplate): string => `${url} (${harm})`
