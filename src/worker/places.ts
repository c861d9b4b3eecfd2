/** The runs that a worker has at once: leased as they come, each brought to its end. */
import { availableParallelism } from 'node:os'
import type { HeldRun, RunSource } from './held-run.ts'
import type { ScanOptions, Timing } from './options.ts'
import { type Repeated, repeat } from './repeat.ts'
import { type ActiveRun, carryOut } from './run.ts'

export interface Places {
  /** Ids of the runs at work. */
  readonly active: () => readonly string[]
  /** Looks for runs now, and does so by itself now and then. */
  readonly look: Repeated
  /** A cancel of this run, or of any, may have been asked for. */
  readonly lookAt: (runId: string | null) => void
  /** Every run is stopped and handed back. Resolves when none is left; `signal` has aborted before. */
  readonly drain: () => Promise<void>
}

/** How many runs a worker takes at once. */
export const placesOf = ({ concurrency }: Pick<ScanOptions, 'concurrency'>): number =>
  concurrency ?? availableParallelism()

/** `leave` gets a run whose lease nobody could keep, as its home was silent: to be handed back once that answers. */
export const fillPlaces = (
  options: ScanOptions,
  timing: Timing,
  source: RunSource,
  signal: AbortSignal,
  leave: (run: HeldRun) => void,
): Places => {
  const { logger } = options
  const places = placesOf(options)
  const active = new Map<string, ActiveRun>()
  const take = async (): Promise<void> => {
    while (!signal.aborted && active.size < places) {
      const run = await source.lease()
      if (!run) return
      logger.info({ run: run.runId, domain: run.domain, attempt: run.attempts + 1 }, 'run leased')
      const started = carryOut(options, timing, run, () => leave(run))
      active.set(run.runId, started)
      // Leased while the worker was asked to stop: straight back.
      if (signal.aborted) started.drain()
      void started.ended.then(() => {
        active.delete(run.runId)
        look.now()
      })
    }
  }
  const look = repeat({ every: timing.poll, signal, logger, name: 'queue' }, take)
  return {
    active: () => [...active.keys()],
    look,
    lookAt: (runId) => {
      if (runId) active.get(runId)?.look()
      else for (const run of active.values()) run.look()
    },
    drain: async () => {
      for (const run of active.values()) run.drain()
      await look.ended()
      // The queue is not looked at any more, so no run can join now.
      await Promise.all([...active.values()].map(({ ended }) => ended))
    },
  }
}
