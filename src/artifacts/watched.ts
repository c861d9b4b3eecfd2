/** A storage that knows whether it works: asked by readiness, and by workers before they take a run. */
import { isAway, type ObjectStorage, StorageError } from './artifacts.ts'

export interface WatchTiming {
  /** Milliseconds for which a proof that it works, or a failure, is taken as the answer of `check`. */
  readonly fresh: number
  /** Milliseconds that a check may take. */
  readonly answer: number
}

const TIMING: WatchTiming = { fresh: 3_000, answer: 20_000 }

/**
 * The same storage, whose `check` may be called as often as anybody likes: what was seen a moment ago is the answer, a
 * check that is under way is shared, and one that takes too long has failed. A write that failed counts as seen too.
 */
export const watchStorage = (storage: ObjectStorage, timing: WatchTiming = TIMING): ObjectStorage => {
  /** Milliseconds of a monotonic clock; `failure` null: it worked. */
  let seen: { readonly at: number; readonly failure: unknown } | null = null
  let underWay: Promise<void> | null = null

  const note = (failure: unknown): void => {
    seen = { at: performance.now(), failure }
  }
  const look = async (): Promise<void> => {
    try {
      await inTime(timing.answer, storage.check())
      note(null)
    } catch (error) {
      note(error)
      throw error
    } finally {
      underWay = null
    }
  }

  return {
    ...storage,
    put: async (key, body, about) => {
      try {
        const stored = await storage.put(key, body, about)
        note(null)
        return stored
      } catch (error) {
        if (isAway(error)) note(error)
        throw error
      }
    },
    check: async () => {
      if (underWay === null && seen !== null && performance.now() - seen.at < timing.fresh) {
        if (seen.failure !== null) throw seen.failure
        return
      }
      underWay ??= look()
      await underWay
    },
  }
}

const inTime = async (milliseconds: number, work: Promise<void>): Promise<void> => {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new StorageError('unavailable', `The storage did not answer within ${milliseconds / 1000} s`)),
    milliseconds,
  )
  try {
    await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
