/**
 * Tokens against forged requests (CWE-352) that stand in no field of a form: a cookie whose value a header repeats (double submit), or
 * a token that the page, an answer of JSON or a script names, and that the site's own scripts put into a header.
 */
import type { Egress, HeaderPairs, HttpExchange, HttpRequest } from '../../../egress/door/egress.ts'
import { cookiePairs } from '../../../page/cookies/cookie-header.ts'
import { parseSetCookie } from '../../../page/cookies/set-cookie.ts'
import { readHtml } from '../../../page/html.ts'
import { percentDecoded } from '../../../page/percent.ts'
import { isHtml, mediaTypeOf, textOf } from '../../../page/text.ts'
import type { AntiForgery, TokenSource } from '../crawl/facts.ts'
import { pageOrNull } from './page-or-null.ts'
import { isTokenName } from './tokens.ts'

/** A token as it stands now. */
export interface FoundToken extends TokenSource {
  readonly value: string
}

/** What a request carries beside its own, for this once. */
export interface Carried {
  readonly headers: HeaderPairs
  /** Pairs for the header Cookie, '' for none. */
  readonly cookies: string
}

/** Headers by which frameworks take a token back, beside those that the site itself names. */
export const USUAL_HEADERS = ['X-CSRF-Token', 'X-CSRFToken', 'X-XSRF-TOKEN', 'RequestVerificationToken', 'CSRF-Token']

const MOST_TOKENS = 6
const MOST_NODES = 300
/** As tokens are written: of letters, digits and the signs of base64, of JSON Web Tokens and of percent-encoding. */
const VALUE = /^[\w+/=.~:|%-]{8,600}$/
/** Names of headers, parameters and cookies stand beside tokens under names like theirs. */
const NO_TOKEN = /(?:header|param|name|cookie|url|path)$/i
const HEADER_NAME = /^x-[a-z-]+$/i
const WRITTEN = /([\w$-]{0,40}(?:csrf|xsrf)[\w$-]{0,40})["']?\s*[:=]\s*["']([\w+/=.~:|%-]{8,600})["']/gi

const isValue = (name: string, value: string): boolean =>
  VALUE.test(value) && !NO_TOKEN.test(name) && !HEADER_NAME.test(value)

/** The likeliest first. `cookies`: those that the run sends by itself, name to value. */
export const tokensIn = (
  exchange: HttpExchange,
  page: string,
  cookies: ReadonlyMap<string, string> = new Map(),
): readonly FoundToken[] => {
  const text = textOf(exchange)
  const markup = isHtml(mediaTypeOf(exchange), text)
  const html = markup ? readHtml(text, page) : null
  const inputs = html ? [...html.forms.flatMap((form) => form.inputs), ...html.looseInputs] : []
  const set = new Map([...cookies, ...setBy(exchange)])
  const of = (kind: TokenSource['kind'], pairs: readonly (readonly [string, string])[]): readonly FoundToken[] =>
    pairs.filter(([name, value]) => isValue(name, value)).map(([name, value]) => ({ page, kind, name, value }))
  const metas = (html?.metas ?? []).map(({ name, content }) => [name ?? '', content] as const)
  const found = [
    ...of(
      'meta',
      metas.filter(([name]) => isTokenName(name)),
    ),
    ...of(
      'header',
      exchange.headers.filter(([name]) => /csrf|xsrf/i.test(name)),
    ),
    ...of('member', markup ? [] : membersOf(text, page)),
    ...of(
      'cookie',
      [...set].filter(([name]) => isTokenName(name)).map(([name, value]) => [name, percentDecoded(value)]),
    ),
    ...of(
      'field',
      inputs.filter(({ name }) => isTokenName(name)).map(({ name, value }) => [name, value]),
    ),
    ...of(
      'variable',
      [...text.matchAll(WRITTEN)].map(([, name = '', value = '']) => [name, value]),
    ),
  ]
  return [...new Map(found.map((one) => [one.value, one])).values()].slice(0, MOST_TOKENS)
}

/** Names of headers that a page or its scripts write down for the token. */
export const headersNamedIn = (text: string): readonly string[] =>
  [...new Set([...text.matchAll(NAMED)].map(([, name = '']) => name))].filter(mayHoldToken).slice(0, MOST_NAMED)

/** What says who asks is no place for it. */
export const mayHoldToken = (header: string): boolean =>
  !/auth|session|access|bearer|cookie|secret|api-?key/i.test(header)
