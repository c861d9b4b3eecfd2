/** Waiting for a storage that is away: the lease is kept meanwhile, and the run goes back when it takes too long. */
import { setTimeout as delay } from 'node:timers/promises'
import { isAway, StorageError } from '../artifacts/artifacts.ts'
import { Stopped, StorageAway } from './failures.ts'
import type { Logger, Timing } from './options.ts'

export interface Patience {
  /** Aborts when nobody waits any more: the run was cancelled, handed back or lost. */
  readonly signal: AbortSignal
  readonly timing: Pick<Timing, 'storageFirst' | 'storageMost' | 'storagePatience'>
  readonly logger: Logger
  readonly runId: string
}

/** True when the storage itself was away; false when it answered, be it that there is no such object. */
export const isStorageAway = (error: unknown): boolean => {
  let away = false
  for (let at = error; at instanceof Error; at = at.cause) {
    if (!(at instanceof StorageError)) continue
    if (!isAway(at)) return false
    away = true
  }
  return away
}

/**
 * Does the work, again and again while the storage is away, with growing pauses. Throws `StorageAway` when that took
 * longer than `storagePatience`, `Stopped` when the signal aborts, and what the work throws for any other reason.
 */
export const patiently = async <T>(work: () => Promise<T>, patience: Patience): Promise<T> => {
  const { signal, timing, logger, runId } = patience
  const since = performance.now()
  for (let pause = timing.storageFirst; ; pause = Math.min(pause * 2, timing.storageMost)) {
    let failure: unknown
    try {
      const done = await work()
      if (pause > timing.storageFirst) logger.warn({ run: runId, ms: waited(since) }, 'the storage is back')
      return done
    } catch (error) {
      if (!isStorageAway(error)) throw error
      failure = error
    }
    if (signal.aborted) throw new Stopped()
    if (waited(since) + pause > timing.storagePatience) throw new StorageAway(waited(since), { cause: failure })
    // Once an outage, however long it takes.
    if (pause === timing.storageFirst) logger.warn({ run: runId, err: failure }, 'the storage is away; the run waits')
    // A part by chance, so that a hundred waiting runs do not come back in one moment.
    await delay(pause * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => undefined)
    if (signal.aborted) throw new Stopped()
  }
}

const waited = (since: number): number => Math.round(performance.now() - since)
