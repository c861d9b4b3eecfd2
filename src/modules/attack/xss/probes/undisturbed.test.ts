import { expect, it } from 'vitest'
import type { CollectContext } from '../../../module.ts'
import { createRunScope } from '../../../run-scope.ts'
import { SHARED } from '../../insertion-points/shared.ts'
import type { Planted } from './stored-pages.ts'
import { untilOthersEnd } from './undisturbed.ts'

const started = () => {
  const scope = createRunScope()
  const ctx = {
    ...{ scope, timeFactor: 1, signal: new AbortController().signal, progress: () => undefined },
  } as unknown as CollectContext
  return { ctx, leave: scope.of(SHARED).writes.join() }
}
const planted = [{ probe: { request: { effect: 'writes' } } }] as unknown as readonly Planted[]

it('waits for other modules as long as it may', async () => {
  const { ctx, leave } = started()
  let over = false
  const end = untilOthersEnd(ctx, planted, 600).then(() => {
    over = true
  })
  await new Promise(setImmediate)
  expect(over).toBe(false)
  leave()
  await end
})

it('and no longer, where the time for what was stored is short', async () => {
  const { ctx } = started()
  await untilOthersEnd(ctx, planted, 0.01)
  await untilOthersEnd(ctx, planted, -3)
  expect(ctx.scope.of(SHARED).writes.othersAsk(new Map())).toBe(true)
})
