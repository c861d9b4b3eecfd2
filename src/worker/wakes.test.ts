import { expect, test } from 'vitest'
import { createWakes } from './wakes.ts'

const wakesAt = () => {
  let now = 0
  const wakes = createWakes(() => now)
  return {
    ...wakes,
    pass: (milliseconds: number) => {
      now += milliseconds
    },
    /** How many of so many wakes are followed. */
    followed: (wakes_: number): number => Array.from({ length: wakes_ }, wakes.follow).filter(Boolean).length,
  }
}

test('of wakes in vain a few are followed, and then one now and then', () => {
  const { followed, pass } = wakesAt()
  expect(followed(1_000)).toBe(8)
  pass(9_999)
  expect(followed(1_000)).toBe(0)
  pass(1)
  expect(followed(1_000)).toBe(1)
  pass(25_000)
  expect(followed(1_000)).toBe(2)
  pass(5_000)
  expect(followed(1_000)).toBe(1)
  pass(3_600_000)
  expect(followed(1_000)).toBe(8)
})

test('who finds something follows each again', () => {
  const { followed, found } = wakesAt()
  expect(followed(10)).toBe(8)
  found()
  expect(followed(10)).toBe(8)
})
