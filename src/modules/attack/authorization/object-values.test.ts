import { expect, test } from 'vitest'
import { nobodysLike, packedNumberOf } from './object-values.ts'

test.each([
  ['YmlsbC0z', 'bill-3'],
  ['NDI=', '42'],
  ['NDI', '42'],
  ['Mw==', '3'],
  ['aW52b2ljZTo0Mg==', 'invoice:42'],
])('%s is %s', (value, text) => {
  expect(packedNumberOf(value)).toBe(text)
})

test.each(['plan', 'MA', 'test', 'classic', 'Hannah', '12345678', 'strtoupper', 'compost.txt', 'April', 'YmlsbC0', ''])(
  '%j is no number in base64',
  (value) => {
    expect(packedNumberOf(value)).toBeNull()
  },
)

test("what is nobody's has the same form", () => {
  expect(packedNumberOf(nobodysLike('YmlsbC0z'))).toMatch(/^bill-3\d{6}$/)
  expect(nobodysLike('7')).toMatch(/^7\d{6}$/)
})
