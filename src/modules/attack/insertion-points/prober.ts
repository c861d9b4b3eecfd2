/** Sends values into places and says what came back: every probe of xss, sqli and injection goes through here. */
import { randomInt } from 'node:crypto'
import type { Egress, HttpExchange, HttpRequest } from '../../../egress/door/egress.ts'
import { targetFailure } from '../../../egress/door/target-failure.ts'
import type { BlockPage } from '../../../page/block-page.ts'
import { isBlockPage } from '../../../page/block-page.ts'
import { pageRequest } from '../../../page/exchange.ts'
import { harmOf } from '../../../safety/harmless.ts'
import { compose, textsOf } from './compose.ts'
import { BOUND, EVERY_WAY } from './facts.ts'
import { sendFresh } from './freshness.ts'
import type { ProbePoint, ProbeRequest } from './inventory.ts'
import { curlOf } from './replay.ts'
import type { Shared } from './shared.ts'
import type { Turns } from './turns.ts'
import type { Asker } from './writes.ts'

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
}

export type Language = 'sql' | 'shell' | 'markup'

export interface Asking {
  readonly language?: Language
  /** Milliseconds; default 10,000. */
  readonly timeout?: number
  /** Address of our own that the value may make the server call. */
  readonly home?: string
  /** Changes the composed request once more: a header, a raw target. */
  readonly change?: (request: HttpRequest) => HttpRequest
}

/** One place with what is known of it. All its probes go through `send`. */
export interface Probe {
  readonly request: ProbeRequest
  readonly point: ProbePoint
  /** The request as it is, asked twice; shared by all points of the request and all modules. */
  readonly baseline: () => Promise<readonly [Reply, Reply]>
  /** The answer to a value of the same kind that means nothing: see `unlike`. Shared by all modules. */
  readonly control: () => Promise<Reply>
  /** The answer to what few languages survive: see `breakOut`. Shared by all modules. */
  readonly broken: () => Promise<Reply>
  /** The answer to what hardly any language survives: see `sentinel`. Shared by all modules. */
  readonly sentinel: () => Promise<Reply>
  /** The answer to a condition that is true in SQL and in XPath alike, behind text in this quote. Shared by all modules. */
  readonly joined: (quote: "'" | '"') => Promise<Reply>
  /** @throws Unsendable where the place cannot hold the value; Blocked when something in front refuses it */
  readonly send: (value: string, asking?: Asking) => Promise<Reply>
  /** Milliseconds of every answer to an ordinary probe of this request. */
  readonly timings: () => readonly number[]
  /** Whoever makes the target wait takes a turn. */
  readonly turns: Turns
  readonly sent: () => number
  /** Something shows here: what follows may take all that is left of the writes of its form. */
  readonly pursue: () => void
  /** Says that a way is not gone at this place, and why: its checks then count the place as not asked. */
  readonly leave: (way: string, reason: string) => void
}

/** The time for probing is over. Like a spent budget, it says nothing about the place. */
export class OutOfTime extends Error {
  readonly code = 'budget'
}

/** The place cannot hold the value, e.g. a line break in a header. */
export class Unsendable extends Error {}

