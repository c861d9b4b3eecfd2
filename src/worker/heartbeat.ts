import type { HeldRun } from './held-run.ts'
import type { Logger, Timing } from './options.ts'

/** Why a run has to stop before its end. */
export type StopReason = 'lost' | 'cancel' | 'drain'

export interface Stop {
  readonly signal: AbortSignal
  /** `lost` overrules a cancel or a drain: whatever was asked, nothing may be written any more. */
  readonly why: () => StopReason | null
  readonly ask: (reason: StopReason) => void
  /** Aborts when the lease is lost. */
  readonly lost: AbortSignal
}

export const createStop = (): Stop => {
  const stop = new AbortController()
  const lost = new AbortController()
  let reason: StopReason | null = null
  return {
    signal: stop.signal,
    lost: lost.signal,
    why: () => reason,
    ask: (asked) => {
      if (asked === 'lost') lost.abort()
      if (reason === null || asked === 'lost') reason = asked
      stop.abort()
    },
  }
}

export interface Heartbeat {
  /** Beats now, e.g. because a cancel was announced. */
  readonly now: () => void
  readonly end: () => void
  /** True once the lease was given up because the database did not answer; somebody else may or may not have it. */
  readonly silent: () => boolean
}

/**
 * Keeps the lease and learns of a cancel, and of what keeps the run from sending more: `muted` is aborted then, with a
 * sentence as the reason. When the database does not answer, the lease counts as lost once it must
 * have run out; the margin is one heartbeat, so that no other worker starts while this one still works. A process that
 * stood still for so long asks once more: where nobody has taken the run, it goes on.
 */
export const startHeartbeat = (
  run: Pick<HeldRun, 'runId' | 'heartbeat'>,
  stop: Stop,
  muted: AbortController,
  timing: Pick<Timing, 'lease' | 'heartbeat'>,
  logger: Logger,
): Heartbeat => {
  let ended = false
  let busy = false
  let again = false
  let lastKept = performance.now()
  let lastLook = lastKept
  let silent = false

  const beat = async (): Promise<void> => {
    const sent = performance.now()
    try {
      const answer = await run.heartbeat()
      if (ended) return
      if (answer === 'lost') return stop.ask('lost')
      lastKept = sent
      if (answer.cancelRequested) stop.ask('cancel')
      if (answer.silence !== null) muted.abort(answer.silence)
    } catch (error) {
      logger.warn({ run: run.runId, err: error }, 'heartbeat failed')
    }
    // The pool may be stuck rather than failing, so the timer below looks too.
  }
  const now = (): void => {
    if (ended) return
    if (busy) {
      again = true
      return
    }
    busy = true
    void beat().finally(() => {
      busy = false
      if (again) {
        again = false
        now()
      }
    })
  }
  const timer = setInterval(() => {
    const at = performance.now()
    // This process stood still, so it was not the database that was silent: that is asked whether the lease is still there.
    const stoodStill = at - lastLook > 2 * timing.heartbeat
    lastLook = at
    if (!stoodStill && at - lastKept > timing.lease - timing.heartbeat) {
      silent = true
      stop.ask('lost')
    }
    now()
  }, timing.heartbeat)
  return {
    now,
    silent: () => silent,
    end: () => {
      ended = true
      clearInterval(timer)
    },
  }
}
