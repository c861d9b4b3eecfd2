/** A chain of redirects from one address, each hop a request of its own through egress. */
import { type Egress, EgressError, type HeaderPairs, type HttpExchange } from '../../../egress/door/egress.ts'
import { headerOf, pageRequest } from '../../../page/exchange.ts'
import type { Hop } from '../../../page/page.ts'

const MAX_HOPS = 10
const REDIRECTS = [301, 302, 303, 307, 308]

export interface Chain {
  readonly hops: readonly Hop[]
  /** The answer the chain ended with; null where it failed or left the site. */
  readonly last: HttpExchange | null
  /** The last answer received at all. */
  readonly seen: HttpExchange | null
  readonly error: { readonly code: string; readonly message: string } | null
}

export interface ChainOptions {
  /** False for an address that the chain may not go on to. */
  readonly inSite: (url: URL) => boolean
  /** False sends the requests without the run's credentials. */
  readonly authenticated: boolean
  /** Cookies set on the way are sent back as a browser does, or many a site redirects for ever. */
  readonly keepCookies: boolean
  /** Milliseconds after which no further hop is asked for: ten slow hops must not use up the whole scan. */
  readonly time: number
  readonly signal: AbortSignal
  /** The chain leads to the start page: see `HttpRequest.entry`. */
  readonly entry?: boolean
}

/** Never throws for what the target does; an abort is thrown. */
export const followChain = async (egress: Egress, start: string, options: ChainOptions): Promise<Chain> => {
  const hops: Hop[] = []
  const cookies = new Map<string, string>()
  let seen: HttpExchange | null = null
  const until = performance.now() + options.time
  let url = start
  try {
    while (hops.length <= MAX_HOPS) {
      if (performance.now() > until)
        return { hops, last: null, seen, error: { code: 'timeout', message: 'slow redirects' } }
      const headers: HeaderPairs = cookies.size > 0 ? [['Cookie', [...cookies.values()].join('; ')]] : []
      seen = await egress.http(
        pageRequest(url, { headers, authenticated: options.authenticated, entry: options.entry === true }),
      )
      const target = redirectTarget(seen, url)
      hops.push({ url, status: seen.status, location: headerOf(seen, 'location'), headers: seen.headers })
      if (!target) return { hops, last: seen, seen, error: null }
      if (!options.inSite(target)) return { hops, last: null, seen, error: null }
      if (options.keepCookies) remember(cookies, seen)
      url = target.href
    }
    return { hops, last: null, seen, error: { code: 'protocol', message: `more than ${MAX_HOPS} redirects` } }
  } catch (error) {
    options.signal.throwIfAborted()
    // That this machine has run out of something, or that we made a mistake, says nothing about the site.
    if (!(error instanceof EgressError) || error.code === 'exhausted') throw error
    return { hops, last: null, seen, error: { code: error.code, message: error.message } }
  }
}

const redirectTarget = (exchange: HttpExchange, url: string): URL | null => {
  const location = headerOf(exchange, 'location')
  if (location === null || !REDIRECTS.includes(exchange.status)) return null
  const target = URL.parse(location.trim(), url)
  if (!target || !['http:', 'https:'].includes(target.protocol)) return null
  target.hash = ''
  return target
}

const remember = (cookies: Map<string, string>, { headers }: HttpExchange): void => {
  for (const [name, value] of headers) {
    const pair = value.split(';')[0]?.trim() ?? ''
    if (name.toLowerCase() !== 'set-cookie' || !pair.includes('=') || cookies.size >= 50) continue
    cookies.set(pair.split('=')[0] ?? '', pair)
  }
}
