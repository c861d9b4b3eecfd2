/** Sends values into places and says what came back: every probe of xss, sqli and injection goes through here. */
import type { Egress, HttpExchange, HttpRequest } from '../../egress/egress.ts'
import { targetFailure } from '../refusal.ts'
import { compose } from './compose.ts'
import { harmOf } from './harmless.ts'
import type { ProbePoint, ProbeRequest } from './inventory.ts'
import { curlOf } from './replay.ts'

/** What one probe brought back. Status 0: the target did not answer within the time. */
export interface Reply {
  readonly value: string
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
  /** Changes the composed request once more: a header, a raw target. */
  readonly change?: (request: HttpRequest) => HttpRequest
}

/** One place with what is known of it. All its probes go through `send`. */
export interface Probe {
  readonly request: ProbeRequest
  readonly point: ProbePoint
  /** The request as it is, asked twice; shared by all points of the request. */
  readonly baseline: () => Promise<readonly [Reply, Reply]>
  /** @throws Unsendable where the place cannot hold the value; Blocked when something in front refuses it */
  readonly send: (value: string, asking?: Asking) => Promise<Reply>
  /** Milliseconds of every answer to an ordinary probe of this request. */
  readonly timings: () => readonly number[]
  /** Runs alone: one timed probe at a time. */
  readonly alone: <Value>(work: () => Promise<Value>) => Promise<Value>
  readonly sent: () => number
}

/** The place cannot hold the value, e.g. a line break in a header. */
export class Unsendable extends Error {}

/** A firewall or a limit answers in place of the application. */
export class Blocked extends Error {
  readonly reply: Reply
  constructor(reply: Reply) {
    super(`answered ${reply.status} in place of the application`)
    this.reply = reply
  }
}

const MAX_TEXT = 262_144
const BLOCKING: ReadonlySet<number> = new Set([403, 406, 419, 429, 493, 501, 503, 999])

export interface Prober {
  readonly at: (point: ProbePoint) => Probe
}

export const createProber = (egress: Egress): Prober => {
  const baselines = new Map<ProbeRequest, Map<string, Promise<readonly [Reply, Reply]>>>()
  const timings = new Map<ProbeRequest, number[]>()
  let line: Promise<unknown> = Promise.resolve()

  const ask = async (value: string, request: HttpRequest): Promise<Reply> => {
    const began = performance.now()
    try {
      return replyOf(value, request, await egress.http(request))
    } catch (error) {
      const failure = targetFailure(error)
      if (!failure) throw error
      if (failure.code === 'excluded') throw new Unsendable('the run excludes this address')
      return silence(value, request, performance.now() - began)
    }
  }

  const timed = async (request: ProbeRequest, work: Promise<Reply>): Promise<Reply> => {
    const reply = await work
    const list = timings.get(request) ?? []
    timings.set(request, list)
    if (reply.status !== 0) list.push(reply.ms)
    return reply
  }

  /** A header or cookie is not part of the request by itself: its example value is put in, and it has a baseline of its own. */
  const baselineOf = (point: ProbePoint): Promise<readonly [Reply, Reply]> => {
    const { request } = point
    const added = point.place === 'header' || point.place === 'cookie'
    const key = added ? `${point.place} ${point.name}` : ''
    const ofRequest = baselines.get(request) ?? new Map<string, Promise<readonly [Reply, Reply]>>()
    baselines.set(request, ofRequest)
    const known = ofRequest.get(key)
    if (known) return known
    const plain: HttpRequest = (added ? compose(point, point.value) : null) ?? {
      method: request.method,
      url: request.url,
      headers: request.headers,
      ...(request.body === null ? {} : { body: request.body }),
    }
    const asked = (async () => [await timed(request, ask('', plain)), await timed(request, ask('', plain))] as const)()
    ofRequest.set(key, asked)
    return asked
  }

  return {
    at: (point) => {
      const { request } = point
      let sent = 0
      return {
        request,
        point,
        baseline: () => baselineOf(point),
        timings: () => timings.get(request) ?? [],
        sent: () => sent,
        alone: (work) => {
          const turn = line.then(work, work)
          line = turn.catch(() => undefined) // Its own caller hears of it; the next in line only waits.
          return turn
        },
        send: async (value, { language, timeout, change } = {}) => {
          const rules = { effect: request.effect, ...(language ? { language } : {}) }
          const own = value.startsWith(point.value) ? value.slice(point.value.length) : value
          const harm = harmOf(own, rules)
          if (harm !== null && harmOf(point.value, rules) !== null) {
            throw new Unsendable(`its own value reads like one that ${harm}`)
          }
          if (harm !== null) throw new Error(`refused to send a probe that ${harm}`)
          const composed = compose(point, value)
          if (!composed) throw new Unsendable(`${point.place} cannot hold this value`)
          const changed = { ...composed, ...(timeout === undefined ? {} : { timeout }) }
          sent += 1
          const asked = ask(value, change ? change(changed) : changed)
          const reply = await (timeout === undefined ? timed(request, asked) : asked)
          if (BLOCKING.has(reply.status) && (await baselineOf(point))[0].status !== reply.status) {
            throw new Blocked(reply)
          }
          return reply
        },
      }
    },
  }
}

const replyOf = (value: string, request: HttpRequest, exchange: HttpExchange): Reply => ({
  value,
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
