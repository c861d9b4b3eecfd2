/**
 * Endpoints that an interface of RTK Query declares: `build.query({query: (id) => `/items/${id}`})`, below the address that its `baseQuery` is made
 * with.
 */
import type { AnyNode, CallExpression } from 'acorn'
import type { Evaluator } from './evaluate.ts'
import type { CallSite, ProgramFacts } from './program.ts'
import { isFunction, keyOf } from './syntax.ts'
import { entry, known, objectOf, type Value } from './value.ts'

export interface SliceEndpoint {
  /** A path, or a table of settings with one. */
  readonly asked: Value
  readonly base: Value | null
  /** By which another file gives the interface that it is added to. */
  readonly client: string | null
}

const KINDS: ReadonlySet<string> = new Set(['query', 'mutation', 'infiniteQuery'])

export const isEndpointKind = (name: string): boolean => KINDS.has(name)

/** Null of any other call; `name`: of the method. */
export const endpointOf = ({ node, scope }: CallSite, name: string, evaluator: Evaluator): SliceEndpoint | null => {
  const [options] = (node as CallExpression).arguments as AnyNode[]
  if (!KINDS.has(name) || !hasFunction(options, 'query')) return null
  const query = entry(objectOf(evaluator.read(options, scope)), 'query')
  if (query?.kind !== 'fn') return null
  const around = sliceAround(evaluator.facts, node)
  const own = around && baseIn(evaluator.read(around.node.arguments[0], around.scope))
  const callee = around?.node.callee as AnyNode | undefined
  const of = callee?.type === 'MemberExpression' ? evaluator.read(callee.object, (around as Slice).scope) : null
  return {
    asked: evaluator.returnOf(query.fn),
    base: own ?? (of && baseOfSlice(of)) ?? baseAnywhere(evaluator),
    client: of?.kind === 'import' ? of.ref : null,
  }
}

/** The address below which an interface asks; null of what is none. */
export const baseOfSlice = (value: Value): Value | null =>
  value.kind === 'made' ? baseIn(value.args[0] ?? null) : value.kind === 'object' ? baseIn(value) : null

const baseIn = (options: Value | null): Value | null => {
  const query = entry(objectOf(options), 'baseQuery')
  return query?.kind === 'made' ? entry(objectOf(query.args[0]), 'baseUrl') : entry(objectOf(query), 'baseUrl')
}

interface Slice {
  readonly node: CallExpression
  readonly scope: CallSite['scope']
}

/** The call that it is declared within: `createApi({…, endpoints: (build) => …})`. */
const sliceAround = ({ calls }: ProgramFacts, { start, end }: { start: number; end: number }): Slice | null => {
  const around = calls.filter(
    ({ node }) =>
      node.type === 'CallExpression' &&
      node.start < start &&
      end < node.end &&
      hasFunction(node.arguments[0] as AnyNode | undefined, 'endpoints'),
  )
  const nearest = around.toSorted((one, other) => other.node.start - one.node.start)[0]
  return nearest ? { node: nearest.node as CallExpression, scope: nearest.scope } : null
}

const hasFunction = (node: AnyNode | undefined, name: string): boolean =>
  node?.type === 'ObjectExpression' &&
  node.properties.some((one) => one.type === 'Property' && keyOf(one) === name && isFunction(one.value))

/** A function around it that begins a lost session anew hides what it is made with; mostly there is one in a file. */
const baseAnywhere = (evaluator: Evaluator): Value | null => {
  const before = anywhere.get(evaluator)
  if (before !== undefined) return before
  const base = onlyBase(evaluator)
  anywhere.set(evaluator, base)
  return base
}
const anywhere = new WeakMap<Evaluator, Value | null>()

const onlyBase = (evaluator: Evaluator): Value | null => {
  const found = evaluator.facts.calls.flatMap(({ node, scope }) => {
    const options = node.type === 'CallExpression' ? (node.arguments[0] as AnyNode | undefined) : undefined
    if (options?.type !== 'ObjectExpression') return []
    const isBase = options.properties.some((one) => one.type === 'Property' && keyOf(one) === 'baseUrl')
    const base = isBase ? entry(objectOf(evaluator.read(options, scope)), 'baseUrl') : null
    return known(base) === null || base === null ? [] : [base]
  })
  const [first, ...others] = found
  return first !== undefined && others.every((other) => known(other) === known(first)) ? first : null
}
