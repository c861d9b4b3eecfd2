/**
 * Documents of GraphQL that scripts hold: an interface that does not describe itself shows in its clients what it can do. Fragments stand in
 * texts of their own, often in other files, and are put behind the operations that spread them; values for variables come from the
 * calls that name the document, else from their declared types.
 */
import type { AnyNode, Program } from 'acorn'
import { type Definition, type DocumentVariable, definitionsIn } from '../../../../descriptions/graphql/document.ts'
import { namedOf, type TypeRef } from '../../../../descriptions/graphql/schema.ts'
import { exampleByName } from '../values.ts'
import { jsonOfValue } from './bodies.ts'
import { EXAMPLE } from './endpoint.ts'
import type { Evaluator } from './evaluate.ts'
import type { CallSite } from './program.ts'
import { bare, childrenOf, memberName } from './syntax.ts'
import { entry, objectOf, type Value } from './value.ts'

/** An operation as its client sends it. */
export interface ScriptedOperation {
  readonly kind: 'query' | 'mutation'
  readonly name: string
  /** With the fragments that it needs. */
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

/** A call that names a document, which another file may hold. */
export interface DocumentCall {
  readonly document: Value
  readonly variables: Value
}

const MOST_OPERATIONS = 500
const MOST_FRAGMENTS = 500
const MOST_SPREAD = 60
const MOST_CALLS = 2_000

export interface Documents {
  readonly add: (program: Program) => void
  readonly call: (call: DocumentCall) => void
  /** `filled`: with what other files hold. */
  readonly operations: (filled: (value: Value) => Value) => readonly ScriptedOperation[]
}

export const createDocuments = (): Documents => {
  const operations = new Map<string, Definition>()
  const fragments = new Map<string, Definition>()
  const calls: DocumentCall[] = []
  return {
    add: (program) => {
      for (const text of textsOf(program))
        for (const one of definitionsIn(text)) {
          const [to, most] = one.kind === 'fragment' ? [fragments, MOST_FRAGMENTS] : [operations, MOST_OPERATIONS]
          const key = one.name === '' ? one.text : one.name
          if (one.kind !== 'subscription' && to.size < most && !to.has(key)) to.set(key, one)
        }
    },
    call: (call) => {
      if (calls.length < MOST_CALLS) calls.push(call)
    },
    operations: (filled) => {
      const given = new Map<string, Value>()
      for (const { document, variables } of operations.size === 0 ? [] : calls) {
        const [one] = definitionsIn(textOf(filled(document)))
        if (one && !given.has(one.name)) given.set(one.name, variables)
      }
      return [...operations.values()].flatMap((one): ScriptedOperation[] => {
        if (one.kind !== 'query' && one.kind !== 'mutation') return []
        const query = wholeOf(one, fragments)
        const variables = variablesOf(one.variables, given.get(one.name) ?? null)
        return query === null ? [] : [{ kind: one.kind, name: one.name, query, variables }]
      })
    },
  }
}

/** Of every text of the code, also where a tag or a gap stands in it: a gap holds fragments, which stand elsewhere as well. */
const textsOf = (program: Program): readonly string[] => {
  const found: string[] = []
  const stack: AnyNode[] = [program]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const text =
      node.type === 'Literal' && typeof node.value === 'string'
        ? node.value
        : node.type === 'TemplateLiteral'
          ? node.quasis.map(({ value }) => value.cooked ?? '').join(' ')
          : ''
    if (DOCUMENT.test(text)) found.push(text)
    stack.push(...childrenOf(node))
  }
  // As the code has them.
  return found.toReversed()
}
const DOCUMENT = /^\s*(?:#[^\n]*\n\s*)*(?:query|mutation|fragment)\b[^{]*\{/

/** Null where a fragment is missing. */
const wholeOf = (operation: Definition, fragments: ReadonlyMap<string, Definition>): string | null => {
  const needed = new Map<string, Definition>()
  const waiting = [...operation.spreads]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const one = fragments.get(name)
    if (one === undefined || needed.size >= MOST_SPREAD) return null
    if (!needed.has(name)) waiting.push(...one.spreads)
    needed.set(name, one)
  }
  return [operation.text, ...[...needed.values()].map(({ text }) => text)].join(' ')
}

