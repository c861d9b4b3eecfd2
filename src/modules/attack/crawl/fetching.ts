/** How a crawl asks: as a browser would, with the site's own cookies, and null where nothing answers. */
import type { HeaderPairs, HttpExchange, HttpRequest } from '../../../egress/door/egress.ts'
import { targetFailure } from '../../../egress/door/target-failure.ts'
import { cookieNamesIn } from '../../../page/cookies/cookie-header.ts'
import { headerOf, pageRequest } from '../../../page/exchange.ts'
import type { CollectContext } from '../../module.ts'
import { patiently } from '../../patience.ts'
import type { Scheme } from './facts.ts'
import { createJar, type Jar, type Kept } from './jar.ts'

export interface Fetcher {
  readonly get: (url: string, accept?: string) => Promise<HttpExchange | null>
  readonly post: (url: string, contentType: string, body: string) => Promise<HttpExchange | null>
  readonly send: (request: HttpRequest) => Promise<HttpExchange | null>
  /** Cookies that the site has set, name to value. */
  readonly cookies: ReadonlyMap<string, string>
  /** Those of an address. */
  readonly cookiesAt: Jar['at']
  /** By address of a page, what it was asked with that the site had set before. */
  readonly broughtTo: ReadonlyMap<string, Brought>
  /** One that a script has set. */
  readonly keep: (name: string, value: string) => void
  /** Whether the name of its host is none that there is: nothing of the site lies there. */
  readonly isNowhere: (url: string) => boolean
  /** How addresses that let nobody in ask who it is, by address without its query. */
  readonly schemes: ReadonlyMap<string, Scheme>
  /** Remembers what an answer sets, and how it asks who it is. */
  readonly learn: (url: string, answer: Pick<HttpExchange, 'status' | 'headers'>) => void
}

/** Cookies as the header has them; `begun`: those of answers, which a script did not set. */
export interface Brought {
  readonly all: string
  readonly begun: string
}

const MAX_SCHEMES = 200
const MOST_NOWHERE = 200
const MOST_PAGES = 2_000
const TIMEOUT = 10_000

/** RFC 9110, 11.6.1; null where the answer asks for nobody, or in another way. */
const schemeOf = ({ status, headers }: Pick<HttpExchange, 'status' | 'headers'>): Scheme | null => {
  const asked = headers.filter(([name]) => status === 401 && name.toLowerCase() === 'www-authenticate')
  return SCHEMES.find((scheme) => asked.some(([, value]) => new RegExp(`^\\s*${scheme}\\b`, 'i').test(value))) ?? null
}

/** Of an Authorization header; null where it is another. */
export const schemeSaid = (authorization: string): Scheme | null =>
  SCHEMES.find((scheme) => authorization.toLowerCase().startsWith(`${scheme.toLowerCase()} `)) ?? null

