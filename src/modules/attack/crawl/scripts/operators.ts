/** What operators give of values that are partly known. */
import type { AnyNode, Node } from 'acorn'
import { choice, isOpen, known, unknown, type Value } from './value.ts'

export const either = (operator: string, left: Value, right: () => Value): Value => {
  if (operator === '&&') return right()
  // An empty text gives way, too.
  if (known(left) === '' || (left.kind === 'data' && left.value === null)) return right()
  if (left.kind === 'param') return choice([left, right()])
  return isOpen(left) && left.kind !== 'made' ? either('&&', left, right) : left
}

/** `+text` is a number, whatever the text is. */
export const unary = (operator: string, argument: Node, value: () => Value): Value => {
  const one = argument as AnyNode
  if (operator === 'void') return unknown('undefined')
  if (operator === '+') return asNumber(value())
  if (one.type !== 'Literal' || typeof one.value !== 'number') return unknown()
  if (operator === '!') return { kind: 'data', value: one.value === 0 }
  return operator === '-' ? { kind: 'data', value: -one.value } : unknown()
}

/** What nobody can tell stands for itself in addresses, and in documents for a number. */
const asNumber = (value: Value): Value => {
  const said = Number(known(value) ?? Number.NaN)
  if (Number.isFinite(said)) return { kind: 'data', value: said }
  return value.kind === 'unknown' && value.example === undefined ? unknown(value.name, 1) : value
}
