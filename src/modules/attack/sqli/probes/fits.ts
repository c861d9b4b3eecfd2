import type { ProbePoint } from '../../insertion-points/inventory.ts'
import { type Boundary, isDirected, isName } from '../payloads.ts'

type Fits = readonly Boundary['fits'][]

/** What the value that stands there says about the statement around it; of a group, what any member's does. */
export const fitsOf = ({ value, members }: Pick<ProbePoint, 'value' | 'members'>): Fits => {
  if (!members) return fitsOfValue(value)
  const each = members.map((member) => fitsOfValue(member.value))
  const numbers = each.every(([first]) => first === 'number')
  return [...new Set([...(numbers ? [] : (['text'] as const)), ...each.flat()])]
}

/** Columns in a list, `id,customer,tons`; what people write has a space behind a comma. */
const NAMES = /^[A-Za-z_][\w.]{0,40}(?:,[A-Za-z_][\w.]{0,40}){1,30}$/

/** An unknown value could be anything. */
const fitsOfValue = (value: string): Fits => {
  if (value === '') return ['text', 'number']
  if (/^-?\d+(\.\d+)?$/.test(value)) return ['number', 'text', 'order']
  // A date, a range, a version, a list of numbers: what begins with a digit may stand there without quotes.
  if (/^\d[\w.,:-]*$/.test(value)) return ['text', 'number']
  if (isDirected(value)) return ['order', 'name', 'text']
  return isName(value) || NAMES.test(value) ? ['text', 'order', 'name'] : ['text']
}
