import { expect, test } from 'vitest'
import { sleep } from './sleep.ts'

test('a sleep ends by itself', async () => {
  await expect(sleep(1, new AbortController().signal)).resolves.toBeUndefined()
})

test.each(['before', 'meanwhile'])('and by its signal, with the reason of that: aborted %s', async (moment) => {
  const controller = new AbortController()
  const reason = new Error('enough')
  if (moment === 'before') controller.abort(reason)
  const slept = sleep(600_000, controller.signal)
  controller.abort(reason)
  await expect(slept).rejects.toBe(reason)
})
