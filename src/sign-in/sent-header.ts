/** The header by which scripts of a page say who is signed in, told by what the page keeps, or was answered and keeps in its memory alone. */
import type { BrowserContext, Request } from 'playwright-core'
import type { Proof } from '../contract/sign-in.ts'
import type { HttpExchange, HttpRequest } from '../egress/door/egress.ts'
import { SignInFailed } from './failure.ts'
import { judged, requestOf } from './proof.ts'
import type { Visitor } from './visitor.ts'

/** Shorter values name a language or a client, not a session. */
const SHORTEST = 16
const LONGEST = 8_192
const MOST_ORIGINS = 20
const MOST_VALUES = 50
/** What the browser or every page sends; a token against forged requests is no session. */
const OTHERS =
  /^(?:accept|cache-|content-|cookie|dnt$|if-|origin$|pragma$|priority$|range$|referer$|sec-|upgrade|user-agent$|x-requested-with$)|csrf|xsrf/i

export interface SentHeaders {
  /**
   * The line `name: value` that was sent last with something out of `texts`, which are what the page keeps and was answered, Authorization before all
   * others; null where none was. What the cookies carry as well is no other session: with both, nobody could tell which of them lets one in.
   */
  readonly lineOf: (texts: readonly string[], cookies: string | null) => string | null
  /** Such lines with what the cookies carry as well, each with an address that a GET with it asked for. */
  readonly besideCookies: (cookies: string | null) => readonly { readonly line: string; readonly url: string }[]
  /** Other origins that were sent something out of them in a header: an interface under another name, whose session it is. */
  readonly elsewhere: (texts: readonly string[]) => readonly string[]
}

/** Reads what scripts of `origin` send to it from now on. */
export const watchSentHeaders = (context: BrowserContext, origin: string): SentHeaders => {
  const sent = new Map<string, string>()
  const askedBy = new Map<string, string>()
  const sentTo = new Map<string, Set<string>>()
  const note = (request: Request): void => {
    const to = URL.parse(request.url())?.origin
    if (!['fetch', 'xhr'].includes(request.resourceType()) || to === undefined) return
    for (const [name, value] of Object.entries(request.headers())) {
      if (OTHERS.test(name) || value.length < SHORTEST || value.length > LONGEST) continue
      if (to !== origin) {
        const values = sentTo.get(to) ?? new Set()
        if (values.size < MOST_VALUES && (values.size > 0 || sentTo.size < MOST_ORIGINS))
          sentTo.set(to, values.add(value))
        continue
      }
      sent.delete(name)
      sent.set(name, value)
      if (request.method() === 'GET') askedBy.set(name, request.url())
    }
  }
  context.on('request', note)
  return {
    lineOf: (texts, cookies) => {
      const kept = [...sent].filter(([, value]) => {
        const token = tokenOf(value)
        return isAmong(token, texts) && !(cookies ?? '').includes(token)
      })
      const line = kept.find(([name]) => name === 'authorization') ?? kept.at(-1)
      return line === undefined ? null : `${line[0]}: ${line[1]}`
    },
    besideCookies: (cookies) =>
      [...sent].flatMap(([name, value]) => {
        const [token, url] = [tokenOf(value), askedBy.get(name)]
        const isBoth = token.length >= SHORTEST && (cookies ?? '').includes(token)
        return isBoth && url !== undefined ? [{ line: `${name}: ${value}`, url }] : []
      }),
    elsewhere: (texts) =>
      [...sentTo].flatMap(([to, values]) => ([...values].some((value) => isAmong(tokenOf(value), texts)) ? [to] : [])),
  }
}

/**
 * A script may keep a token in a cookie and send it in a header, which alone the server reads: what an address refuses to the cookies and answers
 * with the header shows it, and so does the proof, where its page answers everybody. Null where the cookies let one in.
 */
export const neededBeside = async (
  candidates: ReturnType<SentHeaders['besideCookies']>,
  { send, origin }: Pick<Visitor, 'send' | 'origin'>,
  proof?: Proof,
): Promise<string | null> => {
  const last = async (request: HttpRequest): Promise<HttpExchange | null> => {
    try {
      return (await send(request)).at(-1) ?? null
    } catch (error) {
      if (!(error instanceof SignInFailed)) throw error
      return null
    }
  }
  const isProven = async (headers: HttpRequest['headers'] = []): Promise<boolean | null> => {
    const asked = proof && requestOf(new URL(proof.path, origin).href, proof)
    const answer = asked && (await last({ ...asked, headers: [...(asked.headers ?? []), ...headers] }))
    return answer && proof ? judged(answer, proof).isSignedIn : null
  }
  for (const { line, url } of candidates.slice(0, MOST_TRIED)) {
    const headers = [[line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]] as const
    const without = await last({ url })
    const isRefused = without !== null && [401, 403].includes(without.status)
    if (isRefused && ((await last({ url, headers }))?.status ?? 500) < 300) return line
    if ((await isProven()) === false && (await isProven(headers)) === true) return line
  }
  return null
}
const MOST_TRIED = 3

/** Without the scheme before it. */
const tokenOf = (value: string): string => value.replace(/^\w{1,20} +/, '')

/** As it is, or within a document of JSON. */
const isAmong = (token: string, texts: readonly string[]): boolean =>
  token.length >= SHORTEST && texts.some((text) => text.includes(token))
