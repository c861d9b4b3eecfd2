import { expect, test } from 'vitest'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { fitsOf } from './fits.ts'

const fitsTo = (...values: readonly string[]) => {
  const points = values.map((value) => fakeProbe(() => ({ text: '' }), { value }).probe.point)
  const [first] = points
  return first && fitsOf(points.length === 1 ? first : { value: '907193048', members: points })
}

test.each([
  [['7'], ['number', 'text', 'order']],
  [['name'], ['text', 'order', 'name']],
  [['-name'], ['text', 'order', 'name']],
  [['1,2,3'], ['text', 'number']],
  [['id,customer,tons'], ['text', 'order', 'name']],
  [['Berg, Ada'], ['text']],
  [['name asc'], ['order', 'name', 'text']],
  [['tents.price DESC, name'], ['order', 'name', 'text']],
  [['name,asc'], ['order', 'name', 'text']],
  [['price:desc'], ['order', 'name', 'text']],
  [['price descends'], ['text']],
  [
    ['7', '8'],
    ['number', 'text', 'order'],
  ],
  [
    ['7', 'two words'],
    ['text', 'number', 'order'],
  ],
  [
    ['7', '', 'name'],
    ['text', 'number', 'order', 'name'],
  ],
] as const)('%j: whatever fits any of them', (values, fits) => expect(fitsTo(...values)).toEqual(fits))
