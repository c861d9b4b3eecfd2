/** Which requests of the inventory are worth a limit, and may be repeated without harm. */

import { ownName } from '../../../page/names.ts'
import { segmentShape } from '../../../page/shape.ts'
import { SETS_PASSWORD } from '../../../safety/form-effect.ts'
import { mutationsIn } from '../../../safety/mutations.ts'
import { EXCLUDED } from '../../../safety/policy.ts'
import type { CrawlFacts, RequestTemplate } from '../crawl/facts.ts'
import { leavesOf } from '../insertion-points/points.ts'
import { calledBy } from '../insertion-points/routed.ts'
import type { EndpointKind } from './facts.ts'

export interface Chosen {
  readonly kind: EndpointKind
  readonly request: RequestTemplate
  /** Further ones of the kind, where the first answers nobody. */
  readonly others: readonly RequestTemplate[]
}

/** Of an interface much is for who is signed in alone, and the series is sent as nobody. */
const MOST_OTHERS = 5

const CODE_FIELD = /^(?:otp|totp|mfa|code|pin|one[-_]?time[-_]?\w*|verification[-_]?code|2fa[-_]?\w*)$/i
/** What proves whose account it is, beside the new password. */
const GUESS_FIELD = /answer|antwort|code|pin|otp|birth|mother/i
const CODE_PLACE = /otp|2fa|mfa|two-?factor|verif|one-?time/i
/** Named so, or for the password alone, as frameworks do (`POST /users/password`, `/password/email`). */
const RESET_PLACE =
  /forgot|forget|reset|recover|remind|lost[-_]?pass|passwort[-_]?vergessen|\/passwords?(?:\/e?mail)?\/?$/i
const ACCOUNT_FIELD = /mail|user|login|account|^uname$/i
/** Forms that leave something behind with people or in books. */
const NEVER = /contact|newsletter|subscribe|order|checkout|payment|pay|register|sign-?up|comment|feedback|invite/i

/** What pages are made of. */
const PART_OF_PAGE = /\.(?:css|m?js|map|ico|png|jpe?g|gif|svg|webp|avif|woff2?|ttf)$/i

const LOGIN_PLACE = /log-?in|log-?on|sign-?in|session|auth|anmeld|connexion|acceder/i

/** Of forms of one kind, each a series of its own: a limit of one says nothing of another. */
export const MOST_OF_FORMS = 3

/**
 * Of forms each that is named for its kind or asks for nothing but who and the password, else the first; of what is asked by GET one of each kind. Those that are named for it come
 * first, then by address, so that every run takes the same. `own`: the sign-in of the run itself, which is known to be one.
 */
export const choose = (
  { requests, urls }: Pick<CrawlFacts, 'requests' | 'urls'>,
  own: RequestTemplate | null = null,
): readonly Chosen[] => {
  const named = (request: RequestTemplate): number => Number(isNamedLogin(request))
  const sorted = requests.toSorted((a, b) => named(b) - named(a) || (a.url < b.url ? -1 : Number(a.url > b.url)))
  const found = new Map<EndpointKind, RequestTemplate[]>(own === null ? [] : [['login', [own]]])
  for (const request of sorted) {
    if (request.harm === EXCLUDED) continue
    const kind = kindOf(request) ?? interfaceKind(request, urls)
    // Of an account that nobody has, no password is set.
    if (request.harm === SETS_PASSWORD && !(kind === 'reset' && isGuessed(fieldsOf(request)))) continue
    if (kind) found.set(kind, [...(found.get(kind) ?? []), request])
  }
  const searches = found.get('search') ?? []
  if (searches.some(isNamedSearch))
    found.set('search', [...searches.filter(isNamedSearch), ...searches.filter((one) => !isNamedSearch(one))])
  return [...found].flatMap(([kind, [request, ...more]]): readonly Chosen[] => {
    if (request === undefined) return []
    if (!isForms(kind)) return [{ kind, request, others: more.slice(0, MOST_OTHERS) }]
    const wanted = more.filter((one) => kind !== 'login' || isNamedLogin(one) || asksForTwo(one))
    return onePerForm([request, ...wanted]).map((one) => ({ kind, request: one, others: [] }))
  })
}

