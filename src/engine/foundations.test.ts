import { expect, test } from 'vitest'
import { watchFoundations } from './foundations.ts'

/** What a judgement might do, and how it is undone. */
const WRITES: readonly (readonly [string, () => void, () => void])[] = [
  [
    'a name put into the prototype of all objects',
    () => Object.assign(Object.prototype, { admin: true }),
    () => Reflect.deleteProperty(Object.prototype, 'admin'),
  ],
  [
    'a method of lists replaced',
    () => Reflect.set(Array.prototype, 'at', () => undefined),
    () => Reflect.set(Array.prototype, 'at', AT),
  ],
  [
    'a global name',
    () => Reflect.set(globalThis, 'seenBefore', 1),
    () => Reflect.deleteProperty(globalThis, 'seenBefore'),
  ],
  [
    'a method taken away',
    () => Reflect.deleteProperty(String.prototype, 'at'),
    () => Object.defineProperty(String.prototype, 'at', { value: TEXT_AT, writable: true, configurable: true }),
  ],
]
const AT = Array.prototype.at
const TEXT_AT = String.prototype.at

test.each(WRITES)('%s is seen, and once undone nothing is', (_, write, undo) => {
  const asBefore = watchFoundations()
  expect(asBefore()).toBe(true)
  write()
  const seen = asBefore()
  undo()
  expect(seen).toBe(false)
  expect(asBefore()).toBe(true)
})

test('ordinary work changes nothing', () => {
  const asBefore = watchFoundations()
  expect(new URL('http://shop.test/').searchParams.size).toBe(0)
  expect(structuredClone({ a: [1] })).toEqual({ a: [1] })
  expect(asBefore()).toBe(true)
})
