/** Sends hellos to one endpoint, as many at once as it bears, and repeats what a busy server dropped. */
import { sleep } from '../../../contract/sleep.ts'
import type { Egress } from '../../../egress/door/egress.ts'
import { targetFailure } from '../../../egress/door/target-failure.ts'
import { WireError } from './bytes.ts'
import { type Channel, createChannel } from './channel.ts'
import { type Flight, readFlight } from './flight.ts'
import { type Hello, helloRecord } from './hello.ts'
import { PRELUDES, type Prelude, type Service } from './starttls.ts'

export interface TlsEndpoint {
  readonly host: string
  readonly address: string
  readonly port: number
  readonly service: Service
}

export interface Prober {
  readonly endpoint: TlsEndpoint
  /** The server's answer to a hello; `whole` reads on to the end of its flight. */
  readonly ask: (hello: Hello, whole?: boolean) => Promise<Flight>
  /** Runs a dialogue of its own on a connection that is ready for a hello; null where none could be opened. */
  readonly converse: <T>(dialogue: (channel: Channel) => Promise<T>, prelude?: Prelude) => Promise<T | null>
  /** When a wait that begins now ends, by performance.now(). */
  readonly deadline: (milliseconds?: number) => number
  readonly asked: () => number
}

/** Longest wait for a server's flight, milliseconds. */
export const PATIENCE = 5_000
const CONNECT_PATIENCE = 5_000
const TRIES = 3
/** The same where the answer was quick: a server at its limit of connections says so at once, and is soon free again. */
const QUICK_TRIES = 6
const QUICK = 1_000
/** Answers in clear text that one endpoint is forgiven; after them nothing is asked again. */
const MOST_CROWDED = 60
const FIRST_AT_ONCE = 8
const MOST_AT_ONCE = 16
const BACK_OFF = 150
/** Milliseconds that an endpoint stays taken after its end where a server said that it is crowded: at first, and at most. */
const FIRST_GAP = 20
const LONGEST_GAP = 160
/** Refusals this close together are one. */
const ONE_BURST = 300
/** A first SYN that was dropped is sent again after a second (RFC 6298, 2): the queue of the server was full. */
const DROPPED_SYN = 900
/** After this many seconds an endpoint is asked nothing more; what is still open then is said to be so. */
const LONGEST_SURVEY = 90

export const createProber = (
  egress: Egress,
  endpoint: TlsEndpoint,
  signal: AbortSignal,
  seconds = LONGEST_SURVEY,
): Prober => {
  const turns = createTurns()
  const expires = performance.now() + seconds * 1_000
  const within = (milliseconds: number) => Math.min(expires, performance.now() + milliseconds)
  let asked = 0
  let speaksTls = false
  let crowd = MOST_CROWDED

  const open = async (prelude: Prelude): Promise<Channel | string> => {
    asked += 1
    const began = performance.now()
    try {
      const stream = await egress.connect({ host: endpoint.address, port: endpoint.port, timeout: CONNECT_PATIENCE })
      turns.connected(performance.now() - began)
      const channel = createChannel(stream)
      const refusal = await prelude(channel, endpoint.host, within(PATIENCE))
      if (refusal === null) return channel
      channel.close()
      return refusal
    } catch (error) {
      const failure = targetFailure(error)
      if (failure === null) throw error
      return failure.message
    }
  }

  const converse: Prober['converse'] = (dialogue, prelude = PRELUDES[endpoint.service]) =>
    turns.run(async () => {
      let slow = 0
      for (let attempt = 1; attempt <= QUICK_TRIES && slow < TRIES; attempt++) {
        signal.throwIfAborted()
        const began = performance.now()
        if (performance.now() >= expires) return null
        const channel = await open(prelude)
        if (typeof channel !== 'string') {
          try {
            return await dialogue(channel)
          } catch (error) {
            if (!isTheirFault(error)) throw error
            return null
          } finally {
            channel.close()
          }
        }
        if (performance.now() - began > QUICK) slow += 1
        turns.brake()
        await sleep(BACK_OFF * attempt)
      }
      return null
    })

  const askOnce = (hello: Hello, whole: boolean): Promise<Flight | null> =>
    converse(async (channel) => {
      channel.write(helloRecord(hello))
      return readFlight(channel, within(PATIENCE), whole)
    })

  return {
    endpoint,
    converse,
    deadline: (milliseconds = PATIENCE) => within(milliseconds),
    asked: () => asked,
    ask: async (hello, whole = false) => {
      let last: Flight = UNANSWERED
      for (let attempt = 1; attempt < (isClearText(last.end) ? QUICK_TRIES : TRIES); attempt++) {
        const got = await askOnce(hello, whole)
        if (got === null) return last
        last = got
        if (got.hello !== null || got.end.kind === 'alert') speaksTls = true
        if (!isDoubtful(got, speaksTls)) {
          turns.ease()
          return got
        }
        turns.brake()
        if (!isClearText(got.end)) continue
        if (crowd-- <= 0) break
        turns.crowded()
        await sleep(BACK_OFF * attempt)
      }
      // Clear text of a server that speaks TLS otherwise, "421 too many connections", is no answer to the hello.
      return speaksTls && isClearText(last.end) ? { ...last, end: { kind: 'timeout' } } : last
    },
  }
}

