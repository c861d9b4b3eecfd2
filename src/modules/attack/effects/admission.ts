/**
 * What a refused request wants beside its fields, found by bringing what the site's own pages name: each token in turn, by all headers that
 * such a token comes back in. What is refused has done nothing, so it may be sent again; how often the policy says.
 */
import type { Egress, HttpExchange, HttpRequest } from '../../../egress/door/egress.ts'
import { mayShow, withoutHash } from '../../../page/shape.ts'
import { isHtml, mediaTypeOf, textOf } from '../../../page/text.ts'
import { visibleText } from '../../../page/visible.ts'
import { isSafe } from '../../../safety/effect.ts'
import { TRIES_OF_REFUSED } from '../../../safety/policy.ts'
import type { AntiForgery, RequestTemplate } from '../crawl/facts.ts'
import {
  asThePage,
  type Carried,
  carriedBy,
  carrying,
  headersNamedIn,
  lookForTokens,
  mayHoldToken,
  USUAL_HEADERS,
  withCarried,
} from '../insertion-points/anti-forgery.ts'
import { bringsToken, requestOf } from '../insertion-points/inventory.ts'
import { isSignIn } from '../insertion-points/sign-in.ts'
import { isTokenName } from '../insertion-points/tokens.ts'

export interface Admitted {
  readonly by: AntiForgery
  readonly answer: HttpExchange
}

export interface Admission {
  /** Sends the refused request again with what pages name, until it is taken. Null where nothing helps. */
  readonly admit: (template: RequestTemplate, http: HttpRequest) => Promise<Admitted | null>
  /** What one of the same part of the site was taken by that was refused without; null before one was. */
  readonly known: (url: string) => AntiForgery | null
  /** The same for what nobody has sent: what another part takes stands in for one of which nothing is known. */
  readonly likely: (url: string) => AntiForgery | null
  /** One was taken as it is. */
  readonly tookPlain: (url: string) => void
  /** With what it is taken by; as it is where that cannot be had. */
  readonly carry: (http: HttpRequest, by: AntiForgery) => Promise<HttpRequest>
  /** Headers that a script sets and whose values are kept from all facts. */
  readonly note: (names: readonly string[]) => void
}

export interface AdmissionParts {
  readonly egress: Pick<Egress, 'http' | 'credentialsFor' | 'hideCookies'>
  /** Null where nothing answers. */
  readonly send: (request: HttpRequest) => Promise<HttpExchange | null>
  /** The start page, and addresses that the crawl knows. */
  readonly pages: () => readonly string[]
  readonly mayRead: (url: string) => boolean
  /** The run's own session is the only one. */
  readonly signedIn: boolean
}

const MOST_PAGES = 4
const MOST_NAMES = 12
/**
 * Requests of one run in vain in a row, after which the site is taken to want something that no page of it names. One that was asked with
 * tokens counts twice: pages that name one may come later.
 */
const MOST_IN_VAIN = 12

/** Not from here (RFC 9110, 15.5.4); 419 is what a framework says of a token. */
const REFUSED: ReadonlySet<number> = new Set([403, 419])
/** Of these only the words tell: they are as well said of a value, or of nobody who is signed in. */
const SAID: ReadonlySet<number> = new Set([400, 401, 412, 422, 428])
const TELLS = /csrf|xsrf|forger|token|\borigin\b|referr?er|same[ -]site|invalid session|x-requested-with/i

