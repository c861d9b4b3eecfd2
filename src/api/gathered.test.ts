import { expect, test } from 'vitest'
import { gathered } from './gathered.ts'

const soon = () => new Promise((resolve) => setImmediate(resolve))

/** Answers a question with itself in capitals; those that name a fault fail. `asked`: of each statement what it asked for. */
const asking = (most?: number) => {
  const asked: (readonly string[])[] = []
  let ends = 0
  const ask = gathered(
    async (words: readonly string[]) => {
      asked.push(words)
      await soon()
      if (words.includes('fault')) throw new Error('away')
      return words.map((word) => word.toUpperCase())
    },
    {
      ...(most === undefined ? {} : { most }),
      idle: () => {
        ends += 1
      },
    },
  )
  return { ask, asked, ends: () => ends }
}

test('what is asked in one turn is asked at once, and what comes meanwhile by the next', async () => {
  const { ask, asked, ends } = asking()
  const first = Promise.all(['a', 'b', 'a'].map(ask))
  await soon()
  const next = Promise.all(['c', 'd'].map(ask))
  expect([await first, await next]).toEqual([
    ['A', 'B', 'A'],
    ['C', 'D'],
  ])
  expect(asked).toEqual([
    ['a', 'b', 'a'],
    ['c', 'd'],
  ])
  expect(ends()).toBe(1)
  expect(await ask('e')).toBe('E')
  expect(ends()).toBe(2)
})

test('no more than so many by one statement', async () => {
  const { ask, asked } = asking(2)
  expect(await Promise.all(['a', 'b', 'c', 'd', 'e'].map(ask))).toEqual(['A', 'B', 'C', 'D', 'E'])
  expect(asked.map(({ length }) => length)).toEqual([2, 2, 1])
})

test('what fails is told to those that it was asked for, and to nobody else', async () => {
  const { ask } = asking(2)
  const answers = await Promise.allSettled(['a', 'fault', 'b'].map(ask))
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
  expect(await ask('c')).toBe('C')
})

test('fewer answers than questions are a fault', async () => {
  await expect(gathered(async (): Promise<string[]> => [])('a')).rejects.toThrow('0 answers to 1 questions')
})
