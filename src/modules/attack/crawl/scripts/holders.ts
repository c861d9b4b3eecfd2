/**
 * What `this` holds: the fields and methods of classes, of functions with a prototype (ES5, as Babel and TypeScript write them),
 * and of objects with methods, among them the parts of a component (`data`, `methods`) that share one `this`.
 */
import type { AnyNode, CallExpression, MemberExpression, Node } from 'acorn'
import { type Binding, type Expr, type Holder, lookUp, type Member, type Scope } from './program.ts'
import { bare, chainOf, type FunctionNode, isFunction, keyOf, literal } from './syntax.ts'

/** Of one object each: a bundle has all its libraries before the application. */
const MAX_FIELDS = 500
const MAX_MEMBERS = 200
const MAX_WRITES = 8
const LONGEST_PATH = 12

/** Parts of a component whose functions have the component for `this`. */
const PARTS: ReadonlySet<string> = new Set(['methods', 'computed', 'watch', 'actions', 'getters'])

export interface Holders {
  readonly of: ReadonlyMap<Node, Holder>
  readonly make: (node: Node) => Holder
  /** The holder that a part of a component shares; null where the object is its own. */
  readonly withinOf: (node: Node) => Holder | null
  readonly within: (part: Node, whole: Node, name: string) => void
  readonly method: (node: FunctionNode, holder: Holder, name: string) => void
  readonly field: (holder: Holder, name: string, value: Expr) => void
  /** A function that has a name may be called with `new`. */
  readonly constructs: (node: FunctionNode) => void
  readonly assigned: (left: MemberExpression, value: Expr) => void
  readonly write: (left: MemberExpression, value: Expr, plain: boolean) => void
  readonly call: (node: CallExpression, scope: Scope, later: (write: () => void) => void) => void
  readonly ownerOf: (node: FunctionNode) => Holder | null
  readonly namesOf: (node: FunctionNode) => readonly string[]
  readonly binding: (name: string, scope: Scope) => Binding | null
  readonly finish: () => void
}

export const createHolders = (nextId: () => number): Holders => {
  const of = new Map<Node, Holder>()
  const owners = new Map<Node, Holder>()
  const names = new Map<Node, string[]>()
  const parts = new Map<Node, Holder>()

  const make = (node: Node): Holder => {
    const before = of.get(node)
    if (before) return before
    const made: Holder = {
      id: nextId(),
      fields: new Map(),
      members: [],
      base: null,
      getters: new Set(),
      maker: makerOf(node),
    }
    of.set(node, made)
    return made
  }
  const field = (holder: Holder, name: string, value: Expr): void => {
    const before = holder.fields.get(name)
    if (before && before.length < MAX_WRITES) before.push(value)
    else if (!before && holder.fields.size < MAX_FIELDS) holder.fields.set(name, [value])
  }
  const method = (node: FunctionNode, holder: Holder, name: string): void => {
    owners.set(node, holder)
    names.set(node, [...(names.get(node) ?? []), name])
  }
  /** The holder whose prototype an expression is, or which `this` in it is. */
  const holderBehind = (root: AnyNode, path: readonly string[], scope: Scope): [Holder, readonly string[]] | null => {
    if (path.length > LONGEST_PATH) return null
    if (root.type === 'ThisExpression') return scope.holder ? [scope.holder, path] : null
    if (root.type !== 'Identifier') return null
    const binding = lookUp(root.name, scope)
    const write = binding?.writes.length === 1 ? binding.writes[0] : undefined
    if (!write || write.path.length > 0) return null
    if (isFunction(write.node) || write.node.type === 'ClassDeclaration' || write.node.type === 'ClassExpression')
      return path[0] === 'prototype' ? [make(write.node), path.slice(1)] : [make(write.node), path]
    if (write.node.type === 'ThisExpression') return write.scope.holder ? [write.scope.holder, path] : null
    // var proto = A.prototype
    const behind = chainOf(write.node)
    if (behind?.names.length === 1 && behind.names[0] === 'prototype')
      return holderBehind(behind.root, ['prototype', ...path], write.scope)
    return null
  }
  const put: Put = (root, path, value, from, more = {}) => {
    if (path.length === 0) return
    const held = holderBehind(root, path, from)
    const [name, ...rest] = held?.[1] ?? []
    if (held && name === undefined) return
    if (held && name !== undefined && rest.length === 0) return field(held[0], name, value)
    const into = held ? held[0].members : root.type === 'Identifier' ? lookUp(root.name, from)?.members : undefined
    if (into && into.length < MAX_MEMBERS) into.push({ path: held ? held[1] : path, value, ...more })
  }
  const built = createBuilt({ method, put, field, make })

  return {
    ...{ of, make, field, method },
    withinOf: (node) => parts.get(node) ?? null,
    within: (part, whole, name) => {
      if (PARTS.has(name)) parts.set(part, parts.get(whole) ?? make(whole))
    },
    constructs: (node) => {
      if (!owners.has(node)) owners.set(node, make(node))
    },
    assigned: (left, { node, scope }) => {
      const chain = chainOf(left)
      const name = chain?.names.at(-1)
      if (!isFunction(node) || !chain || name === undefined) return
      const held = holderBehind(chain.root, chain.names.slice(0, -1), scope)
      if (held && held[1].length === 0) method(node, held[0], name)
      else names.set(node, [...(names.get(node) ?? []), name])
    },
    write: (left, value, plain) => {
      if (!plain) return
      const chain = chainOf(left)
      if (chain) return put(chain.root, chain.names, value, value.scope)
      // body[name] = value
      const one = left as AnyNode
      if (one.type !== 'MemberExpression' || one.property.type !== 'Identifier') return
      const whole = chainOf(one.object)
      const named = { node: one.property as AnyNode, scope: value.scope }
      if (whole) put(whole.root, [...whole.names, ''], value, value.scope, { named })
    },
    call: built,
    ownerOf: (node) => owners.get(node) ?? null,
    namesOf: (node) => names.get(node) ?? [],
    binding: (name, scope) => {
      const found = lookUp(name, scope)
      return found && found.writes.length < MAX_WRITES ? found : null
    },
    finish: () => owners.clear(),
  }
}

