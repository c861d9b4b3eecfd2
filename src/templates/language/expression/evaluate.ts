/** Evaluates a parsed expression. Values that came from an answer are data: nothing here reads them as expression. */
import { type FunctionContext, functionNamed } from './functions.ts'
import type { Expression } from './parse.ts'
import { DslError, type Lookup, numberOf, textOf, type Value } from './value.ts'

/** @throws DslError for an unknown variable or function, a wrong type, and a bound that was overstepped */
export const evaluate = (expression: Expression, lookup: Lookup, context: FunctionContext): Value => {
  switch (expression.kind) {
    case 'literal':
      return expression.value
    case 'variable': {
      const value = lookup(expression.name)
      if (value === undefined) throw new DslError(`there is no variable "${expression.name}"`)
      return value
    }
    case 'joined':
      return bounded(expression.parts.map((part) => textOf(evaluate(part, lookup, context))).join(''))
    case 'list':
      return expression.items.map((item) => evaluate(item, lookup, context))
    case 'call': {
      const { name, args } = expression
      const indexed = context.contains ? containsByIndex(expression, lookup, context.contains) : undefined
      if (indexed !== undefined) return indexed
      const known = functionNamed(name)
      if (known === null) throw new DslError(`there is no function "${name}"`)
      if (args.length < known.min || args.length > known.max) throw new DslError(`${name} has ${args.length} arguments`)
      return bounded(
        known.call(
          args.map((arg) => evaluate(arg, lookup, context)),
          context,
        ),
      )
    }
    case 'unary':
      return unary(expression.operator, evaluate(expression.operand, lookup, context))
    case 'choice':
      return truth(evaluate(expression.test, lookup, context), '?')
        ? evaluate(expression.yes, lookup, context)
        : evaluate(expression.no, lookup, context)
    case 'binary':
      return binary(expression.operator, expression.left, expression.right, (side) => evaluate(side, lookup, context))
  }
}

type Call = Extract<Expression, { kind: 'call' }>

/** `contains(body, "x")` and its kin with literal words: the words may have been looked for with all others at once. */
const containsByIndex = (
  { name, args }: Call,
  lookup: Lookup,
  contains: NonNullable<FunctionContext['contains']>,
): boolean | undefined => {
  const found = wordsAskedBy(name, args)
  const value = found === null ? undefined : lookup(found.part)
  if (found === null || typeof value !== 'string') return undefined
  let any = false
  for (const word of found.words) {
    const has = contains(found.part, value, word, found.lower)
    if (has === undefined) return undefined
    any ||= has
    if (!has && found.all) return false
  }
  return found.all || any
}

/** The literal words that a call looks for in a part; null where it is no such call. */
export const wordsAskedBy = (name: string, args: readonly Expression[]) => {
  const all = ALL_OF[name]
  if (all === undefined || args.length < 2) return null
  const [whole, ...others] = args
  const inner = whole?.kind === 'call' && /^to_?lower$/.test(whole.name) ? whole.args[0] : null
  const part = inner ?? whole
  if (part?.kind !== 'variable' || !INDEXED.test(part.name)) return null
  const words: string[] = []
  for (const other of others) {
    if (other.kind !== 'literal' || typeof other.value !== 'string') return null
    words.push(other.value)
  }
  return { part: part.name, lower: inner !== null, words, all }
}

const INDEXED = /^(?:body|header|all_headers|response)(?:_\d+)?$/
/** True where every word has to be there. */
const ALL_OF: Readonly<Record<string, boolean>> = {
  contains: true,
  contains_all: true,
  containsall: true,
  contains_any: false,
  containsany: false,
}

/** Characters of one value: what a template may blow a value up to. */
const LARGEST = 16 * 1024 * 1024

const bounded = (value: Value): Value => {
  if (typeof value === 'string' && value.length > LARGEST) throw new DslError('a value grew beyond 16 MiB')
  return value
}

const truth = (value: Value, operator: string): boolean => {
  if (typeof value !== 'boolean') throw new DslError(`"${operator}" needs true or false, not ${typeof value}`)
  return value
}

const unary = (operator: string, value: Value): Value => {
  if (operator === '!') return !truth(value, '!')
  const number = numberOf(value, `the operand of "${operator}"`)
  return operator === '-' ? -number : ~number
}

const binary = (operator: string, left: Expression, right: Expression, value: (side: Expression) => Value): Value => {
  // The right side is not looked at when the left decides: it may use what is not there.
  if (operator === '&&') return truth(value(left), '&&') && truth(value(right), '&&')
  if (operator === '||') return truth(value(left), '||') || truth(value(right), '||')
  if (operator === '??') return value(left) ?? value(right)
  const a = value(left)
  const b = value(right)
  switch (operator) {
    case '==':
      return same(a, b)
    case '!=':
      return !same(a, b)
    case '+':
      return typeof a === 'string' || typeof b === 'string' ? bounded(textOf(a) + textOf(b)) : number(a, b, operator)
    case '>':
    case '<':
    case '>=':
    case '<=':
      return compared(operator, a, b)
    case '=~':
      return matches(a, b)
    case '!~':
      return !matches(a, b)
    case 'in':
      return Array.isArray(b) && b.some((item) => same(a, item))
    default:
      return number(a, b, operator)
  }
}

const same = (a: Value, b: Value): boolean =>
  Array.isArray(a) && Array.isArray(b)
    ? a.length === b.length && a.every((item, index) => same(item, b[index] ?? null))
    : a === b

const compared = (operator: string, a: Value, b: Value): boolean => {
  const text = typeof a === 'string' && typeof b === 'string'
  if (!text && (typeof a !== 'number' || typeof b !== 'number')) {
    throw new DslError(`"${operator}" compares two numbers or two texts`)
  }
  if (operator === '>') return a > b
  if (operator === '<') return a < b
  return operator === '>=' ? a >= b : a <= b
}

const matches = (a: Value, b: Value): boolean => {
  const regex = functionNamed('regex')
  return regex !== null && regex.call([textOf(b), textOf(a)], {}) === true
}

const number = (a: Value, b: Value, operator: string): number => {
  const x = numberOf(a, `the left side of "${operator}"`)
  const y = numberOf(b, `the right side of "${operator}"`)
  return (ARITHMETIC[operator] ?? (() => Number.NaN))(x, y)
}

const ARITHMETIC: Readonly<Record<string, (x: number, y: number) => number>> = {
  '+': (x, y) => x + y,
  '-': (x, y) => x - y,
  '*': (x, y) => x * y,
  '/': (x, y) => x / y,
  '%': (x, y) => x % y,
  '**': (x, y) => x ** y,
  '|': (x, y) => x | y,
  '&': (x, y) => x & y,
  '^': (x, y) => x ^ y,
  '<<': (x, y) => x << y,
  '>>': (x, y) => x >> y,
}
