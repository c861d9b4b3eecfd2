/** The crawl's inventory as probing needs it: each place with the whole request around it. */

import type { HeaderPairs } from '../../../egress/door/egress.ts'
import { segmentsOf } from '../../../page/segments.ts'
import { ENDS_SESSION } from '../../../safety/deeds.ts'
import { type Effect, effectOf, isSafe } from '../../../safety/effect.ts'
import { formOf } from '../../../safety/form.ts'
import { takesAway } from '../../../safety/putting-away.ts'
import { harmOfParameter } from '../../../safety/safety.ts'
import { fileLike, NO_FILE } from '../../sample-files.ts'
import type {
  AntiForgery,
  CrawlFacts,
  Encoding,
  InsertionPoint,
  Packing,
  Place,
  RequestTemplate,
} from '../crawl/facts.ts'
import { encodeValue } from './body.ts'
import { FILE, leavesOf } from './points.ts'
import { procedureOf, type Said } from './procedure.ts'
import { isForStrangers, isSignIn } from './sign-in.ts'
import { isHiddenToken, isToken, isTokenField, isTokenName } from './tokens.ts'

/** A request with an example value in every place. Sent as it is, it answers as in ordinary use. */
export interface ProbeRequest {
  /** As in the crawl's facts. */
  readonly id: string
  readonly method: string
  readonly url: string
  readonly headers: HeaderPairs
  readonly body: string | null
  /** What only reads gets every question; anything else may store something, and gets no condition that could match every row. */
  readonly effect: Effect
  /** How often it may be sent in all modules together, because it may write; absent where it may be sent freely. */
  readonly bound?: number
  /** It deletes or closes: whatever else is asked about the same thing is asked before. */
  readonly deletes?: true
  /** It looks a person up, as a sign-in does, and is sent by nobody who is signed in. */
  readonly signsIn?: boolean
  /** It is sent without the run's own session, which another one would take the place of. */
  readonly asNobody?: true
  /** What is counted together: see `formOf`; absent where nothing is. */
  readonly form?: string
  /** Pages that stayed as they were when the crawl sent it, and are looked at again; absent where there are none. */
  readonly watched?: readonly string[]
  /** Pages that show what it stores; absent where none is known. */
  readonly shownOn?: readonly string[]
  /** Pages that make this request. */
  readonly seenOn: readonly string[]
  /** Of a form that is sent by GET: the page that has it. */
  readonly formPage?: string
  /** A script asks for it by GET, and puts in what a person has chosen. */
  readonly called?: true
  /** As in ProbedPlace. */
  readonly route?: string
  /** As in ProbedPlace. */
  readonly program?: string
  /** Where its body says what is to be done, of an address that answers for many procedures; absent where it does not. */
  readonly procedure?: readonly Said[]
  /** Fields against forged requests with the values that the crawl saw; absent where it has none. */
  readonly tokens?: readonly FieldToken[]
  /** As in the crawl's facts. */
  readonly antiForgery?: AntiForgery
  /** As in the crawl's facts. */
  readonly turnedAway?: true
  /** As in the crawl's facts. */
  readonly as?: string
}

/** A field against forged requests, with the value that the crawl saw. */
export interface FieldToken {
  readonly name: string
  readonly value: string
  /** Of a body of JSON, in which a script has put it from somewhere. */
  readonly isMember?: true
}

/** Whether its form brings a token of its own, so that it needs none in a header. */
export const bringsToken = ({ tokens = [] }: ProbeRequest): boolean => tokens.some(({ isMember }) => !isMember)

export interface ProbePoint {
  readonly request: ProbeRequest
  readonly place: Place
  /** As in the crawl's facts. */
  readonly name: string
  readonly value: string
  /** As in the crawl's facts. */
  readonly within?: Packing
  /** True where the request was not seen with it: it is asked by one text, beside others, before anything else. */
  readonly guessed?: true
  /** Of a header or cookie: few requests have it, or few programs set it, so that it belongs to them as a field does. */
  readonly own?: true
  /** Of a cookie: what is put there goes in quotes: see `quotedCookie`. */
  readonly quoted?: true
  /** Of a form: the page fills it in itself, or it is what is pressed; absent where a person fills it. */
  readonly role?: 'hidden' | 'button'
  /** Of a form: it stands with another button than the one that is pressed. */
  readonly far?: true
  /** Of a file: as in the crawl's facts. */
  readonly accept?: string
  /** Several headers and cookies probed as one: in each, `value` stands for its own. See groups.ts. */
  readonly members?: readonly ProbePoint[]
}

