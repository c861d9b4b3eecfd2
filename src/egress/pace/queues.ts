/** Who waits for a turn at one address, and in which order turns are given. */
import { EgressError } from '../door/egress.ts'

interface Waiter {
  /** What it waits to ask; '' where nobody knows. */
  readonly of: string
  readonly grant: () => void
}

/** As `Pace.acquire` takes it. */
export interface Wanted {
  readonly module: string
  readonly signal: AbortSignal
  readonly spare: boolean
  readonly of: string
}

/** Of so many turns one is for what is spare, so that it goes on however much else is asked. */
const SPARE_EVERY = 8

/** Who waits for a turn, by module. Round robin: the module that was served goes to the end of the line. What is spare has a line of its own. */
export const createQueues = () => {
  const lines = { usual: new Map<string, Waiter[]>(), spare: new Map<string, Waiter[]>() }
  let size = 0
  let sinceSpare = 0
  /** The first that may be asked now of the module whose turn it is; a module that has none keeps its place in the line. */
  const serveOf = (queues: Map<string, Waiter[]>, isOpen: (of: string) => boolean): boolean => {
    for (const [module, queue] of queues) {
      const at = queue.findIndex(({ of }) => isOpen(of))
      const [waiter] = at < 0 ? [] : queue.splice(at, 1)
      if (waiter === undefined) continue
      queues.delete(module)
      if (queue.length > 0) queues.set(module, queue)
      size -= 1
      waiter.grant()
      return true
    }
    return false
  }
  return {
    size: () => size,
    /** Grants the next one its turn; false where nobody waits for what may be asked. */
    serve: (isOpen: (of: string) => boolean): boolean => {
      const isSparesTurn = lines.spare.size > 0 && (lines.usual.size === 0 || sinceSpare >= SPARE_EVERY - 1)
      sinceSpare = isSparesTurn || lines.spare.size === 0 ? 0 : sinceSpare + 1
      const [first, second] = isSparesTurn ? [lines.spare, lines.usual] : [lines.usual, lines.spare]
      return serveOf(first, isOpen) || serveOf(second, isOpen)
    },
    /** When the first of those that wait may be asked. */
    opensAt: (at: (of: string) => number): number =>
      Math.min(
        Number.MAX_SAFE_INTEGER,
        ...[lines.usual, lines.spare].flatMap((queues) =>
          [...queues.values()].flatMap((queue) => queue.map(({ of }) => at(of))),
        ),
      ),
    /** `joined` is called once it waits. @throws what the signal says, where that aborts before its turn */
    turn: ({ module, signal, spare, of }: Wanted, joined: () => void): Promise<void> =>
      new Promise((resolve, reject) => {
        const queues = spare ? lines.spare : lines.usual
        if (signal.aborted) {
          reject(stopped(signal))
          return
        }
        const waiter: Waiter = {
          of,
          grant: () => {
            signal.removeEventListener('abort', abort)
            resolve()
          },
        }
        const abort = () => {
          const queue = queues.get(module)
          const at = queue?.indexOf(waiter) ?? -1
          if (queue && at >= 0) {
            queue.splice(at, 1)
            if (queue.length === 0) queues.delete(module)
            size -= 1
          }
          reject(stopped(signal))
        }
        signal.addEventListener('abort', abort, { once: true })
        const queue = queues.get(module)
        if (queue) queue.push(waiter)
        else queues.set(module, [waiter])
        size += 1
        joined()
      }),
  }
}

const stopped = (signal: AbortSignal): EgressError =>
  signal.reason instanceof EgressError
    ? signal.reason
    : new EgressError('aborted', 'stopped while waiting for its turn', { cause: signal.reason })
