/** Every place of a request that takes a value. */

import { SAYS } from '../../../egress/door/egress.ts'
import { jsonOf } from '../../../page/json.ts'
import { isOfPostback, isStateField, isTarget } from '../../../page/postbacks.ts'
import { parametersOf } from '../../../page/segments.ts'
import { carriesMessages } from '../../../page/transport.ts'
import { ENDS_SESSION } from '../../../safety/deeds.ts'
import { effectOf } from '../../../safety/effect.ts'
import { harmOfParameter } from '../../../safety/safety.ts'
import { fileLike, NO_FILE } from '../../sample-files.ts'
import type { InsertionPoint, RequestTemplate } from '../crawl/facts.ts'
import { ofComponents } from './components.ts'
import { jsonLeaves, leavesBeyond, xmlLeaves } from './leaves.ts'
import { namesWithin } from './member-names.ts'
import { leavesOfDocument, leavesOfScheme, SUBJECT, subjectOf } from './packed.ts'
import { appended, type FoldersOfPrograms, foldersOfPrograms, namesOfPaths, valuesOfPath } from './path-points.ts'
import { innerName, LONGEST_EXAMPLE, ofCookie, pathOf, point, points } from './point.ts'
import { isBound, isDispatching, isOfCall } from './procedure.ts'
import { type CookiesAt, fewOf, ofEachProgram, programOf } from './programs.ts'
import { isSerialized } from './serialized.ts'
import { isToken } from './tokens.ts'

/** Places that a crawl lists; what is beyond them it counts. */
export const MAX_POINTS = 40_000
const MAX_LEAVES = 200
const VISITOR = '192.0.2.1'
/** Headers that sites store, show or look up. */
const HEADERS: Readonly<Record<string, string>> = {
  'User-Agent': 'Mozilla/5.0',
  Referer: 'https://example.org/',
  'X-Forwarded-For': VISITOR,
  'X-Forwarded-Host': 'example.org',
  'Accept-Language': 'en',
}
/** What proxies name the visitor by, each its own: what writes visits down takes it from one of them. */
const VISITORS = ['X-Real-IP', 'True-Client-IP', 'Client-IP', 'X-Client-IP', 'CF-Connecting-IP'] as const
/** Names of headers that every client and proxy sends, in lower case. */
export const ORDINARY: ReadonlySet<string> = new Set(
  [...Object.keys(HEADERS), ...VISITORS].map((name) => name.toLowerCase()),
)
/** A cookie that nobody knows is read where the header is taken as a whole. */
export const ANY_COOKIE = 'qzv'
/** Headers and cookies are read by the same code on most addresses: of these before what is guessed, of all others behind it, one of each program. */
const FIRST_HEADER_REQUESTS = 600
const MAX_COOKIES = 20
/** Requests asked for a name that they do not know: one each where the answer does not repeat it, with what others leave of the pace. */
const MAX_NAMED = 1_000
const MAX_OWN_NAMES = 2_000
/** Names of parameters that other requests have, and on how many pages they are tried. */
const MAX_GUESSED = 12
const MAX_GUESSING = 150

/**
 * `cookies` are those that the site itself sets, name to value, or of each address. What is found at a request itself first, then what every request
 * has, then what is guessed.
 */
