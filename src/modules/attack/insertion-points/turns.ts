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
}

interface Waiting {
  readonly alone: boolean
  readonly most: number
  readonly start: () => void
}

/** However many somebody asks for. */
const MOST = 4

/** In the order in which they came: neither kind keeps the other waiting for ever. */
export const createTurns = (first: number): Turns => {
  const line: Waiting[] = []
  let running = 0
  let closed = false
  let widest = MOST

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

  return {
    few: (work, at = first) => turn(false, at, work),
    alone: (work) => turn(true, 1, work),
    narrow: () => {
      widest = Math.max(1, Math.floor(widest / 2))
    },
  }
}
