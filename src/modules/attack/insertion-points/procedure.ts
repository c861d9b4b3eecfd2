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
  const named = headers.filter(([name]) => name.toLowerCase() === 'next-action')
  for (const [name, id] of [...named, ...fields.map((field) => [field.name, idIn(field)] as const)])
    if (/^[\da-f]{16,}$/.test(id)) return { at: name, words: `${ACTION}${id}` }
  return null
}

/** `$ACTION_ID_40de…`; `$ACTION_1:0` of one that is bound to arguments: `{"id":"40de…","bound":"$@1"}`. */
const idIn = ({ name, value }: { readonly name: string; readonly value: string }): string =>
  /^(?:_\d+_)?\$ACTION_ID_([\da-f]+)$/.exec(name)?.[1] ??
  (/^(?:_\d+_)?\$ACTION_\d+:0$/.test(name) ? /^\{"id":"([\da-f]+)"/.exec(value)?.[1] : undefined) ??
  ''

/** Whether it calls a function of the server that answers wherever it is called. */
export const isActionOfServer = (template: Pick<RequestTemplate, 'fields' | 'headers'>): boolean =>
  actionIn(template) !== null

/** Fields by which React says what is called: which function, of which form, and that the rest is its argument. */
export const isOfCall = (name: string, value: string): boolean =>
  /^(?:_\d+_)?\$ACTION_(?:ID_|REF_|KEY$|\d+:0$)/.test(name) || (name === '0' && /^\[(?:"\$[KF@]\w+",?)+\]$/.test(value))

/** Arguments that a page has bound to such a function: `$ACTION_1:1`, JSON. */
export const isBound = (name: string): boolean => /^(?:_\d+_)?\$ACTION_\d+:[1-9]\d*$/.test(name)

/** Headers that name which of several procedures at one address is called: of Next.js, of AWS's JSON protocols, of SOAP 1.1. */
const NAMES_ACTION = /^(?:next-action|x-amz-target|soapaction)$/i

/** What they name. */
export const actionOf = (headers: RequestTemplate['headers'] = []): readonly string[] =>
  headers.flatMap(([name, value]) => (NAMES_ACTION.test(name) ? [value] : []))

/**
 * What the scripts of React send of a form as the form itself sends it without them, which the server takes alike: the function is named by a
 * field, and each field by its own name (`_1_body` is `body`). As it is where more than the form is handed to the function.
 */
export const asPlainForm = <Sent extends Pick<RequestTemplate, 'fields' | 'headers'>>(sent: Sent): Sent => {
  const { fields, headers = [] } = sent
  const id = headers.find(([name]) => name.toLowerCase() === 'next-action')?.[1] ?? ''
  const parts = fields.filter(({ name }) => name !== '0')
  const isWhole = fields.some(({ name, value }) => name === '0' && value === '["$K1"]')
  const named = parts.some(({ name }) => /^_1_\$ACTION_(?:ID|REF)_/.test(name))
  const isForm = isWhole && (named || /^[\da-f]{16,}$/.test(id)) && parts.every(({ name }) => name.startsWith('_1_'))
  if (!isForm) return sent
  const own = parts.map((field) => ({ ...field, name: field.name.slice('_1_'.length) }))
  const machinery = named ? [] : [{ name: `$ACTION_ID_${id}`, value: '', type: 'hidden' }]
  return {
    ...sent,
    fields: [
      ...machinery,
      ...own.map((field) => (field.name.startsWith('$ACTION_') ? { ...field, type: 'hidden' } : field)),
    ],
    headers: headers.filter(([name]) => !/^next-(?:action|router-)/i.test(name)),
  }
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