/** A form for who it is and the password, and nothing else: of an administration beside the site, say. */
const asksForTwo = (request: RequestTemplate): boolean =>
  filledIn(request).length === 2 && request.fields.some(({ type }) => type === 'password')

/** Whatever record, and whatever code, it was found with. */
const routeOf = (request: RequestTemplate): string => {
  const at = couponAt(request)
  const segments = new URL(request.url).pathname.split('/').slice(1)
  return segments.map((segment, index) => (index === at ? '*' : segmentShape(segment))).join('/')
}

/** The crawl and the identity may both know one. */
const onePerForm = (requests: readonly RequestTemplate[]): readonly RequestTemplate[] => {
  const seen = new Set<string>()
  return requests.filter((one) => {
    const names = filledIn(one).map(({ name }) => name)
    const form = [routeOf(one), ...names.toSorted()].join(' ')
    const isNew = !seen.has(form)
    seen.add(form)
    return isNew
  })
}

const pathOf = ({ url }: RequestTemplate): string => url.replace(/^\w+:\/\/[^/]*/, '')
const isNamedLogin = (request: RequestTemplate): boolean =>
  LOGIN_PLACE.test(pathOf(request)) || LOGIN_PLACE.test(mutationOf(request))

/** A page that takes `q` may look for nothing by it. */
const isNamedSearch = ({ url }: RequestTemplate): boolean => SEARCH_PLACE.test(new URL(url).pathname)
const SEARCH_PLACE = /(?:^|[/_.-])(?:search|find|query|suche|recherche|buscar|cerca)(?:$|[/_.-])/i

/** The first field of a mutation (GraphQL, 2.3), which says what the path of an interface says elsewhere; '' of other requests. */
const mutationOf = ({ encoding, body }: RequestTemplate): string =>
  encoding === 'json' ? (mutationsIn(body).find(({ kind }) => kind === 'field')?.name ?? '') : ''
/** Forms that are filled in; the others are asked with GET. */
export const isForms = (kind: EndpointKind): boolean => kind !== 'search' && kind !== 'interface'

/** Names and types of everything that the request carries. */
const fieldsOf = (request: RequestTemplate): readonly { readonly name: string; readonly type: string }[] => [
  ...request.fields,
  ...(request.encoding === 'json' && request.body !== null
    ? leavesOf(request.body).map(([pointer]) => ({ name: pointer.slice(pointer.lastIndexOf('/') + 1), type: 'text' }))
    : []),
]

const filledIn = (request: RequestTemplate): ReturnType<typeof fieldsOf> =>
  fieldsOf(request).filter(({ type }) => type !== 'hidden' && type !== 'submit')

/** An answer or a code that lets whoever guesses it set a password. */
const isGuessed = (fields: readonly { readonly name: string }[]): boolean =>
  fields.length <= 5 && fields.some(({ name }) => GUESS_FIELD.test(name))

export const isPassword = ({ name, type }: { readonly name: string; readonly type: string }): boolean =>
  type === 'password' || /^(?:pass(?:word|wd)?|pwd|passwort|kennwort)$/i.test(ownName(name))