/**
 * Whether a program works with the value, rather than just showing it: names of parameters, and what stands behind the path of a
 * program, reach no query and no interpreter.
 */
export const isWorked = ({ request, place, name }: ProbePoint): boolean => {
  if (place === 'name') return false
  return place !== 'path' || Number(name) < segmentsOf(request.url).length
}

/** Which place of its request it is. */
export const slotOf = ({ place, name, within }: Pick<ProbePoint, 'place' | 'name' | 'within'>): string =>
  [`${place} ${name}`, ...(within?.steps ?? [])].join(' ')

/** Without requests that would do harm. One place of one shape of address once. */
export const inventoryOf = (crawl: CrawlFacts): readonly ProbePoint[] =>
  partsOf(crawl).flatMap(({ requests, points }) =>
    placesOf(
      points,
      requests.filter(({ harm }) => harm === null),
      // Signed in, what asks for a password alone confirms a change.
      crawl.session.state === 'none',
    ),
  )

/** As each asks: what another identity is led to is asked as that one, and not once more as the run's own, which is refused there. */
const partsOf = ({ requests, points, others = [] }: CrawlFacts): readonly Pick<CrawlFacts, 'requests' | 'points'>[] => {
  const theirs = new Set(others.flatMap((one) => one.requests.map(({ id }) => id)))
  return [{ requests: requests.filter(({ id }) => !theirs.has(id)), points }, ...others]
}

/** How many places are left alone, of those that a module would ask, by the reason for it. */
export const leftAloneOf = (
  crawl: CrawlFacts,
  wants: (point: ProbePoint) => boolean,
): Readonly<Record<string, number>> => {
  const parts = partsOf(crawl)
  const reasons = new Map(
    parts.flatMap(({ requests }) => requests.flatMap(({ id, harm }) => (harm === null ? [] : [[id, harm] as const]))),
  )
  const counts: Record<string, number> = {}
  const left = parts.flatMap(({ requests, points }) =>
    placesOf(
      points,
      requests.filter(({ harm }) => harm !== null),
    ),
  )
  for (const point of left.filter(wants)) {
    const reason = reasons.get(point.request.id) ?? ''
    if (reason === ENDS_SESSION && !isFilled(point)) continue
    counts[reason] = (counts[reason] ?? 0) + 1
  }
  return counts
}

/**
 * Whether a person or a page fills it: a link that ends the session tells that by a word, brings a token and names its program, and none of these
 * takes anything.
 */
const isFilled = ({ request, place, name, value, role, guessed }: ProbePoint): boolean =>
  guessed !== true &&
  role !== 'button' &&
  (place === 'path' ? /\d/.test(value) : FIELDS.has(place)) &&
  harmOfParameter(name, value) === null &&
  !(isTokenField(name) || isToken(name, value) || isHiddenToken(name, value, role ?? '')) &&
  !(place === 'query' && new URLSearchParams(request.route ?? '').has(name))

const placesOf = (
  points: readonly InsertionPoint[],
  requests: readonly RequestTemplate[],
  isStranger = false,
): readonly ProbePoint[] => {
  const whole = new Map(
    requests.map((template) => {
      const request = requestOf(template)
      if (isStranger) return [template.id, isSignIn(template) ? { ...request, signsIn: true } : request]
      return [template.id, isForStrangers(template) ? { ...request, signsIn: true, asNobody: true as const } : request]
    }),
  )
  const roles = new Map(
    requests.flatMap(({ id, fields }) => fields.map((field) => [`${id} ${field.name}`, roleOf(field)])),
  )
  const far = new Set(
    requests.flatMap(({ id, fields }) => fields.flatMap((field) => (field.far ? [`${id} ${field.name}`] : []))),
  )
  const accepts = new Map(
    requests.flatMap(({ id, fields }) =>
      fields.flatMap(({ name, accept }) => (accept === undefined ? [] : [[`${id} ${name}`, accept] as const])),
    ),
  )
  return points.flatMap(({ request, place, name, example, within, guessed, own, quoted }) => {
    const found = whole.get(request)
    const isFar = (place === 'form' || place === 'multipart') && far.has(`${request} ${name}`)
    const role = place === 'form' || place === 'multipart' ? roles.get(`${request} ${name}`) : undefined
    const accept = place === 'file' ? accepts.get(`${request} ${name}`) : undefined
    const rest = {
      ...(accept === undefined ? {} : { accept }),
      ...(within ? { within } : {}),
      ...(guessed ? { guessed } : {}),
      ...(own ? { own } : {}),
      ...(quoted ? { quoted } : {}),
      ...(role ? { role } : {}),
      ...(isFar ? { far: true as const } : {}),
    }
    return found ? [{ request: found, place, name, value: example, ...rest }] : []
  })
}