/** The beginning of a text is enough to know the operation by. */
const textOf = (value: Value): string => {
  if (value.kind === 'made') return value.args[0] ? textOf(value.args[0]) : ''
  const [first] = value.kind === 'text' ? value.pieces : []
  const head = typeof first === 'string' ? /^[^{]*?(?:query|mutation)\s+\w+/.exec(first)?.[0] : undefined
  return head === undefined ? '' : `${head} { x }`
}

const variablesOf = (declared: readonly DocumentVariable[], given: Value | null): Record<string, unknown> => {
  const object = objectOf(given)
  return Object.fromEntries(
    declared.flatMap(({ name, type, given: hasDefault }): [string, unknown][] => {
      const value = entry(object, name)
      if (value === null && (hasDefault || (object !== null && type.kind !== 'required'))) return []
      return [[name, fitting(type, value === null ? undefined : jsonOfValue(value, name), name)]]
    }),
  )
}

/** As the type of the variable demands it (GraphQL, 3.5); of types that the interface declares what the call gives. */
const fitting = (type: TypeRef, value: unknown, name: string): unknown => {
  if (type.kind === 'required') return fitting(type.of, value, name)
  if (type.kind === 'list')
    return Array.isArray(value) ? value.map((one) => fitting(type.of, one, name)) : [fitting(type.of, value, name)]
  const text = typeof value === 'string' && value !== EXAMPLE ? value : (exampleByName(name, '') ?? EXAMPLE)
  switch (namedOf(type)) {
    case 'Int':
      return Number.isInteger(Number(value ?? EXAMPLE)) ? Number(value ?? EXAMPLE) : 1
    case 'Float':
      return Number.isFinite(Number(value ?? EXAMPLE)) ? Number(value ?? EXAMPLE) : 1
    case 'Boolean':
      return typeof value === 'boolean' ? value : true
    case 'ID':
      return typeof value === 'string' ? value : EXAMPLE
    case 'String':
      return text
    default:
      return value ?? {}
  }
}

/** What makes elements of pages takes tables beside names as well. */
const NO_CLIENT = /^(?:jsxs?|jsxDEV|createElement|_jsxs?|h|assign|defineProperty)$/
/** Names by which clients take the document beside its variables. */
const DOCUMENTS = ['query', 'mutation', 'document'] as const

/** `client.request(DOCUMENT, {…})`, `useQuery(DOCUMENT, {variables: {…}})`, `client.query({query: DOCUMENT, variables: {…}})`; null of other calls. */
export const documentCallOf = ({ node, scope }: CallSite, evaluator: Evaluator): DocumentCall | null => {
  if (node.type !== 'CallExpression' || node.arguments.length === 0 || evaluator.spent) return null
  const callee = bare(node.callee)
  const name = callee.type === 'Identifier' ? callee.name : (memberName(callee) ?? '')
  if (NO_CLIENT.test(name)) return null
  const given = node.arguments.slice(0, 3) as AnyNode[]
  const first = given[0]
  if (first?.type === 'ObjectExpression') {
    const names = first.properties.map((one) =>
      one.type === 'Property' && one.key.type === 'Identifier' ? one.key.name : '',
    )
    if (!names.includes('variables') || !DOCUMENTS.some((one) => names.includes(one))) return null
    const object = objectOf(evaluator.read(first, scope))
    const [document, variables] = [entry(object, ...DOCUMENTS), entry(object, 'variables')]
    return document && variables && mayHold(document) ? { document, variables } : null
  }
  for (const [at, one] of given.entries()) {
    const next = given[at + 1]
    if (next?.type !== 'ObjectExpression' && next?.type !== 'Identifier') continue
    if (
      !['Identifier', 'MemberExpression', 'TemplateLiteral', 'TaggedTemplateExpression', 'Literal'].includes(one.type)
    )
      continue
    const document = evaluator.read(one, scope)
    const object = mayHold(document) ? objectOf(evaluator.read(next, scope)) : null
    if (object !== null) return { document, variables: entry(object, 'variables') ?? object }
  }
  return null
}

/** A document, or what another file has, which may be one. */
const mayHold = (value: Value): boolean =>
  value.kind === 'import' || (value.kind === 'unknown' && value.of !== undefined) || textOf(value) !== ''