/** What schemes are kept by: who asks is told to a program, whatever it is asked for. */
export const withoutQuery = (url: string): string => url.split(/[?#]/)[0] ?? url

const SCHEMES: readonly Scheme[] = ['Basic', 'Bearer']

export const createFetcher = (ctx: CollectContext): Fetcher => {
  const jar = createJar()
  const beside = besideSession(ctx)
  const cookies = jar.all
  const schemes = new Map<string, Scheme>()
  const nowhere = new Set<string>()
  const broughtTo = new Map<string, Brought>()
  const learn: Fetcher['learn'] = (url, answer) => {
    const scheme = schemeOf(answer)
    if (scheme && schemes.size < MAX_SCHEMES) schemes.set(withoutQuery(url), scheme)
    for (const [name, value] of answer.headers) if (name.toLowerCase() === 'set-cookie') jar.set(url, value)
  }
  /** What the site has set and the request does not have itself: each name once (RFC 6265, 5.4). */
  const broughtBy = async (url: string, headers: HeaderPairs): Promise<Brought> => {
    const kept = ctx.hasCredentials ? await beside(url, jar.at(url)) : jar.at(url)
    const named = cookieNamesIn(cookieIn(headers) ?? '')
    const sent = kept.filter(({ name }) => !named.has(name))
    return { all: pairs(sent), begun: pairs(sent.filter(({ byScript }) => byScript === undefined)) }
  }
  const send = async (request: Parameters<typeof pageRequest>[1] & { readonly url: string }) => {
    const { url, headers = [], method = 'GET' } = request
    try {
      const brought = await broughtBy(url, headers)
      const asked = { ...request, headers: withCookies(headers, brought.all), timeout: TIMEOUT }
      const exchange = await patiently(() => ctx.egress.http(pageRequest(url, asked)))
      const isPage = method === 'GET' && exchange.status < 300
      if (isPage && brought.all !== '' && broughtTo.size < MOST_PAGES) broughtTo.set(url, brought)
      learn(url, exchange)
      return exchange
    } catch (error) {
      ctx.signal.throwIfAborted()
      const failure = targetFailure(error)
      if (failure === null) throw error
      const { hostname } = new URL(url)
      // Of the host of the run itself nobody says so: it has answered before.
      if (failure.code === 'unresolvable' && hostname !== ctx.target.host && nowhere.size < MOST_NOWHERE)
        nowhere.add(hostname)
      return null
    }
  }
  return {
    cookies,
    cookiesAt: jar.at,
    broughtTo,
    isNowhere: (url) => nowhere.has(new URL(url).hostname),
    schemes,
    learn,
    keep: jar.keep,
    send,
    get: (url, accept) => send({ url, headers: accept ? [['Accept', accept]] : [] }),
    post: (url, contentType, body) => send({ url, method: 'POST', body, headers: [['Content-Type', contentType]] }),
  }
}

const pairs = (kept: readonly Kept[]): string => kept.map(({ name, value }) => `${name}=${value}`).join('; ')

const cookieIn = (headers: HeaderPairs): string | null =>
  headers.find(([name]) => name.toLowerCase() === 'cookie')?.[1] ?? null

/** The first of them that there are, with the cookies of another: what a browser was seen to send comes without those that its page had set. */
export const allOf = (...known: readonly (HeaderPairs | undefined)[]): HeaderPairs | undefined => {
  const cookies = known.map((headers) => cookieIn(headers ?? [])).find((one) => one !== null)
  const first = known.find((headers) => headers !== undefined)
  return first === undefined || cookies === undefined || cookies === null || cookieIn(first) !== null
    ? first
    : withCookies(first, cookies)
}

/** One header alone (RFC 6265, 5.4). */
const withCookies = (headers: HeaderPairs, more: string): HeaderPairs => {
  if (more === '') return headers
  const own = cookieIn(headers)
  if (own === null) return [...headers, ['Cookie', more]]
  return [...headers.filter(([name]) => name.toLowerCase() !== 'cookie'), ['Cookie', `${own}; ${more}`]]
}

/**
 * What pages set beside the session of the run, as the number of a basket or the step of a form in several: a second session by the name of
 * the run's would replace it. Some begin a session of their own, which is hidden as the run's is.
 */
const besideSession = ({ egress, ownCookies = [] }: CollectContext) => {
  const hidden = new Set<string>()
  return async (url: string, kept: readonly Kept[]): Promise<readonly Kept[]> => {
    if (kept.length === 0 || hidden.size >= MOST_HIDDEN) return []
    const given = (await egress.credentialsFor?.(url)) ?? []
    const own = cookieNamesIn(cookieIn(given) ?? '')
    const beside = kept.filter(({ name, value }) => value !== '' && !own.has(name) && !ownCookies.includes(name))
    const begun = beside.filter(({ byScript }) => byScript === undefined)
    const fresh = begun.map(({ name, value }) => `${name}=${value}`).filter((pair) => !hidden.has(pair))
    for (const pair of fresh) hidden.add(pair)
    if (fresh.length > 0) egress.hideCookies?.(fresh.join('; '))
    return beside
  }
}
/** Values; a site that gives another one with each answer would have everything that leaves the scan searched for all of them. */
const MOST_HIDDEN = 500

/** Where an answer leads on to, null where it is none that does. */
export const targetOf = (exchange: HttpExchange, url: string): string | null => {
  const location = exchange.status >= 300 && exchange.status < 400 ? headerOf(exchange, 'location') : null
  return location === null ? null : (URL.parse(location, url)?.href ?? null)
}