const roleOf = ({ type }: RequestTemplate['fields'][number]): ProbePoint['role'] =>
  type === 'hidden' ? 'hidden' : ['submit', 'image', 'button'].includes(type) ? 'button' : undefined

/**
 * A place of a form of whose few requests none is spent on it: a token, which nobody reads but to compare, and what chooses the part of a program,
 * which pages that are read are asked by the same name.
 */
export const isSpared = (point: ProbePoint): boolean =>
  point.request.bound !== undefined &&
  (isTokenOfDeed(point) ||
    (FIELDS.has(point.place) && (isTokenOf(point) || isChoosing(point.request, point.place, point.name))))

/** A token of the form that it stands in; what a link brings is looked up. */
export const isFormToken = (point: ProbePoint): boolean =>
  (point.place === 'form' || point.place === 'multipart' || point.request.formPage !== undefined) && isTokenOf(point)

/** Likewise, or one that stands beside a request: in a header of a script's, in the cookie that a form's is compared with. */
export const isTokenBeside = (point: ProbePoint): boolean => isFormToken(point) || isTokenAround(point)

const isTokenAround = ({ place, name }: ProbePoint): boolean =>
  (place === 'header' || place === 'cookie') && isTokenName(name)

/** Beside a request that may do something, which is refused without it whatever else is sent. */
export const isTokenOfDeed = (point: ProbePoint): boolean => isTokenAround(point) && !isSafe(point.request.method)

const isTokenOf = ({ name, value, role }: ProbePoint): boolean =>
  isTokenField(name) || isHiddenToken(name, value, role ?? '')

/** A place of what may write that holds the name by which the run signs in; `account` where it is known. */
export const isOwnSignInName = ({ request, place, value }: ProbePoint, account: string | undefined): boolean =>
  account !== undefined &&
  request.bound !== undefined &&
  request.signsIn !== true &&
  FIELDS.has(place) &&
  value.trim().toLowerCase() === account.trim().toLowerCase()

const FIELDS: ReadonlySet<Place> = new Set(['query', 'form', 'multipart', 'json'])

const isChoosing = ({ method, route }: ProbeRequest, place: Place, name: string): boolean =>
  place === 'query' && !isSafe(method) && route !== undefined && new URLSearchParams(route).has(name)

const BOUNDARY = 'sonde-7f3a9c'

const TYPES: Readonly<Record<Encoding, string | null>> = {
  none: null,
  urlencoded: 'application/x-www-form-urlencoded',
  multipart: `multipart/form-data; boundary=${BOUNDARY}`,
  json: 'application/json',
  xml: 'application/xml',
  text: 'text/plain',
}

/** The whole request, with the values that it was found with. */
export const requestOf = (template: RequestTemplate): ProbeRequest => {
  const { id, method, url, encoding, headers, seenOn } = template
  const type = TYPES[encoding]
  const procedure = procedureOf(template)
  return {
    id,
    method,
    url,
    headers: whence(headersOf(headers ?? [], type), template),
    body: bodyOf(template),
    effect: effectOf(template),
    ...(template.bound === undefined ? {} : { bound: Math.max(0, template.bound - (template.tried ?? 0)) }),
    ...(takesAway(template.boundBy) ? { deletes: true as const } : {}),
    ...(template.bound === undefined && template.watched === undefined ? {} : { form: formOf(template) }),
    ...(template.watched === undefined ? {} : { watched: template.watched }),
    ...(template.shownOn === undefined ? {} : { shownOn: template.shownOn }),
    seenOn,
    ...(template.source === 'form' && method === 'GET' && seenOn[0] !== undefined ? { formPage: seenOn[0] } : {}),
    ...(method === 'GET' && OF_CODE.has(template.source) ? { called: true as const } : {}),
    ...tokensOf(template),
    ...(template.antiForgery === undefined ? {} : { antiForgery: template.antiForgery }),
    ...(template.turnedAway ? { turnedAway: true as const } : {}),
    ...(template.as === undefined ? {} : { as: template.as }),
    ...routeOf(template),
    ...(procedure.length === 0 ? {} : { procedure }),
  }
}

