/** Goes through what a topic applies to, and keeps count of what was asked and what kept the rest from it. */
import { SESSION_LOST } from '../../../contract/reach.ts'
import { EgressError, type HttpExchange, type HttpRequest } from '../../../egress/door/egress.ts'
import { targetFailure } from '../../../egress/door/target-failure.ts'
import { doneSurely } from '../../doubtful.ts'
import { faultReason } from '../../faults.ts'
import type { CollectContext } from '../../module.ts'
import type { Asked } from './facts.ts'

const MOST_BODY = 512 * 1024
const TIMEOUT = 10_000

/** What it applies to could not be asked to the end; the message follows a number. */
export class Left extends Error {}

/** @throws Left where nothing answers, or the policy or the session keeps it from leaving */
export const ask = async (ctx: CollectContext, request: HttpRequest): Promise<HttpExchange> => {
  try {
    return await ctx.egress.http({ timeout: TIMEOUT, maxBody: MOST_BODY, ...request })
  } catch (error) {
    ctx.signal.throwIfAborted()
    const failure = targetFailure(error)
    if (failure === null) throw error
    throw new Left(REASONS[failure.code] ?? 'without an answer', { cause: error })
  }
}

const REASONS: Readonly<Record<string, string>> = {
  excluded: 'left alone by the policy of the run',
  auth_lost: SESSION_LOST,
}

export interface Topic<Item, Hit> {
  /** Told to people: "tokens". */
  readonly name: string
  readonly items: readonly Item[]
  /** Known, and not to be asked, by reason. */
  readonly left?: Readonly<Record<string, number>>
  /** By performance.now(). */
  readonly until: number
  /** Items at a time; default 1. */
  readonly atOnce?: number
  /** Never again, whatever became of the session: a second time does harm. */
  readonly once?: true
  /** Told of each hit as it shows, so that it stands whatever comes after it. */
  readonly work: (item: Item, found: (hit: Hit) => void) => Promise<void>
}

/** One that fails costs itself alone. What was asked since the last proof of a session that was lost is asked again. */
export const goThrough = async <Item, Hit>(ctx: CollectContext, topic: Topic<Item, Hit>): Promise<Asked<Hit>> => {
  const { name, items, until, atOnce = 1, once = false, work } = topic
  const asked = new Map<Item, Hit[]>()
  const unasked = new Map<Item, string>()
  let spent = false
  let fault: string | undefined
  const leave = (item: Item, reason: string): void => void unasked.set(item, reason)
  const one = async (item: Item): Promise<void> => {
    unasked.delete(item)
    const hits: Hit[] = []
    asked.set(item, hits)
    if (spent) return leave(item, 'not reached, as the budget was spent')
    if (performance.now() > until) return leave(item, 'not reached, as its time was used up')
    try {
      await work(item, (hit) => void hits.push(hit))
    } catch (error) {
      ctx.signal.throwIfAborted()
      if (error instanceof Left) return leave(item, error.message)
      if (error instanceof EgressError && error.code === 'budget') {
        spent = true
        return leave(item, 'not reached, as the budget was spent')
      }
      if (error instanceof EgressError) throw error
      fault = ctx.fault(error, name)
      leave(item, `left by ${faultReason(fault)}`)
    }
  }
  const doubtful = await doneSurely<Item>(once ? [] : [ctx.session], items, async (some, begin) => {
    const waiting = [...some]
    const worker = async (): Promise<void> => {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
        ctx.progress(`${name}: ${asked.size} of ${items.length}`)
        const done = begin(item)
        await one(item)
        done()
      }
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
  })
  for (const item of doubtful) leave(item, SESSION_LOST)
  const left = new Map(Object.entries(topic.left ?? {}))
  for (const reason of unasked.values()) left.set(reason, (left.get(reason) ?? 0) + 1)
  const known = items.length + Object.values(topic.left ?? {}).reduce((sum, count) => sum + count, 0)
  return {
    ...{ known, asked: items.length - unasked.size, left: Object.fromEntries(left) },
    hits: items.flatMap((item) => asked.get(item) ?? []),
    ...(fault === undefined ? {} : { fault }),
  }
}

/** Counts of reasons, of what is known and left alone. */
export const countsOf = (reasons: readonly string[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1
  return counts
}
