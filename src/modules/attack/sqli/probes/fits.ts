import type { ProbePoint } from '../../insertion-points/inventory.ts'
import { type Boundary, isName } from '../payloads.ts'

/** What the value that stands there says about the statement around it. An unknown value could be anything. */
export const fitsOf = ({ value }: ProbePoint): readonly Boundary['fits'][] => {
  if (value === '') return ['text', 'number']
  if (/^-?\d+(\.\d+)?$/.test(value)) return ['number', 'text', 'order']
  // A date, a range, a version: what begins with a digit may stand there without quotes.
  if (/^\d[\w.:-]*$/.test(value)) return ['text', 'number']
  return isName(value) ? ['text', 'order', 'name'] : ['text']
}
