/**
 * Makes requests of what answers name in words: an address is followed as a link is, a parameter is one of the page that names it, and
 * a field that an answer misses is one of the request that it answers. What is sent of them the policy decides, as of all else.
 */
import type { HttpExchange } from '../../../egress/door/egress.ts'
import { jsonOf } from '../../../page/json.ts'
import { mediaTypeOf, textOf } from '../../../page/text.ts'
import { answersByName } from '../../../safety/asking-first.ts'
import { isSafe } from '../../../safety/effect.ts'
import { ASKS_FIRST } from '../../../safety/form-effect.ts'
import type { RequestTemplate } from './facts.ts'
import type { Frontier } from './frontier.ts'
import type { ReachNotes } from './reach.ts'
import type { Draft, Requests } from './requests.ts'
import { addressesToldIn } from './told-addresses.ts'
import { parametersToldIn, type ToldParameter } from './told-parameters.ts'
import { markedOf } from './told-text.ts'
import { exampleFor } from './values.ts'

/** An answer, as those take it that look for what it tells of. */
export interface Said {
  /** Address of the request. */
  readonly url: string
  readonly text: string
  /** Media type. */
  readonly type: string
  readonly status: number
  /** Absent where it was a GET of the address alone. */
  readonly request?: RequestTemplate
}

export const saidIn = (answer: HttpExchange): Pick<Said, 'text' | 'type' | 'status'> => ({
  ...{ text: textOf(answer), type: mediaTypeOf(answer), status: answer.status },
})

export interface ToldRequests {
  readonly take: (said: Said) => void
}

/** Of one path; beyond them one that names others with each answer would have no end. */
const MOST_OF_PATH = 30
/** Names that running text holds, in all, and pages of one name: a handbook names parameters of other programs on each of its pages. */
const MOST_IN_TEXT = 100
const MOST_OF_NAME = 5
const DEEPEST = 6
export const MANY_TOLD = 'a page names more parameters than are asked for'
export const TOLD_TO_WRITE = 'an answer names a field, and a request that may write is not sent with it'

/** `careful`: of a production system. */
export const createToldRequests = ({
  frontier,
  requests,
  notes,
  careful,
}: {
  readonly frontier: Pick<Frontier, 'add'>
  readonly requests: Pick<Requests, 'add'>
  readonly notes: Pick<ReachNotes, 'count'>
  readonly careful: boolean
}): ToldRequests => {
  /** By address, the one that the site itself led to: each parameter is added to it once, and not to every choice of the others. */
  const bases = new Map<string, string>()
  const known = new Map<string, Set<string>>()
  /** Whether it was not told of before, within the bound. */
  const isNew = (place: string, key: string, kind: 'address' | 'form'): boolean => {
    const of = known.get(place) ?? new Set<string>()
    known.set(place, of)
    if (of.has(key)) return false
    of.add(key)
    return of.size <= MOST_OF_PATH || leaveOut(kind)
  }
  const leaveOut = (kind: 'address' | 'form'): false => {
    notes.count({ kind, fate: 'left_out', reason: MANY_TOLD, holds: true }, 1)
    return false
  }
  const inText = new Map<string, number>()
  let all = 0
  /** Of a name without a value that nothing misses: whether there is room for it. */
  const hasRoom = (name: string): boolean => {
    const count = (inText.get(name) ?? 0) + 1
    inText.set(name, count)
    if (count <= MOST_OF_NAME) all += 1
    return (count <= MOST_OF_NAME && all <= MOST_IN_TEXT) || leaveOut('address')
  }

  const ofPage = ({ text, type, url, status }: Said): void => {
    const { origin, pathname } = new URL(url)
    const base = bases.get(url) ?? url
    const follow = (address: string, key: string, harm: string | null, inProse: string | null = null): void => {
      if (!isNew(origin + pathname, JSON.stringify([base, key]), 'address')) return
      if (inProse !== null && !hasRoom(inProse)) return
      if (new URL(address).pathname === pathname) bases.set(address, base)
      frontier.add(address, 2, 'link', url, '', harm)
    }
    for (const address of addressesToldIn(markedOf(text, type), url)) {
      const { searchParams, pathname: path } = new URL(address)
      const added = [...searchParams].filter(([name, value]) => new URL(url).searchParams.get(name) !== value)
      const harm = added.some(([name]) => answersByName(name)) ? ASKS_FIRST : null
      follow(address, JSON.stringify([path, added]), harm)
    }
    for (const parameter of parametersToldIn(text, type, status)) {
      const name = formName(parameter)
      const address = new URL(url)
      if (parameter.in === 'body' || address.searchParams.has(name)) continue
      address.hash = ''
      address.searchParams.set(name, valueFor(parameter, address.pathname))
      const inProse = parameter.missing || parameter.value !== null ? null : name
      follow(address.href, JSON.stringify([pathname, name, parameter.value]), harmOf(parameter), inProse)
    }
  }

  const ofAnswer = (request: RequestTemplate, { text, type, status }: Said): void => {
    const { method, url } = request
    const place = `${method} ${url.split(/[?#]/)[0]}`
    const missing = parametersToldIn(text, type, status).filter(
      (one) => one.missing && !has(request, one) && isNew(place, formName(one), 'form'),
    )
    if (missing.length === 0) return
    if (careful && !isSafe(method)) {
      notes.count({ kind: 'form', fate: 'left_out', reason: TOLD_TO_WRITE, holds: true }, 1)
      return
    }
    const draft = missing.reduce(withField, draftOf(request, type))
    const harm = missing.map(harmOf).find((one) => one !== null) ?? null
    requests.add({ ...draft, harm })
  }
  return {
    take: ({ request, ...said }) => {
      if (OF_PROGRAMS.test(said.type)) return
      if (request === undefined || (request.method === 'GET' && request.encoding === 'none')) ofPage(said)
      else ofAnswer(request, said)
    },
  }
}

