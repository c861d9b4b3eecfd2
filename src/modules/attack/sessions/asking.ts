/** Goes through what a question applies to, and keeps count of what was asked and what kept the rest from it. */
import { SESSION_LOST } from '../../../contract/reach.ts'
import { EgressError, type HttpExchange, type HttpRequest } from '../../../egress/door/egress.ts'
import { targetFailure } from '../../../egress/door/target-failure.ts'
import { faultReason } from '../../faults.ts'
import type { CollectContext } from '../../module.ts'
import type { Topic } from './facts.ts'

/** What it applies to could not be asked to the end; the message follows a number. */
export class Left extends Error {}

const MOST_BODY = 512 * 1024
const TIMEOUT = 10_000

const REASONS: Readonly<Record<string, string>> = {
  excluded: 'left alone by the policy of the run',
  auth_lost: SESSION_LOST,
}

/** @throws Left where nothing answers, or the policy or the session keeps it from leaving */
export const ask = (ctx: CollectContext, request: HttpRequest): Promise<HttpExchange> =>
  spoken(ctx, () => ctx.egress.http({ timeout: TIMEOUT, maxBody: MOST_BODY, ...request }))

/** @throws Left likewise */
export const spoken = async <Value>(ctx: CollectContext, work: () => Promise<Value>): Promise<Value> => {
  try {
    return await work()
  } catch (error) {
    ctx.signal.throwIfAborted()
    const failure = targetFailure(error)
    if (failure === null) throw error
    throw new Left(REASONS[failure.code] ?? 'without an answer', { cause: error })
  }
}

export const notAsked = (state: 'not_applicable' | 'not_tested', reason: string): Topic<never> => ({
  ...{ none: { state, reason }, known: 0, asked: 0, left: {}, seen: [] },
})

/** By how the session is carried, whatever the site's pages hold. */
export const neverApplies = (reason: string): Topic<never> => ({
  ...notAsked('not_applicable', reason),
  none: { state: 'not_applicable', reason, anyway: true },
})

/** One after the other; one that fails costs itself alone. `until`: by performance.now(). */
export const goThrough = async <Item, Seen>(
  ctx: CollectContext,
  { name, items, until, left = {} }: Going<Item>,
  work: (item: Item) => Promise<readonly Seen[]>,
): Promise<Topic<Seen>> => {
  const counts = new Map(Object.entries(left))
  const known = items.length + [...counts.values()].reduce((sum, count) => sum + count, 0)
  const seen: Seen[] = []
  let asked = 0
  let fault: string | undefined
  const leave = (reason: string): void => void counts.set(reason, (counts.get(reason) ?? 0) + 1)
  for (const [index, item] of items.entries()) {
    ctx.progress(`${name}: ${index} of ${items.length}`)
    if (performance.now() > until) {
      leave('not reached, as its time was used up')
      continue
    }
    try {
      seen.push(...(await work(item)))
      asked += 1
    } catch (error) {
      ctx.signal.throwIfAborted()
      if (error instanceof Left) leave(error.message)
      else if (error instanceof EgressError && error.code === 'budget') leave('not reached, as the budget was spent')
      else if (error instanceof EgressError) throw error
      else {
        fault = ctx.fault(error, name)
        leave(`left by ${faultReason(fault)}`)
      }
    }
  }
  return { none: null, known, asked, left: Object.fromEntries(counts), seen, ...(fault === undefined ? {} : { fault }) }
}

interface Going<Item> {
  /** Told to people. */
  readonly name: string
  readonly items: readonly Item[]
  readonly until: number
  /** Known, and not to be asked, by reason. */
  readonly left?: Readonly<Record<string, number>>
}
