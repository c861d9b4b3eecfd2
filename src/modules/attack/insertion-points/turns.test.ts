import { expect, it } from 'vitest'
import { createTurns, type Turns } from './turns.ts'

/** Works that end when they are told to, and what ran beside what. */
const watched = (turns: Turns) => {
  const running = new Set<string>()
  const beside: string[] = []
  const ends = new Map<string, () => void>()
  const begin = (kind: 'few' | 'alone', name: string, most?: number): Promise<string> =>
    turns[kind](async () => {
      running.add(name)
      beside.push([...running].toSorted().join(' '))
      await new Promise<void>((resolve) => ends.set(name, resolve))
      running.delete(name)
      return name
    }, most)
  const end = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) ends.get(name)?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { begin, end, beside }
}

it('lets a few run side by side, and one alone with nothing beside it, in their order', async () => {
  const { begin, end, beside } = watched(createTurns(2))
  const all = Promise.all([
    begin('few', 'a'),
    begin('few', 'b'),
    begin('few', 'c'),
    begin('alone', 'X'),
    begin('few', 'd'),
  ])
  await end()
  expect(beside).toEqual(['a', 'a b'])
  await end('a')
  expect(beside).toEqual(['a', 'a b', 'b c'])
  await end('b')
  expect(beside).toHaveLength(3)
  await end('c')
  expect(beside.at(-1)).toBe('X')
  await end('X')
  expect(beside.at(-1)).toBe('d')
  await end('d')
  expect(await all).toEqual(['a', 'b', 'c', 'X', 'd'])
})

it('goes on after what fails', async () => {
  const { few, alone } = createTurns(1)
  await expect(alone(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
  await expect(few(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
  expect(await alone(async () => 'on')).toBe('on')
})

it('lets fewer run where they say so, and half as many from when they hold each other up', async () => {
  const turns = createTurns(3)
  const { begin, end, beside } = watched(turns)
  const all = Promise.all([begin('few', 'a'), begin('few', 'b', 2), begin('few', 'c', 2), begin('few', 'd')])
  await end()
  expect(beside).toEqual(['a', 'a b'])
  await end('a')
  expect(beside.slice(2)).toEqual(['b c', 'b c d'])
  turns.narrow()
  turns.narrow()
  const later = Promise.all([begin('few', 'e'), begin('few', 'f')])
  await end('b', 'c')
  expect(beside).toHaveLength(4)
  await end('d')
  expect(beside.at(-1)).toBe('e')
  await end('e')
  expect(beside.at(-1)).toBe('f')
  await end('f')
  expect(await all).toEqual(['a', 'b', 'c', 'd'])
  expect(await later).toEqual(['e', 'f'])
})

it.each([
  ['end when the wait does', [1_405, 1_410, 1_420], ['a']],
  ['came before the wait was seen to end', [1_395, 1_396, 1_397], ['a']],
  ['end at other times', [700, 900, 1_900], ['a', 'a b']],
])('lets one wait at a time from when others that %s were late', async (_name, ends, expected) => {
  const turns = createTurns(3)
  for (const to of ends.filter((one) => one < 1_400)) turns.late({ from: 30, to })
  turns.waited({ from: 0, to: 1_400 })
  for (const to of ends.filter((one) => one > 1_400)) turns.late({ from: 30, to })
  const { begin, end, beside } = watched(turns)
  const all = Promise.all([begin('few', 'a'), begin('few', 'b')])
  await end()
  expect(beside).toEqual(expected)
  await end('a')
  await end('b')
  expect(await all).toEqual(['a', 'b'])
})
