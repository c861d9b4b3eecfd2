/** The requests of one series: a person who does not exist, a password that is wrong, tokens as the page gives them now. */
import { randomBytes, randomInt } from 'node:crypto'
import type { HeaderPairs, HttpExchange, HttpRequest } from '../../../egress/door/egress.ts'
import { pageRequest } from '../../../page/exchange.ts'
import { readHtml } from '../../../page/html.ts'
import { textOf } from '../../../page/text.ts'
import type { RequestTemplate } from '../crawl/facts.ts'
import { formWith, jsonWith } from '../insertion-points/body.ts'
import { withSegment } from '../insertion-points/compose.ts'
import { fromPage, requestOf } from '../insertion-points/inventory.ts'
import { leavesOf } from '../insertion-points/points.ts'
import { isHiddenToken, isToken } from '../insertion-points/tokens.ts'
import { type Chosen, couponAt, isPassword } from './endpoints.ts'

export interface Attempts {
  /** One more request; `extra` headers stand for another client. */
  readonly next: (extra?: HeaderPairs) => HttpRequest
  /** It brings a token that its page has handed out: the same is good for nobody else. */
  readonly isOfPage: boolean
}

/** Who signs in, or asks: a mailbox, a name where none is wanted, and a password, null for another wrong one each time. */
export interface Person {
  readonly account: string
  readonly name: string
  readonly password: string | null
}

/** How such a person and a wrong password are written. */
export const [ACCOUNT, WRONG] = [/sonde-[\da-f]{12}/, /Wrong-[\da-f]{12}/]

/** Who does not exist. */
export const nobody = (): Person => {
  const token = randomBytes(6).toString('hex')
  return { account: `sonde-${token}@${token}.invalid`, name: `sonde-${token}`, password: null }
}

/** `ask` fetches the page of the form, for its tokens and its session. One `person` for the whole series: a limit for each account must be able to show. */
export const prepareAttempts = async (
  { kind, request }: Pick<Chosen, 'kind' | 'request'>,
  ask: (request: HttpRequest) => Promise<HttpExchange | null>,
  person = nobody(),
): Promise<Attempts> => {
  const from = request.seenOn[0]
  const page = request.method === 'POST' && from ? await ask(pageRequest(from, { authenticated: false })) : null
  const tokens = page ? hiddenOf(page, request) : new Map<string, string>()
  const cookie = page ? cookiesOf(page) : ''
  // What a person types beside one password is who they are, whatever it is called.
  const [only, ...others] = request.fields.flatMap((one) => (one.type === 'text' && !isPassword(one) ? [one.name] : []))
  if (kind === 'coupon') return { next: (extra = []) => couponAttempt(request, extra), isOfPage: false }
  return {
    isOfPage: [...tokens].some(([name, value]) => isToken(name, value) || isHiddenToken(name, value, 'hidden')),
    next: (extra = []) => {
      const headers: HeaderPairs = [...(cookie === '' ? [] : ([['Cookie', cookie]] as const)), ...extra]
      if (request.method === 'GET') return pageRequest(withNonce(request.url, kind), { authenticated: false, headers })
      const value = (name: string, type: string, given: string) =>
        only === name && others.length === 0 && kind === 'login' && type === 'text' && !/mail/i.test(name)
          ? person.name
          : valueFor(name, type, tokens.get(name) ?? given, person)
      if (request.encoding === 'json') {
        const body = JSON.stringify(filled(JSON.parse(request.body ?? '{}'), value))
        return {
          url: request.url,
          method: 'POST',
          body,
          authenticated: false,
          stranger: true,
          headers: [['Content-Type', 'application/json'], ...fromPage(request.url, from), ...headers],
        }
      }
      const pairs = request.fields.map(({ name, type, value: given }): [string, string] => [
        name,
        value(name, type, given),
      ])
      return {
        url: request.url,
        method: 'POST',
        body: new URLSearchParams(pairs).toString(),
        authenticated: false,
        stranger: true,
        headers: [['Content-Type', 'application/x-www-form-urlencoded'], ...fromPage(request.url, from), ...headers],
      }
    },
  }
}

/** Another code each time, as whoever the run is: a cart belongs to somebody. */
const couponAttempt = (request: RequestTemplate, extra: HeaderPairs): HttpRequest => {
  const { url, method, headers, body } = requestOf(request)
  const at = couponAt(request)
  const code = `SONDE${randomBytes(5).toString('hex').toUpperCase()}`
  const sent = { method, headers: [...headers, ...extra] }
  if (typeof at === 'number') return { ...sent, url: withSegment(url, at, code), ...(body === null ? {} : { body }) }
  const isJson = request.encoding === 'json'
  const pointer = leavesOf(body ?? '').find(([one]) => one.slice(one.lastIndexOf('/') + 1) === at)?.[0] ?? ''
  const filledIn = isJson ? jsonWith(body ?? '{}', pointer, code) : formWith(body ?? '', at ?? '', code)
  return { ...sent, url, body: filledIn ?? '' }
}

const valueFor = (name: string, type: string, given: string, person: Person): string => {
  if (type === 'hidden' || type === 'submit') return given
  if (isPassword({ name, type })) return person.password ?? `Wrong-${randomBytes(6).toString('hex')}`
  if (type === 'email' || /mail/i.test(name)) return person.account
  if (/answer|antwort/i.test(name)) return `wrong ${randomBytes(6).toString('hex')}`
  if (/user|login|account|name/i.test(name)) return person.name
  if (/otp|code|pin|mfa|2fa/i.test(name)) return String(randomInt(0, 1_000_000)).padStart(6, '0')
  return given
}

/** The same structure with other leaves. */
const filled = (value: unknown, of: (name: string, type: string, given: string) => string, name = ''): unknown => {
  if (Array.isArray(value)) return value.map((one) => filled(one, of, name))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filled(inner, of, key)]))
  }
  return typeof value === 'string' ? of(name, 'text', value) : value
}

/** Past caches, which would answer in the place of the server. */
const withNonce = (address: string, kind: Chosen['kind']): string => {
  const url = new URL(address)
  if (kind === 'search') {
    const name = [...url.searchParams.keys()].find((one) => /^(?:q|query|search|s|term|keyword)$/i.test(one))
    if (name) url.searchParams.set(name, `tent ${randomInt(1_000_000)}`)
  } else url.searchParams.set('_', String(randomInt(1_000_000_000)))
  return url.href
}

/** Of the form that has these fields alone, or these among others, as one does that a person's request was written down of. */
const hiddenOf = (page: HttpExchange, request: RequestTemplate): ReadonlyMap<string, string> => {
  const names = new Set(request.fields.map(({ name }) => name))
  const forms = readHtml(textOf(page), page.request.url).forms.filter(({ action }) => action === request.url)
  const form =
    forms.find(({ inputs }) => inputs.every(({ name, type }) => name === '' || type === 'submit' || names.has(name))) ??
    forms.find(
      ({ inputs }) =>
        names.size > 0 &&
        request.fields.every(({ name, type }) => type === 'submit' || inputs.some((one) => one.name === name)),
    )
  return new Map(form?.inputs.filter(({ type }) => type === 'hidden').map(({ name, value }) => [name, value]))
}

const cookiesOf = ({ headers }: HttpExchange): string =>
  headers
    .flatMap(([name, value]) => (name.toLowerCase() === 'set-cookie' ? [value.split(';')[0]?.trim() ?? ''] : []))
    .join('; ')
