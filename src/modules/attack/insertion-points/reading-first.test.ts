import { expect, it } from 'vitest'
import type { CollectContext } from '../../module.ts'
import { createRunScope } from '../../run-scope.ts'
import type { ProbePoint } from './inventory.ts'
import { afterReading, READING } from './reading-first.ts'

const at = (bound?: number): ProbePoint => ({ request: { ...(bound === undefined ? {} : { bound }) } }) as ProbePoint

/** Of a run with so many seconds left. */
const runOf = (seconds = 3_600) => {
  const stop = new AbortController()
  const ctx = {
    ...{ scope: createRunScope(), signal: stop.signal, secondsToEnd: () => seconds, progress: () => undefined },
  } as unknown as CollectContext
  return { ctx, stop }
}

/** Whether it is done once all that waits for nothing is. */
const isDone = async (work: Promise<unknown>): Promise<boolean> => {
  const later = new Promise<false>((resolve) => setImmediate(() => setImmediate(() => resolve(false))))
  return Promise.race([work.then(() => true), later])
}

it('who may write begins when all who compare are done', async () => {
  const { ctx } = runOf()
  const ends = [ctx.scope.of(READING).begin(), ctx.scope.of(READING).begin()]
  const work = afterReading(ctx, [at(), at(40)])
  expect(await isDone(work)).toBe(false)
  ends[0]?.()
  // Told twice, as by who is done and then comes to its end.
  ends[0]?.()
  expect(await isDone(work)).toBe(false)
  ends[1]?.()
  expect(await isDone(work)).toBe(true)
})

it.each([
  ['who only reads', [at()], true],
  ['who may write, where nobody compares', [at(40)], false],
])('%s waits for nobody', async (_name, points, begins) => {
  const { ctx } = runOf()
  if (begins) ctx.scope.of(READING).begin()
  expect(await isDone(afterReading(ctx, points))).toBe(true)
})

it('waits for a part of the run at most, and not beyond its end', async () => {
  const short = runOf(12.2)
  short.ctx.scope.of(READING).begin()
  await afterReading(short.ctx, [at(40)])
  const { ctx, stop } = runOf()
  ctx.scope.of(READING).begin()
  const work = afterReading(ctx, [at(40)])
  stop.abort(new Error('called off'))
  await expect(work).rejects.toThrow('called off')
})
