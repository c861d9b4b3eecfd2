/** Sends values into places and says what came back: every probe of xss, sqli and injection goes through here. */
import { randomInt } from 'node:crypto'
import type { Egress, HttpExchange, HttpRequest } from '../../../egress/door/egress.ts'
import { targetFailure } from '../../../egress/door/target-failure.ts'
import type { BlockPage } from '../../../page/block-page.ts'
import { harmOf } from '../../../safety/harmless.ts'
import { type Baselines, createBaselines } from './baselines.ts'
import { compose, plainOf, textsOf } from './compose.ts'
import { BOUND, DELETED, EVERY_WAY, FILTERED, KEPT, LIMITED, OTHER_LOST } from './facts.ts'
import { createFollow, type Follow } from './followed.ts'
import { egressFor, isMinted, sendFresh } from './freshness.ts'
import type { ProbePoint, ProbeRequest } from './inventory.ts'
import { timed, waited } from './lateness.ts'
import { givesWay } from './order.ts'
import { pageOrNull } from './page-or-null.ts'
import { keyOf, leaveTurnedAway, noteReached } from './reached.ts'
import type { Leave } from './records.ts'
import { createRefusals, type Refusals } from './refusals.ts'
import { isRemembered } from './remembered.ts'
import { leftAlone, replyOf, silence, withPage } from './replies.ts'
import type { Shared } from './shared.ts'
import { OutOfTime } from './times.ts'
import { SLEEPERS, type Turns } from './turns.ts'
import type { Slot } from './varying.ts'
import { breakOut, controlValue, holding, sentinel, WORD } from './word.ts'
import { endPursuit, type Pursuit, pursue } from './write-claims.ts'
import { KEPT_WRITES } from './write-shares.ts'
import { type Asker, CAREFUL, type Manner, type Sending } from './writes.ts'
import { mayHaveStored } from './written-values.ts'

/** What one probe brought back. Status 0: the target did not answer within the time. */
export interface Reply {
  readonly value: string
  /** What the page may repeat of the probe, where that is not just its value. */
  readonly echoes?: readonly string[]
  readonly status: number
  /** Decoded, at most 256 KiB. */
  readonly text: string
  /** Lower case media type. */
  readonly contentType: string
  readonly location: string
  readonly headers: HttpExchange['headers']
  /** Milliseconds from sending to the last byte, without connecting. */
  readonly ms: number
  /** A command that sends the same. */
  readonly replay: string
  /** What the page changes by itself, as far as it is known. */
  readonly varying?: readonly Slot[]
}

export type Language = 'sql' | 'shell' | 'markup'

export interface Asking {
  readonly language?: Language
  /** Milliseconds; default 10,000. */
  readonly timeout?: number
  /** Milliseconds that the value asks the target to wait. */
  readonly waits?: number
  /** Address of our own that the value may make the server call. */
  readonly home?: string
  /** It means nothing. */
  readonly quiet?: true
  /** Changes the composed request once more: a header, a raw target. */
  readonly change?: (request: HttpRequest) => HttpRequest
}

const MEANINGLESS: Asking = { language: 'sql', quiet: true }

/** One place with what is known of it. All its probes go through `send`. */
export interface Probe {
  readonly request: ProbeRequest
  readonly point: ProbePoint
  /** The request as it is, asked twice; shared by all points of the request and all modules. */
  readonly baseline: () => Promise<readonly [Reply, Reply]>
  /** Something differs from it: whether it was no good, and is another now. See `Baselines.doubt`. */
  readonly doubt: () => Promise<boolean>
  /** The answer to a value of the same kind that means nothing: see `controlValue`. Shared by all modules. */
  readonly control: () => Promise<Reply>
  /** Likewise to a text: that to a number says nothing of texts. Shared by all modules. */
  readonly word: () => Promise<Reply>
  /** The answer to what few languages survive: see `breakOut`. Shared by all modules. */
  readonly broken: () => Promise<Reply>
  /** One of the two, sent now, whatever others were answered. */
  readonly anew: (what: 'control' | 'broken') => Promise<Reply>
  /** The answer to what hardly any language survives: see `sentinel`. Shared by all modules. */
  readonly sentinel: () => Promise<Reply>
  /** The answer to a condition that is true in SQL and in XPath alike, behind text in this quote. Shared by all modules. */
  readonly joined: (quote: "'" | '"') => Promise<Reply>
  /** What was to be proven here is, or is not: others may have what was promised to it. */
  readonly end: () => void
  /** While the work goes on no other module sends to the form of the request: what is stored there stays. */
  readonly alone: <Value>(work: () => Promise<Value>) => Promise<Value>
  /** @throws Unsendable where the place cannot hold the value; Blocked when something in front refuses it */
  readonly send: (value: string, asking?: Asking) => Promise<Reply>
  /** Milliseconds of every answer to an ordinary probe of this request. */
  readonly timings: () => readonly number[]
  /** Whoever makes the target wait takes a turn. */
  readonly turns: Turns
  /** So many places that are known to wait may do so at once. */
  readonly sleepers: number
  readonly sent: () => number
  /** Something shows here, and is spare no more: what follows may take all that is left of its form. For others see Sending. */
  readonly pursue: (by?: 'sign' | 'spare') => void
  /** Says that a way is not gone at this place, and why: its checks then count the place as not asked. */
  readonly leave: (way: string, reason: string) => void
}