/** Whether nobody has looked at the values yet, as far as the answer tells. */
export const isTurnedAway = (template: RequestTemplate, answer: HttpExchange): boolean => {
  // Not what a form that is shown again calls its fields.
  const text = textOf(answer).slice(0, MOST_READ).replace(MARKUP, ' ')
  // A wrong password is refused as well, and each more of them may lock an account.
  if (isSignIn(template)) return answer.status === 419 || (answer.status >= 400 && FORGED.test(text))
  if (REFUSED.has(answer.status) || isMute(template, answer)) return true
  return SAID.has(answer.status) && ((answer.status === 400 && text.trim() === '') || TELLS.test(text))
}
/** What refuses a value says which; Rails says of a token that "the change was rejected", in the page or the document that it has for all of them. */
const isMute = (template: RequestTemplate, answer: HttpExchange): boolean => {
  const text = textOf(answer).slice(0, MOST_READ)
  return (
    answer.status === 422 &&
    (/^\s*(?:\{"status":422,"error":"[^"]{1,60}"\}\s*)?$/.test(text) ||
      (isHtml(mediaTypeOf(answer), text) &&
        !/<(?:form|input)\b/i.test(text) &&
        visibleText(text).length <= LONGEST_MUTE)) &&
    !bringsToken(requestOf(template))
  )
}
const LONGEST_MUTE = 400
const FORGED = /csrf|xsrf|forger/i
const MARKUP = /<(script|style)\b[\s\S]*?<\/\1>|<[^<>]*>/gi
/** Characters of an answer. */
const MOST_READ = 20_000

export const createAdmission = (parts: AdmissionParts): Admission => {
  const { egress, send, pages, mayRead, signedIn } = parts
  const names = new Set<string>()
  let known: AntiForgery | null = null
  /** One host has several applications: parts of it where a request was refused without a token, and where one was taken. */
  const [wanting, free] = [new Set<string>(), new Set<string>()]
  let inVain = 0

  const carry = async (http: HttpRequest, by: AntiForgery): Promise<HttpRequest> => {
    const carried = await carriedBy(egress, by, http.url, signedIn)
    return carried ? withCarried(http, carried) : http
  }

  const ways = async function* (template: RequestTemplate): AsyncGenerator<readonly [AntiForgery, Carried]> {
    if (known !== null) {
      const carried = await carriedBy(egress, known, template.url, signedIn)
      if (carried) yield [known, carried]
    }
    const seen = new Set<string>()
    for (const page of pagesFor(template, pages()).filter(mayRead).slice(0, MOST_PAGES)) {
      const looked = await lookForTokens(egress, page)
      if (looked === null) continue
      const headers = namesFor([...names, ...headersNamedIn(textOf(looked.exchange))])
      for (const token of looked.tokens) {
        const key = `${token.kind} ${token.name}`
        if (seen.has(key)) continue
        seen.add(key)
        const { value: _value, ...source } = token
        yield [{ headers, token: source }, carrying(headers, token, looked, template.url, signedIn)]
      }
    }
    yield [
      { headers: [], token: null },
      { headers: asThePage(template.url, []), cookies: '' },
    ]
  }

  return {
    known: (url) => (wanting.has(partOf(url)) ? known : null),
    likely: (url) => (wanting.has(partOf(url)) || !free.has(partOf(url)) ? known : null),
    tookPlain: (url) => void free.add(partOf(url)),
    carry,
    note: (some) => {
      for (const name of some) if (names.size < MOST_NAMES && mayHoldToken(name)) names.add(name)
    },
    admit: async (template, http) => {
      if (isSafe(template.method) || inVain >= MOST_IN_VAIN) return null
      let tries = 0
      let tokens = false
      for await (const [by, carried] of ways(template)) {
        tries += 1
        tokens ||= by.token !== null
        if (tries > TRIES_OF_REFUSED) break
        const answer = await send(withCarried(http, carried))
        if (answer === null || isTurnedAway(template, answer)) continue
        known = by
        wanting.add(partOf(template.url))
        inVain = 0
        return { by, answer }
      }
      inVain += tokens ? 2 : 1
      return null
    },
  }
}

/** The first folder of its path. */
const partOf = (url: string): string => `${new URL(url).origin}/${new URL(url).pathname.split('/')[1] ?? ''}`

/** Those that make the request first, then addresses that are called after a token, and the start. */
const pagesFor = ({ seenOn, url }: RequestTemplate, others: readonly string[]): readonly string[] => {
  const { origin } = new URL(url)
  const own = seenOn.filter(mayShow).slice(0, 2)
  const named = others.filter((page) => isTokenName(new URL(page).pathname))
  return [...new Set([...own, ...named, ...others.slice(0, 1)].map(withoutHash))].filter(
    (page) => URL.parse(page)?.origin === origin,
  )
}

/** Names of headers are the same in any case (RFC 9110, 5.1). */
const namesFor = (named: readonly string[]): readonly string[] =>
  [...new Map([...USUAL_HEADERS, ...named].map((name) => [name.toLowerCase(), name])).values()].slice(0, MOST_NAMES)
