/** A word first, then the fate of special characters, then payloads for the contexts in which the word came out. */

import { randomBytes } from 'node:crypto'
import { defaultTreeAdapter } from 'parse5'
import { parseBounded } from '../../../../page/html.ts'
import { encodeCookie } from '../../insertion-points/body.ts'
import { compose, cookieOf, withQuery } from '../../insertion-points/compose.ts'
import { grows } from '../../insertion-points/groups.ts'
import { handlerOf, missingPageOf } from '../../insertion-points/handler.ts'
import { identical, noiseOf } from '../../insertion-points/likeness.ts'
import type { Part } from '../../insertion-points/plan.ts'
import type { Probe, Reply } from '../../insertion-points/prober.ts'
import { inQuotes, isUnquoted } from '../../insertion-points/quoted.ts'
import { unlessRefused } from '../../insertion-points/techniques.ts'
import { around as aroundMark } from '../../insertion-points/verdict.ts'
import type { Approach } from '../browser/approach.ts'
import { nodesOf, placesOf, reflectionsOf } from '../contexts.ts'
import type { Context, ForeignHit, MarkupHit, ReflectedHit } from '../facts.ts'
import { CALL, callIn } from '../payloads/calls.ts'
import type { Candidate } from '../payloads/candidates.ts'
import { markupOf, TEMPLATES } from '../payloads.ts'
import { newNonce, type Proof, type Prover } from '../proving.ts'
import type { Came } from '../survival.ts'
import { askForeign, type Shown } from './foreign.ts'
import { isGuarded } from './guarded.ts'
import { runsIn } from './running.ts'
import { type Carrier, FILLER, type Search, search } from './search.ts'

/**
 * A word that no answer repeats as it is may come out of an error, or once it is decoded as the place's own value is.
 * Null where neither shows it, or in an answer alone that browsers show as text, as traces often are.
 */
export const sendCarried = async (
  probe: Probe,
  first: { readonly word: string; readonly reply: Reply; readonly inErrors?: boolean },
): Promise<{ readonly word: string; readonly reply: Reply; readonly carried: Carrier } | null> => {
  const word = newWord()
  for (const carried of await carriersFor(probe, first)) {
    const reply = await probe.send(carried(word), { language: 'markup' })
    if (isPage(reply) && reply.text.toLowerCase().includes(word)) return { word, reply, carried }
  }
  return null
}

/** Ends the text of most languages. */
export const BREAKS = `'"\\)`

const behindSigns: Carrier = (text) => `${BREAKS}${text}`

/** `inErrors`: whether the answer to signs repeats what stands behind them; absent where nobody has looked, which takes two requests. */
const carriersFor = async (
  probe: Probe,
  { word, reply, inErrors }: { readonly word: string; readonly reply: Reply; readonly inErrors?: boolean },
): Promise<readonly Carrier[]> => {
  if (inErrors !== undefined) return inErrors ? [behindSigns] : []
  const broken = await probe.broken()
  // Where nothing stood, the word is a meaningless value like any other.
  const control = probe.point.value === '' && !probe.point.members ? reply : await probe.control()
  const { value } = probe.point
  const [usual, again] = await probe.baseline()
  // What a list shows of each that was sent makes its page longer.
  const isLonger =
    !grows(probe.request, [usual, again]) && Math.abs(broken.text.length - control.text.length) > BREAKS.length
  const tells = broken.status !== control.status || isLonger
  const plain = Buffer.from(value, 'base64').toString('utf8')
  const encoded = value.length >= 4 && /^[\x20-\x7e]+$/.test(plain) && base64(plain) === value
  // A page to which every value is wrong may want another kind of it.
  const decodes = /\bbase-?64\b|\bdecod(?:e|ing|er)\b/i.test(control.text)
  const isDecoded = reply.text.includes(Buffer.from(word, 'base64').toString('utf8'))
  // Its beginning may be written in another way than the rest.
  const startsCoded = /&#(?:x71|113);/i.test(reply.text)
  return [
    ...(usual.text.includes(value) ? formsOf(value) : []),
    ...(startsCoded ? [(text: string) => `${FILLER}${text}`] : []),
    ...(tells ? [behindSigns] : []),
    ...(encoded || decodes || isDecoded || control.status >= 400 ? [base64] : []),
    ...(decodes ? [(text: string) => base64(base64(text))] : []),
  ]
}

/** A page that shows its own value and no word of ours may take one form of values alone: an address, a date. */
const formsOf = (value: string): readonly Carrier[] => {
  if (value.length < 4 || /^\w+$/.test(value)) return []
  const [, domain] = /^[^@\s]+@([\w.-]+)$/.exec(value) ?? []
  return [
    // The part before the @ may be a quoted text of any characters (RFC 5321).
    ...(domain === undefined ? [] : [(text: string) => `"${text}"@${domain}`]),
    (text) => `${text}${value}`,
    (text) => `${value}${text}`,
  ]
}

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')

