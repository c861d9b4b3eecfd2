/** Whether a stored login makes a page another one: looks at it without, with, and again without, and compares. */
import type { LoginAnswer, LoginLook } from '../contract/domain-login.ts'
import { splitDomain } from '../contract/domain-name.ts'
import { type Egress, EgressError, type HttpExchange } from '../egress/door/egress.ts'
import { followRedirects } from '../egress/http/redirects.ts'
import type { Redactor } from '../egress/redaction/redact.ts'
import { isSameSite } from './same-site.ts'
import { readPage } from './seen-page.ts'

/** Credentials are the egress's own; `authenticated` alone decides whether they go along. */
export const testLogin = async (
  egress: Pick<Egress, 'http'>,
  about: { readonly domain: string; readonly page: string },
  redact: Pick<Redactor, 'text' | 'bytes'>,
): Promise<LoginAnswer> => {
  try {
    const first = await look(egress, about, false, redact)
    const signed = await look(egress, about, true, redact)
    return judgeLooks(first, signed, await look(egress, about, false, redact), about.domain)
  } catch (error) {
    if (error instanceof CannotLook || error instanceof EgressError) return notTested(redact.text(error.message))
    if (error instanceof DOMException) return notTested('There was no answer in time.')
    throw error
  }
}

/** What a page was to one look. */
export interface Seen extends LoginLook {
  /** It asks for a password. */
  readonly asks: boolean
  readonly words: ReadonlySet<string>
}

/** Pure. `first` and `second` are the looks without the login: what differs between them says nothing. */
export const judgeLooks = (first: Seen, signed: Seen, second: Seen, domain: string): LoginAnswer => {
  const looks = { without: shown(first), with: shown(signed), steps: [] }
  const say = (state: LoginAnswer['state'], reason: string): LoginAnswer => ({ state, reason, ...looks })
  if (end(first) !== end(second)) {
    return say('not_tested', `Without the login the page is not the same twice: ${end(first)}, then ${end(second)}.`)
  }
  if (signed.status === 401 || signed.status === 403) {
    return say('rejected', `The page answers ${signed.status} with the login, and ${first.status} without it.`)
  }
  if (signed.status >= 500) return say('not_tested', `With the login the page answers ${signed.status}.`)
  if (signed.asks && !first.asks) return say('rejected', 'With the login the page asks for a password.')
  if (end(first) !== end(signed)) {
    const change = `Without the login: ${end(first)}. With it: ${end(signed)}.`
    return say(signed.status >= 400 && first.status < 400 ? 'rejected' : 'works', change)
  }
  const elsewhere = new URL(signed.url).hostname === splitDomain(domain).host ? '' : ELSEWHERE
  if (first.status >= 400) {
    return say('no_difference', `The page answers ${first.status} with and without the login.${elsewhere}`)
  }
  if (first.asks && !signed.asks)
    return say('works', 'Without the login the page asks for a password, with it it does not.')
  return compareWords(first, signed, second, say, elsewhere)
}

const compareWords = (
  first: Seen,
  signed: Seen,
  second: Seen,
  say: (state: LoginAnswer['state'], reason: string) => LoginAnswer,
  elsewhere: string,
): LoginAnswer => {
  const churn = first.words.symmetricDifference(second.words).size
  const own = signed.words.difference(first.words).difference(second.words)
  const gone = first.words.intersection(second.words).difference(signed.words)
  const changed = own.size + gone.size
  if (changed === 0) return say('no_difference', `The page has the same words with and without the login.${elsewhere}`)
  if (changed <= 2 * churn) {
    return say(
      'no_difference',
      `With the login the page differs no more than it does from one look to the next.${elsewhere}`,
    )
  }
  const examples = [...own].slice(0, EXAMPLES).map((word) => `“${word}”`)
  const only = examples.length === 0 ? '' : ` Only with it: ${examples.join(', ')}.`
  return say('works', `${changed} words of the page differ with the login.${only}`)
}

const ELSEWHERE = ' It leads to another host, to which the login is not sent: register that host.'
const EXAMPLES = 4

/** Bytes read of a page. */
const MAX_PAGE = 256 * 1024
const MAX_REDIRECTS = 5
/** Milliseconds of one request: somebody waits for the answer. */
const TIMEOUT = 8_000

class CannotLook extends Error {}

/** By https, or by http where nothing answers there. */
const look = async (
  egress: Pick<Egress, 'http'>,
  { domain, page }: { readonly domain: string; readonly page: string },
  authenticated: boolean,
  redact: Pick<Redactor, 'text' | 'bytes'>,
): Promise<Seen> => {
  const said: string[] = []
  for (const scheme of ['https', 'http']) {
    const url = `${scheme}://${domain}${page}`
    const request = { url, maxBody: MAX_PAGE, timeout: TIMEOUT, authenticated }
    const { exchanges, error } = await followRedirects(egress, request, MAX_REDIRECTS, (next) =>
      isSameSite(next, domain),
    )
    const last = exchanges.at(-1)
    if (last !== undefined && error === null) return seen(last, redact)
    said.push(`${url}: ${error?.message ?? 'no answer'}`)
    if (last !== undefined) break
  }
  throw new CannotLook(said.join('; '))
}

/** Somebody is told what the page says: by then without the login that it may give back. */
const seen = (exchange: HttpExchange, redact: Pick<Redactor, 'text' | 'bytes'>): Seen => {
  const { origin, pathname } = new URL(redact.text(exchange.request.url))
  const page = readPage({ headers: exchange.headers, body: redact.bytes(exchange.body) })
  if (page === null) throw new CannotLook(`${origin}${pathname} has too many elements to be read.`)
  // Without its query: what a site hands to its visitors there is nobody else's.
  return { url: origin + pathname, status: exchange.status, ...page }
}

const end = ({ url, status }: LoginLook): string => `${status} at ${url}`

const shown = ({ url, status, title }: LoginLook): LoginLook => ({ url, status, title })

const notTested = (reason: string): LoginAnswer => ({
  state: 'not_tested',
  reason,
  without: null,
  with: null,
  steps: [],
})
