/** Names put into scopes: declarations, patterns that take values apart, and parameters. */
import type { AnyNode, Node } from 'acorn'
import type { Binding, Expr, Fn, Holder, Scope, Write } from './program.ts'
import { keyOf } from './syntax.ts'

/** Texts that are put behind one name, one after the other. */
export const MAX_APPENDS = 40

export const createScope = (parent: Scope | null, over: { fn: Fn | null; holder: Holder | null } | null): Scope => ({
  parent,
  ofFunction: over !== null,
  fn: over === null ? (parent?.fn ?? null) : over.fn,
  holder: over === null ? (parent?.holder ?? null) : over.holder,
  names: null,
})

/** The binding of a name in one scope, made where there is none. */
export const bind = (scope: Scope, name: string): Binding => {
  scope.names ??= new Map()
  const before = scope.names.get(name)
  if (before) return before
  const made: Binding = { name, writes: [], param: null, imported: null, opaque: false, appends: [], members: [] }
  scope.names.set(name, made)
  return made
}

/** Where `var` and functions land. */
export const functionScope = (scope: Scope): Scope => {
  let one = scope
  while (!one.ofFunction && one.parent !== null) one = one.parent
  return one
}

interface Part {
  readonly name: string
  readonly path: readonly string[]
  readonly or: AnyNode | null
  /** What takes all that is left. */
  readonly rest: boolean
}

const DEEPEST = 6

/** The names of a pattern, each with the way to its part. */
const partsOf = (pattern: Node, path: readonly string[] = [], or: AnyNode | null = null): readonly Part[] => {
  const one = pattern as AnyNode
  if (path.length > DEEPEST) return []
  if (one.type === 'Identifier') return [{ name: one.name, path, or, rest: false }]
  if (one.type === 'AssignmentPattern') return partsOf(one.left, path, one.right as AnyNode)
  if (one.type === 'RestElement') return partsOf(one.argument, path).map((part) => ({ ...part, rest: true }))
  if (one.type === 'ArrayPattern')
    return one.elements.flatMap((element, index) =>
      element === null ? [] : partsOf(element, [...path, String(index)]),
    )
  if (one.type !== 'ObjectPattern') return []
  return one.properties.flatMap((property) => {
    if (property.type === 'RestElement') return partsOf(property, path)
    const key = keyOf(property)
    return key === null
      ? partsOf(property.value).map((part) => ({ ...part, rest: true }))
      : partsOf(property.value, [...path, key])
  })
}

/** `init`: null where the loop or the catch gives what nobody knows; undefined where it is written later. */
export const declarePattern = (pattern: Node, target: Scope, init: Omit<Write, 'path'> | null | undefined): void => {
  for (const { name, path, rest } of partsOf(pattern)) {
    const binding = bind(target, name)
    if (init === null || rest) binding.opaque = true
    else if (init !== undefined) binding.writes.push({ ...init, path })
  }
}

/** `each`: what its function is called for each of. */
export const declareParam = (pattern: Node, fn: Fn, index: number, scope: Scope, each?: Expr): void => {
  for (const { name, path, or, rest } of partsOf(pattern)) {
    const binding = bind(scope, name)
    if (rest) binding.opaque = true
    else
      binding.param = {
        ...{ fn, index, path, or: or === null ? null : { node: or, scope } },
        ...(each !== undefined && index === 0 ? { each } : {}),
      }
  }
}

/** `address = address + '&page=' + n`: what is put behind. Null where the name gets another value. */
export const addedTo = (name: string, { node, scope }: Expr): readonly Expr[] | null => {
  const added: Expr[] = []
  let one = node
  while (one.type === 'BinaryExpression' && one.operator === '+' && added.length < MAX_APPENDS) {
    added.unshift({ node: one.right as AnyNode, scope })
    one = one.left as AnyNode
  }
  return added.length > 0 && one.type === 'Identifier' && one.name === name ? added : null
}

const MAX_RETURNS = 4

/** What the function around it gives. */
export const returned = (argument: AnyNode | null, scope: Scope): void => {
  if (argument && scope.fn && scope.fn.returns.length < MAX_RETURNS) scope.fn.returns.push({ node: argument, scope })
}
