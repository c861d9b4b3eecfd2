/** Every request of a page passes here: noted, and let through or stopped. */

import type { Page, Request, Route } from 'playwright-core'
import { isScriptFile, withoutHash } from '../../../../page/shape.ts'
import { carriesMessages } from '../../../../page/transport.ts'
import { isSafe } from '../../../../safety/effect.ts'
import type { Asked } from '../../../../safety/policy.ts'
import { takesAway } from '../../../../safety/putting-away.ts'
import { isAhead } from '../../../browser.ts'
import { asPlainForm } from '../../insertion-points/procedure.ts'
import type { Field } from '../facts.ts'
import { schemeSaid } from '../fetching.ts'
import type { Draft } from '../requests.ts'
import { mayBeSecret } from '../secret-headers.ts'
import type { Shared } from './parts.ts'

export interface Gate {
  /** Whether something was done on the page. */
  clicked: boolean
  /** Requests under way. */
  pending: number
  /** Whether the server sends when it likes, by a stream of events. */
  streams: boolean
  /** When something was last said over a socket, by performance.now(); 0 never. */
  spoke: number
  /** Addresses that the page led to, and requests, that were new. */
  news: number
  /** Requests alone that no page had sent before. */
  requests: number
  /** How often the page has come to its own address since it was sent there. */
  arrivals: number
}

/** A page may load itself anew, e.g. once it has set a cookie; one that always does is left as it is. */
const MOST_ARRIVALS = 3

/** Nobody looks at them, and a page is built without them. */
const PASSED_BY: readonly string[] = ['image', 'media', 'font']
/** What a page is made of, whatever it is called: `add-to-cart.js` puts nothing into a cart by being fetched. */
const PARTS: readonly string[] = ['script', 'stylesheet']
/** By scripts. */
const ASKED: readonly string[] = ['xhr', 'fetch']
const NOTED: readonly string[] = ['xhr', 'fetch', 'document', 'other', 'ping', 'eventsource']

export const judgeRoute = async (route: Route, page: Page, url: string, gate: Gate, parts: Shared): Promise<void> => {
  const request = route.request()
  const stop = () => route.abort('aborted').catch(() => undefined) // The page is gone already.
  if (PASSED_BY.includes(request.resourceType()) || isAhead(request)) return void (await stop())
  const address = URL.parse(request.url())
  if (address && !parts.inScope(address) && parts.dead.has(address.host)) return void (await stop())
  if (!address || !parts.inScope(address)) {
    const passes = !isMainNavigation(request, page) && mayLeave(request, standing(page, url), gate, parts)
    if (ASKED.includes(request.resourceType())) parts.elsewhere(draftOf(request, standing(page, url), false))
    return void (await (passes ? pass(route, gate, parts) : stop()))
  }
  const first = isMainNavigation(request, page) && page.url() === 'about:blank'
  if (isMainNavigation(request, page) && !first && request.method() === 'GET' && !request.redirectedFrom()) {
    const itself = parts.opening.has(withoutHash(address.href))
    if (itself) gate.arrivals += 1
    // A click that leads elsewhere is a link; the crawl goes there itself.
    if (!itself || gate.arrivals > MOST_ARRIVALS) {
      if (parts.link(address.href, url, '')) gate.news += 1
      return void (await stop())
    }
  }
  const draft = draftOf(request, standing(page, url), false)
  // What a page asks for by itself it asks for on every visit.
  const decision = parts.decide(askedBy(draft), gate.clicked ? null : 'reads')
  const leaves = request.isNavigationRequest() && !isSafe(request.method())
  const writes = decision.send === 'bounded' && !takesAway(decision.reason)
  const allowed = !leaves && (decision.send === 'send' || (writes && isWithin(decision.most, address, draft, parts)))
  const noted = NOTED.includes(request.resourceType()) && !isOfNobody(address)
  if (noted && !first && parts.request({ ...draft, sent: allowed, ...(allowed && writes ? { tried: 1 } : {}) })) {
    gate.news += 1
    gate.requests += 1
  }
  gate.streams ||= request.resourceType() === 'eventsource'
  if (!allowed) return void (await stop())
  // A message is waited for until there is one: nothing is under way.
  await pass(route, carriesMessages(address) ? null : gate, parts, (status) => {
    if (noted && !isSafe(draft.method) && status < 400) parts.request({ ...draft, sent: true, taken: true })
  })
}

/** A program that talks by messages, and a file that a page is built of. */
const isOfNobody = (address: URL): boolean =>
  carriesMessages(address) || (address.search === '' && isScriptFile(address.href))

/**
 * To other hosts goes what a page asks for by itself, as it does on every visit, and what is known to read: nobody has allowed to write there, whatever
 * the domain of the run is. Words forbid as they do everywhere.
 */
const mayLeave = (request: Request, on: string, { clicked }: Gate, { decide }: Shared): boolean =>
  PARTS.includes(request.resourceType()) ||
  decide(askedBy(draftOf(request, on, false)), clicked ? null : 'reads').send === 'send'

/** What may write is let through as often as the policy says, counted by address. Once is for what learns from it. */
const isWithin = (most: number, { origin, pathname }: URL, { method }: Draft, { writes }: Shared): boolean => {
  const form = `${method} ${origin}${pathname}`
  const before = writes.get(form) ?? 0
  if (most <= 1 || before >= most) return false
  writes.set(form, before + 1)
  return true
}

