/**
 * What an interface says in JSON of a request that it does not take for want of a field: `{"errors": {"detail": ["required"]}}`,
 * `{"detail": [{"loc": ["query", "detail"], "msg": "Field required"}]}`, problem details (RFC 9457), JSON:API.
 */
import { jsonTreeOf } from '../../../page/json.ts'
import type { ToldParameter } from './told-parameters.ts'

export interface RefusedFields {
  readonly fields: readonly ToldParameter[]
  /** All texts of the answer, for those who read words. */
  readonly texts: readonly string[]
}

const DEEPEST = 6
const MOST_NODES = 500
const LONGEST_TEXT = 1_000

/** What an answer is about where it holds one of them, whatever its status. */
const ERRORS =
  /^(?:errors?|(?:validation|field|form|input|query|body)_?errors?|invalid[_-]?(?:params?|parameters|fields|attributes)|violations|modelstate)$/i
/** Under which fields stand with what is wrong about each. */
const HOLDERS = new RegExp(`${ERRORS.source}|^(?:messages|details?|data|issues|fields)$`, 'i')
/** Lists of names alone. */
const LISTS = /^(?:missing|required|(?:missing|required)_?(?:fields|params|parameters|keys|properties))$/i
/** Of an object about one field: where its name stands, and what says that it is about something wrong. */
const NAMING = [
  'field',
  'param',
  'parameter',
  'property',
  'propertyPath',
  'missingProperty',
  'loc',
  'path',
  'pointer',
  'name',
  'key',
] as const
const SAYING = /^(?:message|msg|reason|title|detail|error|code|keyword|rule|type|description|missingProperty|source)$/
/** Of every error, and of no request. */
const NO_FIELD =
  /^(?:code|message|msg|status|statusCode|type|title|trace|traceId|timestamp|instance|errors?|non_field_errors|base|_errors|exception|file|line|stack|success|ok|request_?id)$/i
/** Of one error, where a text stands there. */
const OF_ONE = /^(?:reason|keyword|rule|description|details?|hint|help)$/i
const IS_LACK = /requir|missing|mandatory|blank|null|empty|provide|present|undefined|need|absent|expected/i

/** Null for what is no JSON. */
export const fieldsRefusedIn = (text: string, status: number): RefusedFields | null => {
  const whole = jsonTreeOf(text)
  if (whole === undefined) return null
  const fields: ToldParameter[] = []
  const texts: string[] = []
  let nodes = 0
  const visit = (value: unknown, key: string, depth: number, isAbout: boolean): void => {
    nodes += 1
    if (nodes > MOST_NODES || depth > DEEPEST) return
    if (typeof value === 'string') texts.push(value.slice(0, LONGEST_TEXT))
    if (typeof value !== 'object' || value === null) return
    const named = isAbout && !Array.isArray(value) ? fieldOf(value as Json) : null
    if (named !== null) fields.push(named)
    if (isAbout && LISTS.test(key) && Array.isArray(value))
      for (const name of value) if (typeof name === 'string' && isName(name)) fields.push(toldAt([name]))
    for (const [name, one] of Object.entries(value)) {
      const holds = HOLDERS.test(key) || (depth === 0 && Array.isArray(one))
      if (isAbout && holds && named === null && isField(name, one)) fields.push(toldAt(name.split('.')))
      // Of a list each is told of by itself.
      visit(one, Array.isArray(value) ? '' : name, depth + 1, isAbout || ERRORS.test(name))
    }
  }
  visit(whole, '', 0, status >= 400)
  return { fields, texts }
}

type Json = Readonly<Record<string, unknown>>

const isName = (text: string): boolean => /^[A-Za-z_][\w.-]{0,59}(?:\[\w{0,30}\]){0,2}$/.test(text)

const isField = (name: string, said: unknown): boolean =>
  isName(name) && !NO_FIELD.test(name) && (Array.isArray(said) || !OF_ONE.test(name)) && saysLack(said)

/** A list of complaints, one of which is that it is not there; one complaint alone as a text. */
const saysLack = (value: unknown): boolean => {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value]
  return all.length > 0 && all.every((one) => typeof one === 'string') && all.some((one) => IS_LACK.test(String(one)))
}

const fieldOf = (given: Json): ToldParameter | null => {
  const value: Json = typeof given.source === 'object' ? { ...given, ...given.source, source: 'JSON:API' } : given
  const naming = NAMING.find((name) => isNaming(name, value[name]))
  if (naming === undefined || !Object.keys(value).some((name) => name !== naming && SAYING.test(name)))
    return isParams(value) ? toldAt([String(value.missingProperty)]) : null
  const way = wayOf(value[naming]) ?? []
  const said = Object.entries(value).flatMap(([name, one]) => (name !== naming && typeof one === 'string' ? [one] : []))
  const place = placeOf(value, way)
  if (place === 'elsewhere' || !said.some((one) => IS_LACK.test(one))) return null
  const own = naming === 'loc' && PLACES.test(way[0] ?? '') ? way.slice(1) : way
  return own.length > 0 && own.every(isName) ? { ...toldAt(own), in: place } : null
}

/** The path of a request and the name of an exception are no fields. */
const isNaming = (name: string, value: unknown): boolean =>
  wayOf(value) !== null &&
  !(name === 'path' && String(value).startsWith('/')) &&
  !/(?:Error|Exception)$/.test(String(value))

/** Of Ajv: `{"params": {"missingProperty": "detail"}}`. */
const isParams = ({ missingProperty }: Json): boolean => typeof missingProperty === 'string' && isName(missingProperty)

const PLACES = /^(?:query|querystring|params|body|form|header|headers|cookie|cookies|path)$/

const placeOf = (
  { location, in: inside }: Json,
  [first = '']: readonly string[],
): ToldParameter['in'] | 'elsewhere' => {
  const said = [location, inside, first].find((one) => typeof one === 'string' && PLACES.test(one))
  if (said === undefined) return null
  if (said === 'query' || said === 'querystring') return 'query'
  return said === 'body' || said === 'form' ? 'body' : 'elsewhere'
}

/** `detail`, `address.city`, `/data/detail` (RFC 6901), `["body", "detail"]`. Null where it is none of them. */
const wayOf = (value: unknown): readonly string[] | null => {
  const steps =
    typeof value === 'string'
      ? value.split(value.startsWith('/') ? '/' : '.').filter((one) => one !== '')
      : Array.isArray(value) && value.every((one) => typeof one === 'string' || typeof one === 'number')
        ? value.filter((one) => typeof one === 'string')
        : []
  return steps.length > 0 && steps.length <= DEEPEST && steps.every((one) => isName(one)) ? steps : null
}

const toldAt = (way: readonly string[]): ToldParameter => ({ way, value: null, in: null, missing: true })
