/**
 * The segments by which an address says what is wanted: those of its path, and behind them those of a route that stands in the query
 * without a name, as front controllers take it: `/index.php?/album/3&order=1`, `/index.php?threads/42/`.
 */

/** First part of a query: a path in place of a name and a value. */
const ROUTE = /^([^?#]*\?)(\/?[^/=&#]*\/[^=&#]*|\/[^=&#]+)(?=[&#]|$)/

/** `/album/3` of `/index.php?/album/3&order=1`; null where the query begins with a name, or there is none. */
export const queryRouteOf = (address: string): string | null => ROUTE.exec(address)?.[2] ?? null

/** `/album/3` has two, as `album/3` has. */
const ofRoute = (route: string | null): readonly string[] =>
  route === null ? [] : (route.startsWith('/') ? route.slice(1) : route).split('/')

const ofPath = (address: string): readonly string[] => new URL(address).pathname.split('/').slice(1)

/** Of the path first, then of the route in the query; still encoded. */
export const segmentsOf = (address: string): readonly string[] => [
  ...ofPath(address),
  ...ofRoute(queryRouteOf(address)),
]

/** The address with a segment in place of the one there, or behind the last; `segment` is encoded already. */
export const withSegmentAt = (address: string, index: number, segment: string): string => {
  const url = new URL(address)
  const [path, route] = [ofPath(address), queryRouteOf(address)]
  const put = (segments: readonly string[], at: number): string =>
    (at < segments.length ? segments.with(at, segment) : [...segments, segment]).join('/')
  if (route === null) return `${url.origin}/${put(path, index)}${url.search}`
  if (index < path.length) return `${url.origin}/${put(path, index)}${url.search}`
  const slash = route.startsWith('/') ? '/' : ''
  const rest = url.search.slice(1 + route.length)
  return `${url.origin}${url.pathname}?${slash}${put(ofRoute(route), index - path.length)}${rest}`
}

/** Names and values of the query, decoded, without what is a route. */
export const parametersOf = (address: string): readonly (readonly [name: string, value: string])[] => {
  const { searchParams } = new URL(address)
  const all = [...searchParams]
  return queryRouteOf(address) === null ? all : all.slice(1)
}
