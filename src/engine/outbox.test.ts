import { expect, it } from 'vitest'
import { createOutbox } from './outbox.ts'
import type { FromChild } from './protocol.ts'

const progress = (value: number): FromChild => ({ type: 'progress', phase: 'passive', detail: '', progress: value })
const ended: FromChild = { type: 'ended', result: 'completed' }

it('sends one message at a time, in order', async () => {
  const taken: FromChild[] = []
  let open = 0
  const outbox = createOutbox(
    async (message) => {
      open += 1
      expect(open).toBe(1)
      await new Promise((resolve) => setImmediate(resolve))
      open -= 1
      taken.push(message)
    },
    () => undefined,
  )
  const audit: FromChild = { type: 'audit', entries: [] }
  for (const message of [progress(1), audit, ended]) outbox.post(message)
  await outbox.flushed()
  expect(taken).toEqual([progress(1), audit, ended])
})

it('replaces progress that still waits', async () => {
  const gate = Promise.withResolvers<void>()
  const taken: FromChild[] = []
  const outbox = createOutbox(
    async (message) => {
      await gate.promise
      taken.push(message)
    },
    () => undefined,
  )
  for (const value of [1, 2, 3]) outbox.post(progress(value))
  gate.resolve()
  await outbox.flushed()
  expect(taken).toEqual([progress(1), progress(3)])
})

it('drops everything once the worker is gone, and says so', async () => {
  const sent: FromChild[] = []
  const lost: unknown[] = []
  const outbox = createOutbox(
    async (message) => {
      sent.push(message)
      throw new Error('channel closed')
    },
    (error) => lost.push(error),
  )
  outbox.post(ended)
  outbox.post(ended)
  await expect(outbox.flushed()).rejects.toThrow('the worker is gone')
  outbox.post(ended)
  expect([sent.length, lost.length]).toEqual([1, 1])
})
