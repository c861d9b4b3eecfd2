/** One bound in time for one piece of work: its own clock and the signal of whoever asked for it. */
import { EgressError } from './egress.ts'

export interface Deadline {
  /** Aborts with an EgressError: `timeout`; what the outer signal says, where that is one; else `aborted`. */
  readonly signal: AbortSignal
  /** Milliseconds since it began. */
  readonly elapsed: () => number
  /** Must be called when the work ends, else the timer and the listener stay. */
  readonly end: () => void
}

export const startDeadline = (milliseconds: number, outer: AbortSignal, what: string): Deadline => {
  const began = performance.now()
  const controller = new AbortController()
  // A request that is out of time while it connects has timed out: nobody has called it off.
  const abort = () =>
    controller.abort(
      outer.reason instanceof EgressError
        ? outer.reason
        : new EgressError('aborted', `${what}: stopped`, { cause: outer.reason }),
    )
  if (outer.aborted) abort()
  else outer.addEventListener('abort', abort, { once: true })
  const timer = setTimeout(
    () => controller.abort(new EgressError('timeout', `${what}: no answer within ${milliseconds} ms`)),
    milliseconds,
  )
  return {
    signal: controller.signal,
    elapsed: () => performance.now() - began,
    end: () => {
      clearTimeout(timer)
      outer.removeEventListener('abort', abort)
    },
  }
}

/** Settles as `work` does, or rejects with the signal's reason; the work itself goes on for others who share it. */
export const until = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) {
      work.catch(() => undefined)
      abort()
      return
    }
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
