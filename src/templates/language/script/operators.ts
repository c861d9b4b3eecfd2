/** Operators over script values. */
import { isObject, numberOf, ScriptError, type ScriptValue, stringOf } from './value.ts'

const LONGEST = 16 * 1024 * 1024

export const evaluateBinary = (operator: string, a: ScriptValue, b: ScriptValue): ScriptValue => {
  switch (operator) {
    case '+': {
      if (typeof a === 'number' && typeof b === 'number') return a + b
      const text = stringOf(a) + stringOf(b)
      if (text.length > LONGEST) throw new ScriptError('a text grew beyond 16 MiB')
      return text
    }
    case '===':
      return a === b
    case '!==':
      return a !== b
    case '==':
      return equal(a, b)
    case '!=':
      return !equal(a, b)
    case '<':
    case '>':
    case '<=':
    case '>=':
      return order(operator, a, b)
    case 'in':
      return isObject(b) && b.members.has(stringOf(a))
    case 'instanceof':
      return false
    default: {
      const reckon = ARITHMETIC[operator]
      if (reckon === undefined) throw new ScriptError(`${operator} is not part of the subset`)
      return reckon(numberOf(a), numberOf(b))
    }
  }
}

export const evaluateAssignment = (operator: string, a: ScriptValue, b: ScriptValue): ScriptValue =>
  evaluateBinary(operator.slice(0, -1), a, b)

const equal = (a: ScriptValue, b: ScriptValue): boolean => {
  if (a === null || a === undefined || b === null || b === undefined) return (a ?? null) === (b ?? null)
  if (typeof a === typeof b) return a === b
  if (typeof a === 'object' || typeof b === 'object') return stringOf(a) === stringOf(b)
  return numberOf(a) === numberOf(b)
}

const order = (operator: string, a: ScriptValue, b: ScriptValue): boolean => {
  const [x, y] = typeof a === 'string' && typeof b === 'string' ? [a, b] : [numberOf(a), numberOf(b)]
  if (operator === '<') return x < y
  if (operator === '>') return x > y
  return operator === '<=' ? x <= y : x >= y
}

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '**': (a, b) => a ** b,
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '<<': (a, b) => a << b,
  '>>': (a, b) => a >> b,
  '>>>': (a, b) => a >>> b,
}
