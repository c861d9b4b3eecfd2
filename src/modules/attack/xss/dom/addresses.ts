/** Addresses of pages with a value in them. What stands behind the # may be a route, with a path and a query of its own. */
import { hashRouteOf, withoutHash } from '../../../../page/shape.ts'
import { withQuery } from '../../insertion-points/compose.ts'

/** In the query of the document; the route stays. */
export const withDocumentQuery = (url: string, name: string, value: string): string =>
  onRoute(withQuery(url, name, value), url)

/** As it is written, in the query of the document. */
export const withWrittenQuery = (url: string, pair: string): string => {
  const document = withoutHash(url)
  return onRoute(`${document}${document.includes('?') ? '&' : '?'}${pair}`, url)
}

const onRoute = (document: string, url: string): string => {
  const route = hashRouteOf(url)
  return route === null ? document : `${document}#${route}`
}

/** `text` behind the #; where a route stands there, in a parameter of it that nobody asked for. */
export const withFragment = (url: string, text: string): string =>
  hashRouteOf(url) === null ? `${withoutHash(url)}#${text}` : withParts(url, [['qx', text]])

/** Parameters behind the #, or of the route there, whose values are encoded already. */
export const withParts = (url: string, pairs: readonly (readonly [name: string, value: string])[]): string => {
  const route = hashRouteOf(url)
  const names = new Set(pairs.map(([name]) => name))
  const [path = '', query = ''] = (route ?? '').split(/\?(.*)/s)
  const others = query.split('&').filter((pair) => pair !== '' && !names.has(pair.split('=')[0] ?? ''))
  const all = [...others, ...pairs.map(([name, value]) => `${name}=${value}`)].join('&')
  return `${withoutHash(url)}#${route === null ? all : `${path}?${all}`}`
}

/** Names of the parameters of the route behind the #. */
export const routeParameters = (url: string): readonly string[] => [
  ...new URLSearchParams(hashRouteOf(url)?.split(/\?(.*)/s)[1] ?? '').keys(),
]

/** Parts of the route behind the # that may be values: all but the first, which names the view. */
export const routeSegments = (url: string): readonly number[] =>
  segmentsOf(url).flatMap((segment, index) => (index > 0 && segment !== '' ? [index] : []))

export const withRouteSegment = (url: string, index: number, value: string): string => {
  const [, query] = (hashRouteOf(url) ?? '').split(/(\?.*)/s)
  const marked = /^!?\//.exec(hashRouteOf(url) ?? '')?.[0] ?? ''
  const path = segmentsOf(url).with(index, strictly(value)).join('/')
  return `${withoutHash(url)}#${marked}${path}${query ?? ''}`
}

/** Parts of the path of the document that are not empty, by their place in it. */
export const pathSegments = (url: string): readonly number[] =>
  new URL(url).pathname.split('/').flatMap((segment, index) => (segment === '' ? [] : [index]))

/** Its query and its route stay. */
export const withPathSegment = (url: string, index: number, value: string): string => {
  const address = new URL(url)
  address.pathname = address.pathname.split('/').with(index, strictly(value)).join('/')
  return address.href
}

const segmentsOf = (url: string): readonly string[] =>
  (hashRouteOf(url) ?? '').replace(/^!?\//, '').replace(/\?.*$/s, '').split('/')

/** Routers give brackets and quotes meanings of their own (RFC 3986, 2.2: sub-delims). */
const strictly = (value: string): string =>
  encodeURIComponent(value).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