/** Means nothing, and stands nowhere else. */
export const newWord = (): string => `qx${randomBytes(5).toString('hex')}`

/**
 * The word within a name of signs, where that leaves the page as it is: what shows or works with names that it was not seen with
 * does so with this one, or has no use for those without which no script is written. Null elsewhere.
 */
export const sendUnreadName = async (
  probe: Probe,
): Promise<{ readonly word: string; readonly reply: Reply } | null> => {
  const word = newWord()
  const reply = await unlessRefused(() => probe.send(`${BREAKS}${word}<`, { language: 'markup' }))
  if (reply === null) return null
  const baseline = await probe.baseline()
  const said = [reply.text, ...reply.headers.flat()].join('\n').toLowerCase()
  const stays = noiseOf(baseline) === 0 && identical(reply, baseline[0], 0)
  return stays && !said.includes(word) ? { word, reply } : null
}

/** The answer to such a word. */
export const sendWord = async (probe: Probe): Promise<{ readonly word: string; readonly reply: Reply }> => {
  const word = newWord()
  return { word, reply: await probe.send(word) }
}

/** Types that browsers show as documents with scripts. */
const PAGES: ReadonlySet<string> = new Set(['text/html', 'text/xml', 'application/xml', 'application/xhtml+xml'])

export const isPage = ({ contentType, headers }: Reply): boolean => {
  const header = (name: string): string => headers.find(([one]) => one.toLowerCase() === name)?.[1]?.toLowerCase() ?? ''
  if (header('content-disposition').startsWith('attachment')) return false
  if (contentType === '') return header('x-content-type-options') !== 'nosniff'
  return PAGES.has(contentType) || /\+xml$/.test(contentType)
}

/** What is left of a first part: nothing was proven by what came back of one request. */
export const NOT_ALL = 'not all'

export const askReflections = async (
  probe: Probe,
  word: string,
  first: Reply,
  prover: Prover | string,
  { carried = (value) => value, part = 'whole' }: { readonly carried?: Carrier; readonly part?: Part } = {},
): Promise<ReflectedHit | ForeignHit | MarkupHit | typeof NOT_ALL | null> => {
  const reflections = isXml(first)
    ? placesOf(first.text, word).map((at) => ({ at, context: xmlContext(first.text, at) }))
    : reflectionsOf(first.text, word)
  if (reflections.length === 0) return null
  const judge: Search['judge'] = (candidate, context, nonce, reply) =>
    judged(probe, candidate, context, nonce, reply, prover)
  const { hit, spots, more } = await search({ probe, carried, word, first, reflections, part, judge })
  if (hit?.ran === 'load') return hit
  if (!hit?.ran && isCookieAsSent(probe, spots))
    return askReflections(inQuotes(probe), word, first, prover, { carried, part })
  if (more) return NOT_ALL
  const template = hit?.ran ? null : await askTemplates(probe, first, spots, prover)
  if (template) return template
  const foreign = await askForeignBy({ probe, carried, word, first, reflections }, prover, hit)
  if (foreign) return foreign
  // Of few requests none is for elements where the bracket that begins one came back as something else.
  const mayHold = (came: Came): boolean => probe.request.bound === undefined || came.get('<') === '<'
  const takesMarkup = spots.some(({ context, came }) => context.kind === 'text' && mayHold(came))
  return hit ?? (takesMarkup ? askMarkup(probe, word, carried) : null)
}

/** The page repeats a cookie without decoding it, so that no quote has come. */
const isCookieAsSent = ({ point }: Probe, spots: readonly { readonly came: Came }[]): boolean =>
  isUnquoted(point) && spots.some(({ came }) => came.get('"') === encodeCookie('"'))

/** Where another site can send the value, and nothing that weighs more was found. */
const askForeignBy = async (
  shown: Shown,
  prover: Prover | string,
  hit: ReflectedHit | null,
): Promise<ReflectedHit | ForeignHit | null> =>
  hit?.ran || typeof prover === 'string' || unprovenBy(shown.probe, prover) !== null || !foreignCanSend(shown.probe)
    ? null
    : askForeign(shown, prover)

const isXml = ({ contentType }: Reply): boolean => /\bxml$/.test(contentType)

