/** Operations of the inventory, and the places in them that name an object. */

import type { Environment } from '../../../contract/run.ts'
import type { HttpRequest } from '../../../egress/door/egress.ts'
import { plainName, thingOfProcedure, wordsApart } from '../../../page/names.ts'
import { percentDecoded } from '../../../page/percent.ts'
import { isVariable } from '../../../page/shape.ts'
import { ENDS_SESSION } from '../../../safety/deeds.ts'
import { isSafe } from '../../../safety/effect.ts'
import type { CrawlFacts, RequestTemplate } from '../crawl/facts.ts'
import { jsonWith } from '../insertion-points/body.ts'
import { withQuery, withSegment } from '../insertion-points/compose.ts'
import { requestOf } from '../insertion-points/inventory.ts'
import { leavesOf } from '../insertion-points/points.ts'
import { procedureOf, procedureText } from '../insertion-points/procedure.ts'
import { createRouted, NOT_ROUTED, type Routed, thingOfRoute } from '../insertion-points/routed.ts'
import { isTokenField } from '../insertion-points/tokens.ts'
import { fieldWith, isForm } from './form-fields.ts'
import { isFunctionWord } from './names.ts'
import { packedNumberOf } from './object-values.ts'

/** A place that names an object. */
export interface Slot {
  readonly place: 'path' | 'query' | 'form' | 'json'
  /** Index of the segment, name of the parameter or field, JSON Pointer (RFC 6901). */
  readonly at: string
  /** As it is called to people: `orders`, `customerId`. */
  readonly name: string
  /** What it stands behind, for the names of values. */
  readonly of: string | null
  /** As the crawl found it. */
  readonly value: string
  /** Of a path, what says behind the object in which form it is answered: `.json` of `/orders/3.json`; absent where nothing does. */
  readonly ending?: string
}

export interface Operation {
  readonly template: RequestTemplate
  readonly name: string
  readonly slots: readonly Slot[]
  /** Of GraphQL the field that it asks for, else null. */
  readonly field: string | null
  /** What the body says is to be done, of an address with many procedures that is no GraphQL; '' where it does not. */
  readonly procedure: string
  /** The words by which it is called: of its path, and of GraphQL its field. */
  readonly words: readonly string[]
  /** What it belongs to: the first name of its path, of GraphQL nothing. */
  readonly area: string
  /** What it is about, its last name. */
  readonly thing: string
  readonly reads: boolean
  /** A description says that it is for administrators; absent where none does. */
  readonly forAdministrators?: true
}

const MOST = 1_500
/** Objects are named by them, whatever stands in them now. */
const NAMES_OBJECT =
  /(?:^|[_.-])(?:id|uuid|guid)s?$|[a-z](?:Id|ID|Uuid|UUID|No|Number)$|^(?:account|user|owner|customer|order|tenant|org|organisation|organization|company|member|client|invoice|doc|document|file|project|number|ref|reference)$/
const NUMBER = /^\d{1,18}$/
/** `3.json`, `3.pdf`: an object in a form of its own. */
const IN_FORM =
  /^(\d{1,18}|[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})(\.(?:json|xml|csv|pdf|html?|txt|ics|vcf|docx?|xlsx?))$/i
/** Of the form of numbers and keys by which objects are named. */
export const isObjectValue = (value: string): boolean => NUMBER.test(value) || isVariable(value)
/** Of lists, not of objects. */
const OF_A_LIST =
  /^(?:paged?|pg|page_?(?:no|nr|num|number|index|count|size)|current_?page|limit|offset|size|per_?page|rows|cursor|from|to|start|first|last|year|month|day|since|until|count|top|skip|version|v|t|ts|_)$/i

/** Seconds or milliseconds since the epoch, of these years: a page counts them as it is drawn, and nobody owns them. Numbers of objects are any. */
const isMoment = (name: string, value: string): boolean => {
  const ms = /^\d{13}$/.test(value) ? Number(value) : /^\d{10}$/.test(value) ? Number(value) * 1_000 : Number.NaN
  return Math.abs(ms - Date.now()) < THESE_YEARS && !NAMES_OBJECT.test(name)
}
const THESE_YEARS = 5 * 365 * 24 * 3_600_000

/** What is there for its look alone. */
const ASSET = /\.(?:js|mjs|css|png|jpe?g|gif|svg|ico|webp|avif|woff2?|ttf|eot|map|mp4|webm|mp3)$/i

export const isAsset = (path: string): boolean => ASSET.test(path)

/**
 * In the order of the inventory; those that do something last. Requests that differ in the objects they name alone are one, whatever the
 * crawl calls them: asked with the same objects they would be the same request again and again. `left`: what is left alone, by reason.
 */
