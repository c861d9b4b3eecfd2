/**
 * Which ports of one address accept connections. As many attempts are under way as the path bears: the window grows
 * with every answer and halves when a port that was silent answers on repeat, the sign that something was lost. A port
 * counts as silent only after every round of repeats, and rounds go on while they still find answers.
 * The method is TCP's own congestion control (RFC 5681) and round-trip estimate (RFC 6298), applied to attempts.
 */

import type { Attempt, Opened, Opener } from '../sockets/opener.ts'
import { EgressError } from './egress.ts'
import { createMachine, createPath, createRounds, createWindow, type Turn } from './sweep-control.ts'

export interface SweepOptions {
  readonly address: string
  readonly ports: readonly number[]
  readonly open: Opener
  readonly signal: AbortSignal
  /** Attempts at once, at most. */
  readonly window?: number
  /** Milliseconds to wait for an answer before anything is known of the path. */
  readonly patience?: number
  readonly progress?: (settled: number) => void
  /** Told before every attempt; throws where the budget is spent. */
  readonly spend?: () => void
  /** Milliseconds to go on while this machine itself refuses every attempt. Default 10,000. */
  readonly localPatience?: number
}

export interface Swept {
  readonly open: readonly number[]
  readonly closed: readonly number[]
  /** Silent, or a router said that there is no way. */
  readonly filtered: readonly number[]
  /** Ports that answered only on repeat: what a sweep without repeats would have missed. */
  readonly recovered: number
  /** The narrowest window after a loss, null when nothing was lost. */
  readonly slowedTo: number | null
  /** Attempts in all. */
  readonly attempts: number
}

const WIDEST = 256
const FIRST_PATIENCE = 1_000
const TICK = 20
/** Milliseconds of nothing but refusals of this machine's own, after which the sweep is given up. */
const LOCAL_PATIENCE = 10_000

interface Try extends Turn {
  readonly began: number
  readonly attempt: Attempt
  over: boolean
}

/** Rejects with the signal's reason, with what `spend` throws, or `exhausted` where this machine has nothing left. */
export const sweep = (options: SweepOptions): Promise<Swept> =>
  new Promise((resolve, reject) => {
    const { address, open, signal, spend, progress } = options
    const found = createFound(progress)
    const path = createPath(options.patience ?? FIRST_PATIENCE)
    const window = createWindow(options.window ?? WIDEST)
    const rounds = createRounds(options.ports)
    const machine = createMachine(options.localPatience ?? LOCAL_PATIENCE)
    const running = new Set<Try>()
    const overdue = createOverdue()
    let attempts = 0
    let ended = false

    const finish = (settle: () => void): void => {
      if (ended) return
      ended = true
      clearInterval(ticker)
      signal.removeEventListener('abort', abort)
      for (const { attempt } of running) attempt.drop()
      settle()
    }
    const abort = (): void => finish(() => reject(signal.reason))

    const refused = (one: Try): void => {
      rounds.retry(one)
      window.halve()
      if (!machine.refuses(performance.now())) return
      finish(() => reject(new EgressError('exhausted', `${address}: this machine has no descriptors or ports left`)))
    }

    const answered = (one: Try, what: Opened): void => {
      one.over = true
      running.delete(one)
      if (what === 'local') {
        refused(one)
        return
      }
      machine.works()
      found.add(one.port, what === 'unreachable' ? 'filtered' : what)
      if (what === 'unreachable') return
      // After a repeat nobody knows which attempt took how long (Karn's rule), so only first tries teach the path.
      if (one.round === 0) path.learn(performance.now() - one.began)
      else {
        rounds.recover()
        if (window.lost(performance.now(), path.patience())) path.doubt()
      }
      window.grow()
    }

    const unanswered = (one: Try): void => {
      one.over = true
      machine.works()
      running.delete(one)
      one.attempt.drop()
      if (rounds.silence(one)) window.widen()
    }

    const start = ({ port, round }: Turn): void => {
      spend?.()
      attempts += 1
      const attempt = open(address, port, (what) => {
        if (!ended) answered(one, what)
        pump()
      })
      const one: Try = { port, round, began: performance.now(), over: false, attempt }
      running.add(one)
      overdue.watch(one)
    }

    const pump = (): void => {
      try {
        if (ended || machine.isPaused(performance.now())) return
        while (running.size < window.size()) {
          const turn = rounds.next()
          if (turn) start(turn)
          else if (running.size > 0 || !rounds.again()) break
        }
      } catch (error) {
        finish(() => reject(error))
        return
      }
      if (ended || running.size > 0 || !rounds.hasBegunAll()) return
      for (const port of rounds.silent()) found.add(port, 'filtered')
      const how = { recovered: rounds.recovered(), slowedTo: window.slowedTo(), attempts }
      finish(() => resolve({ ...found.sorted(), ...how }))
    }

    const ticker = setInterval(() => {
      const now = performance.now()
      for (const one of overdue.at(({ began, round }) => now - began >= path.patience() * (1 + round / 2)))
        unanswered(one)
      pump()
    }, TICK)
    if (signal.aborted) {
      abort()
      return
    }
    signal.addEventListener('abort', abort, { once: true })
    pump()
  })

/** Attempts in order of their beginning, so that the oldest is the first to be overdue. */
const createOverdue = () => {
  const waiting: Try[] = []
  let oldest = 0
  return {
    watch: (one: Try): void => {
      waiting.push(one)
    },
    /** Those that are not over and late, one after another, as what is thought of the first may change what is late. */
    *at(isLate: (one: Try) => boolean): Generator<Try> {
      for (let next = waiting[oldest]; next; next = waiting[oldest]) {
        if (!next.over && !isLate(next)) break
        oldest += 1
        if (!next.over) yield next
      }
      if (oldest > 4_096) {
        waiting.splice(0, oldest)
        oldest = 0
      }
    },
  }
}

const createFound = (progress: SweepOptions['progress']) => {
  const ports: Record<'open' | 'closed' | 'filtered', number[]> = { open: [], closed: [], filtered: [] }
  let settled = 0
  return {
    add: (port: number, state: keyof typeof ports): void => {
      ports[state].push(port)
      settled += 1
      if (settled % 512 === 0) progress?.(settled)
    },
    sorted: () => ({
      open: ports.open.toSorted(ascending),
      closed: ports.closed.toSorted(ascending),
      filtered: ports.filtered.toSorted(ascending),
    }),
  }
}

const ascending = (a: number, b: number): number => a - b
