/** What may write is sent within what its form may be sent on a test system. */
import { pageRequest } from '../../../page/exchange.ts'
import type { CollectContext } from '../../module.ts'
import { requestOf } from '../insertion-points/inventory.ts'
import { SHARED } from '../insertion-points/shared.ts'
import type { Operation } from './operations.ts'
import type { Reply } from './parties.ts'

/** By form: how many of its writes were used. Of what has a form for itself, see {@link alone}, the same for all that it sends. */
export type Used = Map<string, number>

/** Null where it may not be sent any more. */
export const bounded = async (
  ctx: CollectContext,
  { template }: Operation,
  send: () => Promise<Reply>,
  used: Used = new Map(),
): Promise<Reply | null> => {
  const asker = {
    ...{ kept: () => 0, used, careful: false },
    get: async (url: string) => ctx.egress.http(pageRequest(url)),
  }
  const work = async () => {
    const reply = await send()
    return { reply, status: 'exchange' in reply ? reply.exchange.status : 0 }
  }
  const sent = await ctx.scope.of(SHARED).writes.send(asker, {
    ...{ request: requestOf(template), changes: false, pursues: true, work },
    another: async () => void (await send()),
  })
  return sent === null ? null : sent.reply
}

/** While the work goes on, nobody else of the run sends to the form of the operation. */
export const alone = <Value>(
  ctx: CollectContext,
  { template }: Operation,
  used: Used,
  work: () => Promise<Value>,
): Promise<Value> => ctx.scope.of(SHARED).writes.alone(used, requestOf(template), work)