/** The place cannot hold the value, e.g. a line break in a header. */
export class Unsendable extends Error {}

/** What may write was sent as often as it may be. What was found before still holds. */
export class Bounded extends Unsendable {
  readonly code = 'bounded'
  /** Something had shown at the place, on this way to a proof: see owed.ts. */
  shown?: boolean
  way?: () => Promise<unknown>
  constructor(reason = BOUND) {
    super(reason)
  }
}

/** A firewall or a limit answers in place of the application. */
export class Blocked extends Error {
  readonly reply: Reply
  constructor(reply: Reply) {
    super(
      reply.status === 0
        ? 'the connection was cut as the firewall does'
        : `answered ${reply.status} in place of the application`,
    )
    this.reply = reply
  }
}

/** The application refuses a sign that this value holds: others without it may pass. The ledger of the place says so already. */
export class Filtered extends Blocked {}

export interface Prober {
  readonly at: (point: ProbePoint) => Probe
  /** The first answer to a request as it was seen, which its baseline begins with. */
  readonly first: (request: ProbeRequest) => Promise<Reply>
  /** The request as it is, asked anew. */
  readonly again: (point: ProbePoint) => Promise<Reply>
  /** From now on requests that may write are sent up to their bound: a part of it is kept for what follows the places. */
  readonly release: () => void
  /** What was sent up to now does not count for the module's part of what a form may be sent. */
  readonly renew: () => void
  /** Leaves a place where all it was sent was refused as its own page would be; null where an answer was none such. */
  readonly leaveTurnedAway: (point: ProbePoint) => Promise<void> | null
}

/**
 * `blockPage`: what the site's firewall answers, as `waf` has seen it. `isOver`: nothing is sent from then on, and OutOfTime
 * is thrown. `signedIn`: the run's own session is the only one. `careful`: of a production system.
 */
export const createProber = (
  egress: Egress,
  shared: Shared,
  blockPage: BlockPage | null,
  isOver: () => boolean = () => false,
  leave: Leave = () => undefined,
  manner = CAREFUL,
): Prober => new RunProber({ egress, shared, blockPage, isOver, leave, ...manner })

interface ProberParts extends Manner {
  readonly egress: Egress
  readonly shared: Shared
  readonly blockPage: BlockPage | null
  readonly isOver: () => boolean
  readonly leave: Leave
}

class RunProber implements Prober {
  readonly #parts: ProberParts
  readonly #shared: Shared
  readonly #asker: Omit<Asker, 'get'>
  readonly #refusals: Refusals
  readonly #follow: Follow
  readonly #baselines: Baselines
  /** By place: signs that it refuses, and an answer to one. */
  readonly #filters = new Map<string, { readonly signs: ReadonlySet<string>; readonly reply: Reply }>()
  readonly #used: Map<string, number>
  #kept = KEPT_WRITES
  #late: Map<string, number> | null = null