/** Nobody reads these as text, and in short code a choice, `a?b=c:d`, looks like an address: what scripts name is read where they are. */
const OF_PROGRAMS = /javascript|ecmascript|typescript|\bcss\b|wasm|source-?map/i

const harmOf = (parameter: ToldParameter): string | null =>
  answersByName(parameter.way.at(-1) ?? '') ? ASKS_FIRST : null

/** `address[city]` */
const formName = ({ way: [first = '', ...within] }: ToldParameter): string =>
  first + within.map((one) => `[${one}]`).join('')

const valueFor = ({ way, value }: ToldParameter, path: string): string =>
  value ??
  exampleFor(
    { ...{ name: way.at(-1) ?? '', tag: 'input', type: 'text' }, value: '', options: [], attributes: {} },
    path,
  )

const draftOf = ({ method, url, encoding, fields, body, headers }: RequestTemplate, type: string): Draft => ({
  ...{ method, url, fields, body },
  // What has no body yet gets one of the kind that its answers have.
  encoding: encoding !== 'none' || isSafe(method) ? encoding : /json/i.test(type) ? 'json' : 'urlencoded',
  ...(headers ? { headers } : {}),
  ...{ source: 'told', seenOn: url, sent: false },
})

const isOfQuery = ({ encoding = 'none' }: Pick<Draft, 'encoding'>, told: ToldParameter): boolean =>
  told.in === 'query' || encoding === 'none' || encoding === 'xml' || encoding === 'text'

const has = (request: RequestTemplate, told: ToldParameter): boolean => {
  const { url, fields, encoding, body } = request
  const name = formName(told)
  if (new URL(url).searchParams.has(name) || fields.some((field) => field.name === name)) return true
  return encoding === 'json' && told.way.reduce<unknown>(member, jsonOf(body ?? '{}')) !== undefined
}

const withField = (draft: Draft, told: ToldParameter): Draft => {
  const url = new URL(draft.url)
  const value = valueFor(told, url.pathname)
  if (isOfQuery(draft, told)) {
    url.searchParams.set(formName(told), value)
    return { ...draft, url: url.href }
  }
  if (draft.encoding !== 'json')
    return { ...draft, fields: [...(draft.fields ?? []), { name: formName(told), value, type: 'text' }] }
  const whole = jsonOf(draft.body ?? '{}')
  return isObject(whole) && told.way.length <= DEEPEST
    ? { ...draft, body: JSON.stringify(put(whole, told.way, value)) }
    : draft
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const member = (holder: unknown, name: string): unknown =>
  isObject(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined

const put = (holder: unknown, [name = '', ...rest]: readonly string[], value: string): unknown => ({
  ...(isObject(holder) ? holder : {}),
  [name]: rest.length === 0 ? value : put(member(holder, name), rest, value),
})
