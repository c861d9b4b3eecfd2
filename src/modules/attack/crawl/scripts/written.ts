/** What is put into a value after it was made: `user.email = …`, `form.append('file', …)`. */
import type { Node } from 'acorn'
import type { Member, Scope } from './program.ts'
import { bare, chainOf } from './syntax.ts'
import { type Entries, isNameGiven, known, MAX_ENTRIES, nameGiven, objectOf, unknown, type Value } from './value.ts'

const FILE: Value = { kind: 'file' }

type ValueOf = (node: Node, scope: Scope) => Value

export const withMembers = (value: Value, members: readonly Member[], read: ValueOf): Value =>
  members.slice(0, MAX_ENTRIES).reduce((so, { path, value: { node, scope }, file, named }) => {
    const name = named && nameOf(read(named.node, named.scope))
    if (name === null) return so
    const to = name === undefined ? path : [...path.slice(0, -1), name]
    return put(so, to, () => (file ? FILE : read(node, scope)))
  }, value)

/** A name that is worked out; null where nobody can tell. */
export const nameOf = (value: Value): string | null => {
  if (value.kind === 'param' && value.path.length === 0) return nameGiven(value)
  const said = known(value)
  return said === '' ? null : said
}

const put = (whole: Value, path: readonly string[], given: () => Value): Value => {
  const [name, ...rest] = path
  if (name === undefined) return whole
  if (name === '()') return appended(whole, rest[0] ?? '', given)
  // A query that is put into an address: url.searchParams.set('q', …)
  if (whole.kind === 'text' && name === 'searchParams' && rest[0] === '()')
    return queried(whole, rest[1] ?? '', given())
  const object = asObject(whole)
  if (object === null) return whole
  const before = object.entries.find(([key]) => key === name)?.[1]
  const value = rest.length === 0 ? given() : put(before ?? unknown('undefined'), rest, given)
  // What it was made with is an example of what is put there later.
  const kept = before && value.kind === 'unknown' && value.example === undefined ? before : named(name, value)
  return { ...object, entries: withEntry(object.entries, name, rest.length === 0 ? kept : value) }
}

/** Null where it may be anything but a plain object: an element of the page, what a caller gave. */
const asObject = (value: Value): Extract<Value, { kind: 'object' }> | null => {
  if (value.kind === 'object') return value
  if (value.kind === 'made' && value.args.length === 0) return { kind: 'object', entries: [], rest: [] }
  return value.kind === 'unknown' && value.name === 'undefined' ? { kind: 'object', entries: [], rest: [] } : null
}

const appended = (whole: Value, name: string, given: () => Value): Value => {
  const form = asForm(whole)
  if (form === null) return whole
  const value = named(name, given())
  const encoding = value.kind === 'file' ? 'multipart' : form.encoding
  return { ...form, encoding, entries: withEntry(form.entries, name, value) }
}

/** Parameters of libraries are made empty and take entries: `new HttpParams().set('q', …)`. */
export const asForm = (value: Value): Extract<Value, { kind: 'form' }> | null => {
  if (value.kind === 'form') return value
  if (value.kind !== 'made' || value.args.length > 1) return null
  const object = objectOf(value)
  return value.args.length === 0 || object
    ? { kind: 'form', encoding: 'urlencoded', entries: object?.entries ?? [] }
    : null
}

const queried = (whole: Extract<Value, { kind: 'text' }>, name: string, value: Value): Value => {
  const asked = whole.pieces.some((piece) => typeof piece === 'string' && piece.includes('?'))
  const start = `${asked ? '&' : '?'}${encodeURIComponent(name)}=`
  return { kind: 'text', pieces: [...whole.pieces, start, ...(value.kind === 'text' ? value.pieces : [value])] }
}

const named = (name: string, value: Value): Value =>
  value.kind === 'unknown' && !isNameGiven(name) ? { ...value, name } : value

const withEntry = (entries: Entries, name: string, value: Value): Entries =>
  [...new Map([...entries, [name, value] as const])].slice(0, MAX_ENTRIES)

/** `params = params.set('q', …)`: the same with one entry more. */
export const isEntered = (node: Node, name: string): boolean => {
  const one = bare(node)
  const chain = one.type === 'CallExpression' ? chainOf(one.callee) : null
  const how = chain?.names.length === 1 ? chain.names[0] : undefined
  return chain?.root.type === 'Identifier' && chain.root.name === name && (how === 'set' || how === 'append')
}
