/**
 * Which ports of one address accept connections. As many attempts are under way as the path bears: the window grows
 * with every answer and halves when a port that was silent answers on repeat, the sign that something was lost. A port
 * counts as silent only after every round of repeats, and rounds go on while they still find answers.
 * The method is TCP's own congestion control (RFC 5681) and round-trip estimate (RFC 6298), applied to attempts.
 */

import type { Attempt, Opened, Opener } from '../sockets/opener.ts'
import { EgressError } from './egress.ts'

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

const FIRST_WINDOW = 32
const WIDEST = 256
const NARROWEST = 4
const FIRST_PATIENCE = 1_000
const LEAST_PATIENCE = 100
const MOST_PATIENCE = 3_000
const MOST_ROUNDS = 6
/** One silent port in so many is repeated at once, to learn early whether silence means loss. */
const SAMPLE = 16
const TICK = 20
const LOCAL_PAUSE = 50
/** Milliseconds of nothing but refusals of this machine's own, after which the sweep is given up. */
const LOCAL_PATIENCE = 10_000

interface Try {
  readonly port: number
  readonly round: number
  readonly began: number
  readonly attempt: Attempt
  over: boolean
}

/** Rejects with the signal's reason, with what `spend` throws, or `exhausted` where this machine has nothing left. */
export const sweep = (options: SweepOptions): Promise<Swept> =>
  new Promise((resolve, reject) => {
    const { address, open, signal, spend, progress } = options
    const widest = options.window ?? WIDEST
    const found: Record<'open' | 'closed' | 'filtered', number[]> = { open: [], closed: [], filtered: [] }
    const path = createPath(options.patience ?? FIRST_PATIENCE)
    const running = new Set<Try>()
    /** In order of their beginning, so the oldest is the first to be overdue. */
    const waiting: Try[] = []
    let oldest = 0
    let queue = options.ports
    let at = 0
    const urgent: { port: number; round: number }[] = []
    let silent: number[] = []
    let round = 0
    let window = Math.min(FIRST_WINDOW, widest)
    let threshold = widest
    let lossAt = 0
    let slowedTo: number | null = null
    let recovered = 0
    let recoveredBefore = 0
    let attempts = 0
    let silences = 0
    let pausedUntil = 0
    /** When this machine began to refuse every attempt. */
    let stuckSince: number | null = null
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

    const lost = (): void => {
      const now = performance.now()
      if (now - lossAt < path.patience()) return
      lossAt = now
      threshold = Math.max(NARROWEST, window / 2)
      window = threshold
      slowedTo = Math.min(slowedTo ?? Number.POSITIVE_INFINITY, Math.floor(window))
      path.doubt()
    }

    const grow = (): void => {
      window = Math.min(widest, window < threshold ? window + 1 : window + 1 / window)
    }

    const settle = (port: number, state: 'open' | 'closed' | 'filtered'): void => {
      found[state].push(port)
      if (progress && (found.open.length + found.closed.length + found.filtered.length) % 512 === 0) {
        progress(found.open.length + found.closed.length + found.filtered.length)
      }
    }

    const answered = (one: Try, what: Opened): void => {
      one.over = true
      running.delete(one)
      if (what === 'local') {
        const now = performance.now()
        urgent.push(one)
        window = Math.max(NARROWEST, window / 2)
        pausedUntil = now + LOCAL_PAUSE
        stuckSince ??= now
        if (now - stuckSince > (options.localPatience ?? LOCAL_PATIENCE)) {
          finish(() =>
            reject(new EgressError('exhausted', `${address}: this machine has no descriptors or ports left`)),
          )
        }
        return
      }
      stuckSince = null
      if (what === 'unreachable') {
        settle(one.port, 'filtered')
        return
      }
      // After a repeat nobody knows which attempt took how long (Karn's rule), so only first tries teach the path.
      if (one.round === 0) path.learn(performance.now() - one.began)
      else {
        recovered += 1
        lost()
      }
      settle(one.port, what)
      grow()
    }

    const overdue = (one: Try): void => {
      one.over = true
      stuckSince = null
      running.delete(one)
      one.attempt.drop()
      if (one.round > round) {
        // The sample was silent twice: silence is this host's manner, and no reason to be slow.
        silent.push(one.port)
        window = Math.min(widest, window + SAMPLE / 2)
        return
      }
      silences += 1
      if (round === 0 && silences % SAMPLE === 1) urgent.push({ port: one.port, round: round + 1 })
      else silent.push(one.port)
    }

    const start = (port: number, ofRound: number): void => {
      spend?.()
      attempts += 1
      const one: Try = {
        port,
        round: ofRound,
        began: performance.now(),
        over: false,
        attempt: open(address, port, (what) => {
          if (ended) return
          answered(one, what)
          pump()
        }),
      }
      running.add(one)
      waiting.push(one)
    }

    const nextRound = (): boolean => {
      const again = silent
      const fruitless = round > 0 && recovered === recoveredBefore
      if (again.length === 0 || fruitless || round + 1 >= MOST_ROUNDS) {
        for (const port of again) found.filtered.push(port)
        return false
      }
      recoveredBefore = recovered
      round += 1
      silent = []
      queue = again
      at = 0
      return true
    }

    const pump = (): void => {
      try {
        if (ended || performance.now() < pausedUntil) return
        while (running.size < window) {
          const first = urgent.shift()
          if (first) start(first.port, first.round)
          else if (at < queue.length) start(queue[at++] ?? 0, round)
          else if (running.size > 0 || !nextRound()) break
        }
      } catch (error) {
        finish(() => reject(error))
        return
      }
      if (running.size === 0 && urgent.length === 0 && at >= queue.length && !ended) {
        finish(() => resolve({ ...sorted(found), recovered, slowedTo, attempts }))
      }
    }

    const tick = (): void => {
      const now = performance.now()
      for (let next = waiting[oldest]; next; next = waiting[oldest]) {
        if (!next.over && now - next.began < path.patience() * (1 + next.round / 2)) break
        if (!next.over) overdue(next)
        oldest += 1
      }
      if (oldest > 4_096) {
        waiting.splice(0, oldest)
        oldest = 0
      }
      pump()
    }

    const ticker = setInterval(tick, TICK)
    if (signal.aborted) {
      abort()
      return
    }
    signal.addEventListener('abort', abort, { once: true })
    pump()
  })

/** How long an answer takes here. */
const createPath = (first: number) => {
  let smooth: number | null = null
  let spread = 0
  let factor = 1
  return {
    learn: (took: number): void => {
      if (smooth === null) {
        smooth = took
        spread = took / 2
        return
      }
      spread = 0.75 * spread + 0.25 * Math.abs(smooth - took)
      smooth = 0.875 * smooth + 0.125 * took
    },
    /** An answer came late or only on repeat: wait longer from now on. */
    doubt: (): void => {
      factor = Math.min(4, factor * 1.5)
    },
    patience: (): number =>
      smooth === null
        ? first * factor
        : Math.min(MOST_PATIENCE, Math.max(LEAST_PATIENCE, smooth + 4 * spread) * factor),
  }
}

const sorted = (found: Readonly<Record<'open' | 'closed' | 'filtered', number[]>>) => ({
  open: found.open.toSorted(ascending),
  closed: found.closed.toSorted(ascending),
  filtered: found.filtered.toSorted(ascending),
})

const ascending = (a: number, b: number): number => a - b
