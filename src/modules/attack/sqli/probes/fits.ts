import type { ProbePoint } from '../../insertion-points/inventory.ts'
import { type Boundary, isName } from '../payloads.ts'

/** What the value that stands there says about the statement around it. An unknown value could be anything. */
export const fitsOf = ({ value }: ProbePoint): readonly Boundary['fits'][] => {
  if (value === '') return ['text', 'number']
  if (/^-?\d+(\.\d+)?$/.test(value)) return ['number', 'text', 'order']
  return isName(value) ? ['text', 'order', 'name'] : ['text']
}
