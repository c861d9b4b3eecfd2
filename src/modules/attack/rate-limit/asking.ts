/** One request of a series, and what became of it. */
import type { HttpExchange, HttpRequest } from '../../../egress/door/egress.ts'
import { targetFailure } from '../../../egress/door/target-failure.ts'
import type { CollectContext } from '../../module.ts'

/** Milliseconds for an answer, where a series does not say. */
const TIMEOUT = 10_000

/** 'left': the border of the run keeps it from leaving, now or from now on. */
export const askOrLeave = async (
  ctx: CollectContext,
  request: HttpRequest,
  timeout: number,
): Promise<HttpExchange | null | 'left'> => {
  try {
    return await ctx.egress.http({ ...request, timeout, maxBody: 256 * 1024 })
  } catch (error) {
    ctx.signal.throwIfAborted()
    const failure = targetFailure(error)
    if (failure === null) throw error
    return failure.code === 'excluded' ? 'left' : null
  }
}

export const ask = async (ctx: CollectContext, request: HttpRequest): Promise<HttpExchange | null> => {
  const exchange = await askOrLeave(ctx, request, TIMEOUT)
  return exchange === 'left' ? null : exchange
}