export const operationsOf = (
  crawl: CrawlFacts,
  environment: Environment = 'production',
): {
  readonly operations: readonly Operation[]
  readonly left: Readonly<Record<string, number>>
  readonly routed: Routed
} => {
  const left: Record<string, number> = {}
  const leave = (reason: string): void => {
    left[reason] = (left[reason] ?? 0) + 1
  }
  const operations: Operation[] = []
  const known = new Set<string>()
  const routed = createRouted(crawl.requests)
  const told = new Set(crawl.operations?.flatMap((one) => (one.forAdministrators ? [one.request] : [])))
  for (const template of crawl.requests) {
    const { pathname } = new URL(template.url)
    if (isAsset(pathname) || isMeta(template)) continue
    if (template.harm === ENDS_SESSION) continue
    if (template.harm !== null) {
      leave(template.harm)
      continue
    }
    const operation = operationOf(template, environment, routed)
    const key = keyOf(operation)
    if (operation.reads && !told.has(template.id) && known.has(key)) continue
    known.add(key)
    if (operations.length >= MOST) leave(`beyond the first ${MOST}`)
    else operations.push(told.has(template.id) ? { ...operation, forAdministrators: true as const } : operation)
  }
  return { operations: operations.toSorted((a, b) => Number(b.reads) - Number(a.reads)), left, routed }
}

/** What is left of it without the objects that it names, and without moments. */
const keyOf = (operation: Operation): string => {
  const { method, url, body = '' } = requestWith(operation, new Map(operation.slots.map((slot) => [slot, '0'])))
  const moments = [...new URL(url).searchParams].filter(([name, value]) => isMoment(name, value))
  const timeless = moments.reduce((address, [name]) => withQuery(address, name, '0'), url)
  return JSON.stringify([method, timeless, String(body), operation.slots.map(({ place, at }) => [place, at])])
}

/** Descriptions, what GraphQL tells of itself, what is there for programs. */
const isMeta = ({ url, body }: RequestTemplate): boolean =>
  /(?:openapi|swagger|api-docs)[\w./-]*$|\/(?:robots\.txt|sitemap[\w-]*\.xml|favicon\.ico)$|\/\.well-known\//i.test(
    new URL(url).pathname,
  ) || /"query"\s*:\s*"[^"]*\{\s*__(?:typename|schema|type)/.test(body ?? '')

export const operationOf = (
  template: RequestTemplate,
  environment: Environment,
  routed: Routed = NOT_ROUTED,
): Operation => {
  const { method, url, body, encoding } = template
  const { pathname } = new URL(url)
  const field = encoding === 'json' ? fieldOf(body ?? '') : null
  const procedure = field === null ? procedureText(procedureOf(template)) : ''
  const call = field ?? calledBy(procedure)
  const segments = pathname.split('/').slice(1)
  const variable = variablesOf(template, segments)
  const route = routed(url)
  const names = [
    ...segments.filter((segment, index) => segment !== '' && !variable.has(index) && !PREFIX.test(segment)),
    ...route.map(([, value]) => value),
  ]
  const of = thingOfRoute(url, routed) ?? names.at(-1) ?? null
  const shape = segments
    .map((segment, index) => (variable.has(index) ? `{}${IN_FORM.exec(segment)?.[2] ?? ''}` : segment))
    .join('/')
  const query = queryNamed(url, route)
  const slots = [
    ...pathSlots(segments, variable),
    ...querySlots(url, of, route),
    ...(isForm(template) ? formSlots(template, of) : []),
    ...(encoding === 'json' ? bodySlots(body ?? '', call, of) : []),
  ]
  return {
    template,
    name: `${method} /${shape}${query === '' ? '' : `?${query}`}${field === null ? '' : ` ${field}`}${procedure === '' ? '' : ` ${procedure}`}`,
    slots,
    ...{ field, procedure },
    words: wordsOf([...names, field ?? procedure.replaceAll(/[^&]*=/g, '')]),
    area: call === null ? areaOf(names, segments) : '',
    thing: (call ?? names.at(-1) ?? '').replace(/\.\w{1,5}$/, '').toLowerCase(),
    reads: isReading(template, { field, procedure, ofThing: slots.length > 0 }, environment),
  }
}

const PREFIX = /^(?:api|rest|v\d+(?:\.\d+)*|graphql|gql|index\.php|wp-json)$/i

/**
 * The folder that an operation lies in. A gateway puts the name of a service in front of its interface: `/accounts/api/v2/staff/users` lies in
 * `staff`. One that is called after those for whom it is there (`/admin/api/users`) is the folder itself.
 */
const areaOf = (names: readonly string[], segments: readonly string[]): string => {
  const [first = ''] = names
  const at = segments.indexOf(first)
  const prefix = segments.findLastIndex((segment, index) => index > at && index <= at + 2 && PREFIX.test(segment))
  const isService = at >= 0 && prefix > at && PREFIX.test(segments[at + 1] ?? '')
  const own = isService ? segments.slice(prefix + 1).find((segment) => names.includes(segment)) : undefined
  return own === undefined || wordsOf([first]).some(isFunctionWord) ? first : own
}

export const wordsOf = (names: readonly string[]): readonly string[] =>
  names.flatMap((name) =>
    wordsApart(name)
      .toLowerCase()
      .split(/[^a-z\d]+/)
      .filter((word) => word !== ''),
  )

/**
 * What another may be asked in somebody's name without changing anything. A link that may write, as one that deletes, is none. That a request changed nothing where its owner sent it with their own
 * values says nothing of others: PUT, PATCH and DELETE (RFC 9110, 9.3) and mutations (GraphQL, 2.3) are there to. A POST reads where it
 * has shown to and is called so; on a test system, where it has shown to when it was sent.
 */
const isReading = (
  { method, url, effect, body, tried, fields, bound }: RequestTemplate,
  {
    field,
    procedure,
    ofThing,
  }: { readonly field: string | null; readonly procedure: string; readonly ofThing: boolean },
  environment: Environment,
): boolean => {
  if (isSafe(method)) return bound === undefined
  if (method !== 'POST' || isMutation(body ?? '') || (effect !== undefined && effect !== 'reads')) return false
  const isTried = environment === 'test' && effect === 'reads' && tried !== undefined
  if (field !== null || (isTried && !(ofThing && isFilled(fields)))) return true
  const said = procedure === '' ? (new URL(url).pathname.split('/').findLast((one) => one !== '') ?? '') : procedure
  return effect === 'reads' && wordsOf([said]).some((word) => READING.test(word))
}
/**
 * A thing by its number, and what people type for it, which stood there before: sent as it was it changes nothing, whatever it does. Whether
 * its owner then sees another value is asked where writing is.
 */
const isFilled = (fields: RequestTemplate['fields']): boolean =>
  fields.some(({ type, value }) => /^(?:text|textarea|email|tel|url|date|)$/.test(type) && value !== '')

const READING =
  /^(?:get|list|find|search|read|show|fetch|query|count|lookup|look|view|export|download|report|filter|suggest|autocomplete|preview|check|validate|compare|stats|statistics|graphql|details?|info|retrieve|load|display|inspect)$/

const isMutation = (body: string): boolean => /"query"\s*:\s*"(?:\s|\\[nrt]|#[^"]*?\\n)*mutation\b/.test(body)

