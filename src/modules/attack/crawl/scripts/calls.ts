/** What calls give: what the language's own functions make of texts, objects and forms, and what functions of the file return. */
import type { AnyNode, CallExpression, NewExpression, Node } from 'acorn'
import { madeWith } from './given.ts'
import type { Binding, Fn, Holder, ProgramFacts, Scope } from './program.ts'
import { bare, literal, memberName } from './syntax.ts'
import {
  type Entries,
  entry,
  type Given,
  isOpen,
  joined,
  known,
  mapped,
  objectOf,
  text,
  unknown,
  type Value,
} from './value.ts'
import { asForm } from './written.ts'

export interface CallParts {
  readonly facts: ProgramFacts
  readonly read: (node: Node | null | undefined, scope: Scope) => Value
  readonly returnOf: (fn: Fn) => Value
  readonly memberOf: (value: Value, name: string) => Value
  readonly holderOf: (value: Value) => Holder | null
  /** What its constructor, and those of what it extends, were called with. */
  readonly constructed: (holder: Holder, values: readonly Value[]) => readonly Given[]
  readonly lookUp: (name: string, scope: Scope) => Binding | null
  /** The fields of the drawn form that code is about. */
  readonly fieldsAbout: (node: Node) => Entries
}

export interface Calls {
  readonly call: (node: CallExpression, scope: Scope) => Value
  readonly made: (node: NewExpression, scope: Scope) => Value
}

const THROUGH: ReadonlySet<string> = new Set(
  `encodeURIComponent encodeURI decodeURIComponent decodeURI escape String Object structuredClone
  Number parseInt parseFloat`.split(/\s+/),
)
const NUMBERS: ReadonlySet<string> = new Set(['Number', 'parseInt', 'parseFloat'])
/** Where nobody can tell which it is, it is a number all the same. */
const numeric = (value: Value): Value => (value.kind === 'unknown' ? { ...value, isNumber: true } : value)
/** Methods that leave a text what it is for us. */
const SAME: ReadonlySet<string> = new Set([
  'toString',
  'trim',
  'replace',
  'replaceAll',
  'normalize',
  'valueOf',
  'asReadonly',
  'bind',
])
const COLLECTIONS: ReadonlySet<string> = new Set(
  `Map Set WeakMap WeakSet Date Promise Error RegExp Proxy Array Uint8Array Image IntersectionObserver MutationObserver
  ResizeObserver AbortController WebSocket Worker Event CustomEvent`.split(/\s+/),
)
const PAGE: ReadonlySet<string> = new Set(['window', 'self', 'globalThis'])

