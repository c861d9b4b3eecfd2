/** What a list is asked for by: a review shows in the list of its own product, whichever one the page was opened of that the crawl has kept. */

import type { HttpRequest } from '../../../../egress/door/egress.ts'
import { jsonTreeOf } from '../../../../page/json.ts'
import type { ProbePoint } from '../../insertion-points/inventory.ts'

/** Others of one list. */
const MOST_OTHERS = 4

interface Asked {
  readonly url: string
  readonly asks?: Pick<HttpRequest, 'method' | 'headers' | 'body'>
}

type Values = ReadonlyMap<string, string | number>

/** What requests that store send beside the word, of each request once. */
export const valuesBeside = (points: readonly ProbePoint[]): readonly Values[] => {
  const byRequest = new Map<string, Values>()
  for (const point of points) {
    const key = `${point.request.id} ${point.name}`
    if (byRequest.size >= MOST_STORED) break
    if (!byRequest.has(key)) byRequest.set(key, valuesOf(point))
  }
  return [...byRequest.values()].filter(({ size }) => size > 0)
}
const MOST_STORED = 400

/** The list as it is, and as it is asked for by what was stored beside words, where names of both are the same. */
export const askedByStored = <Feed extends Asked>(feed: Feed, stored: readonly Values[]): readonly Feed[] => {
  const others = new Map<string, Feed>()
  const members = typeof feed.asks?.body === 'string' ? objectOf(feed.asks.body) : null
  if (members === null && !feed.url.includes('?')) return [feed]
  for (const values of stored) {
    const other = withQuery(withBody(feed, members, values), values)
    const key = JSON.stringify([other.url, other.asks?.body])
    if (other !== feed && others.size < MOST_OTHERS) others.set(key, other)
  }
  return [feed, ...others.values()]
}

/** Of a body of JSON, or a form, by name; without what is asked there, and texts that are no keys. */
const valuesOf = ({ request: { body }, name, place }: ProbePoint): Values => {
  const own = place === 'json' ? name.slice(name.lastIndexOf('/') + 1) : name
  const all = Object.entries(objectOf(body) ?? Object.fromEntries(new URLSearchParams(body ?? '')))
  return new Map(all.flatMap(([key, value]) => (key !== own && isKey(value) ? [[key, value] as const] : [])))
}

const isKey = (value: unknown): value is string | number =>
  typeof value === 'number' || (typeof value === 'string' && /^[\w-]{1,64}$/.test(value))

const withBody = <Feed extends Asked>(
  feed: Feed,
  members: Readonly<Record<string, unknown>> | null,
  values: Values,
): Feed => {
  const changes = Object.entries(members ?? {}).flatMap(([key, value]) => {
    const other = values.get(key)
    // As a number where it is one there.
    return other === undefined || String(other) === String(value)
      ? []
      : [[key, typeof value === 'number' ? Number(other) : other]]
  })
  if (members === null || changes.length === 0) return feed
  return { ...feed, asks: { ...feed.asks, body: JSON.stringify({ ...members, ...Object.fromEntries(changes) }) } }
}

const withQuery = <Feed extends Asked>(feed: Feed, values: Values): Feed => {
  const url = new URL(feed.url)
  let isOther = false
  for (const [name, value] of [...url.searchParams]) {
    const other = values.get(name)
    if (other === undefined || String(other) === value) continue
    url.searchParams.set(name, String(other))
    isOther = true
  }
  return isOther ? { ...feed, url: url.href } : feed
}

const objectOf = (body: string | null): Readonly<Record<string, unknown>> | null => {
  const parsed = jsonTreeOf(body ?? '')
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : null
}
