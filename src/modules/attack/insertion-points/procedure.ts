/** What a request says is to be done, where one address answers for many procedures. */
import { jsonOf } from '../../../page/json.ts'
import type { RequestTemplate } from '../crawl/facts.ts'

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
export const procedureOf = (
  template: Pick<RequestTemplate, 'encoding' | 'fields' | 'body' | 'headers'>,
): readonly Said[] => {
  const { encoding, fields, body } = template
  const action = actionIn(template)
  if (action !== null) return [action]
  if (encoding === 'urlencoded' || encoding === 'multipart')
    return saidIn(fields.map(({ name, value }) => [name, name, value] as const))
  const whole = encoding === 'json' && body !== null ? jsonOf(body) : null
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) return []
  const document = (whole as { readonly query?: unknown }).query
  const words = typeof document === 'string' ? rootOf(document) : null
  return words === null
    ? saidIn(Object.entries(whole).map(([name, value]) => [`/${name}`, name, value] as const))
    : [{ at: '/query', words }]
}

/**
 * One function of the server, at whichever page it is called: React names it by a hash, in a header or, without scripts, in the name of a field
 * (https://react.dev/reference/rsc/server-functions).
 */
const actionIn = ({ fields, headers = [] }: Pick<RequestTemplate, 'fields' | 'headers'>): Said | null => {
  for (const [name, value] of [...headers, ...fields.map((field) => [field.name, field.name] as const)]) {
    const id = name.toLowerCase() === 'next-action' ? value : /^(?:_\d+_)?\$ACTION_ID_([\da-f]{16,})$/.exec(value)?.[1]
    if (id !== undefined && /^[\da-f]{16,}$/.test(id)) return { at: name, words: `${ACTION}${id}` }
  }
  return null
}
const ACTION = 'server action '
/** Whether a procedure, as a finding is known by it, is one wherever it is called. */
export const isAction = (procedure: string): boolean => procedure.startsWith(ACTION)

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

/**
 * The argument that a variable of a GraphQL document is given to (GraphQL, 2.10), `text`: pages and descriptions call
 * their variables as they like. Null of other places, and where none takes it whole.
 */
export const argumentOf = (body: string | null, pointer: string): string | null => {
  const variable = /^\/variables\/(\w{1,100})$/.exec(pointer)?.[1]
  const whole = body !== null && variable !== undefined ? jsonOf(body) : null
  const document = typeof whole === 'object' && whole !== null ? (whole as { readonly query?: unknown }).query : null
  if (typeof document !== 'string') return null
  const behind = document.slice(document.indexOf('{'))
  return new RegExp(`(\\w{1,100})\\s*:\\s*\\$${variable}(?!\\w)`).exec(behind)?.[1] ?? null
}