export const createCalls = (parts: CallParts): Calls => {
  const { facts, read, returnOf, memberOf, holderOf } = parts

  const args = (node: CallExpression | NewExpression, scope: Scope): readonly Value[] =>
    node.arguments.slice(0, 6).map((one) => read(one.type === 'SpreadElement' ? null : one, scope))

  const isGlobal = (node: AnyNode, scope: Scope): node is Extract<AnyNode, { type: 'Identifier' }> =>
    node.type === 'Identifier' && parts.lookUp(node.name, scope) === null

  /** What a bundled module asks for others by: the third that it is given. */
  const isRequire = (callee: AnyNode, scope: Scope): boolean => {
    const param = callee.type === 'Identifier' ? parts.lookUp(callee.name, scope)?.param : null
    return param?.index === 2 && facts.moduleFns.has(param.fn)
  }

  const call = (node: CallExpression, scope: Scope): Value => {
    const callee = bare(node.callee)
    if (isGlobal(callee, scope) && THROUGH.has(callee.name))
      return NUMBERS.has(callee.name) ? numeric(read(node.arguments[0], scope)) : read(node.arguments[0], scope)
    const asked = callee.type === 'Identifier' && node.arguments.length === 1 ? literalKey(node) : null
    if (asked !== null && (facts.modules.has(asked) || isRequire(callee, scope))) return { kind: 'module', key: asked }
    if (callee.type === 'MemberExpression') return ofMethod(node, callee, scope)
    return ofFunction(read(callee, scope), node, scope, callee.type === 'Identifier' ? callee.name : '')
  }

  const ofFunction = (callee: Value, node: CallExpression, scope: Scope, name: string): Value => {
    if (callee.kind === 'fn') {
      const values = args(node, scope)
      const filled = madeWith(returnOf(callee.fn), [...(callee.given ?? []), { fn: callee.fn.id, values }])
      return isOpen(filled) ? madeOf(name, values) : filled
    }
    return madeOf(name, args(node, scope))
  }

  const ofMethod = (
    node: CallExpression,
    callee: Extract<AnyNode, { type: 'MemberExpression' }>,
    scope: Scope,
  ): Value => {
    const name = memberName(callee) ?? ''
    const object = read(callee.object, scope)
    const own = ofObject(name, object, node, scope)
    if (own !== null) return own
    const method = memberOf(object, name)
    if (method.kind === 'fn') return ofFunction(method, node, scope, name)
    // What a person has put into controls: getRawValue()
    if (name === 'getRawValue' && node.arguments.length === 0) return memberOf(object, name)
    return madeOf(name, args(node, scope))
  }

  /** What methods of the language give; null for all others. */
  const ofObject = (name: string, object: Value, node: CallExpression, scope: Scope): Value | null => {
    const first = (): Value => read(node.arguments[0], scope)
    if (name === 'stringify' && isNamed(node, 'JSON')) return { kind: 'json', of: first() }
    if (PARTS.has(name) && isNamed(node, 'Object') && node.arguments.length === 1) return partsOf(name, first())
    if (name === 'assign' && isNamed(node, 'Object')) return merged(args(node, scope))
    if (name === 'fromEntries' && isNamed(node, 'Object')) return ofEntries(first(), () => parts.fieldsAbout(node))
    if (['freeze', 'seal', 'preventExtensions', 'resolve'].includes(name) && isBuiltIn(node)) return first()
    if (name === 'entries' && object.kind === 'form') return object
    if (name === 'get' && (object.kind === 'form' || object.kind === 'object')) return fieldOf(object, node)
    if (name === 'concat' && object.kind !== 'list') return joined([object, ...args(node, scope)])
    if (name === 'join' && object.kind === 'list') return spaced(object.items, known(first()) ?? ',')
    if (SAME.has(name) && !isOpen(object)) return object
    if (name === 'toUpperCase' || name === 'toLowerCase') return cased(object, name)
    if (name === 'create' && objectOf(first())) return { kind: 'client', settings: first() }
    if (name === 'call' || name === 'apply') return null
    return entered(name, object, node, scope)
  }

  /** `new HttpParams().set('q', …).append('of', …)` */
  const entered = (name: string, object: Value, node: CallExpression, scope: Scope): Value | null => {
    const key = literal(node.arguments[0])
    const form = name === 'set' || name === 'append' ? asForm(object) : null
    if (form === null || key === null || node.arguments.length < 2) return null
    const value = read(node.arguments[1], scope)
    const entries: Entries = [...form.entries, [key, value.kind === 'unknown' ? { ...value, name: key } : value]]
    return { ...form, entries }
  }

  const made = (node: NewExpression, scope: Scope): Value => {
    const callee = bare(node.callee)
    const values = args(node, scope)
    if (isGlobal(callee, scope) && callee.name === 'FormData') return pageForm(values, () => parts.fieldsAbout(node))
    if (isGlobal(callee, scope)) return ofGlobal(callee.name, values)
    const page = callee.type === 'MemberExpression' ? bare(callee.object) : null
    const isOfPage = page !== null && isGlobal(page, scope) && PAGE.has(page.name)
    if (isOfPage && memberName(callee) === 'FormData') return pageForm(values, () => parts.fieldsAbout(node))
    if (isOfPage) return ofGlobal(memberName(callee) ?? '', values)
    const of = read(callee, scope)
    const holder = holderOf(of)
    if (holder) return { kind: 'instance', holder, made: true, given: parts.constructed(holder, values) }
    const ref = of.kind === 'import' ? { ref: of.ref } : {}
    return { kind: 'made', by: memberName(callee) ?? '', args: values, ...ref }
  }

  return { call, made }
}

/** `new FormData(form)`: of an element of the page, with the fields that are drawn in it. */
const pageForm = ([form]: readonly Value[], fields: () => Entries): Value => ({
  ...{ kind: 'form', encoding: 'multipart' },
  entries: form === undefined ? [] : fields(),
})

