/**
 * Tokens that pages ask for with their session, and that their scripts say in a header from then on: behind such a header lies what a
 * single page talks to, and who has the session alone is nobody there. A browser of the run shows where the token stands and what is asked
 * with it; requests to the same part of the site carry one then, of whoever they ask as.
 */
import { headerOf } from '../http/response-parser.ts'
import type { Credentials } from './credentials.ts'
import type { HeaderPairs, HttpExchange, HttpRequest } from './egress.ts'

export interface PageTokens {
  /** What a browser that carries the session sent to the site, and was answered. */
  readonly saw: (asked: Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'>, answer: HttpExchange) => void
  /**
   * The header that the request carries beside the session; null for none. `ask` sends a request with the session of whom the request asks as,
   * null where it was not answered.
   */
  readonly headerFor: (request: Pick<HttpRequest, 'url' | 'headers' | 'as'>, ask: Ask) => Promise<PageToken | null>
  /** It was answered with 401. True where another one may be let in: this one was not new. */
  readonly wasRefused: (token: PageToken) => boolean
}

type Ask = (asking: Asking) => Promise<HttpExchange | null>

/** The request that a token is asked for by. */
export type Asking = Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'>

export interface PageToken {
  readonly name: string
  readonly value: string
  /** Milliseconds since the epoch. */
  readonly since: number
}

interface Source {
  readonly name: string
  /** `Bearer ` or nothing. */
  readonly scheme: string
  readonly asking: Asking
  /** What stands before the token there. */
  readonly mark: string
  /** Folders and addresses that were asked with it. */
  readonly paths: Set<string>
  /** By identity, '' for the run's own. */
  readonly tokens: Map<string, Promise<Kept>>
}

/** `value` is null where none was given. */
type Kept = Omit<PageToken, 'value'> & { readonly value: string | null }

export const createPageTokens = (parts: {
  readonly isOwn: (url: URL) => boolean
  /** Whether the run says by this header, or with this text, itself who it is. */
  readonly isCarried: (name: string, text: string) => boolean
  readonly hide: (credentials: Credentials) => void
  /** Milliseconds since the epoch. */
  readonly clock: () => number
}): PageTokens => {
  const sources: Source[] = []
  const answers: Given[] = []
  /** Addresses that scripts ask for without a token. */
  const without = new Set<string>()

  const learn = (name: string, value: string, url: URL): void => {
    const [, scheme = '', token = ''] = /^((?:[A-Za-z]{1,20} +)?)(\S+)$/.exec(value) ?? []
    if (token.length < SHORTEST || token.length > LONGEST || parts.isCarried(name, token)) return
    const known = sources.find((one) => one.name === name && one.scheme === scheme)
    const source = known ?? sourceOf(answers, { name, scheme, token, url: url.href })
    if (source === null) return
    if (known === undefined && sources.push(source) > MOST_SOURCES) sources.pop()
    if (source.paths.size < MOST_PATHS) source.paths.add(partOf(url.pathname))
  }

  const fetched = async (source: Source, ask: Ask): Promise<Kept> => {
    const answer = await ask(source.asking)
    const token =
      answer !== null && GIVES.has(answer.status) ? tokenAt(answer.body.toString('utf8'), source.mark) : null
    const value = token === null ? null : `${source.scheme}${token}`
    if (value !== null) parts.hide({ cookie: null, header: `${source.name}: ${value}` })
    return { name: source.name, value, since: parts.clock() }
  }
  /** Of several that find it over, one asks; whose asking failed or was called off has no part in what the others get. */
  const tokenOf = async (source: Source, as: string, ask: Ask): Promise<PageToken | null> => {
    for (;;) {
      const before = source.tokens.get(as)
      const kept = await before?.catch(() => null) // Whoever asked for it hears of that.
      if (kept && !isOver(kept, parts.clock())) return given(kept)
      if (source.tokens.get(as) !== before) continue
      const asked = fetched(source, ask)
      source.tokens.set(as, asked)
      try {
        return given(await asked)
      } catch (error) {
        if (source.tokens.get(as) === asked) source.tokens.delete(as)
        throw error
      }
    }
  }

  return {
    saw: ({ method = 'GET', url, headers = [], body = '' }, answer) => {
      const address = URL.parse(url)
      if (address === null || !parts.isOwn(address)) return
      const said = headers.filter(([name, value]) => isToken(name, value, headers))
      for (const [name, value] of said) learn(name.toLowerCase(), value, address)
      if (said.length === 0 && byScript(headers) && without.size < MOST_PATHS) without.add(address.pathname)
      const type = headerOf(answer.headers, 'content-type')
      if (!GIVES.has(answer.status) || answer.truncated || !/json|html|text\/plain/i.test(type)) return
      const asking = askedBy(method, address, headers, body, answer)
      if (asking === null || (said.length > 0 && method !== 'GET') || answer.body.length > LARGEST_ANSWER) return
      answers.unshift({ asking, text: answer.body.toString('utf8') })
      answers.splice(MOST_ANSWERS)
    },
    headerFor: async ({ url, headers = [], as }, ask) => {
      const address = URL.parse(url)
      if (address === null || !parts.isOwn(address) || without.has(address.pathname)) return null
      if (isFromElsewhere(address, headers)) return null
      const source = sources.find(({ paths }) => paths.has(partOf(address.pathname)))
      if (source === undefined || headers.some(([name]) => name.toLowerCase() === source.name)) return null
      return tokenOf(source, as ?? '', ask)
    },
    wasRefused: (token) => {
      const isNew = parts.clock() - token.since < NEW
      if (!isNew) for (const { tokens, name } of sources) if (name === token.name) tokens.clear()
      return !isNew
    },
  }
}

interface Given {
  readonly asking: Asking
  readonly text: string
}

const GIVES: ReadonlySet<number> = new Set([200, 201])

/**
 * By what the token that an answer holds is asked for again; null where that could end another. A POST that says nothing but the session is one
 * that a page sends by itself whenever it has none: not one that renews, or changes the session by a cookie.
 */
const askedBy = (
  method: string,
  { href, pathname }: URL,
  headers: HeaderPairs,
  body: string | Uint8Array,
  answer: HttpExchange,
): Asking | null => {
  if (method === 'GET') return { url: href }
  const text = Buffer.from(body).toString('latin1').trim()
  if (method !== 'POST' || (text !== '' && text !== '{}') || RENEWS.test(pathname)) return null
  if (headerOf(answer.headers, 'set-cookie') !== '') return null
  const kept = headers.filter(([name]) => /^(?:content-type|x-requested-with)$/i.test(name))
  return { method, url: href, headers: kept, body: text }
}
const RENEWS = /refresh|renew|rotat|exchange|revoke|log-?out|sign-?out/i

/** Shorter values name a language or a client. */
const SHORTEST = 16
const LONGEST = 8_192
const MOST_SOURCES = 4
const MOST_PATHS = 400
/** Answers in which a token is looked for, and bytes of one. */
const MOST_ANSWERS = 60
const LARGEST_ANSWER = 200_000
/** Characters before a token by which it is found again. */
const MARK = 24
/** Milliseconds for which a token that is refused was refused for what was asked, and not for its age. */
const NEW = 20_000

/** What says who asks; a token against forged requests says where from. */
const NAME = /^(?:authorization|x-[\w-]*(?:token|auth|jwt)[\w-]*|[\w-]*(?:access|auth|session)[\w-]*token)$/i
const FORGERY = /csrf|xsrf|forgery/i

const isToken = (name: string, value: string, headers: HeaderPairs): boolean => {
  if (!NAME.test(name) || FORGERY.test(name) || /^(?:basic|digest|negotiate|ntlm) /i.test(value)) return false
  // What cookies of the page carry as well is no other session.
  return !headerOf(headers, 'cookie').includes(value.replace(/^[A-Za-z]{1,20} +/, ''))
}

const byScript = (headers: HeaderPairs): boolean => headerOf(headers, 'sec-fetch-dest') === 'empty'

/** The newest answer that holds the token; the mark before it tells it again. */
const sourceOf = (
  answers: readonly Given[],
  {
    name,
    scheme,
    token,
    url,
  }: { readonly name: string; readonly scheme: string; readonly token: string; readonly url: string },
): Source | null => {
  for (const one of answers) {
    const at = one.text.indexOf(token)
    if (at === -1 || one.asking.url === url) continue
    const mark = one.text.slice(Math.max(0, at - MARK), at)
    if (tokenAt(one.text, mark) !== token) continue
    return { name, scheme, asking: one.asking, mark, paths: new Set(), tokens: new Map() }
  }
  return null
}

const tokenAt = (text: string, mark: string): string | null => {
  const at = text.indexOf(mark)
  const token =
    at === -1 ? '' : (/^[\w.~+/=-]+/.exec(text.slice(at + mark.length, at + mark.length + LONGEST))?.[0] ?? '')
  return token.length < SHORTEST ? null : token
}

/** `/api/` of `/api/jobs/7`; an address at the root is one of its own. */
const partOf = (pathname: string): string => /^\/[^/]+\//.exec(pathname)?.[0] ?? pathname

/** As another site's page asks, which has the session and no token. */
const isFromElsewhere = ({ host }: URL, headers: HeaderPairs): boolean => {
  const isOther = (name: string): boolean => {
    const said = headerOf(headers, name)
    return said !== '' && URL.parse(said)?.host !== host
  }
  return headerOf(headers, 'sec-fetch-site') === 'cross-site' || isOther('origin') || isOther('referer')
}

/** Of one that says when it ends a little before, as the next requests take a while; of none for a while. */
const isOver = ({ value, since }: Kept, now: number): boolean => {
  if (value === null) return now > since + AGAIN
  const ends = endOf(value)
  return ends !== null && now > Math.max(since + 1_000, ends - Math.min(30_000, (ends - since) / 5))
}
/** Milliseconds until one is asked for again where none was given. */
const AGAIN = 60_000

/** Of a JSON Web Token (RFC 7519, 4.1.4), in milliseconds since the epoch; null where it does not say. */
const endOf = (value: string): number | null => {
  const claims = /\.([\w-]+)\./.exec(value)?.[1] ?? ''
  const seconds = /"exp"\s*:\s*(\d{9,11})\b/.exec(Buffer.from(claims, 'base64url').toString('utf8'))?.[1]
  return seconds === undefined ? null : Number(seconds) * 1_000
}

const given = ({ value, ...kept }: Kept): PageToken | null => (value === null ? null : { ...kept, value })