export const pointsOf = (
  known: readonly RequestTemplate[],
  cookies: ReadonlyMap<string, string> | CookiesAt,
): readonly InsertionPoint[] => {
  // What is said over a connection is asked, what opens it is the library's.
  const requests = known.filter(({ method, url }) => method === SAYS || !carriesMessages(new URL(url)))
  const all = typeof cookies === 'function' ? [] : [...cookies].map(([name, value]) => ({ name, value }))
  const at: CookiesAt = typeof cookies === 'function' ? cookies : () => all
  // What is not sent is listed, but takes no room from what is.
  const allowed = requests.filter(({ harm }) => harm === null)
  const left = requests.filter(({ harm }) => harm !== null)
  const reading = allowed.filter((request) => request.sent && effectOf(request) === 'reads')
  const often = reading.filter(({ method, bound }) => method === 'GET' || bound === undefined)
  const programs = ofEachProgram([...new Set([...eachProgramFirst(often), ...logging(allowed)])])
  const few = fewOf(programs, at)
  const [first, others] = ofTwoTurns(programs)
  const folders = foldersOfPrograms(allowed)
  return eachOnce([
    ...allowed.flatMap((request) => own(request, folders)),
    ...ofFewPages(reading, at),
    ...namesOfPaths(allowed),
    ...ownNames(reading),
    ...memberNames(reading),
    ...programs.flatMap(everywhere(few, at, false)),
    ...first.flatMap(around),
    ...visits(allowed),
    ...attempts(allowed),
    ...appended(reading),
    ...names(allowed),
    ...guessed(reading, allowed),
    ...first.flatMap(everywhere(few, at, true)),
    ...others.flatMap(around),
    ...left.flatMap((request) => (endsByControl(request) ? [] : own(request, folders))),
  ])
}

/** A cookie that the request was seen with is one of the site's, too; its own value comes first. */
const eachOnce = (all: readonly InsertionPoint[]): readonly InsertionPoint[] => {
  const known = new Set<string>()
  return all.filter(({ id }) => !known.has(id) && known.add(id))
}

/** A control that ends the session sends all fields of its page, and takes none. */
const endsByControl = ({ harm, fields }: RequestTemplate): boolean =>
  harm === ENDS_SESSION && fields.some(({ name }) => isStateField(name))

const own = (request: RequestTemplate, folders?: FoldersOfPrograms): readonly InsertionPoint[] => {
  return [
    ...(carriesMessages(new URL(request.url)) ? [] : [...new Map(parametersOf(request.url))]).flatMap(([name, value]) =>
      points(request, 'query', name, value),
    ),
    ...valuesOfPath(request, folders),
    ...request.fields.flatMap((field) => ofField(request, field)),
    ...bodyPoints(request),
    ...textBody(request),
    ...(request.headers ?? []).flatMap(([name, value]) =>
      STANDING.test(name) ? [] : points(request, 'header', name, value),
    ),
    ...(request.headers ?? [])
      .filter(([name]) => name.toLowerCase() === 'cookie')
      .flatMap(([, value]) => value.split('; '))
      .map((pair) => pair.split(/=(.*)/s))
      .flatMap(([name = '', value = '']) => ofCookie(request, { name, value })),
    ...whoAsks(request),
  ]
}

/** What is longer than an example may be could not be sent as it is. */
const textBody = (request: RequestTemplate): readonly InsertionPoint[] => {
  const { encoding, body, headers = [] } = request
  if (encoding !== 'text' || body === null || body.trim() === '' || body.length > LONGEST_EXAMPLE) return []
  const type = headers
    .find(([name]) => name.toLowerCase() === 'content-type')?.[1]
    .split(';')[0]
    ?.trim()
  return [point(request, 'body', type?.toLowerCase() ?? 'text/plain', body)]
}

/** What tells who asks is asked by nobody's name: see `leavesOfScheme`. */
const whoAsks = (request: RequestTemplate): readonly InsertionPoint[] =>
  request.scheme === undefined
    ? []
    : leavesOfScheme(request.scheme).map(({ steps, whole, value }) => ({
        ...point(request, 'header', 'Authorization', value),
        id: `${request.id}:header:Authorization:${steps.join(' ')}`,
        within: { steps, whole },
      }))

/**
 * Headers that say how the message is sent and by whom, and nothing to the application; so do those that libraries of pages talk to their own
 * server by: htmx (https://htmx.org/reference/#request_headers, but what a person answers a prompt with), the router of Next.js, Turbo, Inertia.
 */
const STANDING =
  /^(?:hx-(?:boosted|current-url|history-restore-request|request|target|trigger|trigger-name)|rsc|next-(?:url|action|router-.*)|turbo-frame|x-inertia|x-inertia-.*|x-amz-target|accept|accept-.*|authorization|connection|content-.*|cookie|host|origin|proxy-.*|sec-.*|soapaction|te|trailer|transfer-encoding|upgrade|user-agent|referer)$/i