/** `gate`: whose request it is while it is under way. `answered` hears of the status. */
const pass = async (
  route: Route,
  gate: Gate | null,
  parts: Shared,
  answered: (status: number) => void = () => undefined,
): Promise<void> => {
  if (gate !== null) gate.pending += 1
  parts.passed.add(route.request())
  // Not `continue`: the rule for windows that pages open, and the engine's for signed-in profiles, come after this one.
  await route.fallback().catch(() => undefined) // The page is gone already.
  route
    .request()
    .response()
    .catch(() => null)
    .then((answer) => {
      if (answer !== null) answered(answer.status())
    })
    .finally(() => {
      if (gate !== null) gate.pending -= 1
    })
}

/** What a window asks for that a page has opened: its address is a link, and nothing is loaded. */
export const judgeOpened = async (route: Route, parts: Shared): Promise<void> => {
  const request = route.request()
  if (parts.passed.has(request)) return void (await route.fallback().catch(() => undefined)) // The page is gone already.
  if (request.method() === 'GET' && request.isNavigationRequest())
    parts.link(request.url(), request.headers().referer ?? request.url(), '')
  await route.abort('aborted').catch(() => undefined) // The page is gone already.
}

/** The address that the page goes by now: an application of one page has many, and shows what it asked for under one of them. */
export const standing = (page: Page, opened: string): string => {
  const [now, then] = [URL.parse(page.url()), new URL(opened)]
  return now?.origin === then.origin ? now.href : opened
}

const isMainNavigation = (request: Request, page: Page): boolean => {
  if (!request.isNavigationRequest()) return false
  try {
    return request.frame() === page.mainFrame()
  } catch (error) {
    // Playwright knows no frame yet for the request of a page that is just being opened.
    if (error instanceof Error) return true
    throw error
  }
}

const askedBy = ({ method, url, encoding = 'none', fields = [], body = null }: Draft): Asked => ({
  ...{ method, url, encoding, fields, body },
})

const draftOf = (request: Request, on: string, sent: boolean): Draft => {
  const type = request.headers()['content-type'] ?? ''
  const body = request.postData()
  const { own, withheld } = ownHeaders(request)
  const headers = own.length > 0 ? { headers: type === '' ? own : [['Content-Type', type] as const, ...own] } : {}
  const base = {
    method: request.method(),
    url: request.url(),
    source: 'browser',
    seenOn: on,
    sent,
    ...headers,
    ...(withheld.length > 0 ? { withheld } : {}),
    ...schemeOf(request),
  } as const
  if (body === null || body === '') return base
  if (/urlencoded/i.test(type)) {
    return {
      ...base,
      encoding: 'urlencoded',
      fields: [...new URLSearchParams(body)].map(([name, value]) => ({ name, value, type: 'text' })),
    }
  }
  if (/multipart/i.test(type))
    return { ...base, ...asPlainForm({ headers: own, fields: partsOf(body) }), encoding: 'multipart' }
  if (/json/i.test(type) || /^\s*[{[]/.test(body)) return { ...base, encoding: 'json', body }
  return { ...base, encoding: /xml/i.test(type) ? 'xml' : 'text', body }
}

const schemeOf = (request: Request): Pick<Draft, 'scheme'> => {
  const scheme = schemeSaid(request.headers().authorization ?? '')
  return scheme === null ? {} : { scheme }
}

/** Headers that browsers send by themselves, `X-` or not (RFC 6648); HTTP/2 names some with a colon. */
const OF_BROWSERS =
  /^(?:accept|accept-.*|authorization|cache-control|connection|content-.*|cookie|device-memory|dnt|downlink|dpr|ect|host|if-.*|keep-alive|last-event-id|origin|pragma|priority|proxy-.*|purpose|range|referer|rtt|save-data|sec-.*|te|trailer|transfer-encoding|upgrade|upgrade-.*|user-agent|via|viewport-.*|width|x-client-data)$/i
const isOfScript = (name: string): boolean => /^[\w-]{1,60}$/.test(name) && !OF_BROWSERS.test(name)

/** Those that a script has set: what no browser sends by itself. Of what may be a secret the name alone. */
const ownHeaders = (
  request: Request,
): { readonly own: readonly (readonly [name: string, value: string])[]; readonly withheld: readonly string[] } => {
  const given = Object.entries(request.headers())
  return {
    own: given.filter(([name, value]) => isOfScript(name) && !mayBeSecret(name) && value.length <= 200).slice(0, 10),
    withheld: given.flatMap(([name]) => (/^[\w-]{1,60}$/.test(name) && mayBeSecret(name) ? [name] : [])).slice(0, 10),
  }
}

const partsOf = (body: string): readonly Field[] =>
  [
    ...body
      .slice(0, 100_000)
      .matchAll(
        /name="([^"\r\n]{1,200})"(; filename="[^"]*")?[^\r\n]*\r\n(?:[\w-]+:[^\r\n]*\r\n)*\r\n([\s\S]{0,2000}?)\r\n--/g,
      ),
  ]
    .slice(0, 60)
    .map((match) => ({
      name: match[1] ?? '',
      value: match[2] ? '' : (match[3] ?? ''),
      type: match[2] ? 'file' : 'text',
    }))
