/** Calls from targets of agents' runs: this worker hears them, and the database hands them on. */
import type { OobHit } from '../egress/oob/out-of-band.ts'
import { announceListener, dropListener, keepCall, markWatched, watchesOf } from '../store/calls.ts'
import type { WorkerOptions } from './options.ts'
import { type Repeated, repeat } from './repeat.ts'

/** Milliseconds between two words that this worker listens. */
const EVERY = 2_000

export interface CallRelay extends Repeated {
  /** Says that nobody listens here any more. */
  readonly close: () => Promise<void>
}

export const startCallRelay = (
  { db, logger }: Pick<WorkerOptions, 'db' | 'logger'>,
  listener: NonNullable<WorkerOptions['outOfBand']>,
  worker: string,
  signal: AbortSignal,
): CallRelay => {
  const watching = new Map<string, { readonly key: string; readonly stop: () => void }>()
  const keeping = new Set<Promise<void>>()
  let deaf = false
  const keep = async (runId: string, call: OobHit): Promise<void> => {
    try {
      await keepCall(db, runId, call)
    } catch (error) {
      // Not heard then: that the listener was there must not be said any more.
      logger.error({ run: runId, err: error }, 'a call from a target could not be kept')
      deaf = true
    }
  }
  const watch = (runId: string, key: string): void => {
    const { stop } = listener.watch(
      (call) => {
        const kept = keep(runId, call).finally(() => keeping.delete(kept))
        keeping.add(kept)
      },
      Buffer.from(key, 'base64url'),
    )
    watching.set(runId, { key, stop })
  }
  const round = async (): Promise<void> => {
    // The word that this worker listens says that what came before is kept.
    await Promise.all(keeping)
    if (deaf) {
      // Runs that were watched go on with another listener, or with this one from anew.
      await dropListener(db, worker)
      deaf = false
    }
    await announceListener(db, worker, listener.settings)
    const wanted = await watchesOf(db, worker)
    for (const [runId, { key, stop }] of watching) {
      if (wanted.some((one) => one.runId === runId && one.key === key)) continue
      stop()
      watching.delete(runId)
    }
    for (const { runId, key } of wanted) if (!watching.has(runId)) watch(runId, key)
    await markWatched(db, worker, [...watching.keys()])
  }
  const repeated = repeat({ every: EVERY, signal, logger, name: 'calls from targets' }, round)
  return {
    ...repeated,
    close: async () => {
      await repeated.ended()
      for (const { stop } of watching.values()) stop()
      await dropListener(db, worker)
    },
  }
}
