import { expect, it } from 'vitest'
import { startDeadline } from './deadline.ts'
import { EgressError } from './egress.ts'

const reasonOf = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(signal.reason)
    signal.addEventListener('abort', () => resolve(signal.reason), { once: true })
  })

it.each([
  ['the run is cancelled', new Error('cancelled by a person'), 'aborted'],
  ['the request around it is out of time', new EgressError('timeout', 'GET /: no answer within 10 ms'), 'timeout'],
  ['the budget is spent', new EgressError('budget', 'spent'), 'budget'],
])('ends as what is around it does: %s', async (_name, reason, code) => {
  const outer = new AbortController()
  const deadline = startDeadline(60_000, outer.signal, 'GET /')
  outer.abort(reason)
  expect(await reasonOf(deadline.signal)).toMatchObject({ code })
  deadline.end()
})

it('ends by its own clock', async () => {
  const deadline = startDeadline(1, new AbortController().signal, 'GET /')
  expect(await reasonOf(deadline.signal)).toMatchObject({ code: 'timeout' })
  deadline.end()
})

it('is over at once where what is around it is', () => {
  const outer = AbortSignal.abort(new EgressError('timeout', 'late'))
  const deadline = startDeadline(60_000, outer, 'GET /')
  expect(deadline.signal.reason).toMatchObject({ code: 'timeout' })
  deadline.end()
})
