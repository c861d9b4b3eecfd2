import type { Logger } from './options.ts'

export interface Repeated {
  /** Does the work now, or once more after the round that is going on. */
  readonly now: () => void
  /** Resolves when no round is going on. */
  readonly ended: () => Promise<void>
}

/**
 * Does some work every so many milliseconds, unless that is null, and whenever it is asked to; never twice at once. A failed round is logged,
 * and the next one comes. Stops when the signal aborts.
 */
export const repeat = (
  options: {
    readonly every: number | null
    readonly signal: AbortSignal
    readonly logger: Logger
    readonly name: string
  },
  work: () => Promise<void>,
): Repeated => {
  const { signal, logger, name } = options
  let round: Promise<void> | null = null
  let again = false

  const run = async (): Promise<void> => {
    do {
      again = false
      try {
        await work()
      } catch (error) {
        if (!signal.aborted) logger.error({ err: error }, `${name}: a round failed`)
      }
    } while (again && !signal.aborted)
    round = null
  }
  const now = (): void => {
    if (signal.aborted) return
    if (round) again = true
    else round = run()
  }
  if (options.every !== null) {
    const timer = setInterval(now, options.every)
    signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  }
  return {
    now,
    ended: async () => {
      while (round) await round
    },
  }
}