/** The crawl's shape of an address keeps the values of parameters that the page is chosen by. */
const routeOf = ({ url, shape }: RequestTemplate): Pick<ProbeRequest, 'route'> => {
  const kept = new Set((shape.split(/\?(.*)/s)[1] ?? '').split('&'))
  const chosen = [...new URL(url).searchParams].filter(([name, value]) => kept.has(`${name}=${value}`))
  return chosen.length > 0 ? { route: new URLSearchParams(chosen).toString() } : {}
}

const tokensOf = ({ url, fields, encoding, body }: RequestTemplate): Pick<ProbeRequest, 'tokens'> => {
  const members = encoding === 'json' ? leavesOf(body ?? '') : []
  const tokens = [
    ...[...[...new URL(url).searchParams].map(([name, value]) => ({ name, value, type: '' })), ...fields].filter(
      ({ name, value, type }) => isToken(name, value) || isHiddenToken(name, value, type),
    ),
  ]
    .map(({ name, value }): FieldToken => ({ name, value }))
    // By the name alone: long texts of machines are data there.
    .concat(
      members
        .map(([at, value]) => ({ name: at.slice(at.lastIndexOf('/') + 1), value, isMember: true as const }))
        .filter(({ name }) => isTokenName(name)),
    )
    .filter(({ value }) => value !== '')
  return tokens.length > 0 ? { tokens } : {}
}

/** Those of the request itself, its media type among them where it names none. */
const headersOf = (headers: HeaderPairs, type: string | null): HeaderPairs =>
  type === null || headers.some(([name]) => name.toLowerCase() === 'content-type')
    ? headers
    : [...headers, ['Content-Type', type]]

/**
 * As a browser says where what writes comes from (RFC 9110, 10.1.3): programs answer nothing at all to what comes from nowhere. A script is
 * no page.
 */
const whence = (headers: HeaderPairs, { method, url, source, seenOn }: RequestTemplate): HeaderPairs => {
  if (isSafe(method) || !FROM_PAGES.has(source) || headers.some(([name]) => name.toLowerCase() === 'referer'))
    return headers
  const { origin } = new URL(url)
  const page = seenOn.find((one) => one.startsWith(`${origin}/`) && !/\.m?js$/i.test(new URL(one).pathname))
  // Without its query, which may hold what nobody else is to see.
  return [...headers, ['Referer', page === undefined ? `${origin}/` : `${origin}${new URL(page).pathname}`]]
}

/** As a form is sent that stands on the page: a browser names both of every POST (Fetch, 3.2), and programs refuse what comes from nowhere. */
export const fromPage = (url: string, page: string = url): HeaderPairs => [
  ['Referer', page],
  ['Origin', new URL(url).origin],
]
const OF_CODE: ReadonlySet<RequestTemplate['source']> = new Set(['script', 'browser'])
const FROM_PAGES: ReadonlySet<RequestTemplate['source']> = new Set(['form', 'script', 'browser'])

const bodyOf = ({ encoding, fields, body }: RequestTemplate): string | null => {
  if (encoding === 'none') return null
  if (encoding === 'urlencoded')
    return fields.map(({ name, value }) => `${encodeValue(name)}=${encodeValue(value)}`).join('&')
  if (encoding !== 'multipart') return body ?? ''
  const parts = fields.map(({ name, value, type }) => {
    const head = `Content-Disposition: form-data; name="${name.replaceAll('"', '%22')}"`
    if (type === NO_FILE)
      return `--${BOUNDARY}\r\n${head}; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n`
    if (type !== 'file') return `--${BOUNDARY}\r\n${head}\r\n\r\n${value}\r\n`
    const file = fileLike(value)
    return `--${BOUNDARY}\r\n${head}; filename="${file.name}"\r\nContent-Type: ${file.type}\r\n\r\n${value || FILE.content}\r\n`
  })
  return `${parts.join('')}--${BOUNDARY}--\r\n`
}
