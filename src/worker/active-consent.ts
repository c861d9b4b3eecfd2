/** Whether a run may still probe: its domain is asked again before the first active request. */
import { activeStanding, settleProof } from '../store/active-proof.ts'
import type { LeasedRun } from '../store/lease.ts'
import { held, Stopped } from './failures.ts'
import type { WorkerOptions } from './options.ts'

/**
 * Null where the run may send active requests, or none are asked for; otherwise the reason against, in words for coverage.
 * Throws `Stopped` when the run has to stop meanwhile.
 */
export const refuseActive = async (
  options: WorkerOptions,
  run: LeasedRun,
  signal: AbortSignal,
): Promise<string | null> => {
  const standing = held(await activeStanding(options.db, run))
  if ('refused' in standing) return standing.refused
  const attempts = await unlessAborted(options.verifyDomain(standing.prove), signal)
  return held(await settleProof(options.db, run, standing.prove, attempts)).refused
}

/** Throws `Stopped` when the signal aborts before. */
export const unlessAborted = async <Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> => {
  const stopped = Promise.withResolvers<never>()
  const stop = (): void => stopped.reject(new Stopped())
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, stopped.promise])
  } finally {
    signal.removeEventListener('abort', stop)
    // Whichever was not waited for: the run is over, and a check writes nothing.
    work.catch(() => undefined)
    stopped.promise.catch(() => undefined)
  }
}
