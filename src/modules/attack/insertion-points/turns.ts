/** Who may make a target wait: a few first tries side by side, or one series of waits with nothing else beside it. */

export interface Turns {
  /** Beside others of its kind, at most so many at once. */
  readonly few: <Value>(work: () => Promise<Value>) => Promise<Value>
  /** With nothing beside it. */
  readonly alone: <Value>(work: () => Promise<Value>) => Promise<Value>
}

interface Waiting {
  readonly alone: boolean
  readonly start: () => void
}

/** In the order in which they came: neither kind keeps the other waiting for ever. */
export const createTurns = (most: number): Turns => {
  const line: Waiting[] = []
  let running = 0
  let closed = false

  const next = (): void => {
    for (let first = line[0]; first && !closed; first = line[0]) {
      if (first.alone ? running > 0 : running >= most) return
      line.shift()
      running += 1
      closed = first.alone
      first.start()
    }
  }

  const turn = async <Value>(alone: boolean, work: () => Promise<Value>): Promise<Value> => {
    await new Promise<void>((start) => {
      line.push({ alone, start })
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

  return { few: (work) => turn(false, work), alone: (work) => turn(true, work) }
}
