/** Who may make a target wait: a few side by side, or one with nothing else beside it. */

/** Each holds a connection of the target's database, which other visitors of a production system need. */
export const SLEEPERS = { production: 2, test: 4 }

export interface Turns {
  /** Beside others of its kind, at most so many at once, itself counted; by default as many as first tries may be. */
  readonly few: <Value>(work: () => Promise<Value>, most?: number) => Promise<Value>
  /** With nothing beside it. */
  readonly alone: <Value>(work: () => Promise<Value>) => Promise<Value>
  /** What waits there held up others: from now on half as many at once, at least one. */
  readonly narrow: () => void
  /** What was asked to wait, and waited. */
  readonly waited: (span: Span) => void
  /** What was not, and took far longer than it does. Where several of these end when a wait does, that held them up: from then on one waits at a time. */
  readonly late: (span: Span) => void
}

/** Milliseconds of one clock. */
export interface Span {
  readonly from: number
  readonly to: number
}

interface Waiting {
  readonly alone: boolean
  readonly most: number
  readonly start: () => void
}

/** However many somebody asks for. */
const MOST = 4

/** Milliseconds between the end of a wait and that of what it has held up. */
const SOON = 100
/** So many tell that a session, a table or a worker is locked while a script waits, as PHP's files of sessions are. */
const HELD_UP = 3
/** Of each kind the last are looked at. */
const KEPT = 16

/** In the order in which they came: neither kind keeps the other waiting for ever. */
export const createTurns = (first: number): Turns => {
  const line: Waiting[] = []
  let running = 0
  let closed = false
  let widest = MOST
  const [waits, lateOnes]: [Span[], Span[]] = [[], []]
  let heldUp = 0

  const next = (): void => {
    for (let waiting = line[0]; waiting && !closed; waiting = line[0]) {
      if (waiting.alone ? running > 0 : running >= Math.min(waiting.most, widest)) return
      line.shift()
      running += 1
      closed = waiting.alone
      waiting.start()
    }
  }

  const turn = async <Value>(alone: boolean, at: number, work: () => Promise<Value>): Promise<Value> => {
    await new Promise<void>((start) => {
      line.push({ alone, most: at, start })
      next()
    })
    try {
      return await work()
    } finally {
      running -= 1
      if (alone) closed = false
      next()
    }
  }

  const note = (own: Span[], others: readonly Span[], span: Span, isHeld: (other: Span) => boolean): void => {
    own.push(span)
    if (own.length > KEPT) own.shift()
    heldUp += others.filter(isHeld).length
    if (heldUp >= HELD_UP) widest = 1
  }
  const holds = (wait: Span, late: Span): boolean =>
    Math.abs(wait.to - late.to) <= SOON && late.from >= wait.from && late.from < wait.to

  return {
    waited: (span) => note(waits, lateOnes, span, (late) => holds(span, late)),
    late: (span) => note(lateOnes, waits, span, (wait) => holds(wait, span)),
    few: (work, at = first) => turn(false, at, work),
    alone: (work) => turn(true, 1, work),
    narrow: () => {
      widest = Math.max(1, Math.floor(widest / 2))
    },
  }
}
