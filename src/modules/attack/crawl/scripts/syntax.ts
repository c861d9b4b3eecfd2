/** JavaScript as a tree (ESTree, by acorn), and how it is gone through without recursion: code may be nested as deep as it likes. */
import { type AnyNode, type CallExpression, type Node, type Program, parse } from 'acorn'

export type FunctionNode = Extract<
  AnyNode,
  { type: 'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression' }
>

/** Null where the code does not parse, or is nested deeper than the parser can follow. `comments` takes what people wrote beside it. */
export const parsed = (code: string, comments: string[] = []): Program | null => {
  const onComment = (_block: boolean, text: string): void => void comments.push(text)
  const how = { ecmaVersion: 'latest', allowHashBang: true, allowReturnOutsideFunction: true, onComment } as const
  for (const sourceType of ['module', 'script'] as const) {
    comments.length = 0
    try {
      return parse(code, { ...how, sourceType })
    } catch (error) {
      // Nested too deep for a recursive parser counts as unreadable, too.
      if (!(error instanceof SyntaxError) && !(error instanceof RangeError)) throw error
    }
  }
  return null
}

export const isFunction = (node: Node | null | undefined): node is FunctionNode =>
  node?.type === 'FunctionExpression' ||
  node?.type === 'ArrowFunctionExpression' ||
  node?.type === 'FunctionDeclaration'

/** The nodes directly below, in the order of the code. Names that are no expressions are left out: `x.name`, `{name: …}`. */
export const childrenOf = (node: AnyNode): AnyNode[] => {
  const found: AnyNode[] = []
  const named = isNamed(node)
  for (const key in node) {
    if (named && (key === 'key' || key === 'property')) continue
    const value: unknown = (node as unknown as Record<string, unknown>)[key]
    if (value === null || typeof value !== 'object') continue
    if (Array.isArray(value)) {
      for (const one of value) if (isNode(one)) found.push(one)
    } else if (isNode(value)) found.push(value)
  }
  return found
}

const isNamed = (node: AnyNode): boolean =>
  (node.type === 'Property' ||
    node.type === 'MemberExpression' ||
    node.type === 'MethodDefinition' ||
    node.type === 'PropertyDefinition') &&
  !node.computed

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

/** The name of a property, a method or a field; null where it is worked out. */
export const keyOf = (holder: { readonly key: Node; readonly computed?: boolean }): string | null => {
  const key = holder.key as AnyNode
  if (key.type === 'Identifier') return holder.computed ? null : key.name
  if (key.type === 'PrivateIdentifier') return `#${key.name}`
  return key.type === 'Literal' && (typeof key.value === 'string' || typeof key.value === 'number')
    ? String(key.value)
    : null
}

/** The name behind the dot, or in brackets as a string; null for anything else. */
export const memberName = (node: Node): string | null => {
  const one = node as AnyNode
  if (one.type !== 'MemberExpression') return null
  const { property } = one
  if (property.type === 'PrivateIdentifier') return `#${property.name}`
  if (!one.computed) return property.type === 'Identifier' ? property.name : null
  return (
    literal(property) ??
    (property.type === 'Literal' && typeof property.value === 'number' ? String(property.value) : null)
  )
}

/** `(0, a.b)` is `a.b`, `(a)` is `a`, `a?.b` is `a.b`. */
export const bare = (node: Node): AnyNode => {
  let one = node as AnyNode
  for (let count = 0; count < 20; count += 1) {
    if (one.type === 'SequenceExpression') one = (one.expressions.at(-1) ?? one) as AnyNode
    else if (one.type === 'ChainExpression' || one.type === 'ParenthesizedExpression') one = one.expression as AnyNode
    else return one
  }
  return one
}

/** `a.b.c` as its root `a` and the names `b`, `c`; null where a name is worked out. */
export const chainOf = (node: Node): { readonly root: AnyNode; readonly names: readonly string[] } | null => {
  const names: string[] = []
  let one = bare(node)
  while (one.type === 'MemberExpression') {
    const name = memberName(one)
    if (name === null || names.length > 8) return null
    names.unshift(name)
    one = bare(one.object)
  }
  return { root: one, names }
}

/** What a string literal says; null for anything else. */
export const literal = (node: Node | null | undefined): string | null => {
  const one = node as AnyNode | null | undefined
  // Minifiers write every text as a template.
  if (one?.type === 'TemplateLiteral' && one.expressions.length === 0) return one.quasis[0]?.value.cooked ?? null
  return one?.type === 'Literal' && typeof one.value === 'string' ? one.value : null
}

const FOR_EACH: ReadonlySet<string> = new Set(['forEach', 'map', 'flatMap', 'filter', 'some', 'every', 'find'])

/** What a function is called for each of: `list.forEach((one) => …)`. Null where nothing is. */
export const listOf = ({ callee, arguments: [first] }: CallExpression): AnyNode | null => {
  const isEach = FOR_EACH.has(memberName(callee) ?? '') && first !== undefined && isFunction(first)
  return isEach && callee.type === 'MemberExpression' ? (callee.object as AnyNode) : null
}

/** `''.concat('/a/', id)`, `['/a', id].join('/')`: parts of one text. */
export const halvesOf = ({ callee, arguments: given }: CallExpression): readonly Node[] => {
  const name = memberName(callee)
  const object = name === 'join' && callee.type === 'MemberExpression' ? (callee.object as AnyNode) : null
  const parts = name === 'concat' ? given : object?.type === 'ArrayExpression' ? object.elements : []
  return parts.filter((one) => one !== null)
}

/** A text that may be an address by itself. */
export const mayLead = (node: AnyNode): boolean =>
  node.type === 'TemplateLiteral'
    ? node.quasis.some(({ value }) => /[/?]/.test(value.cooked ?? ''))
    : /[/?]/.test(literal(node) ?? '')
