/**
 * How fast one address is asked. A token bucket and a limit of requests in flight, shared fairly between modules, that
 * halves when the host shows strain (429, 503, Retry-After, answers three times as late as those of the same addresses were, but for what the
 * run itself makes the host wait) and recovers slowly.
 */
import { createClosings } from './closings.ts'
import { createHeldUp } from './held-up.ts'
import { createQueues } from './queues.ts'
import { retryAfter } from './retry-after.ts'
import { createStrain } from './strain.ts'

export interface Outcome {
  readonly status?: number
  /** Value of Retry-After as received. */
  readonly retryAfter?: string | null
  /** Milliseconds to the first byte of the answer. */
  readonly latency?: number
  /** Milliseconds that the request itself asked the host to wait: so much of its latency is no sign of strain. */
  readonly waits?: number | undefined
  /** What was asked, as `acquire` was told. */
  readonly of?: string
}

/** Gives the place back. Must be called once, whatever happened. */
export type Release = (outcome?: Outcome) => void

export interface Pace {
  /**
   * `spare`: while others wait that are not, it is served once in `SPARE_EVERY` turns. Default false. `of`: what is asked, method and address without its
   * query; a pause that it was told is its own. Default: nobody knows.
   */
  readonly acquire: (module: string, signal: AbortSignal, spare?: boolean, of?: string) => Promise<Release>
  /** Share of the configured pace in use now: 1 is all of it. */
  readonly factor: () => number
  /** True when nobody uses it and forgetting it would make no difference. */
  readonly idle: () => boolean
  /** Its share may be another now. */
  readonly look: () => void
}

export interface PaceOptions {
  readonly perSecond: number
  readonly concurrency: number
  /** Part of the pace that is this run's now, 0 to 1; `wanted`: somebody waits for it. Default: all of it. */
  readonly share?: (wanted: boolean) => number
  /** Milliseconds, monotonic. Replaced in tests. */
  readonly clock?: () => number
}

const LOWEST = 1 / 16
/** Slow answers alone never brake below this: a slow page is not a host in distress. */
const LOWEST_BY_LATENCY = 1 / 4
const LONGEST_PAUSE = 30_000
/** Milliseconds that what is refused by itself waits where nobody says how long. */
const UNTOLD_PAUSE = 2_000
/** One sign of strain counts once: ten answers in flight all say the same. */
const BRAKE_INTERVAL = 1_000
const RECOVERY_INTERVAL = 2_000
const RECOVERY = 1.25

export const createPace = (options: PaceOptions): Pace => {
  const clock = options.clock ?? (() => performance.now())
  const queues = createQueues()
  const closings = createClosings(clock)
  const strain = createStrain()
  const heldUp = createHeldUp()
  let inFlight = 0
  let factor = 1
  let changed = clock()
  let pausedUntil = 0
  let share = 1
  const burst = () => Math.max(1, Math.min(options.concurrency, options.perSecond) * share)
  let tokens = burst()
  let refilled = clock()
  let timer: { readonly handle: NodeJS.Timeout; readonly at: number } | null = null

  const refill = (now: number) => {
    if (factor < 1 && now - changed >= RECOVERY_INTERVAL && now >= pausedUntil) {
      factor = Math.min(1, factor * RECOVERY)
      changed = now
    }
    tokens += ((now - refilled) / 1000) * options.perSecond * factor * share
    refilled = now
    // Of another share from here on: what was saved under a larger one is not spent under it.
    share = options.share?.(queues.size() > 0) ?? 1
    tokens = Math.min(burst(), tokens)
  }

  const places = () => (share === 0 ? 0 : Math.max(1, Math.floor(options.concurrency * factor * share)))

  const pump = () => {
    const now = clock()
    refill(now)
    while (inFlight < places() && tokens >= 1 && now >= pausedUntil && queues.serve(closings.isOpen)) {
      inFlight += 1
      tokens -= 1
    }
    // Only time can open the gate when a token or the pause is missing, or what waits is closed; a release calls pump itself.
    if (queues.size() === 0 || inFlight >= places()) return
    const forToken = tokens >= 1 ? 0 : ((1 - tokens) / (options.perSecond * factor * share)) * 1000
    const at = now + Math.max(1, forToken, pausedUntil - now, queues.opensAt(closings.opensAt) - now)
    if (timer !== null && timer.at <= at) return
    if (timer !== null) clearTimeout(timer.handle)
    const handle = setTimeout(() => {
      timer = null
      pump()
    }, at - now)
    timer = { handle, at }
  }

  const brake = (lowest: number) => {
    const now = clock()
    refill(now)
    if (factor < 1 && now - changed < BRAKE_INTERVAL) return
    factor = Math.min(factor, Math.max(lowest, factor / 2))
    // Also at the lowest: while the strain lasts, nothing recovers.
    changed = now
    tokens = Math.min(tokens, 1)
  }

  const learn = (outcome: Outcome) => {
    if (outcome.status === 429 || outcome.status === 503) {
      const pause = Math.min(retryAfter(outcome.retryAfter ?? null), LONGEST_PAUSE)
      const ofItself = closings.refused(outcome.of ?? '', pause || UNTOLD_PAUSE)
      if (ofItself === 'no' && pause > 0) pausedUntil = Math.max(pausedUntil, clock() + pause)
      if (ofItself !== 'again') brake(LOWEST)
      return
    }
    closings.answered(outcome.of ?? '')
    if (outcome.latency !== undefined && strain.add(ownTime(outcome, outcome.latency), outcome.of ?? ''))
      brake(LOWEST_BY_LATENCY)
  }

  /** Without what it was told to wait, or what others were told meanwhile. */
  const ownTime = ({ waits = 0 }: Outcome, latency: number): number => {
    const now = clock()
    if (waits === 0 || latency < waits) return latency - heldUp.within(now - latency, now)
    heldUp.add(now - latency, now)
    return latency - waits
  }

  return {
    factor: () => factor,
    idle: () => {
      refill(clock())
      return inFlight === 0 && queues.size() === 0 && factor === 1 && tokens >= burst()
    },
    look: pump,
    acquire: (module, signal, spare = false, of = '') =>
      queues.turn({ module, signal, spare, of }, pump).then(() =>
        once((outcome) => {
          inFlight -= 1
          if (outcome) learn({ of, ...outcome })
          pump()
        }),
      ),
  }
}

const once = (release: Release): Release => {
  let done = false
  return (outcome) => {
    if (done) return
    done = true
    release(outcome)
  }
}