  constructor(parts: ProberParts) {
    this.#parts = parts
    this.#used = parts.used ?? new Map()
    this.#shared = parts.shared
    this.#follow = createFollow(parts.egress)
    this.#asker = {
      ...{ kept: () => this.#kept, used: this.#used, late: () => this.#late, careful: parts.careful, most: parts.most },
      known: this.#shared.lastReads.of,
    }
    this.#baselines = createBaselines(this.#shared, (point) =>
      timed(this.#shared, point.request, this.#ask(point, '', [], plainOf(point))),
    )
    this.#refusals = createRefusals({
      blockPage: parts.blockPage,
      meaningless: controlValue,
      usualOf: async (point) => (await this.#baselines.of(point))[0],
      plain: (point) =>
        this.#shared.replies(`${keyOf(point)} as it is`, () => this.#ask(point, '', [], plainOf(point))),
      other: (point, value) => this.#other(point, value),
    })
  }

  async #other(point: ProbePoint, value: string): Promise<Reply | null> {
    const composed = compose(point, value)
    const ask = (http: HttpRequest): Promise<Reply> => this.#ask(point, value, textsOf(point, value), http)
    return composed && this.#shared.replies(`${keyOf(point)} other ${value}`, () => ask(composed))
  }

  leaveTurnedAway(point: ProbePoint): Promise<void> | null {
    const asks = {
      usual: (one: ProbePoint) => this.#baselines.of(one).catch(orNull),
      other: (one: ProbePoint, value: string) => this.#other(one, value).catch(orNull),
    }
    return leaveTurnedAway(point, this.#shared, asks, this.#parts.leave)
  }

  first(request: ProbeRequest): Promise<Reply> {
    return this.#baselines.first(request)
  }

  async again(point: ProbePoint): Promise<Reply> {
    return this.#baselines.steady(point, await this.#ask(point, '', [], plainOf(point)))
  }

  release(): void {
    this.#kept = 0
    this.#late ??= new Map()
  }

  renew(): void {
    this.#used.clear()
  }

  readonly at = (point: ProbePoint): Probe => {
    const { request } = point
    const { replies, timings, turns, writes } = this.#shared
    const sent: Pursuit = { count: 0, pursues: false }
    const send: Probe['send'] = (value, asking) => this.#send(point, sent, value, asking)
    const once = async (what: string, value: () => string, asking = MEANINGLESS): Promise<Reply> =>
      this.#baselines.steady(point, await replies(`${keyOf(point)} ${what}`, () => send(value(), asking)))
    return {
      request,
      point,
      baseline: () => this.#baselines.of(point),
      doubt: () => this.#baselines.doubt(point),
      control: () => once('control', () => controlValue(point.value)),
      word: () =>
        /^\d+$/.test(point.value) ? once('word', () => WORD) : once('control', () => controlValue(point.value)),
      broken: () => once('broken', () => breakOut(point.value, point.place)),
      anew: (what) =>
        replies.anew(
          `${keyOf(point)} ${what}`,
          send(what === 'broken' ? breakOut(point.value, point.place) : controlValue(point.value), MEANINGLESS),
        ),
      sentinel: () => once('sentinel', () => sentinel(point.value)),
      joined: (quote) => once(quote, () => holding(point.value, quote), { language: 'sql' }),
      alone: (work) => writes.alone(this.#used, request, work).finally(() => endPursuit(sent)),
      end: () => endPursuit(sent),
      timings: () => timings.get(request.id) ?? [],
      sent: () => sent.count,
      pursue: (by) => pursue(sent, request, by),
      turns,
      sleepers: this.#parts.careful ? SLEEPERS.production : SLEEPERS.test,
      leave: (way, reason) => this.#leaveAll(point, way, reason),
      send,
    }
  }

  async #send(
    point: ProbePoint,
    sent: Pursuit,
    value: string,
    { language, timeout, waits, home, change, quiet }: Asking = {},
  ): Promise<Reply> {
    const effect = this.#shared.writes.effectOf(point.request)
    const rules = { effect, ...(language ? { language } : {}), ...(home ? { home } : {}) }
    const own = value.startsWith(point.value) ? value.slice(point.value.length) : value
    const harm = harmOf(own, rules)
    if (harm !== null && harmOf(point.value, rules) !== null)
      throw new Unsendable(`its own value reads like one that ${harm}`)
    // What was asked for while it was taken to read is not sent any more.
    if (harm !== null && effect !== point.request.effect) throw new Bounded()
    if (harm !== null) throw new Error(`refused to send a probe that ${harm}`)
    const filter = this.#filters.get(keyOf(point))
    // What stands in markup is asked sign by sign anyway, and what a page that refuses says may run all the same.
    if (filter && language !== 'markup' && [...own].some((sign) => filter.signs.has(sign)))
      throw new Filtered(filter.reply)
    const composed = compose(point, value)
    if (!composed) throw new Unsendable(`${point.place} cannot hold this value`)
    const patience = { ...(timeout === undefined ? {} : { timeout }), ...(waits === undefined ? {} : { waits }) }
    const spare = sent.pursues === false && givesWay(point) ? { spare: true } : {}
    const changed = { ...composed, ...patience, ...spare }
    sent.count += 1
    await this.#learnTokens(point)
    if (await this.#isRemembered(point)) {
      this.#leaveAll(point, EVERY_WAY, KEPT)
      throw new Bounded(KEPT)
    }
    const how = { pursues: sent.pursues, quiet, claim: sent.claim }
    const asked = this.#ask(point, value, textsOf(point, value), change?.(changed) ?? changed, how)
    const answered =
      timeout === undefined ? timed(this.#shared, point.request, asked) : waited(this.#shared, asked, waits)
    const reply = await answered.catch((error) => {
      if (!(error instanceof Bounded)) throw error
      this.#leaveAll(point, EVERY_WAY, error.message)
      throw Object.assign(error, { shown: sent.pursues === true })
    })
    if (!(await this.#refusals.isRefusal(point, reply))) {
      noteReached(this.#shared.reached, point, reply)
      return this.#baselines.steady(point, reply)
    }
    const refused = await this.#refusals.signsIn(point, own)
    if (refused.size === 0) throw new Blocked(reply)
    this.#filters.set(keyOf(point), { signs: new Set([...(filter?.signs ?? []), ...refused]), reply })
    this.#leaveAll(point, EVERY_WAY, FILTERED)
    throw new Filtered(reply)
  }

  async #ask(
    point: ProbePoint,
    value: string,
    echoes: readonly string[],
    request: HttpRequest,
    how: Pick<Sending<Reply>, 'pursues' | 'quiet' | 'claim'> = { pursues: false },
  ): Promise<Reply> {
    if (this.#parts.isOver()) throw new OutOfTime('the time for probing is over')
    if (point.request.deletes && this.#shared.writes.othersAsk(this.#used, 'about records')) throw new Bounded(DELETED)
    const isWriting = point.request.bound !== undefined && !this.#parts.careful
    const egress = egressFor(this.#parts.egress, point.request)
    const asker: Asker = { ...this.#asker, get: (url) => pageOrNull(egress, url) }
    if (isWriting) await this.#shared.firstValues.note(point.request, asker.get)
    const work = () => this.#transmit(point.request, value, echoes, request)
    const another = (): Promise<void> => this.#plainly(point, `${controlValue(point.value)}${randomInt(100, 999)}`)
    const sending = { request: point.request, changes: value !== '', ...how, work, another }
    const send = (): Promise<Reply | null> => this.#shared.writes.send(asker, sending)
    const plain = (http: HttpRequest): Promise<Reply> => this.#transmit(point.request, '', [], http)
    const reply = await this.#shared.guards.heed(point.request, request, send, plain)
    if (typeof reply === 'string' || reply === null) throw new Bounded(reply ?? undefined)
    if (point.request.bound !== undefined && mayHaveStored(reply.status))
      this.#shared.written.note(point.request, request)
    return reply
  }

  #isRemembered(point: ProbePoint): Promise<boolean> {
    const { egress, signedIn, careful } = this.#parts
    if (!signedIn || !careful) return Promise.resolve(false)
    return isRemembered(this.#shared.remembered, keyOf(point), point, {
      send: (value) => this.#plainly(point, value),
      get: (url) => pageOrNull(egressFor(egress, point.request), url),
    })
  }

  /** Null: the request as it is. What cannot be held is not sent. */
  async #plainly(point: ProbePoint, value: string | null): Promise<void> {
    const composed = value === null ? plainOf(point) : compose(point, value)
    if (composed) await this.#transmit(point.request, '', [], composed)
  }

  async #transmit(asked: ProbeRequest, value: string, echoes: readonly string[], request: HttpRequest): Promise<Reply> {
    const began = performance.now()
    try {
      const { egress, signedIn, patience } = this.#parts
      const { freshness, limits } = this.#shared
      const answer = await limits.ask(asked, () => sendFresh(egress, freshness, signedIn, asked, request), patience)
      if (answer === null) throw new Bounded(LIMITED)
      const { exchange, sent } = answer
      return withPage(replyOf(value, echoes, sent, exchange), await this.#follow(asked, sent, exchange))
    } catch (error) {
      const failure = targetFailure(error)
      if (!failure) throw error
      if (failure.code === 'auth_lost' && asked.as !== undefined) throw new Bounded(OTHER_LOST)
      if (failure.code === 'excluded') throw new Unsendable(leftAlone(failure.message))
      return silence(value, request, performance.now() - began)
    }
  }

  /** Whether a token is good for more than one answer has to be known before the first one is used up. */
  async #learnTokens(point: ProbePoint): Promise<void> {
    const { bound, id, signsIn } = point.request
    if (!isMinted(point.request)) return
    if (bound === undefined) await this.#baselines.of(point)
    // Whoever gets in leaves a session behind in which the next is answered as somebody.
    if (bound !== undefined || signsIn) this.#shared.freshness.once.add(id)
  }

  #leaveAll(point: ProbePoint, way: string, reason: string): void {
    for (const member of point.members ?? [point]) this.#parts.leave(member, way, reason)
  }
}

const orNull = (error: unknown): null => {
  if (error instanceof Unsendable) return null // What may not be sent any more has no answer.
  throw error
}
