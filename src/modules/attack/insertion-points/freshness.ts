/**
 * Tokens against forged requests, with the session they were minted for. A form with one is refused with the value that the crawl
 * saw: before such a request is sent, its page is fetched and the token of today put in place of the old one.
 */
import type { Egress, HttpExchange, HttpRequest } from '../../../egress/door/egress.ts'
import { cookieNamesIn } from '../../../page/cookies/cookie-header.ts'
import { parseSetCookie } from '../../../page/cookies/set-cookie.ts'
import { type HtmlPage, readHtml } from '../../../page/html.ts'
import type { HtmlForm, HtmlInput } from '../../../page/html-forms.ts'
import { isOfPostback, isStateField, shapeOfPostback } from '../../../page/postbacks.ts'
import { mayShow } from '../../../page/shape.ts'
import { textOf } from '../../../page/text.ts'
import { egressAs } from '../../as-other.ts'
import { patiently } from '../../patience.ts'
import { type Carried, carriedBy, type FoundToken, tokensIn, withCarried } from './anti-forgery.ts'
import { encodeValue } from './body.ts'
import type { ProbeRequest } from './inventory.ts'
import { pauseOf } from './limits.ts'
import { differMaskedOnly } from './masked-tokens.ts'
import { pageOrNull } from './page-or-null.ts'

/** A page's token values by name, and the cookies that belong to them. */
export interface Minted {
  readonly values: ReadonlyMap<string, string>
  /** Value of a Cookie header, '' for none. */
  readonly cookies: string
  /** What it brings beside its fields; absent where that is nothing. */
  readonly carried?: Carried
}

export interface Freshness {
  /** By request; null where its page has no such token any more. Whose asking was called off is asked again. */
  readonly minted: MintedMemory
  /** Requests whose token is good for one answer alone. */
  readonly once: Set<string>
  /** Their line: the token of one page must not be overtaken by that of the next. */
  readonly lines: Map<string, Promise<void>>
  /** What was seen of the tokens of requests. */
  readonly seen: Map<string, Seen>
}

export interface MintedMemory {
  (request: string, ask: () => Promise<Minted | null>): Promise<Minted | null>
  readonly forget: (request: string) => void
}

interface Seen {
  /** The newest of its page, and whether it was taken since. */
  minted: Minted | null
  taken: boolean
  /** How often the same one may be sent before the page is asked whether it is another; 0 for never. */
  left: number
  /** Another one stood there after it was taken. */
  changes: boolean
  /** Refusals since the page was last asked for a reason of that kind. */
  refusals: number
  /** What the run's session was known by at the last of them. */
  whose?: string
}

export const createFreshness = (minted: MintedMemory): Freshness => ({
  ...{ minted, once: new Set(), lines: new Map(), seen: new Map() },
})

/**
 * Sends a request with fresh tokens where it has any. `signedIn`: the run's own session is the only one, cookies of the page are
 * not taken.
 */
export const sendFresh = async (
  ofRun: Egress,
  freshness: Freshness,
  signedIn: boolean,
  request: ProbeRequest,
  http: HttpRequest,
): Promise<{ readonly exchange: HttpExchange; readonly sent: HttpRequest }> => {
  const egress = egressFor(ofRun, request)
  const given = request.asNobody ? { ...http, authenticated: false } : asSomebody(http, request)
  const send = async (minted: Minted | null) => {
    const sent = minted === null ? given : withMinted(given, request, minted)
    return { exchange: await patiently(() => egress.http(sent), isTimed), sent }
  }
  if (!isMinted(request)) return send(null)
  const mint = (): Promise<Minted | null> => mintFor(egress, request, signedIn)
  const seen = seenOf(freshness, request.id)
  if (freshness.once.has(request.id))
    return inLine(freshness.lines, request.id, async () => {
      const isKept = seen.left > 0
      const take = async () => {
        const answer = await send(await mayStillHold(request, seen, mint))
        seen.taken ||= answer.exchange.status < 400
        if (TOKEN_REFUSED.has(answer.exchange.status)) seen.left = 0
        return answer
      }
      const answer = await take()
      // One that was kept may have ended with its session.
      const mayBeStale = isKept && seen.left === 0 && TOKEN_REFUSED.has(answer.exchange.status)
      return mayBeStale && seen.minted !== null && holdsTokens(answer.sent, seen.minted) ? take() : answer
    })
  const known = await freshness.minted(request.id, mint)
  const answer = await send(known)
  if (!TOKEN_REFUSED.has(answer.exchange.status) || (known !== null && !holdsTokens(answer.sent, known))) return answer
  // It may have ended with the session that it was minted for, or with the answer to it; a page without any may have been asked between two sessions.
  const whose = await credentialsOf(egress, request)
  if (seen.refusals % LOOKED_AFTER === 0 || whose !== seen.whose) freshness.minted.forget(request.id)
  seen.whose = whose
  seen.refusals += 1
  const now = await freshness.minted(request.id, mint)
  if (now === null || isSame(now, known)) return answer
  const again = await send(now)
  if (TOKEN_REFUSED.has(again.exchange.status)) return again
  freshness.once.add(request.id)
  Object.assign(seen, { minted: now, taken: true, refusals: 0 })
  return again
}

