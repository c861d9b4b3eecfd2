/**
 * What tells two bodies to one address apart, whatever values they carry: their names, and values by which a program chooses what it does,
 * as in JSON-RPC (https://www.jsonrpc.org/specification, 4) or one script for all that a page asks for.
 */
import { nameShape, segmentShape } from '../../../page/shape.ts'
import type { Encoding, RequestTemplate } from './facts.ts'

/** Depth, and names of one body. */
const DEEPEST = 5
const MOST_NAMES = 80
/** Entries of a list that are looked at: they are mostly alike. */
const MOST_ENTRIES = 5

const DISPATCHING =
  /^(?:action|act|do|op|oper|operation|operation_?name|method|cmd|command|func|function|fn|call|task|event|route|controller|module|rpc|procedure|verb|request_?type|type)$/i
/** A name of something, and no text of a visitor. */
const NAME = /^[a-z][\w.:/-]{0,60}$/i
/** What fields are filled with where they say nothing. */
const MADE_UP = 'test'

/** Whether a value says which part of the program answers. */
export const isDispatching = (name: string, value: string): boolean =>
  DISPATCHING.test(name) && NAME.test(value) && value !== MADE_UP

/** Where a body says what is to be done: `method=search` at `/method`. */
export interface Said {
  /** JSON Pointer (RFC 6901), or name of a form's field. */
  readonly at: string
  readonly words: string
}

/**
 * What a body says is to be done, where one address answers for many procedures: members of JSON-RPC (4) or of a form, the first root
 * field of a GraphQL document. Empty where nothing says so.
 */
export const procedureOf = ({
  encoding,
  fields,
  body,
}: Pick<RequestTemplate, 'encoding' | 'fields' | 'body'>): readonly Said[] => {
  if (encoding === 'urlencoded' || encoding === 'multipart')
    return saidIn(fields.map(({ name, value }) => [name, name, value] as const))
  const whole = encoding === 'json' && body !== null ? readBody(body) : null
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) return []
  const document = (whole as { readonly query?: unknown }).query
  const words = typeof document === 'string' ? rootOf(document) : null
  return words === null
    ? saidIn(Object.entries(whole).map(([name, value]) => [`/${name}`, name, value] as const))
    : [{ at: '/query', words }]
}

const saidIn = (members: readonly (readonly [at: string, name: string, value: unknown])[]): readonly Said[] =>
  members.flatMap(([at, name, value]) =>
    typeof value === 'string' && isDispatching(name, value) ? [{ at, words: `${name}=${value}` }] : [],
  )

/** The first field of the document, without its alias (GraphQL, 2.5 and 2.7). */
const rootOf = (document: string): string | null => {
  const found = /^\s*(query|mutation|subscription)?\b[^{]*\{\s*(?:\w+\s*:\s*)?(\w{1,100})/.exec(document)
  return found === null ? null : `${found[1] ?? 'query'} ${found[2]}`
}

/** As a finding is known by it, '' where nothing says so. `but`: the place that is itself asked with other values. */
export const procedureText = (said: readonly Said[] = [], but: string | null = null): string =>
  said
    .flatMap(({ at, words }) => (at === but && !/^(?:query|mutation|subscription) /.test(words) ? [] : [words]))
    .toSorted()
    .join('&')
    .slice(0, LONGEST)
const LONGEST = 200

/** Of a JSON body the names at its top: what a script was read to send says no more of it for certain. */
export const bodyShape = (encoding: Encoding, body: string | null): unknown => {
  if (encoding === 'xml') return [...(body ?? '').matchAll(/<([\w:.-]{1,100})/g)].slice(0, 60).map((match) => match[1])
  if (encoding !== 'json' || body === null) return encoding === 'none' ? null : (body ?? '').slice(0, 40)
  const value = readBody(body)
  if (value === undefined) return 'broken'
  if (typeof value !== 'object' || value === null) return typeof value
  const query = (value as { query?: unknown }).query
  const names = Object.entries(value).map(([key, one]) => nameOf(key, one))
  return [names.toSorted(), typeof query === 'string' ? query : null]
}

/**
 * Of what a page has sent, the names at every depth: `{a: {b: 1}, list: [{c: 2}]}` → `a`, `a.b`, `list`, `list[].c`;
 * `{method: 'search'}` → `method=search`. '' for other bodies.
 */
export const deepShape = (encoding: Encoding, body: string | null): string => {
  const value = encoding === 'json' && body !== null ? readBody(body) : null
  return typeof value === 'object' && value !== null ? [...namesIn(value)].toSorted().join(' ') : ''
}

/** Undefined where it is none. */
const readBody = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const nameOf = (key: string, value: unknown): string => {
  const name = segmentShape(nameShape(key))
  return typeof value === 'string' && isDispatching(key, value) ? `${name}=${value}` : name
}

const namesIn = (whole: object): ReadonlySet<string> => {
  const names = new Set<string>()
  const visit = (value: unknown, path: string, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > DEEPEST) return
    if (Array.isArray(value)) {
      for (const one of value.slice(0, MOST_ENTRIES)) visit(one, `${path}[]`, depth + 1)
      return
    }
    for (const [key, one] of Object.entries(value)) {
      if (names.size >= MOST_NAMES) return
      const name = `${path === '' ? '' : `${path}.`}${depth <= 2 ? nameOf(key, one) : segmentShape(nameShape(key))}`
      names.add(name)
      visit(one, name, depth + 1)
    }
  }
  visit(whole, '', 1)
  return names
}
