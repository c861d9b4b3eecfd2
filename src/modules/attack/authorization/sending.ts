/** What may write is sent within what its form may be sent on a test system. */
import type { HttpRequest } from '../../../egress/door/egress.ts'
import type { CollectContext } from '../../module.ts'
import { sendBounded } from '../insertion-points/bounded-sending.ts'
import { requestOf } from '../insertion-points/inventory.ts'
import { SHARED } from '../insertion-points/shared.ts'
import type { Operation } from './operations.ts'
import type { Reply } from './parties.ts'

/** By form: how many of its writes were used. Of what has a form for itself, see {@link alone}, the same for all that it sends. */
export type Used = Map<string, number>

/** Null where it may not be sent any more. */
export const bounded = (
  ctx: CollectContext,
  { template }: Operation,
  request: HttpRequest,
  send: () => Promise<Reply>,
  used: Used = new Map(),
): Promise<Reply | null> => {
  const statusOf = (reply: Reply): number => ('exchange' in reply ? reply.exchange.status : 0)
  return sendBounded(ctx, { template, request, send, statusOf, used })
}

/** While the work goes on, nobody else of the run sends to the form of the operation. */
export const alone = <Value>(
  ctx: CollectContext,
  { template }: Operation,
  used: Used,
  work: () => Promise<Value>,
): Promise<Value> => ctx.scope.of(SHARED).writes.alone(used, requestOf(template), work)