/** As whom this is asked, with all that is asked for it. */
export const egressFor = (egress: Egress, { as }: Pick<ProbeRequest, 'as'>): Egress =>
  as === undefined ? egress : egressAs(egress, as)

const asSomebody = (http: HttpRequest, { as }: ProbeRequest): HttpRequest => (as === undefined ? http : { ...http, as })

const credentialsOf = async (egress: Minting, { url }: ProbeRequest): Promise<string> =>
  JSON.stringify((await egress.credentialsFor?.(url)) ?? [])

/** Not where a probe has changed them. */
const holdsTokens = ({ url, body }: HttpRequest, { values, carried }: Minted): boolean =>
  carried !== undefined ||
  [...values.values()].some((value) =>
    [value, encodeValue(value)].some((one) =>
      new RegExp(`${RegExp.escape(one)}(?:["&\\r]|$)`).test(`${url}\r${typeof body === 'string' ? body : ''}`),
    ),
  )

/** Statuses of a token that is none of the session's: of frameworks, and where a form was changed by somebody else meanwhile. */
export const TOKEN_REFUSED: ReadonlySet<number> = new Set([400, 403, 409, 419, 422])
/** What is refused for another reason costs one page more for so many. */
const LOOKED_AFTER = 8
/** Of one that its page showed again after it was taken. */
const TIMES = 4

const seenOf = ({ seen }: Freshness, id: string): Seen => {
  const known = seen.get(id)
  if (known) return known
  const made: Seen = { minted: null, taken: false, left: 0, changes: false, refusals: 0 }
  seen.set(id, made)
  return made
}

/** A token that its page shows again once it was taken, masked or not, holds for the session: it is sent a few times before the page is asked again. */
const mayStillHold = async (
  { signsIn, tokens = [] }: ProbeRequest,
  seen: Seen,
  mint: () => Promise<Minted | null>,
): Promise<Minted | null> => {
  if (seen.left > 0) {
    seen.left -= 1
    return seen.minted
  }
  const minted = await mint()
  if (seen.taken && !isSame(minted, seen.minted) && !differMaskedOnly(minted, seen.minted)) seen.changes = true
  const holds =
    minted !== null && seen.taken && !seen.changes && !signsIn && !tokens.some(({ name }) => isStateField(name))
  seen.left = holds ? TIMES - 1 : 0
  seen.minted = minted
  seen.taken = false
  return minted
}

const isSame = (one: Minted | null, other: Minted | null): boolean =>
  JSON.stringify(plainOf(one)) === JSON.stringify(plainOf(other))

const plainOf = (minted: Minted | null) =>
  minted && { values: [...minted.values], cookies: minted.cookies, carried: minted.carried }

/** See limits.ts. */
const isTimed = (exchange: HttpExchange): boolean => pauseOf(exchange) > 0

/** Whether what it is taken by is read from a page before it is sent. */
export const isMinted = ({ tokens, antiForgery }: ProbeRequest): boolean =>
  tokens !== undefined || antiForgery !== undefined

const inLine = async <Value>(
  lines: Map<string, Promise<void>>,
  id: string,
  work: () => Promise<Value>,
): Promise<Value> => {
  const before = lines.get(id)
  const done = Promise.withResolvers<void>()
  lines.set(id, done.promise)
  await before
  try {
    return await work()
  } finally {
    done.resolve()
  }
}