/** The quote where it stands in a value, '' in text. */
const xmlContext = (text: string, at: number): Context => {
  const before = text.slice(text.lastIndexOf('<', at), at)
  const quote = /=\s*(["'])[^"'<>]*$/.exec(before)?.[1]
  return { kind: 'xml', tag: '', attribute: null, quote: quote === '"' || quote === "'" ? quote : '' }
}

/** Pages that draw themselves with AngularJS or Vue evaluate braces that no encoding of HTML touches. */
const DRAWS =
  /\bng-(?:app|controller|bind|init)|\bdata-ng-|angular(?:\.min)?\.js|\bv-(?:if|for|bind|on|model|cloak|html|text)\b|vue(?:\.global|\.runtime|\.min|\.prod)*\.js|Vue\.createApp|new Vue\(/i

const askTemplates = async (
  probe: Probe,
  first: Reply,
  spots: readonly { readonly context: Context; readonly came: Came }[],
  prover: Prover | string,
): Promise<ReflectedHit | null> => {
  if (unprovenBy(probe, prover) !== null || typeof prover === 'string' || !DRAWS.test(first.text)) return null
  const spot = spots.find(
    ({ context: { kind }, came }) => ['text', 'attribute', 'raw-text'].includes(kind) && came.get('{') === '{',
  )
  if (!spot) return null
  const context: Context = { ...spot.context, kind: 'template', quote: '' }
  for (const way of TEMPLATES) {
    const nonce = newNonce()
    const payload = way(`${CALL}(${nonce})`)
    const { own: guarded, ...proof } = await proofOf(probe, payload, nonce, prover)
    if (proof.ran !== 'load') continue
    const reply = await probe.send(payload, { language: 'markup' })
    const mark = reply.text.includes(payload) ? payload : callIn(reply.text, nonce)
    return {
      kind: 'reflected',
      context,
      payload,
      parsed: true,
      ...proof,
      ...(guarded ? { guarded } : {}),
      unproven: null,
      excerpt: aroundMark(reply.text, mark),
      mark,
      replay: reply.replay,
      ...handledBy(reply),
      address: addressOf(probe, payload),
    }
  }
  return null
}

const judged = async (
  probe: Probe,
  { payload, code, sent }: Candidate & { readonly sent: string },
  context: Context,
  nonce: number,
  reply: Reply,
  prover: Prover | string,
): Promise<ReflectedHit | null> => {
  // Of XML browsers take what is well-formed alone, and elements of HTML in its namespace alone: payloads made for it are both.
  const inXml = context.kind === 'xml' && reply.text.includes(payload)
  if (!isPage(reply)) return null
  const parsed = isXml(reply) ? inXml : runsIn(reply.text, code)
  const isDrawn = !parsed && !isXml(reply) && runsIn(reply.text, code, true)
  if (!parsed && !isDrawn) return null
  const { ran, refused, screenshot, own } = await proofOf(probe, sent, nonce, prover, reply)
  // Whether the page loads what runs such an attribute shows once it has run.
  if (isDrawn && ran === null) return null
  const mark = reply.text.includes(payload) ? payload : callIn(reply.text, nonce, code)
  return {
    kind: 'reflected',
    context,
    payload: sent,
    nonce,
    parsed: true,
    ran,
    refused,
    unproven: unprovenBy(probe, prover),
    guarded:
      own || carries(probe) || (ran !== null && foreignCanSend(probe) && (await isGuarded(probe, sent, nonce, prover))),
    excerpt: aroundMark(reply.text, mark),
    mark,
    replay: reply.replay,
    ...behindOf(reply, probe.request.url),
    ...handledBy(reply),
    address: ran === null || own ? null : await shortest(probe, sent, nonce, prover),
    screenshot,
  }
}

/** What a prober has followed keeps its first status. */
const behindOf = ({ status, location }: Reply, url: string): Pick<ReflectedHit, 'behind'> => {
  const page = status >= 300 && status < 400 ? URL.parse(location, url) : null
  return page === null ? {} : { behind: page.href }
}

const handledBy = (reply: Reply): Pick<ReflectedHit, 'handler'> => {
  const handler = handlerOf(reply) ?? missingPageOf(reply)
  return handler === null ? {} : { handler }
}

interface Proven extends Proof {
  /** It runs in the visitor's own request alone: it takes a token of the page before. */
  readonly own: boolean
}

const NOTHING: Proven = { ran: null, refused: false, screenshot: null, own: false }

/** `reply`: what the server answered to the payload. */
const proofOf = async (
  probe: Probe,
  payload: string,
  nonce: number,
  prover: Prover | string,
  reply: Reply | null = null,
): Promise<Proven> => {
  if (unprovenBy(probe, prover) !== null || typeof prover === 'string') return NOTHING
  const { point } = probe
  const request = compose(point, payload)
  if (!request) return NOTHING
  const { method = 'GET', url } = request
  const body = request.body === undefined ? null : String(request.body)
  const plain = { method, url, body }
  // The door knows whose an address is by its path, which a payload in it changes: the browser is given what that one was answered.
  if (reply && point.place === 'path' && probe.request.as !== undefined) {
    const answer = { status: reply.status, headers: pageHeaders(reply), body: reply.text }
    return { ...(await prover.prove({ ...plain, exact: { headers: {}, answer } }, nonce)), own: false }
  }
  if (foreignCanSend(probe)) return proofOfSent(probe, plain, nonce, prover)
  const headers = Object.fromEntries((request.headers ?? []).filter(([name]) => name.toLowerCase() !== 'cookie'))
  // Of this one browsers send addresses alone, and those in their own writing.
  if (reply && point.place === 'header' && /^referer$/i.test(point.name)) {
    const answer = { status: reply.status, headers: pageHeaders(reply), body: reply.text }
    return { ...(await prover.prove({ ...plain, exact: { headers, answer } }, nonce)), own: false }
  }
  if (point.place !== 'cookie') {
    const proof = await prover.prove({ ...plain, exact: { headers } }, nonce)
    if (proof.ran !== null || !reply || point.place !== 'header') return { ...proof, own: false }
    // A signed-in run has one User-Agent, whatever the browser says.
    const answer = { status: reply.status, headers: pageHeaders(reply), body: reply.text }
    return { ...(await prover.prove({ ...plain, exact: { headers, answer } }, nonce)), own: false }
  }
  const values = { [point.name]: cookieOf(point, payload) }
  const apart = await prover.stranger({ authenticated: true, cookies: { url, values } })
  const proof = await apart.prove({ ...plain, exact: { headers } }, nonce).finally(() => apart.close())
  return { ...proof, own: false }
}

const proofOfSent = async (
  { request: { tokens, seenOn } }: Probe,
  plain: Approach,
  nonce: number,
  prover: Prover,
): Promise<Proven> => {
  const proof = await prover.prove(plain, nonce)
  const [page] = seenOn
  if (proof.ran !== null || !tokens || page === undefined) return { ...proof, own: false }
  const fresh = { page, names: tokens.map(({ name }) => name) }
  // Alone: another visit of the same profile would be given the next token.
  const apart = await prover.stranger({ authenticated: true })
  const own = await apart.prove({ ...plain, fresh }, nonce).finally(() => apart.close())
  return { ...own, own: own.ran !== null }
}

/** Those that say how a page is read. */
export const pageHeaders = ({ headers }: Pick<Reply, 'headers'>): Readonly<Record<string, string>> =>
  Object.fromEntries(headers.filter(([name]) => /^content-(?:type|security-policy)$/i.test(name)))

/** The address with this parameter alone, where that is enough for the script to run. */
const shortest = async (
  probe: Probe,
  payload: string,
  nonce: number,
  prover: Prover | string,
): Promise<string | null> => {
  const { request, point } = probe
  if (request.method !== 'GET' || !foreignCanSend(probe)) return null
  const url = new URL(request.url)
  if (point.place !== 'query' || url.searchParams.size < 2 || typeof prover === 'string')
    return addressOf(probe, payload)
  const again = newNonce()
  const bare = withQuery(`${url.origin}${url.pathname}`, point.name, payload.replaceAll(String(nonce), String(again)))
  const { ran } = await prover.prove({ method: 'GET', url: bare, body: null }, again)
  return ran === null ? addressOf(probe, payload) : bare
}

const addressOf = (probe: Probe, payload: string): string | null =>
  probe.request.method === 'GET' && foreignCanSend(probe) ? (compose(probe.point, payload)?.url ?? null) : null

/** Another site can make a visitor's browser send addresses and forms, nothing else, and no header with a token. */
const foreignCanSend = (probe: Probe): boolean =>
  ['query', 'path', 'form', 'name', 'own-name'].includes(probe.point.place) &&
  ['GET', 'POST'].includes(probe.request.method) &&
  !carries(probe)

const carries = ({ request }: Probe): boolean => request.antiForgery !== undefined

const unprovenBy = ({ point }: Probe, prover: Prover | string): string | null => {
  if (point.members) return 'several places at once'
  return typeof prover === 'string' ? prover : null
}

const askMarkup = async (probe: Probe, word: string, carried: Carrier): Promise<MarkupHit | null> => {
  if (carries(probe)) return null
  const payload = carried(markupOf('', word))
  const reply = await probe.send(payload, { language: 'markup' })
  const mark = `<b id=${word}>`
  const made = [...nodesOf(parseBounded(reply.text).document)].some(
    (node) =>
      defaultTreeAdapter.isElementNode(node) && node.tagName === 'b' && node.attrs.some(({ value }) => value === word),
  )
  return made && isPage(reply)
    ? {
        kind: 'markup',
        payload,
        excerpt: aroundMark(reply.text, mark),
        mark: reply.text.includes(mark) ? mark : word,
        replay: reply.replay,
      }
    : null
}