/**
 * Silence and a reset before the first octet may be load, and so may clear text where TLS was spoken before; an alert or
 * an orderly end is an answer.
 */
const isDoubtful = ({ hello, end }: Flight, speaksTls: boolean): boolean =>
  hello === null && (end.kind === 'timeout' || (end.kind === 'closed' && end.reset) || (speaksTls && isClearText(end)))

/** "421 too many connections": four octets that no record begins with. */
const isClearText = (end: Flight['end']): boolean =>
  end.kind === 'garbage' && /^[\x20-\x7e]{4}/.test(end.start.toString('latin1', 0, 4))

/** Octets that no parser foresaw, and values that the library refuses to compute with, end a dialogue and not the survey. */
const isTheirFault = (error: unknown): boolean =>
  error instanceof WireError ||
  (error instanceof Error &&
    'code' in error &&
    /^ERR_(OUT_OF_RANGE|BUFFER_OUT_OF_BOUNDS|OSSL|CRYPTO)/.test(String(error.code)))

const UNANSWERED: Flight = {
  hello: null,
  certificates: [],
  keyExchange: null,
  certificateRequested: false,
  staple: null,
  messages: [],
  end: { kind: 'timeout' },
}

/** A limit of dialogues at once: grows while the server answers, halves when it drops them. */
const createTurns = () => {
  let limit = FIRST_AT_ONCE
  let running = 0
  let answered = 0
  let most = MOST_AT_ONCE
  let gap = 0
  let refused = Number.NEGATIVE_INFINITY
  let quickest = Number.POSITIVE_INFINITY
  const waiting: (() => void)[] = []
  const release = () => {
    running -= 1
    while (running < limit) {
      const next = waiting.shift()
      if (!next) return
      running += 1
      next()
    }
  }
  return {
    run: async <T>(work: () => Promise<T>): Promise<T> => {
      if (running < limit) running += 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await work()
      } finally {
        if (gap === 0) release()
        else setTimeout(release, gap)
      }
    },
    ease: () => {
      answered += 1
      if (answered % limit === 0 && limit < most) limit += 1
    },
    brake: () => {
      limit = Math.max(2, limit >> 1)
    },
    /** It said that there are too many: that many at once, or so soon after one another, are never tried again. */
    crowded: () => {
      if (performance.now() - refused > ONE_BURST) gap = Math.min(LONGEST_GAP, gap === 0 ? FIRST_GAP : 2 * gap)
      refused = performance.now()
      most = Math.max(2, limit >> 1)
      limit = Math.min(limit, most)
    },
    /** Milliseconds that a connection took: one of a second among quick ones sets a ceiling for good. */
    connected: (took: number) => {
      if (took > DROPPED_SYN && took > 3 * quickest) {
        most = Math.max(2, Math.min(most, limit) >> 1)
        limit = Math.min(limit, most)
      }
      quickest = Math.min(quickest, took)
    },
  }
}