/** Null where nothing of it can be had. */
export const mintFor = async (egress: Minting, request: ProbeRequest, signedIn: boolean): Promise<Minted | null> => {
  const { tokens, antiForgery, url } = request
  const minted = tokens ? await mintFields(egress, request, signedIn) : null
  const carried = antiForgery ? await carriedBy(egress, antiForgery, url, signedIn) : null
  return carried ? { ...(minted ?? { values: new Map(), cookies: '' }), carried } : minted
}

type Minting = Pick<Egress, 'http' | 'credentialsFor' | 'hideCookies'>

/** Null where the page does not answer or holds none of the tokens. */
const mintFields = async (egress: Minting, request: ProbeRequest, signedIn: boolean): Promise<Minted | null> => {
  const page = request.seenOn.find(mayShow)
  if (page === undefined) return null
  const isNobody = request.asNobody === true
  const exchange = await pageOrNull(egress, page, '', isNobody)
  if (exchange === null) return null
  const html = readHtml(textOf(exchange), page)
  const standsThere = standsOn(request, html)
  const wanted = new Set(request.tokens?.flatMap(({ name }) => (standsThere || !isStateField(name) ? [name] : [])))
  const values = new Map(
    [...membersFrom(request, tokensIn(exchange, page)), ...[...inputsFor(request, html), ...linkedTo(request, html)]]
      .filter(({ name, value }) => wanted.has(name) && value !== '')
      .map(({ name, value }) => [name, value]),
  )
  if (values.size === 0) return null
  return { values, cookies: signedIn && !isNobody ? await besideOwn(egress, exchange, page) : cookiesSet(exchange) }
}

/**
 * Whether the page still has the form as it was sent. One that an answer has shown is of another step, whose state the page as it is asked for does not
 * have: what came with it goes back.
 */
const standsOn = ({ body, tokens = [] }: ProbeRequest, { forms }: Pick<HtmlPage, 'forms'>): boolean => {
  if (!tokens.some(({ name }) => isStateField(name))) return true
  const sent = sentIn(body ?? '')
  const sets = sent.filter(([name, value]) => isOfPostback(name) && value !== '')
  return forms.some(({ inputs, postbacks = [] }) => {
    const names = new Set([
      ...inputs.map(({ name }) => name),
      ...postbacks.flatMap((one) => one.sets.map(([name]) => name)),
    ])
    const calls = postbacks.map((one) => shapeOfPostback({ sets: one.sets.filter(([, value]) => value !== '') }))
    return (
      sent.every(([name]) => isOfPostback(name) || isStateField(name) || names.has(name)) &&
      (sets.length === 0 || calls.includes(shapeOfPostback({ sets })))
    )
  })
}

/** Names and values of a form's body; of one of several parts, of those that are no files. */
const sentIn = (body: string): readonly (readonly [string, string])[] =>
  body.startsWith('--')
    ? [...body.matchAll(/; name="([^"\r\n]{1,400})"\r\n\r\n([^\r\n]{0,400})/g)].map(([, name = '', value = '']) => [
        name,
        value,
      ])
    : [...new URLSearchParams(body)]

/** What the page sets under names that the run's own session has no cookie of: a token may hold for one of them. */
const besideOwn = async (egress: Minting, exchange: HttpExchange, page: string): Promise<string> => {
  const own = ((await egress.credentialsFor?.(page)) ?? []).filter(([name]) => name.toLowerCase() === 'cookie')
  const names = cookieNamesIn(own.map(([, value]) => value).join('; '))
  const beside = cookiesSet(exchange)
    .split('; ')
    .filter((pair) => !names.has(pair.split('=')[0] ?? ''))
    .join('; ')
  egress.hideCookies?.(beside)
  return beside
}

/** Members of a body of JSON, each with what the page calls alike, else with the likeliest. */
const membersFrom = (
  { tokens = [] }: ProbeRequest,
  found: readonly FoundToken[],
): readonly { readonly name: string; readonly value: string }[] =>
  tokens.flatMap(({ name, isMember }) => {
    const token = found.find((one) => plain(one.name) === plain(name)) ?? found[0]
    return isMember && token !== undefined ? [{ name, value: token.value }] : []
  })
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The inputs of a page, those of the form that the request is of behind all others: each form of a page may have a token of its own. */
const inputsFor = (request: ProbeRequest, { forms, looseInputs }: HtmlPage): readonly HtmlInput[] => {
  const alike = forms
    .map((form) => ({ inputs: form.inputs, likeness: likenessTo(request, form) }))
    .toSorted((a, b) => a.likeness - b.likeness)
  const own = alike.filter(({ likeness }) => likeness >= SAME_ACTION)
  return [...alike, { inputs: looseInputs }, ...own].flatMap(({ inputs }) => inputs)
}