/** `Object.fromEntries(new FormData(form))`, and of what is a form for whoever calls the function that it stands in. */
const ofEntries = (given: Value, fields: () => Entries): Value => {
  if (given.kind === 'form') return { kind: 'object', entries: given.entries, rest: [] }
  const drawn = given.kind === 'param' || given.kind === 'unknown' ? fields() : []
  return drawn.length > 0 ? { kind: 'object', entries: drawn, rest: [] } : given
}

const fieldOf = (form: Extract<Value, { kind: 'form' | 'object' }>, node: CallExpression): Value | null => {
  const name = literal(node.arguments[0])
  return name === null ? null : (entry(form, name) ?? (form.kind === 'form' ? unknown(name) : null))
}

const ofGlobal = (name: string, values: readonly Value[]): Value => {
  const [first, second] = values
  if (name === 'URLSearchParams') return parametersOf(first)
  if (name === 'Request') return { kind: 'request', args: values }
  if (name === 'File' || name === 'Blob') return { kind: 'file' }
  if (name === 'URL' && first) return second ? under(first, second) : first
  if (COLLECTIONS.has(name)) return unknown()
  return { kind: 'made', by: name, args: values }
}

const parametersOf = (first: Value | undefined): Value => {
  if (first?.kind === 'param') return { kind: 'form', encoding: 'urlencoded', entries: [], of: first }
  const entries = first?.kind === 'form' ? first.entries : objectOf(first)?.entries
  return { kind: 'form', encoding: 'urlencoded', entries: entries ?? [] }
}

/** An address under another: one that begins with a slash or names its host stands for itself. */
const under = (address: Value, base: Value): Value => {
  const start = address.kind === 'text' ? address.pieces[0] : undefined
  if (typeof start !== 'string' || /^(?:\/|https?:)/.test(start)) return address
  const folder = known(base)
  return folder === null ? address : joined([text(folder.replace(/[^/]*$/, '')), address])
}

/** Helpers that spread one object over another are called with both. */
const madeOf = (by: string, values: readonly Value[]): Value => {
  const [first, second] = values
  // createClass(A, […]), decorate([…], A)
  if (first && second?.kind === 'list' && isClass(first)) return first
  if (second && first?.kind === 'list' && isClass(second)) return second
  if (first?.kind === 'object' && values.length > 1 && values.every((one) => one.kind !== 'fn')) return merged(values)
  return { kind: 'made', by, args: values.slice(0, 3) }
}

const isClass = (value: Value): boolean => value.kind === 'fn' || (value.kind === 'instance' && !value.made)

const merged = (values: readonly Value[]): Value => {
  const objects = values.map((value) => (value.kind === 'object' ? value : objectOf(value)))
  const entries = new Map(objects.flatMap((object) => object?.entries ?? []))
  const rest = values.filter((value, index) => objects[index] === null && !(value.kind === 'unknown'))
  return { kind: 'object', entries: [...entries], rest: [...objects.flatMap((object) => object?.rest ?? []), ...rest] }
}

const spaced = (items: readonly Value[], between: string): Value =>
  joined(items.flatMap((item, index) => (index === 0 ? [item] : [text(between), item])))

const cased = (value: Value, how: 'toUpperCase' | 'toLowerCase'): Value => {
  if (value.kind === 'choice') return mapped(value, (one) => cased(one, how))
  const said = value.kind === 'text' ? known(value) : null
  return said === null ? value : text(said[how]())
}

const PARTS: ReadonlySet<string> = new Set(['keys', 'values', 'entries'])

/** `Object.keys(x)` and its like, of an object that is known as a whole; null of all others. */
const partsOf = (what: string, value: Value): Value | null => {
  if (value.kind !== 'object' || value.rest.length > 0) return null
  const items = value.entries.map(([name, one]): Value => {
    if (what === 'keys') return text(name)
    return what === 'values' ? one : { kind: 'list', items: [text(name), one] }
  })
  return { kind: 'list', items: items.slice(0, 30) }
}

const isNamed = ({ callee }: CallExpression, name: string): boolean => {
  const one = bare(callee)
  const object = one.type === 'MemberExpression' ? bare(one.object) : null
  return object?.type === 'Identifier' && object.name === name
}

const isBuiltIn = (node: CallExpression): boolean => isNamed(node, 'Object') || isNamed(node, 'Promise')

const literalKey = (node: CallExpression): string | null => {
  const [first] = node.arguments as AnyNode[]
  return literal(first) ?? (first?.type === 'Literal' && typeof first.value === 'number' ? String(first.value) : null)
}
