/** XPath over the tree of a page, with a bound on the nodes that are visited. */
import { bytesOfText } from '../bytes.ts'
import { DslError } from '../expression/value.ts'
import { compileRegex } from '../regex/regex.ts'
import { type HtmlNode, textContent } from './html-tree.ts'
import { type Axis, parseXpath, type Xpath, type XpathStep } from './xpath-parse.ts'

const MOST_VISITS = 2_000_000
const cache = new Map<string, Xpath>()

/**
 * Text of the nodes found, or their attribute where one is asked for, in order of the page. A query that is none, or that
 * visits too much, finds nothing.
 */
export const selectXpath = (query: string, root: HtmlNode, attribute: string | null = null): readonly string[] => {
  try {
    let parsed = cache.get(query)
    if (parsed === undefined) {
      parsed = parseXpath(query)
      if (cache.size > 5_000) cache.clear()
      cache.set(query, parsed)
    }
    let visits = 0
    const scope: Scope = {
      node: root,
      position: 1,
      size: 1,
      root,
      visit: () => {
        if (++visits > MOST_VISITS) throw new DslError('XPath: too many nodes')
      },
    }
    const value = evaluate(parsed, scope)
    if (!Array.isArray(value)) return typeof value === 'boolean' ? (value ? ['true'] : []) : [String(value)]
    if (attribute === null) return value.map(textContent)
    return value.flatMap((node) =>
      node.attributes.filter(({ name }) => name === attribute.toLowerCase()).map(textContent),
    )
  } catch (error) {
    if (error instanceof DslError) return []
    throw error
  }
}

interface Scope {
  readonly node: HtmlNode
  readonly position: number
  readonly size: number
  readonly root: HtmlNode
  readonly visit: () => void
}

type Result = HtmlNode[] | string | number | boolean

const evaluate = (query: Xpath, scope: Scope): Result => {
  switch (query.kind) {
    case 'literal':
      return query.value
    case 'path':
      return query.steps.reduce<HtmlNode[]>(
        (nodes, step) => unique(nodes.flatMap((node) => stepFrom(node, step, scope))),
        [query.absolute ? scope.root : scope.node],
      )
    case 'union':
      return unique(query.paths.flatMap((path) => nodesOf(evaluate(path, scope))))
    case 'call':
      return call(query.name, query.args, scope)
    case 'operate':
      return operate(query.operator, evaluate(query.left, scope), () => evaluate(query.right, scope))
  }
}

const nodesOf = (value: Result): HtmlNode[] => {
  if (Array.isArray(value)) return value
  throw new DslError('XPath: not a set of nodes')
}
const unique = (nodes: HtmlNode[]): HtmlNode[] => (nodes.length < 2 ? nodes : [...new Set(nodes)])

const stepFrom = (node: HtmlNode, { axis, test, predicates }: XpathStep, scope: Scope): HtmlNode[] => {
  let nodes = along(axis, node, scope.visit).filter((one) => passes(one, test, axis))
  for (const predicate of predicates) {
    const size = nodes.length
    nodes = nodes.filter((one, index) => {
      scope.visit()
      const value = evaluate(predicate, { ...scope, node: one, position: index + 1, size })
      return typeof value === 'number' ? value === index + 1 : truth(value)
    })
  }
  return nodes
}

const passes = (node: HtmlNode, test: string, axis: Axis): boolean => {
  if (test === 'node()') return true
  if (test === 'text()') return node.kind === 'text'
  const kind = axis === 'attribute' ? 'attribute' : 'element'
  return node.kind === kind && (test === '*' || node.name === test)
}

const along = (axis: Axis, node: HtmlNode, visit: () => void): HtmlNode[] => {
  switch (axis) {
    case 'child':
      return [...node.children]
    case 'attribute':
      return [...node.attributes]
    case 'self':
      return [node]
    case 'parent':
      return node.parent ? [node.parent] : []
    case 'ancestor': {
      const found: HtmlNode[] = []
      for (let at = node.parent; at !== null; at = at.parent) found.push(at)
      return found
    }
    case 'following-sibling':
    case 'preceding-sibling': {
      const siblings = node.parent?.children ?? []
      const at = siblings.indexOf(node)
      return axis === 'following-sibling' ? siblings.slice(at + 1) : siblings.slice(0, Math.max(0, at)).toReversed()
    }
    default: {
      const found: HtmlNode[] = axis === 'descendant-or-self' ? [node] : []
      const walk = (from: HtmlNode): void => {
        for (const child of from.children) {
          visit()
          found.push(child)
          walk(child)
        }
      }
      walk(node)
      return found
    }
  }
}

