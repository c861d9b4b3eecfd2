import { expect, it } from 'vitest'
import { EgressError } from '../../../egress/door/egress.ts'
import { Bounded } from './prober.ts'
import { memory } from './shared.ts'

const textMemory = (most: number) => memory<string>((text) => text.length, most)

it('asks once, however many want it at once', async () => {
  const recall = textMemory(100)
  let asked = 0
  const ask = async () => {
    asked += 1
    return 'answer'
  }
  expect(await Promise.all([recall('a', ask), recall('a', ask), recall('a', ask)])).toEqual(Array(3).fill('answer'))
  expect(asked).toBe(1)
})

it('forgets what was kept longest when it holds too much', async () => {
  const recall = textMemory(10)
  const asked: string[] = []
  const ask = (key: string) => () => {
    asked.push(key)
    return Promise.resolve('x'.repeat(4))
  }
  for (const key of ['a', 'b', 'c', 'c', 'b', 'a']) await recall(key, ask(key))
  expect(asked).toEqual(['a', 'b', 'c', 'a'])
})

it.each(['aborted', 'budget'] as const)('what one module could not ask (%s), the next asks', async (code) => {
  const recall = textMemory(100)
  const failing = recall('a', () => Promise.reject(new EgressError(code, 'gone')))
  const waiting = recall('a', async () => 'answer')
  await expect(failing).rejects.toThrow('gone')
  expect(await waiting).toBe('answer')
})

it('what one module may not send to a form any more another may', async () => {
  const recall = textMemory(100)
  await expect(recall('a', () => Promise.reject(new Bounded()))).rejects.toThrow(Bounded)
  expect(await recall('a', async () => 'answer')).toBe('answer')
})

it('a failure of the place is everybody’s', async () => {
  const recall = textMemory(100)
  await expect(recall('a', () => Promise.reject(new Error('blocked')))).rejects.toThrow('blocked')
  await expect(recall('a', async () => 'answer')).rejects.toThrow('blocked')
})