/** `query($id: ID!) { order(id: $id) …`: order. */
const fieldOf = (body: string): string | null =>
  /"query"\s*:\s*"\s*(?:query|mutation)?[^{"]*\{\s*(?:\w+\s*:\s*)?(\w+)/.exec(body)?.[1] ?? null

/** `method=invoice.get`: invoice; null where nothing says what it is about. */
const calledBy = (procedure: string): string | null => {
  const [, value = ''] = /=([^&]+)/.exec(procedure) ?? []
  return value === '' ? null : (value.split(/[.:/]/).findLast((word) => word !== '' && !VERB.test(word)) ?? value)
}
const VERB = /^(?:get|find|fetch|read|show|view|load|list|update|edit|save|set|delete|remove|create|add|post)$/i

const variablesOf = ({ variables = [] }: RequestTemplate, segments: readonly string[]): ReadonlySet<number> =>
  new Set([
    ...variables,
    ...segments.flatMap((segment, index) => (isObjectValue(segment) || IN_FORM.test(segment) ? [index] : [])),
  ])

const pathSlots = (segments: readonly string[], variable: ReadonlySet<number>): readonly Slot[] =>
  segments.flatMap((segment, index): Slot[] => {
    if (!variable.has(index) || /^v\d/.test(segment)) return []
    const folder = segments.slice(0, index).findLast((one, at) => one !== '' && !variable.has(at)) ?? null
    const name = folder === null || PREFIX.test(folder) ? 'id' : folder
    const [, value = percentDecoded(segment), ending = ''] = IN_FORM.exec(segment) ?? []
    return [{ place: 'path', at: String(index), name, of: folder, value, ...(ending === '' ? {} : { ending }) }]
  })

/** Names alone, but for what chooses the program. */
const queryNamed = (url: string, route: ReturnType<Routed>): string => {
  const chosen = new Map(route)
  const names = [...new Set(new URL(url).searchParams.keys())].toSorted()
  return names.map((name) => (chosen.has(name) ? `${name}=${chosen.get(name)}` : name)).join('&')
}

const querySlots = (url: string, last: string | null, route: ReturnType<Routed>): readonly Slot[] => {
  const given = [...new URL(url).searchParams].filter(
    ([name]) => !OF_A_LIST.test(name) && !route.some(([chosen]) => chosen === name),
  )
  // Beside a number or a code it is what somebody proves by that they may see what that names.
  const isAlone = given.length === 1
  return given.flatMap(([name, value]): Slot[] =>
    isTokenField(name) ||
    isMoment(name, value) ||
    !(
      NAMES_OBJECT.test(name) ||
      isVariable(value) ||
      packedNumberOf(value) !== null ||
      (isAlone && NAMES_PERSON.test(plainName(name)))
    )
      ? []
      : [{ place: 'query', at: name, name, of: last, value }],
  )
}

/** What belongs to somebody is looked up by it. */
const NAMES_PERSON = /^(?:[a-z]{0,10}e?mail(?:address)?|user(?:name)?|login(?:name)?|customer(?:no|number)?)$/

/** What a form holds for its program alone. */
const formSlots = ({ fields }: RequestTemplate, last: string | null): readonly Slot[] =>
  fields.flatMap(({ name, value, type }): Slot[] =>
    type !== 'hidden' ||
    OF_A_LIST.test(name) ||
    isTokenField(name) ||
    isMoment(name, value) ||
    !(NAMES_OBJECT.test(name) ? isObjectValue(value) : NUMBER.test(value))
      ? []
      : [{ place: 'form', at: name, name, of: last, value }],
  )

const HOLDERS: ReadonlySet<string> = new Set(['variables', 'input', 'data', 'where', 'filter', 'attributes'])

const bodySlots = (body: string, field: string | null, last: string | null): readonly Slot[] =>
  leavesOf(body).flatMap(([pointer, value]): Slot[] => {
    const keys = pointer.split('/').slice(1)
    const name = keys.findLast((key) => !/^\d+$/.test(key)) ?? ''
    if (name === 'query' || !(NAMES_OBJECT.test(name) || /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(String(value)))) return []
    const of =
      keys.slice(0, -1).findLast((key) => !HOLDERS.has(key) && !/^\d+$/.test(key)) ??
      (field === null ? last : thingOfProcedure(field))
    return [{ place: 'json', at: pointer, name, of, value: String(value) }]
  })

/** For a flaw of it. */
export const nameOf = ({ name, procedure }: Operation): { readonly name: string; readonly procedure?: string } => ({
  name,
  ...(procedure === '' ? {} : { procedure }),
})

/** As it is sent, with other objects in the places of its own. */
export const requestWith = ({ template }: Operation, values: ReadonlyMap<Slot, string>): HttpRequest => {
  const { method, headers, body } = requestOf(template)
  let url = template.url
  let text = body
  for (const [slot, value] of values) {
    if (slot.place === 'query') url = withQuery(url, slot.at, value)
    else if (slot.place === 'path') url = withSegment(url, Number(slot.at), `${value}${slot.ending ?? ''}`)
    else if (slot.place === 'form') text = fieldWith(template, text ?? '', slot.at, value)
    else
      text =
        jsonWith(
          text ?? '',
          slot.at,
          isNumberAt(text, slot.at) && /^-?\d{1,15}$/.test(value) ? Number(value) : value,
        ) ?? text
  }
  return { method, url, headers, ...(text === null ? {} : { body: text }) }
}

const isNumberAt = (body: string | null, pointer: string): boolean => {
  const keys = pointer.split('/').slice(1)
  const found = keys.reduce<unknown>(
    (holder, key) => (typeof holder === 'object' && holder !== null ? (holder as Record<string, unknown>)[key] : null),
    JSON.parse(body ?? 'null'),
  )
  return typeof found === 'number'
}

/** Whether both are one page, though one of them has a parameter more: what it shows is shown by one program. */
export const isOnePage = (a: Operation, b: Operation): boolean => {
  if (a === b) return true
  const [one, other] = [new URL(a.template.url), new URL(b.template.url)]
  return (
    isSafe(a.template.method) &&
    isSafe(b.template.method) &&
    one.origin === other.origin &&
    one.pathname === other.pathname &&
    a.words.join(' ') === b.words.join(' ')
  )
}

/** The place of an operation that people look at: `orders`, `customerId`, of GraphQL `order(id)`. */
export const parameterOf = ({ field }: Operation, slot: Slot | null): string | null => {
  if (field === null) return slot === null ? null : slot.place === 'path' ? slot.name : slot.at
  return slot === null ? field : `${field}(${slot.name})`
}