/** More than the fields of a form can be. */
const SAME_ACTION = 10_000

const likenessTo = ({ method, url, body }: ProbeRequest, form: HtmlForm): number => {
  const [{ origin, pathname }, action] = [new URL(url), URL.parse(form.action ?? '')]
  const isSame =
    action?.origin === origin && action.pathname === pathname && form.method.toUpperCase() === method.toUpperCase()
  const holds = (pair: string, part: string): boolean => `&${body ?? ''}&`.includes(pair) || (body ?? '').includes(part)
  const common = form.inputs.filter(({ name }) => name !== '' && holds(`&${encodeValue(name)}=`, `name="${name}"`))
  const equal = common.filter(
    ({ name, type, value }) =>
      type === 'hidden' && holds(`&${encodeValue(name)}=${encodeValue(value)}&`, `name="${name}"\r\n\r\n${value}\r\n`),
  )
  return (isSame ? SAME_ACTION : 0) + common.length + equal.length
}

/** The parameters of the link to the same page that has most of them in common: each action of a page has a token of its own. */
const linkedTo = (
  { method, url }: ProbeRequest,
  { links }: Pick<HtmlPage, 'links'>,
): readonly { readonly name: string; readonly value: string }[] => {
  if (method !== 'GET') return []
  const { origin, pathname, searchParams: own } = new URL(url)
  const parameters = links
    .flatMap((link) => URL.parse(link.url ?? '') ?? [])
    .filter((link) => link.origin === origin && link.pathname === pathname)
    .map(({ searchParams }) => [...searchParams].map(([name, value]) => ({ name, value })))
  const common = (pairs: (typeof parameters)[number]): number =>
    pairs.filter(({ name, value }) => own.get(name) === value).length
  return parameters.toSorted((a, b) => common(b) - common(a))[0] ?? []
}

/** Of a body of JSON. */
const memberOf = (name: string, value: string): RegExp => {
  const [key, text] = [name, value].map((one) => JSON.stringify(one).replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`${key}\\s*:\\s*${text}`, 'g')
}

/** As the next request carries them. */
export const cookiesSet = ({ headers }: HttpExchange): string =>
  headers
    .flatMap(([name, line]) => (name.toLowerCase() === 'set-cookie' ? (parseSetCookie(line) ?? []) : []))
    .filter(({ value }) => value !== '')
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ')

/** A token that a probe itself has changed stays as the probe has it. */
export const withMinted = (given: HttpRequest, { tokens = [] }: ProbeRequest, minted: Minted): HttpRequest => {
  const { values, cookies, carried } = minted
  const http = carried ? withCarried(given, carried) : given
  const fresh = (text: string): string =>
    tokens.reduce((changed, { name, value }) => {
      const now = values.get(name)
      if (now === undefined || value === '') return changed
      const pair = `${encodeValue(name)}=`
      return changed
        .replaceAll(`${pair}${encodeValue(value)}`, () => `${pair}${encodeValue(now)}`)
        .replaceAll(`name="${name}"\r\n\r\n${value}\r\n`, () => `name="${name}"\r\n\r\n${now}\r\n`)
        .replaceAll(memberOf(name, value), () => `${JSON.stringify(name)}:${JSON.stringify(now)}`)
    }, text)
  const before = http.headers?.find(([name]) => name.toLowerCase() === 'cookie')?.[1]
  const cookie = [cookies, before].filter(Boolean).join('; ')
  return {
    ...http,
    url: fresh(http.url),
    ...(typeof http.body === 'string' ? { body: fresh(http.body) } : {}),
    headers: [
      ...(http.headers ?? []).filter(([name]) => name.toLowerCase() !== 'cookie'),
      ...(cookie === '' ? [] : [['Cookie', cookie] as const]),
    ],
  }
}
