/** What requests answer as they are: two answers each, kept for the run, and asked anew where something speaks against them. */
import { isAdded } from './compose.ts'
import { isMinted } from './freshness.ts'
import type { ProbePoint, ProbeRequest } from './inventory.ts'
import { identical, noiseOf, steadied } from './likeness.ts'
import type { Reply } from './prober.ts'
import { baselineKey } from './reached.ts'
import { isSame } from './replies.ts'
import type { Shared } from './shared.ts'

export type Baseline = readonly [Reply, Reply]

export interface Baselines {
  readonly of: (point: ProbePoint) => Promise<Baseline>
  /** The first answer to a request as it was seen. */
  readonly first: (request: ProbeRequest) => Promise<Reply>
  /** With what is known by now of what the page changes by itself: more than when it was answered, it may be. */
  readonly steady: (point: ProbePoint, reply: Reply) => Promise<Reply>
  /**
   * An answer differs from them, or seems to: they are held against a new one. True where they were no good, because the page differs
   * from itself by more, or is another by now: they are replaced, and what else was kept of the request is forgotten.
   */
  readonly doubt: (point: ProbePoint) => Promise<boolean>
}

/** `ask` sends the request as it is. */
export const createBaselines = (shared: Shared, ask: (point: ProbePoint) => Promise<Reply>): Baselines => {
  const { baselines, freshness, doubts, seenAt, writes } = shared
  /** One answer is held against many. */
  const steadiedBefore = new WeakMap<Reply, Reply>()

  const firstTo = (request: ProbeRequest): Promise<Reply> =>
    shared.replies(`${request.id} first`, () => {
      seenAt.set(request.id, writes.written())
      return ask({ request, place: 'name', name: '', value: '' })
    })

  /** The second answer: where headers and cookies that are put in leave the page as it is, one with and one without are as good. */
  const second = async (point: ProbePoint, first: Reply): Promise<Reply> => {
    const { request } = point
    if (request.bound !== undefined || isMinted(request)) return ask(point)
    if (!isAdded(point)) return shared.replies.known(keyOfAlike(request)) ?? ask(point)
    const without = await firstTo(request)
    if (noiseOf([first, without]) > 0) return ask(point)
    await shared.replies(keyOfAlike(request), async () => first)
    return without
  }

  const of = (point: ProbePoint): Promise<Baseline> =>
    baselines(baselineKey(point), async () => {
      const { request } = point
      const first = await (isAdded(point) || request.bound !== undefined ? ask(point) : firstTo(request))
      const pair = [first, await second(point, first)] as const
      if (request.bound !== undefined) return steadied(pair)
      if (!isMinted(request) || isSame(pair)) return noiseOf(pair) === 0 ? pair : steadied(pair, await ask(point))
      // The second answer to one token is another: it is good for one alone.
      freshness.once.add(request.id)
      return [await ask(point), await ask(point)]
    })

  const steady = async (point: ProbePoint, reply: Reply): Promise<Reply> => {
    const known = await baselines.known(baselineKey(point))?.catch(() => undefined) // Whoever asked has heard of it.
    const varying = known?.[0].varying
    if (!varying || reply.varying === varying) return reply
    const before = steadiedBefore.get(reply)
    if (before?.varying === varying) return before
    const now = { ...reply, varying }
    steadiedBefore.set(reply, now)
    return now
  }

  const askAnew = async (point: ProbePoint): Promise<boolean> => {
    const before = await of(point)
    const now = await ask(point)
    if (identical(await steady(point, now), before[0], noiseOf(before))) return false
    const again = await ask(point)
    for (const kept of [baselines, shared.replies]) kept.forget(point.request.id)
    const renewed = noiseOf([now, again]) === 0 ? ([now, again] as const) : farthest(before.map(plain), now, again)
    await baselines(baselineKey(point), async () => renewed)
    return true
  }

  return {
    of,
    first: firstTo,
    steady,
    doubt: async (point) => {
      const key = baselineKey(point)
      const before = doubts.get(key) ?? { times: 0, last: Promise.resolve(false), changed: false, written: 0 }
      if (point.request.bound !== undefined) return before.last
      const written = writes.written()
      // What the run itself writes may change it again and again.
      const isWorth =
        before.times < MOST_DOUBTS || (before.changed && written > before.written && before.times < MOST_CHANGED)
      if (!isWorth) return before.last
      const last = before.last.then(() => askAnew(point))
      const doubt = { times: before.times + 1, last, changed: before.changed, written }
      doubts.set(key, doubt)
      const isChanged = await last
      doubt.changed ||= isChanged || before.changed
      return isChanged
    },
  }
}

/** A page that was doubted so often is not any more; one that was another by then, and may be again, as often as this. */
const [MOST_DOUBTS, MOST_CHANGED] = [4, 60]

const plain = ({ varying: _, ...reply }: Reply): Reply => reply

/** Of all answers the two that lie farthest apart, with what all of them change. */
const farthest = (before: readonly Reply[], ...now: readonly Reply[]): Baseline => {
  const all = [...before, ...now]
  const pairs = all.flatMap((a, at) => all.slice(at + 1).map((b) => [a, b] as const))
  const [pair = [now[0], now[1]] as Baseline] = pairs.toSorted((a, b) => noiseOf(b) - noiseOf(a))
  return steadied(pair, ...all.filter((one) => !pair.includes(one)))
}

/** Of an answer with headers and cookies put in that left the page as it is. */
const keyOfAlike = ({ id }: ProbeRequest): string => `${id} alike`