const NAMED =
  /["'`]((?:x-)?[a-z-]{0,30}(?:csrf|xsrf|verification|forgery)-?(?:token|header|key|protection)?|x-(?:[a-z]{1,15}-){0,3}token)["'`]/gi
const MOST_NAMED = 6

/** Members of an answer of JSON that are called so; at an address that is, whatever is called a token. */
const membersOf = (text: string, page: string): readonly (readonly [string, string])[] => {
  const own = isTokenName(new URL(page).pathname)
  const found: (readonly [string, string])[] = []
  const waiting: unknown[] = [parsed(text)]
  for (let seen = 0; waiting.length > 0 && seen < MOST_NODES; seen += 1) {
    const node = waiting.shift()
    if (typeof node !== 'object' || node === null) continue
    for (const [name, value] of Object.entries(node).slice(0, MOST_NODES)) {
      if (typeof value === 'object') waiting.push(value)
      else if (typeof value === 'string' && (isTokenName(name) || (own && /token|value/i.test(name))))
        found.push([name, value])
    }
  }
  return found
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text.slice(0, 65_536))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

const setBy = ({ headers }: HttpExchange): readonly (readonly [string, string])[] =>
  headers
    .flatMap(([name, line]) => (name.toLowerCase() === 'set-cookie' ? (parseSetCookie(line) ?? []) : []))
    .filter(({ value }) => value !== '')
    .map(({ name, value }) => [name, value] as const)

/** What a page shows of tokens now. */
export interface Looked {
  readonly tokens: readonly FoundToken[]
  readonly exchange: HttpExchange
  /** Names of the cookies that the run's own session has there. */
  readonly own: ReadonlySet<string>
}

/** With the cookies that belong to the tokens; null where the page does not answer. */
export const lookForTokens = async (
  egress: Pick<Egress, 'http' | 'credentialsFor' | 'hideCookies'>,
  page: string,
): Promise<Looked | null> => {
  const exchange = await pageOrNull(egress, page)
  if (exchange === null) return null
  const given = (await egress.credentialsFor?.(page)) ?? []
  const own = given.filter(([name]) => name.toLowerCase() === 'cookie')
  const cookies = new Map(own.flatMap(([, value]) => cookiePairs(value)))
  // What it begins here is a session of whoever is signed in.
  if (given.length > 0)
    egress.hideCookies?.(
      setBy(exchange)
        .map(([name, value]) => `${name}=${value}`)
        .join('; '),
    )
  return { tokens: tokensIn(exchange, page, cookies), exchange, own: new Set(cookies.keys()) }
}

/**
 * What the request brings with the token of today. `signedIn`: the run's own session is the only one; of the page's cookies it takes the
 * token's, and those of names that the session has none of: the token may hold for one of them. Null where the page names the token no more.
 */
export const carriedBy = async (
  egress: Pick<Egress, 'http' | 'credentialsFor' | 'hideCookies'>,
  { headers, token }: AntiForgery,
  url: string,
  signedIn: boolean,
): Promise<Carried | null> => {
  if (token === null) return { headers: asThePage(url, []), cookies: '' }
  const seen = await lookForTokens(egress, token.page)
  const now = seen?.tokens.find(({ kind, name }) => kind === token.kind && name === token.name)
  return seen && now ? carrying(headers, now, seen, url, signedIn) : null
}

export const carrying = (
  names: readonly string[],
  token: FoundToken,
  { exchange, own }: Pick<Looked, 'exchange' | 'own'>,
  url: string,
  signedIn: boolean,
): Carried => ({
  headers: asThePage(
    url,
    names.map((name) => [name, token.value] as const),
  ),
  cookies: setBy(exchange)
    .filter(([name]) => !signedIn || !own.has(name) || (token.kind === 'cookie' && name === token.name))
    .map(([name, value]) => `${name}=${value}`)
    .join('; '),
})

/** As a script of the same site sends it (Fetch standard, 3.2 and 4.5; the last by custom). */
export const asThePage = (url: string, headers: HeaderPairs): HeaderPairs => {
  const { origin } = new URL(url)
  return [...headers, ['Origin', origin], ['Referer', `${origin}/`], ['X-Requested-With', 'XMLHttpRequest']]
}

/** What the request has itself stays, and stands in the place of what the page would bring. */
export const withCarried = (http: HttpRequest, { headers, cookies }: Carried): HttpRequest => {
  const own = http.headers ?? []
  const has = (name: string): boolean => own.some(([one]) => one.toLowerCase() === name.toLowerCase())
  const kept = own.filter(([name]) => name.toLowerCase() !== 'cookie')
  const before = own.find(([name]) => name.toLowerCase() === 'cookie')?.[1]
  const cookie = joined(cookies, before ?? '')
  return {
    ...http,
    headers: [
      ...kept,
      ...headers.filter(([name]) => !has(name)),
      ...(cookie === '' ? [] : [['Cookie', cookie] as const]),
    ],
  }
}

/** The first of a name holds: servers take one or the other where there are two (RFC 6265, 4.2.2). */
const joined = (first: string, others: string): string =>
  [...new Map([...cookiePairs(others), ...cookiePairs(first)])].map(([name, value]) => `${name}=${value}`).join('; ')
