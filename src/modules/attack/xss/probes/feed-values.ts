/** What a list is asked for by: a review shows in the list of its own product, whichever one the page was opened of that the crawl has kept. */
import type { HttpRequest } from '../../../../egress/door/egress.ts'
import type { ProbePoint } from '../../insertion-points/inventory.ts'

/** Others of one list. */
const MOST_OTHERS = 4

interface Asked {
  readonly url: string
  readonly asks?: Pick<HttpRequest, 'method' | 'headers' | 'body'>
}

/** The list as it is, and as it is asked for by what these requests have stored beside their words, where names of both are the same. */
export const askedByStored = <Feed extends Asked>(feed: Feed, stored: readonly ProbePoint[]): readonly Feed[] => {
  const others = new Map<string, Feed>()
  for (const point of stored) {
    const values = valuesOf(point)
    const other = withQuery(withBody(feed, values), values)
    const key = JSON.stringify([other.url, other.asks?.body])
    if (other !== feed && others.size < MOST_OTHERS) others.set(key, other)
  }
  return [feed, ...others.values()]
}

/** Of a body of JSON, or a form, by name; without what is asked there, and texts that are no keys. */
const valuesOf = ({ request: { body }, name, place }: ProbePoint): ReadonlyMap<string, string | number> => {
  const own = place === 'json' ? name.slice(name.lastIndexOf('/') + 1) : name
  const all = Object.entries(objectOf(body) ?? Object.fromEntries(new URLSearchParams(body ?? '')))
  return new Map(all.flatMap(([key, value]) => (key !== own && isKey(value) ? [[key, value] as const] : [])))
}

const isKey = (value: unknown): value is string | number =>
  typeof value === 'number' || (typeof value === 'string' && /^[\w-]{1,64}$/.test(value))

const withBody = <Feed extends Asked>(feed: Feed, values: ReadonlyMap<string, string | number>): Feed => {
  const members = typeof feed.asks?.body === 'string' ? objectOf(feed.asks.body) : null
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

const withQuery = <Feed extends Asked>(feed: Feed, values: ReadonlyMap<string, string | number>): Feed => {
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
  if (!/^\s*\{/.test(body ?? '')) return null
  try {
    const parsed: unknown = JSON.parse(body ?? '')
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : null
  } catch {
    return null
  }
}