const makerOf = (node: Node): FunctionNode | null => {
  const one = node as AnyNode
  if (isFunction(one)) return one
  if (one.type !== 'ClassDeclaration' && one.type !== 'ClassExpression') return null
  for (const member of one.body.body)
    if (member.type === 'MethodDefinition' && member.kind === 'constructor') return member.value
  return null
}

interface Building {
  readonly method: Holders['method']
  readonly field: Holders['field']
  readonly make: Holders['make']
  readonly put: Put
}

type Put = (
  root: AnyNode,
  path: readonly string[],
  value: Expr,
  from: Scope,
  more?: Pick<Member, 'file' | 'named'>,
) => void

/** Calls by which helpers of transpilers and collections put something into an object. */
const createBuilt =
  ({ method, field, make, put }: Building): Holders['call'] =>
  (node, scope, later) => {
    const [first, second, third] = node.arguments
    const target = first === undefined ? null : bare(first)
    const rows = second as AnyNode | undefined
    // createClass(A, [{key: 'find', value: function(){…}}])
    if (target?.type === 'Identifier' && rows?.type === 'ArrayExpression') {
      const methods = rows.elements.flatMap((row) => rowOf(row))
      if (methods.length === 0) return
      const binding = lookUp(target.name, scope)
      const made = binding?.writes.find((write) => isFunction(write.node))?.node
      const holder = made === undefined ? null : make(made)
      for (const [name, value] of holder === null ? [] : methods) {
        method(value, holder as Holder, name)
        field(holder as Holder, name, { node: value, scope })
      }
      return
    }
    // defineProperty(this, 'base', value)
    const name = literal(second)
    if (target && name !== null && third !== undefined && node.arguments.length === 3)
      if (target.type === 'ThisExpression' || target.type === 'Identifier') {
        const value = { node: third as AnyNode, scope }
        later(() => put(target, [name], value, scope))
      }
    appended(node, scope, put, later)
  }

/** form.append('name', value), this.params.set('name', value), form.append(name, value) */
const appended = (node: CallExpression, scope: Scope, put: Put, later: (write: () => void) => void): void => {
  const chain = chainOf(node.callee)
  const how = chain?.names.at(-1)
  const [first, value] = node.arguments
  const name = literal(first)
  if (!chain || value === undefined || (how !== 'append' && how !== 'set')) return
  // Of maps and their like nobody follows what is set under which name.
  const given = name === null && how === 'append' && first?.type === 'Identifier'
  if (name === null && !given) return
  // Marks them as entries: no property is called so.
  const path = [...chain.names.slice(0, -1), '()', name ?? '']
  const more = {
    // form.append('avatar', blob, 'avatar.png')
    ...(how === 'append' && node.arguments.length === 3 ? { file: true as const } : {}),
    ...(given ? { named: { node: first as AnyNode, scope } } : {}),
  }
  later(() => put(chain.root, path, { node: value as AnyNode, scope }, scope, more))
}

const rowOf = (row: Node | null): readonly (readonly [name: string, value: FunctionNode])[] => {
  const one = row as AnyNode | null
  if (one?.type !== 'ObjectExpression') return []
  let name: string | null = null
  let value: FunctionNode | null = null
  for (const property of one.properties) {
    if (property.type !== 'Property') continue
    const key = keyOf(property)
    if (key === 'key') name = literal(property.value)
    else if (key === 'value' && isFunction(property.value)) value = property.value
  }
  return name !== null && value !== null ? [[name, value]] : []
}
