/**
 * The grammar of expressions: literals, variables, calls and the operators of the format's expression language, with its
 * precedence. Bounded in depth; whoever nests deeper does not mean it well.
 */
import { bytesOfText } from '../bytes.ts'
import { type Token, tokenize } from './token.ts'
import { DslError } from './value.ts'

export type Expression =
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  /** A string literal that holds `{{…}}`: its pieces are joined, a value is never read as expression. */
  | { readonly kind: 'joined'; readonly parts: readonly Expression[] }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Expression }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'choice'; readonly test: Expression; readonly yes: Expression; readonly no: Expression }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }

const DEEPEST = 100
const LONGEST = 200_000

/** Loosest first. */
const LEVELS: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['==', '!=', '>', '<', '>=', '<=', '=~', '!~', 'in'],
  ['|', '^', '&'],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
  ['**'],
]

/** @throws DslError naming what was expected */
export const parseExpression = (source: string): Expression => {
  if (source.length > LONGEST) throw new DslError(`an expression of ${source.length} characters is too long`)
  const tokens = tokenize(source)
  let at = 0
  let depth = 0
  const peek = (): Token | undefined => tokens[at]
  const is = (text: string): boolean => {
    const token = tokens[at]
    return token !== undefined && (token.kind === 'operator' || token.kind === 'name') && token.text === text
  }
  const take = (text: string): void => {
    if (!is(text)) throw new DslError(`expected "${text}" ${where(tokens[at])}`)
    at += 1
  }

  const choice = (): Expression => {
    depth += 1
    if (depth > DEEPEST) throw new DslError('an expression is nested too deeply')
    let test = binary(0)
    if (is('?')) {
      at += 1
      const yes = choice()
      take(':')
      test = { kind: 'choice', test, yes, no: choice() }
    } else if (is('??')) {
      at += 1
      test = { kind: 'binary', operator: '??', left: test, right: choice() }
    }
    depth -= 1
    return test
  }

  const binary = (level: number): Expression => {
    const operators = LEVELS[level]
    if (operators === undefined) return unary()
    let left = binary(level + 1)
    for (let operator = operators.find(is); operator !== undefined; operator = operators.find(is)) {
      at += 1
      left = { kind: 'binary', operator, left, right: binary(level + 1) }
    }
    return left
  }

  const unary = (): Expression => {
    for (const operator of ['!', '-', '~']) {
      if (!is(operator)) continue
      at += 1
      depth += 1
      if (depth > DEEPEST) throw new DslError('an expression is nested too deeply')
      const operand = unary()
      depth -= 1
      return { kind: 'unary', operator, operand }
    }
    return primary()
  }

  const list = (): Expression[] => {
    const items: Expression[] = []
    take('(')
    while (!is(')')) {
      if (items.length > 0) take(',')
      if (is(')')) break
      items.push(choice())
    }
    take(')')
    return items
  }

  const primary = (): Expression => {
    const token = peek()
    if (token === undefined) throw new DslError('the expression ends too early')
    if (is('(')) {
      const items = list()
      const only = items[0]
      return items.length === 1 && only ? only : { kind: 'list', items }
    }
    at += 1
    if (token.kind === 'number') return { kind: 'literal', value: token.value }
    if (token.kind === 'string') return stringOf(token.text)
    if (token.kind === 'marker') return markerOf(token.text)
    if (token.kind === 'name') {
      if (token.text === 'true' || token.text === 'false') return { kind: 'literal', value: token.text === 'true' }
      if (is('(')) return { kind: 'call', name: token.text, args: list() }
      return { kind: 'variable', name: token.text }
    }
    throw new DslError(`unexpected ${where(token)}`)
  }

  const first = choice()
  // `a, b` at the top is the list of both.
  const items = [first]
  while (is(',')) {
    at += 1
    items.push(choice())
  }
  const expression: Expression = items.length === 1 ? first : { kind: 'list', items }
  if (at < tokens.length) throw new DslError(`unexpected ${where(tokens[at])}`)
  return expression
}

const where = (token: Token | undefined): string =>
  token === undefined
    ? 'at the end'
    : `"${token.kind === 'number' ? token.value : token.text}" at character ${token.at + 1}`

/** `{{x}}` outside of quotes is the variable, or the expression, x. */
const markerOf = (inner: string): Expression => {
  const name = inner.trim()
  return NAME.test(name) ? { kind: 'variable', name } : parseExpression(name)
}

const NAME = /^[\p{L}_][\p{L}\p{N}_.-]*$/u
const MARKER = /\{\{([^{}]+)\}\}/g

const stringOf = (text: string): Expression => {
  if (!text.includes('{{')) return { kind: 'literal', value: bytesOfText(text) }
  const parts: Expression[] = []
  let last = 0
  for (const match of text.matchAll(MARKER)) {
    const inner = tryParse(match[1] ?? '')
    if (inner === null) continue
    if (match.index > last) parts.push({ kind: 'literal', value: bytesOfText(text.slice(last, match.index)) })
    parts.push(inner)
    last = match.index + match[0].length
  }
  if (last < text.length) parts.push({ kind: 'literal', value: bytesOfText(text.slice(last)) })
  const only = parts[0]
  return parts.length === 1 && only?.kind === 'literal' ? only : { kind: 'joined', parts }
}

/** Text between braces that is no expression stands for itself. */
const tryParse = (inner: string): Expression | null => {
  try {
    const expression = markerOf(inner)
    return refersToAnything(expression) ? expression : null
  } catch (error) {
    if (error instanceof DslError) return null
    throw error
  }
}

/** False where it is made of literals alone, such as `7*7`. */
export const refersToAnything = (expression: Expression): boolean => {
  switch (expression.kind) {
    case 'literal':
      return false
    case 'variable':
    case 'call':
      return true
    case 'joined':
      return expression.parts.some(refersToAnything)
    case 'list':
      return expression.items.some(refersToAnything)
    case 'unary':
      return refersToAnything(expression.operand)
    case 'binary':
      return refersToAnything(expression.left) || refersToAnything(expression.right)
    case 'choice':
      return [expression.test, expression.yes, expression.no].some(refersToAnything)
  }
}

/** Names of the variables and functions that it uses. */
export const namesIn = (
  expression: Expression,
  into: { readonly variables: Set<string>; readonly functions: Set<string> },
): typeof into => {
  if (expression.kind === 'variable') into.variables.add(expression.name)
  if (expression.kind === 'call') into.functions.add(expression.name)
  for (const child of childrenOf(expression)) namesIn(child, into)
  return into
}

export const childrenOf = (expression: Expression): readonly Expression[] => {
  switch (expression.kind) {
    case 'joined':
      return expression.parts
    case 'list':
      return expression.items
    case 'call':
      return expression.args
    case 'unary':
      return [expression.operand]
    case 'binary':
      return [expression.left, expression.right]
    case 'choice':
      return [expression.test, expression.yes, expression.no]
    default:
      return []
  }
}