const kindOf = (request: RequestTemplate): EndpointKind | null => {
  const place = calledBy(request)
  if (couponAt(request) !== null) return 'coupon'
  if (request.method !== 'POST' || !['urlencoded', 'json'].includes(request.encoding) || NEVER.test(place)) return null
  const fields = filledIn(request)
  const passwords = fields.filter(isPassword).length
  // Two are a registration or a change.
  const isAccount = (name: string) =>
    ACCOUNT_FIELD.test(ownName(name)) || (isNamedLogin(request) && /^(?:nick_?)?name$/i.test(ownName(name)))
  // Beside a new password it is the code that is guessed.
  if (
    passwords <= 1 &&
    fields.length <= 3 + passwords &&
    fields.some(({ name }) => CODE_FIELD.test(ownName(name))) &&
    CODE_PLACE.test(place)
  )
    return 'one-time-code'
  if (passwords === 1 && fields.length <= 4 && fields.some(({ name }) => isAccount(name))) return 'login'
  if (
    fields.some(({ name }) => ACCOUNT_FIELD.test(ownName(name))) &&
    RESET_PLACE.test(place) &&
    ((passwords === 0 && fields.length <= 2) || isGuessed(fields))
  )
    return 'reset'
  return null
}

/** Where the code of a coupon stands: the index of a segment of the path, or the name of a field. Null where none does. */
export const couponAt = (request: RequestTemplate): number | string | null => {
  const { pathname } = new URL(request.url)
  const isSent = ['POST', 'PUT', 'PATCH'].includes(request.method)
  if (!isSent || request.harm !== null || request.antiForgery !== undefined || NO_COUPON.test(pathname)) return null
  const segments = pathname.split('/').slice(1)
  const last = segments.length - 1
  const fields = fieldsOf(request).filter(({ type }) => !['hidden', 'submit'].includes(type))
  // What a body has a code for is no code itself: `/gift-cards/check`.
  const isTold = ['urlencoded', 'json'].includes(request.encoding) && fields.some(({ name }) => /^code$/i.test(name))
  if (COUPON.test(segments[last - 1] ?? '') && segments[last] !== '' && !isTold) return last
  if (fields.length === 0 || fields.length > 2 || !['urlencoded', 'json'].includes(request.encoding)) return null
  const named = fields.find(({ name }) => COUPON.test(name))
  const called = calledBy(request)
    .split('/')
    .slice(-2)
    .map((segment) => segment.replace(/\.\w{1,5}$/, ''))
  const isPlace = called.some((segment) => COUPON.test(segment))
  return (named ?? (isPlace ? fields.find(({ name }) => /^code$/i.test(name)) : undefined))?.name ?? null
}
/** How many take such a code with everything else that is ordered: so many orders are not sent. */
export const couponsBeside = (requests: readonly RequestTemplate[]): number =>
  requests.filter(
    (one) =>
      ['POST', 'PUT', 'PATCH'].includes(one.method) &&
      couponAt(one) === null &&
      fieldsOf(one).length > 2 &&
      fieldsOf(one).some(({ name, type }) => type !== 'hidden' && type !== 'submit' && COUPON.test(name)),
  ).length

const COUPON =
  /^(?:coupons?|vouchers?|gift-?_?cards?|promo(?:tion)?-?_?codes?|discount-?_?codes?|gutscheine?|rabattcodes?|redeem|redemptions?|einloesen|einlösen)(?:-?_?code)?$/i
/** They are made there, by who may. */
const NO_COUPON = /admin|create|new|import|generate/i

const interfaceKind = (request: RequestTemplate, urls: CrawlFacts['urls']): EndpointKind | null => {
  if (request.method !== 'GET' || request.harm !== null || request.bound !== undefined || !request.sent) return null
  const url = new URL(request.url)
  const names = [...url.searchParams.keys()]
  const answer = urls.find((one) => one.url === request.url)
  // The version behind the name of a style sheet is no search.
  const isPage = answer === undefined ? !PART_OF_PAGE.test(url.pathname) : /html|json|xml/.test(answer.contentType)
  if (isPage && names.some((name) => /^(?:q|query|search|s|term|keyword)$/i.test(name))) return 'search'
  return answer &&
    /json/.test(answer.contentType) &&
    answer.status === 200 &&
    !/openapi|swagger|api-docs/.test(url.pathname)
    ? 'interface'
    : null
}