/** What may write was sent as often as it may be. What was found before still holds. */
export class Bounded extends Unsendable {
  constructor() {
    super(BOUND)
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

const MAX_TEXT = 262_144
const BLOCKING: ReadonlySet<number> = new Set([403, 406, 419, 429, 493, 501, 503, 999])
/** Of them, what an application itself answers to a value that it does not know: a token, the name of a page. */
const OWN: ReadonlySet<number> = new Set([403, 406, 419, 493, 501])

/**
 * Same kind, but a record that is not there. Below zero: a number may be a size or a count, and a large one has the server make as
 * much of something.
 */
export const unlike = (value: string): string => (/^\d+$/.test(value) ? `-${value}98765` : `${value}qzvkx`)

/** Text that no statement survives, in one go for every kind of quotes. */
export const breakOut = (v: string): string => `${v}'"\\)`

/** Text that quotes, tags and brackets of most languages make unreadable: one question where there is no room for many. */
export const sentinel = (v: string): string => `${v}'"\\)<%=(%>{{(}}\${(}#{(}`

/** In small letters and without spaces: XPath knows no others, and filters strip them. */
export const conjunction = (v: string, quote: "'" | '"', predicate: string): string =>
  `${v}${quote}and(${predicate})and${quote}q${quote}=${quote}q`

export interface Prober {
  readonly at: (point: ProbePoint) => Probe
  /** The request as it is, asked anew. */
  readonly again: (point: ProbePoint) => Promise<Reply>
  /** From now on requests that may write are sent up to their bound: a part of it is kept for what follows the places. */
  readonly release: () => void
}

/** Of the writes that a form may be sent, so many are kept: what is stored shows elsewhere, and is looked for last. */
const KEPT_WRITES = 8
/** Nothing is known of the run: as careful as can be. */
const CAREFUL = { signedIn: false, careful: true }

/** Told of a way that was not gone at a place, or at each member of a group. */
export type Leave = (point: ProbePoint, way: string, reason: string) => void

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
  { signedIn, careful } = CAREFUL,
): Prober => {
  let kept = KEPT_WRITES
  let late: Map<string, number> | null = null
  const asker: Asker = {
    ...{ kept: () => kept, used: new Map(), late: () => late, careful },
    get: (url) => pageAt(egress, url),
  }
  const ask = async (
    point: ProbePoint,
    value: string,
    echoes: readonly string[],
    request: HttpRequest,
    pursues = false,
  ): Promise<Reply> => {
    if (isOver()) throw new OutOfTime('the time for probing is over')
    const work = (): Promise<Reply> => transmit(point.request, value, echoes, request)
    const another = async (): Promise<void> => {
      const composed = compose(point, `${unlike(point.value)}${randomInt(100, 999)}`)
      if (composed) await transmit(point.request, '', [], composed)
    }
    const sending = { request: point.request, changes: value !== '', pursues, work, another }
    const reply = await shared.writes.send(asker, sending)
    if (reply === null) throw new Bounded()
    return reply
  }

  const transmit = async (
    asked: ProbeRequest,
    value: string,
    echoes: readonly string[],
    request: HttpRequest,
  ): Promise<Reply> => {
    const began = performance.now()
    try {
      const { exchange, sent } = await sendFresh(egress, shared.freshness, signedIn, asked, request)
      return replyOf(value, echoes, sent, exchange)
    } catch (error) {
      const failure = targetFailure(error)
      if (!failure) throw error
      if (failure.code === 'excluded') throw new Unsendable('the run excludes this address')
      return silence(value, request, performance.now() - began)
    }
  }

  const timed = async ({ id }: ProbeRequest, work: Promise<Reply>): Promise<Reply> => {
    const reply = await work
    const list = shared.timings.get(id) ?? []
    shared.timings.set(id, list)
    if (reply.status !== 0) list.push(reply.ms)
    return reply
  }

  /** A header or cookie is not part of the request by itself: its example value is put in, and it has a baseline of its own. */
  const baselineOf = (point: ProbePoint): Promise<readonly [Reply, Reply]> => {
    const { request } = point
    return shared.baselines(isAdded(point) ? keyOf(point) : request.id, async () => {
      const once = (): Promise<Reply> => timed(request, ask(point, '', [], plainOf(point)))
      const pair = [await once(), await once()] as const
      if (!request.tokens || isSame(pair) || request.bound !== undefined) return pair
      // The second answer to one token is another: it is good for one alone.
      shared.freshness.once.add(request.id)
      return [await once(), await once()]
    })
  }

  /** Whether a token is good for more than one answer has to be known before the first one is used up. */
  const learnTokens = async (point: ProbePoint): Promise<void> => {
    const { tokens, bound, id } = point.request
    if (!tokens) return
    // What may be sent a few times only is not spent on that.
    if (bound === undefined) await baselineOf(point)
    else shared.freshness.once.add(id)
  }

  /** A value that means nothing is refused as well, and the request as it is still is not: nobody looked for an attack. */
  const refusesAny = async (point: ProbePoint, status: number, usual: Reply): Promise<boolean> => {
    if (!OWN.has(status)) return false
    const refused = async (value: string): Promise<boolean> => {
      const composed = compose(point, value)
      if (!composed) return false
      const other = await shared.replies(`${keyOf(point)} other ${value}`, () =>
        ask(point, value, textsOf(point, value), composed),
      )
      return other.status === status
    }
    const other = unlike(point.value)
    // What stands behind a dot at the end of a path asks for a form of the answer that the application may not have.
    if (!(await refused(other)) && !(point.place === 'path' && (await refused(`${other}.qzv`)))) return false
    const again = await shared.replies(`${keyOf(point)} as it is`, () => ask(point, '', [], plainOf(point)))
    return again.status === usual.status
  }

  const isBlocked = async (point: ProbePoint, reply: Reply): Promise<boolean> => {
    const refuses = ({ status, text }: Reply): boolean =>
      BLOCKING.has(status) || isBlockPage(blockPage, { status: status === 0 ? null : status, text })
    if (!refuses(reply)) return false
    const [usual] = await baselineOf(point)
    // What answers so by itself has not refused the probe.
    if (reply.status === usual.status && refuses(usual)) return false
    if (isBlockPage(blockPage, { status: reply.status === 0 ? null : reply.status, text: reply.text })) return true
    return !(await refusesAny(point, reply.status, usual))
  }

  const leaveAll: Leave = (point, way, reason) => {
    for (const member of point.members ?? [point]) leave(member, way, reason)
  }

  return {
    again: (point) => ask(point, '', [], plainOf(point)),
    release: () => {
      kept = 0
      late ??= new Map()
    },
    at: (point) => {
      const { request } = point
      let sent = 0
      let pursues = false
      const send: Probe['send'] = async (value, { language, timeout, home, change } = {}) => {
        const effect = shared.writes.effectOf(request)
        const rules = { effect, ...(language ? { language } : {}), ...(home ? { home } : {}) }
        const own = value.startsWith(point.value) ? value.slice(point.value.length) : value
        const harm = harmOf(own, rules)
        if (harm !== null && harmOf(point.value, rules) !== null) {
          throw new Unsendable(`its own value reads like one that ${harm}`)
        }
        // What was asked for while it was taken to read is not sent any more.
        if (harm !== null && effect !== request.effect) throw new Bounded()
        if (harm !== null) throw new Error(`refused to send a probe that ${harm}`)
        const composed = compose(point, value)
        if (!composed) throw new Unsendable(`${point.place} cannot hold this value`)
        const changed = { ...composed, ...(timeout === undefined ? {} : { timeout }) }
        sent += 1
        await learnTokens(point)
        const asked = ask(point, value, textsOf(point, value), change ? change(changed) : changed, pursues)
        const reply = await (timeout === undefined ? timed(request, asked) : asked).catch((error: unknown) => {
          if (error instanceof Bounded) leaveAll(point, EVERY_WAY, error.message)
          throw error
        })
        if (await isBlocked(point, reply)) throw new Blocked(reply)
        return reply
      }
      return {
        request,
        point,
        baseline: () => baselineOf(point),
        control: () => shared.replies(`${keyOf(point)} control`, () => send(unlike(point.value), { language: 'sql' })),
        broken: () => shared.replies(`${keyOf(point)} broken`, () => send(breakOut(point.value), { language: 'sql' })),
        sentinel: () =>
          shared.replies(`${keyOf(point)} sentinel`, () => send(sentinel(point.value), { language: 'sql' })),
        joined: (quote) =>
          shared.replies(`${keyOf(point)} ${quote}`, () => {
            const [a, b] = [randomInt(12, 98), randomInt(12, 98)]
            return send(conjunction(point.value, quote, `${a}*${b}=${a * b}`), { language: 'sql' })
          }),
        timings: () => shared.timings.get(request.id) ?? [],
        sent: () => sent,
        pursue: () => {
          pursues = true
        },
        turns: shared.turns,
        leave: (way, reason) => leaveAll(point, way, reason),
        send,
      }
    },
  }
}

/** A page as it is now; null where it does not answer. */
const pageAt = async (egress: Egress, url: string): Promise<HttpExchange | null> => {
  try {
    return await egress.http(pageRequest(url))
  } catch (error) {
    if (targetFailure(error) === null) throw error
    return null
  }
}

/** Two answers to one request, but for numbers and keys, which change by themselves. One word may be what a token gives. */
const isSame = ([a, b]: readonly [Reply, Reply]): boolean => a.status === b.status && plainly(a) === plainly(b)

const plainly = ({ text }: Reply): string => text.replace(/[\w+/=.-]{20,}/g, '').replace(/\d+/g, '')

const isAdded = ({ place }: ProbePoint): boolean => place === 'header' || place === 'cookie'

/** The request with the values that it was found with. */
const plainOf = (point: ProbePoint): HttpRequest => {
  const { request } = point
  return (
    (isAdded(point) ? compose(point, point.value) : null) ?? {
      method: request.method,
      url: request.url,
      headers: request.headers,
      ...(request.body === null ? {} : { body: request.body }),
    }
  )
}

const keyOf = ({ request, place, name }: ProbePoint): string => `${request.id} ${place} ${name}`

const replyOf = (value: string, echoes: readonly string[], request: HttpRequest, exchange: HttpExchange): Reply => ({
  value,
  ...(echoes.length > 1 ? { echoes } : {}),
  status: exchange.status,
  text: exchange.body.subarray(0, MAX_TEXT).toString('utf8'),
  contentType: (headerOf(exchange, 'content-type').split(';')[0] ?? '').trim().toLowerCase(),
  location: headerOf(exchange, 'location'),
  headers: exchange.headers,
  ms: exchange.timing.total - exchange.timing.connect,
  replay: curlOf(request),
})

const silence = (value: string, request: HttpRequest, ms: number): Reply => ({
  value,
  status: 0,
  text: '',
  contentType: '',
  location: '',
  headers: [],
  ms,
  replay: curlOf(request),
})

const headerOf = (exchange: HttpExchange, name: string): string =>
  exchange.headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? ''
