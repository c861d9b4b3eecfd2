/**
 * How a sweep of ports paces itself: the window of attempts (RFC 5681), how long an answer takes (RFC 6298), which port is
 * next, and whether this machine itself has run out.
 */

const FIRST_WINDOW = 32
const NARROWEST = 4
const LEAST_PATIENCE = 100
const MOST_PATIENCE = 3_000
const MOST_ROUNDS = 6
/** One silent port in so many is repeated at once, to learn early whether silence means loss. */
const SAMPLE = 16
const LOCAL_PAUSE = 50

/** How many attempts may be under way. */
export const createWindow = (widest: number) => {
  let size = Math.min(FIRST_WINDOW, widest)
  let threshold = widest
  let lossAt = 0
  let slowedTo: number | null = null
  return {
    size: (): number => size,
    /** The narrowest after a loss, null when nothing was lost. */
    slowedTo: (): number | null => slowedTo,
    grow: (): void => {
      size = Math.min(widest, size < threshold ? size + 1 : size + 1 / size)
    },
    /** A port of the sample was silent twice: silence is this host's manner, and no reason to be slow. */
    widen: (): void => {
      size = Math.min(widest, size + SAMPLE / 2)
    },
    halve: (): void => {
      size = Math.max(NARROWEST, size / 2)
    },
    /** An answer came only on repeat. False within `patience` milliseconds of a loss: it is the same one. */
    lost: (now: number, patience: number): boolean => {
      if (now - lossAt < patience) return false
      lossAt = now
      threshold = Math.max(NARROWEST, size / 2)
      size = threshold
      slowedTo = Math.min(slowedTo ?? Number.POSITIVE_INFINITY, Math.floor(size))
      return true
    },
  }
}

/** How long an answer takes here, starting from `first` milliseconds. */
export const createPath = (first: number) => {
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

/** One attempt at one port; round 0 is the first. */
export interface Turn {
  readonly port: number
  readonly round: number
}

/** Which port is next: all of them, then the silent ones again while rounds go on finding answers. */
export const createRounds = (ports: readonly number[]) => {
  const urgent: Turn[] = []
  let queue = ports
  let at = 0
  let round = 0
  let silent: number[] = []
  let silences = 0
  let recovered = 0
  let recoveredBefore = 0
  return {
    /** Null where this round has begun all it has. */
    next: (): Turn | null => urgent.shift() ?? (at < queue.length ? { port: queue[at++] ?? 0, round } : null),
    /** Begins the next round; false where there is nothing to ask again, or no use in it. */
    again: (): boolean => {
      const fruitless = round > 0 && recovered === recoveredBefore
      if (silent.length === 0 || fruitless || round + 1 >= MOST_ROUNDS) return false
      recoveredBefore = recovered
      round += 1
      queue = silent
      silent = []
      at = 0
      return true
    },
    retry: (turn: Turn): void => {
      urgent.push({ port: turn.port, round: turn.round })
    },
    /** An answer on repeat. */
    recover: (): void => {
      recovered += 1
    },
    /** No answer in time. True where it was a port of the sample, silent for the second time. */
    silence: (turn: Turn): boolean => {
      const isSample = turn.round > round
      if (!isSample) silences += 1
      if (!isSample && round === 0 && silences % SAMPLE === 1) urgent.push({ port: turn.port, round: round + 1 })
      else silent.push(turn.port)
      return isSample
    },
    hasBegunAll: (): boolean => urgent.length === 0 && at >= queue.length,
    /** Ports that never answered. */
    silent: (): readonly number[] => silent,
    recovered: (): number => recovered,
  }
}

/** This machine, which may have no descriptors or ports left for `patience` milliseconds. */
export const createMachine = (patience: number) => {
  let pausedUntil = 0
  /** When it began to refuse every attempt. */
  let stuckSince: number | null = null
  return {
    isPaused: (now: number): boolean => now < pausedUntil,
    works: (): void => {
      stuckSince = null
    },
    /** It has refused an attempt. True where it has done nothing else for too long. */
    refuses: (now: number): boolean => {
      pausedUntil = now + LOCAL_PAUSE
      stuckSince ??= now
      return now - stuckSince > patience
    },
  }
}
