/**
 * Somebody on the way to being signed in: has cookies of their own, follows redirects, and goes to the domain and the hosts that it
 * lists, nowhere else.
 */
import { CookieJar } from 'tough-cookie'
import { strangeHost } from '../contract/identity.ts'
import { type Egress, EgressError, type HttpExchange, type HttpRequest } from '../egress/door/egress.ts'
import { redirected, redirectTarget } from '../egress/http/redirects.ts'
import { percentDecoded } from '../page/percent.ts'
import { SignInFailed } from './failure.ts'

export interface Place {
  /** With its port where it has one. */
  readonly domain: string
  /** `sign_in_hosts` of the domain. */
  readonly hosts: readonly string[]
}

export interface Visitor {
  /** Https, or http where nothing answers there. */
  readonly origin: string
  /** @throws SignInFailed for an address of another site */
  readonly addressOf: (given: string) => string
  /** The answers of one request, redirects included. @throws SignInFailed */
  readonly send: (request: HttpRequest) => Promise<readonly HttpExchange[]>
  readonly cookie: (name: string) => string | null
  /** All that the domain has set, for whichever path; null where it has set none. */
  readonly cookies: () => string | null
  /** Those that scripts of the domain's pages read. */
  readonly readable: () => readonly { readonly name: string; readonly value: string }[]
  /** As a browser has them in the end. */
  readonly keep: (cookies: readonly { readonly name: string; readonly value: string }[]) => void
}

const MOST_REDIRECTS = 10
/** Milliseconds of one request. */
const TIMEOUT = 15_000
const MOST_BYTES = 1024 * 1024

export const createVisitor = async (egress: Pick<Egress, 'http'>, { domain, hosts }: Place): Promise<Visitor> => {
  const origin = await originOf(egress, domain)
  const jar = new CookieJar(undefined, { rejectPublicSuffixes: false, looseMode: true })
  const addressOf = (given: string): string => {
    const strange = strangeHost(given, domain, hosts)
    if (strange !== null) throw new SignInFailed(`The address ${strange}.`)
    const url = new URL(given, origin)
    if (url.host === new URL(origin).host && url.protocol !== new URL(origin).protocol)
      url.protocol = new URL(origin).protocol
    return url.href
  }
  const once = async (request: HttpRequest): Promise<HttpExchange> => {
    const cookies = await jar.getCookieString(request.url)
    const exchange = await egress.http({
      ...request,
      ...{ authenticated: false, timeout: TIMEOUT, maxBody: MOST_BYTES },
      // Somebody else's site is believed by its certificate alone.
      insecure: new URL(request.url).host === new URL(origin).host,
      headers: [...(request.headers ?? []), ...(cookies === '' ? [] : [['Cookie', cookies] as const])],
    })
    for (const [name, value] of exchange.headers)
      if (name.toLowerCase() === 'set-cookie') await jar.setCookie(value, request.url, { ignoreError: true })
    return exchange
  }
  const follow = (at: URL): boolean =>
    strangeHost(at.href, domain, hosts) === null &&
    (at.host !== new URL(origin).host || at.protocol === new URL(origin).protocol)

  return {
    origin,
    addressOf,
    send: async (request) => {
      const answers: HttpExchange[] = []
      let next = request
      for (;;) {
        const answer = await spoken(once(next), next)
        answers.push(answer)
        const to = redirectTarget(answer)
        if (to === null) return answers
        if (!follow(to))
          throw new SignInFailed(
            `${whatOf(next)} leads to ${to.protocol}//${to.host}, where nothing secret goes: it is neither the domain nor, by https, among its sign_in_hosts`,
          )
        if (answers.length > MOST_REDIRECTS)
          throw new SignInFailed(`${whatOf(request)} is redirected more than ${MOST_REDIRECTS} times`)
        const { headers = [], ...rest } = redirected(next, answer.status, to)
        next = { ...rest, headers: headers.filter(([name]) => name.toLowerCase() !== 'cookie') }
      }
    },
    cookie: (name) => {
      const found = jar.serializeSync()?.cookies.findLast(({ key }) => key === name)?.value
      return typeof found === 'string' ? percentDecoded(found) : null
    },
    cookies: () => {
      const own = jar.getCookiesSync(origin, { allPaths: true })
      return own.length === 0 ? null : own.map((one) => one.cookieString()).join('; ')
    },
    readable: () =>
      jar
        .getCookiesSync(origin, { allPaths: true })
        .flatMap(({ key, value, httpOnly }) => (httpOnly ? [] : [{ name: key, value }])),
    keep: (cookies) => {
      for (const { name, value } of cookies)
        jar.setCookieSync(`${name}=${value}; Path=/`, origin, { ignoreError: true })
    },
  }
}

/** @throws SignInFailed where the domain does not answer */
export const originOf = async (egress: Pick<Egress, 'http'>, domain: string): Promise<string> => {
  const said: string[] = []
  for (const scheme of ['https', 'http']) {
    const url = `${scheme}://${domain}/`
    try {
      await egress.http({ url, method: 'HEAD', authenticated: false, timeout: TIMEOUT, entry: true })
      return new URL(url).origin
    } catch (error) {
      if (!isOfTarget(error)) throw error
      said.push(`${url}: ${error.message}`)
    }
  }
  throw new SignInFailed(`The domain does not answer (${said.join('; ')})`)
}

/** Nothing of the query and the hash: a secret may stand in them. */
export const pageAt = (url: string): string => {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

/** As `pageAt`. */
export const whatOf = ({ method = 'GET', url }: Pick<HttpRequest, 'method' | 'url'>): string =>
  `${method} ${pageAt(url)}`

const spoken = async (answer: Promise<HttpExchange>, request: HttpRequest): Promise<HttpExchange> => {
  try {
    return await answer
  } catch (error) {
    if (!isOfTarget(error)) throw error
    throw new SignInFailed(`${whatOf(request)} was not answered: ${error.message}`, { cause: error })
  }
}

const OURS: readonly string[] = ['aborted', 'budget', 'exhausted']
const isOfTarget = (error: unknown): error is EgressError => error instanceof EgressError && !OURS.includes(error.code)
