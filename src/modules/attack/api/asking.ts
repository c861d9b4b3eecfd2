/** Goes through what a topic applies to, and keeps count of what was asked and what kept the rest from it. */
import { SESSION_LOST } from '../../../contract/reach.ts'
import { EgressError, type HttpExchange, type HttpRequest } from '../../../egress/door/egress.ts'
import { targetFailure } from '../../../egress/door/target-failure.ts'
import { doneSurely } from '../../doubtful.ts'
import { faultReason } from '../../faults.ts'
import type { CollectContext } from '../../module.ts'
import type { RequestTemplate } from '../crawl/facts.ts'
import { sendBounded } from '../insertion-points/bounded-sending.ts'
import { BOUND } from '../insertion-points/facts.ts'
import { createFollow } from '../insertion-points/followed.ts'
import { isMinted, mintFor, withMinted } from '../insertion-points/freshness.ts'
import { requestOf } from '../insertion-points/inventory.ts'
import { curlOf } from '../insertion-points/replay.ts'
import type { Asked } from './facts.ts'

const MOST_BODY = 512 * 1024
const TIMEOUT = 10_000

/** What it applies to could not be asked to the end; the message follows a number. */
export class Left extends Error {}

/**
 * `of`: what it was made of; where that brings a token against forged requests, the token of now stands in its place.
 * @throws Left where nothing answers, or the policy or the session keeps it from leaving, or its pages have no such token
 */
export const ask = async (ctx: CollectContext, request: HttpRequest, of?: RequestTemplate): Promise<HttpExchange> =>
  (await send(ctx, request, of)).answer

/**
 * What it answers, and the page that this leads to (post, redirect, get), where a form says what came of it; null where there is none.
 * @throws Left as `ask` does
 */
export const askThrough = async (
  ctx: CollectContext,
  request: HttpRequest,
  of: RequestTemplate,
): Promise<{ readonly answer: HttpExchange; readonly page: HttpExchange | null }> => {
  const { answer, sent } = await send(ctx, request, of)
  const [follow, made] = [createFollow(ctx.egress), requestOf(of)]
  return {
    answer,
    page: await follow(request.authenticated === false ? { ...made, asNobody: true } : made, sent, answer),
  }
}

/** By what was asked, what left with a token against forged requests: without one, nobody sees the same again. */
const SENT = new WeakMap<HttpRequest, HttpRequest>()

/** A command that sends what `ask` has sent. */
export const replayOf = (request: HttpRequest): string => curlOf(SENT.get(request) ?? request)

const send = async (
  ctx: CollectContext,
  request: HttpRequest,
  of?: RequestTemplate,
): Promise<{ readonly answer: HttpExchange; readonly sent: HttpRequest }> => {
  try {
    const sent = of === undefined ? request : await withToken(ctx, request, of)
    if (sent !== request) SENT.set(request, sent)
    const whole = { timeout: TIMEOUT, maxBody: MOST_BODY, ...sent }
    const answer =
      of?.bound === undefined
        ? await ctx.egress.http(whole)
        : await sendOnce(ctx, of, request, () => ctx.egress.http(whole))
    return { answer, sent }
  } catch (error) {
    ctx.signal.throwIfAborted()
    const failure = targetFailure(error)
    if (failure === null) throw error
    throw new Left(REASONS[failure.code] ?? 'without an answer', { cause: error })
  }
}

/** Of what its form may be sent. `request`: without a token of its own. @throws Left where that is used up */
const sendOnce = async (
  ctx: CollectContext,
  template: RequestTemplate,
  request: HttpRequest,
  send: () => Promise<HttpExchange>,
): Promise<HttpExchange> => {
  const answer = await sendBounded(ctx, { template, request, send, statusOf: ({ status }) => status })
  if (answer === null) throw new Left(BOUND)
  return answer
}

/** As who asks: nobody has a token of nobody's. */
const withToken = async ({ egress, hasCredentials }: CollectContext, request: HttpRequest, of: RequestTemplate) => {
  const made = requestOf(of)
  if (!isMinted(made)) return request
  const isNobody = request.authenticated === false
  const own = isNobody
    ? { http: (one: HttpRequest) => egress.http({ ...one, authenticated: false }), credentialsFor: async () => [] }
    : egress
  const minted = await mintFor(own, made, hasCredentials && !isNobody)
  if (minted === null) throw new Left('whose token against forged requests its pages do not name')
  return withMinted(request, made, minted)
}

/** What is refused to the run's own account as it is says nothing of what else it would take. @throws Left */
export const expectTaken = ({ status }: HttpExchange): void => {
  if (REFUSED.has(status)) throw new Left(`that refused even what the crawl knows to send, with status ${status}`)
}
const REFUSED: ReadonlySet<number> = new Set([401, 403, 407, 419, 428, 440])

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
