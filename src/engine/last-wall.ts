/**
 * The last wall: what is thrown outside of all others (a timer, a late event of a socket, a promise that nobody waits for)
 * is told to the one piece of work in whose asynchronous context it came about. Everything else goes on.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

/** A piece of work with a name: a module of a scan, a delivery, a verification. */
interface Ward {
  readonly name: string
  /** Told of what was thrown in its context, outside of what it waits for. */
  readonly struck: (error: unknown) => void
}

const wards = new AsyncLocalStorage<Ward>()

/** Reason of a piece of work that ended by something thrown in its context which nobody waited for. */
export class Stray extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'Stray'
  }
}

/**
 * Does the work in a context of its own. Rejects with Stray, whose cause is what was thrown, as soon as something strays from
 * it; the work itself may then still go on and is not heard any more, so give it a signal that ends with this promise.
 */
export const warded = async <Value>(name: string, work: () => Promise<Value>): Promise<Value> => {
  const stray = Promise.withResolvers<never>()
  const done = wards.run({ name, struck: (error) => stray.reject(new Stray(error)) }, async () => work())
  try {
    return await Promise.race([done, stray.promise])
  } finally {
    stray.promise.catch(() => undefined) // What strays from work that has ended is told to the process's log alone.
    done.catch(() => undefined) // Its outcome is decided.
  }
}

/**
 * Builds the wall around this process, which goes on whatever is thrown. `told` has the name of the work, null where there was
 * none. Returns what takes the wall down.
 */
export const raiseLastWall = (told: (name: string | null, error: unknown) => void): (() => void) => {
  const onThrown = (error: unknown): void => {
    const ward = wards.getStore()
    told(ward?.name ?? null, error)
    ward?.struck(error)
  }
  process.on('uncaughtException', onThrown)
  process.on('unhandledRejection', onThrown)
  return () => {
    process.off('uncaughtException', onThrown)
    process.off('unhandledRejection', onThrown)
  }
}