const truth = (value: Result): boolean =>
  Array.isArray(value) ? value.length > 0 : typeof value === 'number' ? value !== 0 : Boolean(value)
const text = (value: Result): string => {
  if (!Array.isArray(value)) return String(value)
  const [first] = value
  return first === undefined ? '' : textContent(first)
}
const number = (value: Result): number => (typeof value === 'number' ? value : Number(text(value).trim() || Number.NaN))

const operate = (operator: string, left: Result, right: () => Result): Result => {
  if (operator === 'and') return truth(left) && truth(right())
  if (operator === 'or') return truth(left) || truth(right())
  const other = right()
  if (operator === '+') return number(left) + number(other)
  if (operator === '-') return number(left) - number(other)
  return spread(left).some((a) => spread(other).some((b) => compare(operator, a, b)))
}

/** A set of nodes compares true when one of its nodes does. */
const spread = (value: Result): (string | number | boolean)[] =>
  Array.isArray(value) ? value.map(textContent) : [value]

const compare = (operator: string, a: string | number | boolean, b: string | number | boolean): boolean => {
  if (operator === '=' || operator === '!=') {
    const equal = typeof a === 'number' || typeof b === 'number' ? Number(a) === Number(b) : String(a) === String(b)
    return equal === (operator === '=')
  }
  const [x, y] = [Number(a), Number(b)]
  if (operator === '<') return x < y
  if (operator === '>') return x > y
  return operator === '<=' ? x <= y : x >= y
}

type Call = (args: readonly Result[], scope: Scope) => Result

const CALLS: Readonly<Record<string, Call>> = {
  contains: ([a = '', b = '']) => text(a).includes(text(b)),
  'starts-with': ([a = '', b = '']) => text(a).startsWith(text(b)),
  'ends-with': ([a = '', b = '']) => text(a).endsWith(text(b)),
  not: ([a = false]) => !truth(a),
  true: () => true,
  false: () => false,
  boolean: ([a = false]) => truth(a),
  count: ([a = []]) => nodesOf(a).length,
  position: (_, { position }) => position,
  last: (_, { size }) => size,
  name: ([a], { node }) => (a === undefined ? node.name : (nodesOf(a)[0]?.name ?? '')),
  'local-name': ([a], { node }) => (a === undefined ? node.name : (nodesOf(a)[0]?.name ?? '')),
  string: ([a], { node }) => (a === undefined ? textContent(node) : text(a)),
  number: ([a = '']) => number(a),
  concat: (args) => args.map(text).join(''),
  'string-length': ([a], { node }) => (a === undefined ? textContent(node) : text(a)).length,
  'normalize-space': ([a], { node }) => (a === undefined ? textContent(node) : text(a)).trim().replace(/\s+/g, ' '),
  'lower-case': ([a = '']) => text(a).toLowerCase(),
  substring: ([a = '', from = 1, length]) => {
    const start = number(from) - 1
    return text(a).slice(Math.max(0, start), length === undefined ? undefined : Math.max(0, start + number(length)))
  },
  'substring-before': ([a = '', b = '']) => text(a).split(text(b))[0] ?? '',
  'substring-after': ([a = '', b = '']) => text(a).split(text(b)).slice(1).join(text(b)),
  translate: ([a = '', from = '', to = '']) => {
    const [source, target] = [[...text(from)], [...text(to)]]
    return [...text(a)].map((char) => (source.includes(char) ? (target[source.indexOf(char)] ?? '') : char)).join('')
  },
  matches: ([a = '', pattern = '']) => compileRegex(text(pattern)).test(bytesOfText(text(a))),
}

export const XPATH_FUNCTIONS: ReadonlySet<string> = new Set(Object.keys(CALLS))

const call = (name: string, args: readonly Xpath[], scope: Scope): Result => {
  const known = CALLS[name]
  if (known === undefined) throw new DslError(`XPath: there is no function "${name}"`)
  return known(
    args.map((arg) => evaluate(arg, scope)),
    scope,
  )
}