const ofField = (
  request: RequestTemplate,
  { name, value, type }: RequestTemplate['fields'][number],
): readonly InsertionPoint[] => {
  if (isOfCall(name, value) || isOfFramework(name, value) || type === NO_FILE) return []
  const subject = isOfPostback(name) ? subjectOf(value) : null
  if (subject !== null) {
    const whole = point(request, request.encoding === 'multipart' ? 'multipart' : 'form', name, subject)
    return [{ ...whole, id: `${whole.id}:${SUBJECT}`, within: { steps: [SUBJECT], whole: value } }]
  }
  // The list of bound arguments is React's, what is in it the application's.
  if (isBound(name))
    return points(request, request.encoding === 'multipart' ? 'multipart' : 'form', name, value).filter(
      ({ within, example }) => within !== undefined && !/^\$[@\w]/.test(example),
    )
  if (request.encoding !== 'multipart') return type === 'file' ? [] : points(request, 'form', name, value)
  if (type !== 'file') return points(request, 'multipart', name, value)
  return [point(request, 'file-name', name, fileLike(value).name), point(request, 'file', name, value || FILE.content)]
}

/** What stands in the part of a file where the crawl knows no content: text that no program runs. */
export const FILE = { content: 'A note.' } as const

/** The state of a page, which the framework reads before any program does, and which control was used. One that is an object written out is built anew. */
const isOfFramework = (name: string, value: string): boolean =>
  (isStateField(name) && !isSerialized(value)) ||
  (isOfPostback(name) && (value === '' || isTarget(name) || /^[A-Za-z]+\$-?\d*$/.test(value)))

const bodyPoints = (request: RequestTemplate): readonly InsertionPoint[] => {
  if (request.body === null) return []
  if (request.encoding === 'json') {
    const isState = ofComponents(request.body)
    return [
      ...leavesOf(request.body).flatMap(([pointer, value]) =>
        isState(pointer) ? [] : points(request, 'json', pointer, value),
      ),
      ...ofDocument(request, request.body),
    ]
  }
  if (request.encoding !== 'xml') return []
  return xmlLeaves(request.body)
    .slice(0, MAX_LEAVES)
    .flatMap(([path, value]) => points(request, 'xml', path, value))
}

/** Arguments that a document of GraphQL holds itself. */
const ofDocument = (request: RequestTemplate, body: string): readonly InsertionPoint[] => {
  const whole = jsonOf(body)
  const document = typeof whole === 'object' && whole !== null && 'query' in whole ? whole.query : null
  if (typeof document !== 'string') return []
  return leavesOfDocument(document).map(({ steps, value }) => ({
    ...point(request, 'json', '/query', value),
    id: `${request.id}:json:/query:${steps.join(' ')}`,
    within: { steps, whole: document },
  }))
}

const MAX_OF_FEW = 4

/** However many requests are asked for headers: a page that sets a cookie for itself reads it. */
const ofFewPages = (reading: readonly RequestTemplate[], at: CookiesAt): readonly InsertionPoint[] => {
  const programs = ofEachProgram(reading)
  const few = fewOf(programs, at)
  return programs.flatMap((request) =>
    at(request.url)
      .filter(({ name, own: isOwn }) => few.has(name) || isOwn)
      .slice(0, MAX_OF_FEW)
      .flatMap((cookie) => ofCookie(request, cookie)),
  )
}

/** Of a program that had its turn no second is asked. */
const ofTwoTurns = (
  programs: readonly RequestTemplate[],
): readonly [readonly RequestTemplate[], readonly RequestTemplate[]] => {
  const first = programs.slice(0, FIRST_HEADER_REQUESTS)
  const had = new Set(first.map(programOf))
  const others = programs.slice(FIRST_HEADER_REQUESTS).filter((request) => {
    const isNew = !had.has(programOf(request))
    had.add(programOf(request))
    return isNew
  })
  return [first, others]
}

