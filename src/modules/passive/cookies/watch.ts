/** Cookies that only deep pages set, only answers to forms, or only errors: of all answers of an active run. */
import { isOfSite } from '../../../contract/site-scope.ts'
import type { HttpExchange } from '../../../egress/door/egress.ts'
import { parseSetCookie } from '../../../page/cookies/set-cookie.ts'
import type { PageKind } from '../../../page/page.ts'
import { valuesOf } from '../../../page/pages.ts'
import { percentDecoded } from '../../../page/percent.ts'
import { replayOf } from '../../answers.ts'
import type { Watcher, Watching } from '../../module.ts'
import { hasOwnWord } from '../../own-words.ts'
import type { CookieObservation, CookiesFacts } from './facts.ts'
import { isSensitive, withoutToken } from './tokens.ts'

const MOST_OBSERVATIONS = 500
/** Addresses kept of one line that differs in its value alone. */
const MOST_PLACES = 5
const MOST_ADDRESSES = 50
const WRITTEN = /(?:href|action)=["']?([^"'\s<>]{0,200};jsessionid=[\w.~%-]{16,200})/g

export const watchCookies = ({ target, resumed }: Watching): Watcher<CookiesFacts> => {
  const seen = new Map<string, CookieObservation[]>()
  let answers = 0
  let size = 0

  const observe = (
    line: string,
    { request }: HttpExchange,
    kind: PageKind = 'plain',
    replay: string | null = replayOf(request),
  ): void => {
    const cookie = parseSetCookie(line)
    if (cookie === null || isPlanted(cookie.name, request)) return
    // The value changes with every answer; what is judged is the rest, and one value for it.
    const key = line.replace(/=[^;]*/, '=').replace(/\d{2} \w{3} \d{4} [\d:]+|\d{2}-\w{3}-\d{2,4} [\d:]+/g, '#')
    const url = request.url.split('?')[0] ?? request.url
    const known = seen.get(key) ?? []
    if (size >= MOST_OBSERVATIONS || known.length >= MOST_PLACES || known.some((one) => one.url === url)) return
    size += 1
    seen.set(key, [...known, { url, line, kind, evidence: null, replay }])
  }

  const addresses = new Map<string, { readonly page: string; readonly url: string }>()
  const keep = (from: string, url: string): void => {
    const shown = withoutToken(url)
    if (addresses.size < MOST_ADDRESSES && !addresses.has(shown))
      addresses.set(shown, { page: withoutToken(from), url: shown })
  }
  /** What servers of Java write into links and redirects for whoever brings no cookie yet (Servlet 4.0, 7.1.3), as a run that is signed in does. */
  const noteWritten = ({ request: { url: page }, headers, body }: HttpExchange): void => {
    if (addresses.size >= MOST_ADDRESSES) return
    const links = body.includes(';jsessionid=')
      ? [...body.toString('latin1').matchAll(WRITTEN)].map(([, to = '']) => to)
      : []
    for (const to of [...valuesOf(headers, 'location'), ...links.slice(0, MOST_PLACES)]) {
      const url = URL.parse(to, page)?.href
      if (url !== undefined && /;jsessionid=/i.test(url) && isSensitive(url)) keep(page, url)
    }
  }
  /** The crawl asks for what pages ask for; others put values of their own into addresses. */
  const note = ({ url, headers }: HttpExchange['request'], module: string): void => {
    if (module !== 'crawl' || addresses.size >= MOST_ADDRESSES || !isSensitive(url)) return
    keep(headers.find(([name]) => name.toLowerCase() === 'referer')?.[1] ?? url, url)
  }

  return {
    see: (exchange, module) => {
      if (!isOfSite(target, exchange.request.url)) return
      answers += 1
      note(exchange.request, module)
      noteWritten(exchange)
      for (const line of valuesOf(exchange.headers, 'set-cookie')) observe(line, exchange)
    },
    // What opens the session is often set there and nowhere else.
    seeSignIn: (exchange) => {
      if (!isOfSite(target, exchange.request.url)) return
      answers += 1
      for (const line of valuesOf(exchange.headers, 'set-cookie')) observe(line, exchange, 'login', null)
    },
    conclude: (facts, cutOff = null) => {
      const known = new Set(facts.observations.map(keyOf))
      const fresh = [...seen.values()].flat().filter((one) => !known.has(keyOf(one)))
      return {
        ...facts,
        observations: [...facts.observations, ...fresh].slice(0, MOST_OBSERVATIONS),
        answers: Math.max(answers, facts.answers),
        ...(addresses.size === 0 ? {} : { addresses: [...addresses.values()] }),
        ...(resumed ? { resumed } : {}),
        ...(cutOff === null ? {} : { cutOff }),
      }
    },
  }
}

/** The same line of the same page, as `site` met it. */
const keyOf = ({ url, line }: CookieObservation): string => `${url.split('?')[0]}\n${line.replace(/=[^;]*/, '=')}`

/** A line that a probe put there says nothing of the site's own cookies. */
const isPlanted = (name: string, { url, body }: HttpExchange['request']): boolean =>
  hasOwnWord(name) ||
  [...new URL(url).searchParams.values(), body ?? '', percentDecoded(new URL(url).pathname)].some((value) =>
    value.includes(`Set-Cookie: ${name}`),
  )
