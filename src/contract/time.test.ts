import { expect, test } from 'vitest'
import { Day, Timestamp } from './time.ts'

test.each([
  ['the first moment', '0001-01-01T00:00:00Z', true],
  ['the last one', '9999-12-31T23:59:59.999Z', true],
  ['more digits than a clock has', '9999-12-31T23:59:59.999999999999Z', true],
  ['a year that no calendar has', '0000-12-31T00:00:00Z', false],
  ['before the first moment, by its offset', '0001-01-01T00:00:00+23:59', false],
  ['after the last one, by its offset', '9999-12-31T23:59:59-00:01', false],
])('a time: %s', (_, text, taken) => {
  expect(Timestamp.safeParse(text).success).toBe(taken)
})

test.each([
  ['0001-01-01', true],
  ['9999-12-31', true],
  ['0000-01-01', false],
])('a day: %s', (text, taken) => {
  expect(Day.safeParse(text).success).toBe(taken)
})