const around = (request: RequestTemplate): readonly InsertionPoint[] => [
  ...Object.entries(HEADERS).map(([name, value]) => point(request, 'header', name, value)),
  point(request, 'cookie', ANY_COOKIE, ANY_COOKIE),
]

/** Those that the site sets itself, or that scripts do: what one page keeps for itself reaches all others, and is hardly ever read there. */
const everywhere =
  (few: ReadonlySet<string>, at: CookiesAt, byScript: boolean) =>
  (request: RequestTemplate): readonly InsertionPoint[] =>
    at(request.url)
      .filter((cookie) => !few.has(cookie.name) && !cookie.own && (cookie.byScript !== undefined) === byScript)
      .slice(0, MAX_COOKIES)
      .flatMap((cookie) => ofCookie(request, cookie))

/** The first request of each method and path, then the others: headers are read by the program, whatever it is asked for. */
const eachProgramFirst = (requests: readonly RequestTemplate[]): readonly RequestTemplate[] => {
  const seen = new Set<string>()
  const turns = requests.map((request) => {
    // What a form is posted to does other work than the page that shows it.
    const program = `${request.method} ${pathOf(request)}`
    const first = !seen.has(program)
    seen.add(program)
    return { request, turn: first ? 0 : 1 }
  })
  return turns.toSorted((a, b) => a.turn - b.turn).map(({ request }) => request)
}

/**
 * Pages that write something by being looked at, or may by what they are called: mostly who did. What takes values of its own needs
 * its sends for them.
 */
const logging = (allowed: readonly RequestTemplate[]): readonly RequestTemplate[] =>
  allowed.filter(
    (request) => request.method === 'GET' && request.sent && mayWrite(request) && own(request).length === 0,
  )

const mayWrite = (request: RequestTemplate): boolean => effectOf(request) !== 'reads' || request.bound !== undefined

const visits = (allowed: readonly RequestTemplate[]): readonly InsertionPoint[] =>
  logging(allowed)
    .slice(0, MAX_VISITS)
    .flatMap((request) => VISITORS.map((name) => point(request, 'header', name, VISITOR)))
const MAX_VISITS = 20

/** What a sign-in writes down beside the name: where the attempt came from. Its requests are few, so cookies are not among them. */
const WHENCE = ['X-Forwarded-For', 'User-Agent', 'Referer']
const MAX_SIGN_INS = 4

const attempts = (allowed: readonly RequestTemplate[]): readonly InsertionPoint[] =>
  allowed
    .filter(
      (request) =>
        effectOf(request) !== 'reads' && request.fields.filter(({ type }) => type === 'password').length === 1,
    )
    .slice(0, MAX_SIGN_INS)
    .flatMap((request) =>
      [...WHENCE, ...VISITORS].map((name) => point(request, 'header', name, HEADERS[name] ?? VISITOR)),
    )

/** Pages that repeat all they were given repeat its names as well. */
const names = (allowed: readonly RequestTemplate[]): readonly InsertionPoint[] =>
  allowed
    .filter(({ method, encoding, sent }) => (method === 'GET' && sent) || encoding === 'urlencoded')
    .slice(0, MAX_NAMED)
    .map((request) => point(request, 'name', '', ''))

/**
 * Programs look through what they were sent for a value that they know, and take its name: of parameters whose value is a word.
 * Without what says what is to be done: under another name something else is.
 */
const ownNames = (reading: readonly RequestTemplate[]): readonly InsertionPoint[] =>
  reading
    .filter(({ method, encoding }) => method === 'GET' || encoding === 'urlencoded')
    .flatMap((request) =>
      valuesOf(request)
        .filter(([name, value]) => isOwnName(name, value) && !isToken(name, value) && !isDispatching(name, value))
        .map(([name]) => point(request, 'own-name', name, innerName(name))),
    )
    .slice(0, MAX_OWN_NAMES)

/** Within a list the name is what something is looked for by, `filter[price]=10`, whatever stands there. */
const isOwnName = (name: string, value: string): boolean => {
  const inner = innerName(name)
  return WORD.test(inner) && (inner !== name || (WORD.test(name) && WORD.test(value)))
}

