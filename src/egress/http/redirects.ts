/** Following redirects: each hop a new request through the whole door, guard included. */
import { type Egress, EgressError, type HttpExchange, type HttpRequest } from '../door/egress.ts'
import { headerOf } from './response-parser.ts'

export interface RedirectChain {
  /** In order; empty when not even the first request was answered. */
  readonly exchanges: readonly HttpExchange[]
  /** Why the chain stopped before its end, or null when the last exchange is no redirect. */
  readonly error: EgressError | null
}

/**
 * `max` counts redirects, not requests. Gives up on a loop. Never throws for what a target does: the hops so far are
 * the result; only `aborted` and `budget` are thrown.
 */
export const followRedirects = async (
  egress: Pick<Egress, 'http'>,
  request: HttpRequest,
  max = 10,
  /** Asked before each hop; false ends the chain there without an error. */
  follow: (next: URL) => boolean = () => true,
): Promise<RedirectChain> => {
  const exchanges: HttpExchange[] = []
  const seen = new Set<string>()
  let next: HttpRequest = request
  for (;;) {
    let exchange: HttpExchange
    try {
      exchange = await egress.http(next)
    } catch (error) {
      if (!(error instanceof EgressError) || error.code === 'aborted' || error.code === 'budget') throw error
      return { exchanges, error }
    }
    exchanges.push(exchange)
    const location = redirectTarget(exchange)
    if (location === null) return { exchanges, error: null }
    if (!follow(location)) return { exchanges, error: null }
    seen.add(`${exchange.request.method} ${next.url}`)
    next = redirected(next, exchange.status, location)
    if (seen.has(`${next.method ?? 'GET'} ${next.url}`)) {
      return { exchanges, error: new EgressError('protocol', `redirect loop at ${location.origin}`) }
    }
    if (exchanges.length > max) return { exchanges, error: new EgressError('protocol', `more than ${max} redirects`) }
  }
}

/** Where an exchange sends the client (RFC 9110, 15.4), or null. Headers come as latin1; browsers read UTF-8. */
export const redirectTarget = (exchange: HttpExchange): URL | null => {
  if (!REDIRECTS.has(exchange.status)) return null
  const location = Buffer.from(headerOf(exchange.headers, 'location'), 'latin1').toString()
  if (location === '') return null
  const target = URL.parse(location, exchange.request.url)
  return target && (target.protocol === 'http:' || target.protocol === 'https:') ? target : null
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const PERSONAL: ReadonlySet<string> = new Set(['cookie', 'authorization', 'proxy-authorization', 'host'])
const ABOUT_BODY = /^content-/i

/** Method and headers of the next request as in the fetch standard, HTTP-redirect fetch, steps 11 to 14. */
export const redirected = (request: HttpRequest, status: number, location: URL): HttpRequest => {
  const method = request.method ?? 'GET'
  const toGet = (status === 303 && method !== 'HEAD') || ((status === 301 || status === 302) && method === 'POST')
  const sameOrigin = URL.parse(request.url)?.origin === location.origin
  const headers = (request.headers ?? []).filter(
    ([name]) => !(toGet && ABOUT_BODY.test(name)) && (sameOrigin || !PERSONAL.has(name.toLowerCase())),
  )
  const { body, target: _, ...rest } = request
  location.hash = ''
  return { ...rest, ...(toGet ? { method: 'GET' } : body === undefined ? {} : { body }), url: location.href, headers }
}
