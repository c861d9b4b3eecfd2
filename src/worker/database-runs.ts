/** Runs from the database: how a worker leases them. */
import { heartbeat, type LeasedRun, lease, release } from '../store/lease.ts'
import { isAnyQueued } from '../store/queue-stats.ts'
import { openDatabaseRun } from './database-run.ts'
import type { HeldRun, RunSource } from './held-run.ts'
import type { Timing, WorkerOptions } from './options.ts'

/** One in so many claims looks at batches first: runs that are started alone without end keep none of them from ending. */
const BATCH_TURN = 20
/** The same of what agents have scanned: somebody waits for it, and it takes seconds. */
const SCANNED_TURN = 3

/** `workerId` is shown on the lease. */
export const databaseRuns = (
  options: WorkerOptions,
  timing: Timing,
  workerId: string,
  signal: AbortSignal,
): RunSource => {
  const { db, plans } = options
  const storageWorks = createStorageCheck(options, workerId, signal)
  let claims = 0
  return {
    lease: async () => {
      if (!(await storageWorks())) return null
      claims += 1
      const run = await lease(db, {
        ...{ workerId, seconds: timing.lease / 1000, plans },
        first: claims % BATCH_TURN === 0 ? 'batch' : claims % SCANNED_TURN === 0 ? 'scanned' : 'alone',
      })
      return run && heldRun(options, timing, run)
    },
  }
}

const heldRun = (options: WorkerOptions, timing: Timing, run: LeasedRun): HeldRun => ({
  runId: run.runId,
  domain: run.domain,
  attempts: run.attempts,
  heartbeat: () => heartbeat(options.db, run, timing.lease / 1000),
  release: async () => ((await release(options.db, run)) === 'lost' ? 'lost' : 'released'),
  open: (stop) => openDatabaseRun(options, timing, run, stop),
})

/** Nothing is taken whose files could not be kept. The storage is asked only when there is something to take. */
const createStorageCheck = (
  { db, storage, logger }: WorkerOptions,
  worker: string,
  signal: AbortSignal,
): (() => Promise<boolean>) => {
  let told = false
  return async () => {
    if (!storage.check || !(await isAnyQueued(db))) return true
    try {
      await unlessStopped(storage.check(), signal)
      if (signal.aborted) return false
      if (told) logger.warn({ worker }, 'the storage works again; runs are leased')
      told = false
    } catch (error) {
      if (!told) logger.error({ worker, err: error }, 'the storage does not work; no run is leased')
      told = true
    }
    return !told
  }
}

/** Ends with the work, or without waiting for it when the signal aborts. */
const unlessStopped = async (work: Promise<void>, signal: AbortSignal): Promise<void> => {
  const stopped = Promise.withResolvers<void>()
  const stop = (): void => stopped.resolve()
  signal.addEventListener('abort', stop, { once: true })
  try {
    await Promise.race([work, stopped.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