/** What is looked for by names of members: those within an object of the body, and of one that is empty one more. The document of GraphQL binds its own. */
const memberNames = (reading: readonly RequestTemplate[]): readonly InsertionPoint[] =>
  reading
    .filter(({ encoding, body }) => encoding === 'json' && body !== null)
    .flatMap((request) => {
      const isState = ofComponents(request.body ?? '')
      return namesWithin(request.body ?? '')
        .filter(([pointer]) => !isState(pointer))
        .slice(0, MAX_MEMBERS)
        .map(([pointer, name]) => point(request, 'json-name', pointer, name))
    })
    .slice(0, MAX_OWN_NAMES)
const MAX_MEMBERS = 8
const WORD = /^[a-z][\w.-]{1,60}$/i

/** Names that most requests of the site have, on pages that were not seen with them. */
const guessed = (
  reading: readonly RequestTemplate[],
  allowed: readonly RequestTemplate[],
): readonly InsertionPoint[] => {
  const known = new Map<string, { count: number; example: string }>()
  for (const request of allowed)
    for (const [name, value] of valuesOf(request)) {
      const before = known.get(name)
      if (!isToken(name, value) && !OF_FRAMEWORKS.test(name) && harmOfParameter(name, value) === null)
        known.set(name, { count: (before?.count ?? 0) + 1, example: before?.example ?? value })
    }
  const often = [...known].toSorted(([, a], [, b]) => b.count - a.count).slice(0, MAX_GUESSED)
  const pages = reading.filter(({ method }) => method === 'GET')
  const ofPrograms = Map.groupBy(allowed, programOf)
  return ofEachProgram(pages)
    .slice(0, MAX_GUESSING)
    .flatMap((request) => {
      // What another request of its program was seen with is a place there.
      const has = new Set((ofPrograms.get(programOf(request)) ?? []).flatMap(valuesOf).map(([name]) => name))
      // What a form posts to the page its program may take from the address as well: first that of the same part of it.
      const isOfPart = (one: RequestTemplate): boolean => programOf({ ...one, method: 'GET' }) === programOf(request)
      const posted = allowed
        .filter((one) => one.method !== 'GET' && pathOf(one) === pathOf(request))
        .toSorted((a, b) => Number(isOfPart(b)) - Number(isOfPart(a)))
        .flatMap(valuesOf)
      const offered = (request.offered ?? []).filter(
        ([name, value]) => !isToken(name, value) && harmOfParameter(name, value) === null,
      )
      const tried = [
        ...posted.filter(([name]) => known.has(name)),
        ...offered,
        ...often.map(([name, { example }]) => [name, example]),
      ]
      return [...new Map(tried.map(([name = '', value = '']) => [name, value]))]
        .filter(([name]) => !has.has(name))
        .slice(0, MAX_GUESSED)
        .map(([name, value]) => ({ ...point(request, 'query', name, value), guessed: true as const }))
    })
}

/** What Rails and Laravel put into each form, and no program reads. */
const OF_FRAMEWORKS = /^(?:_method|utf8|commit)$/

const valuesOf = ({ url, fields }: RequestTemplate): readonly (readonly [name: string, value: string])[] => [
  ...parametersOf(url),
  ...fields.filter(({ type }) => type !== 'file').map(({ name, value }): [string, string] => [name, value]),
]

/** JSON Pointer and text of the leaves that are places. */
export const leavesOf = (body: string): readonly (readonly [pointer: string, value: string])[] =>
  jsonLeaves(body).slice(0, MAX_LEAVES)

/** How many places are known and not listed: of all, and within what is sent. */
export const beyondLists = (points: number, requests: readonly RequestTemplate[]): number =>
  requests
    .filter(({ harm }) => harm === null)
    .reduce((sum, one) => sum + (one.unlisted ?? 0) + leavesBeyond(one, MAX_LEAVES), Math.max(0, points - MAX_POINTS))
