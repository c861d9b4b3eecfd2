/** What is due by the clock, or left by workers that were lost. Every worker looks after it; the database lets each be done once. */
import type { Plan } from '../contract/organisation.ts'
import { dropUnprepared } from '../store/batches.ts'
import type { Database } from '../store/database.ts'
import { reap } from '../store/lease.ts'
import { failLostReports } from '../store/reports.ts'
import { fireNext } from '../store/schedules.ts'
import { expireTriage } from '../store/triage.ts'
import type { Due } from '../store/what-is-due.ts'
import { settleWaiting } from '../store/what-waits.ts'
import type { Logger } from './options.ts'

/** Schedules fired in one round; the rest has to wait for the next, so that nothing holds up what else is due. */
const MAX_FIRINGS = 100

/**
 * One round of what is `due`: runs and reports of lost workers, decisions whose date has passed, schedules whose time has come. `lost`:
 * whether workers whose leases have run out count as lost; in and after an outage of the database all have.
 */
export const reapRound = async (
  db: Database,
  plans: readonly Plan[],
  logger: Logger,
  due: Due,
  { lost }: { readonly lost: boolean },
): Promise<void> => {
  if (lost) await takeBack(db, logger, due)
  if (due.settled) await settleWaiting(db)
  const reopened = due.decisions ? await expireTriage(db) : 0
  if (reopened > 0) logger.info({ reopened }, 'decisions about findings have expired')
  const dropped = due.batches ? await dropUnprepared(db) : 0
  if (dropped > 0) logger.warn({ dropped }, 'took back batches whose makers were lost')
  for (let fired = 0; due.schedules && fired < MAX_FIRINGS; fired += 1) {
    const one = await fireNext(db, plans)
    if (one === null) return
    const { scheduleId, domain, runId, refusal } = one
    logger.info({ schedule: scheduleId, domain, run: runId, refusal }, 'schedule fired')
  }
}

const takeBack = async (db: Database, logger: Logger, due: Due): Promise<void> => {
  const reaped = due.lost ? await reap(db) : { requeued: 0, failed: 0, canceled: 0 }
  if (reaped.requeued + reaped.failed + reaped.canceled > 0) logger.warn(reaped, 'took back runs of lost workers')
  const failed = due.reports ? await failLostReports(db) : 0
  if (failed > 0) logger.error({ failed }, 'gave up reports whose workers were lost')
}

export interface Reach {
  /** Does the work, and knows by it whether the database answers. Rejects as the work does. */
  readonly through: (work: () => Promise<void>) => Promise<void>
  /** Whether it has answered without a break for as long as a lease lasts: who still lives has said so since. */
  readonly holds: () => boolean
}

/** Of a lease: they are kept several times as often, so none has run out in less. */
const STOOD_STILL = 0.75

/**
 * After an outage that was longer than a lease the first worker that is back finds the leases of all others run out. These hand back what
 * they had, once they are back, too, and that costs the run no attempt; taken back by others it would. The same holds for a machine that
 * stood still (memory short, a laptop's lid): whoever looks first after it would take the run from a scan that lives. `lease` in
 * milliseconds. `alone`: no other process has runs, so that at the start nobody is waited for.
 */
export const createReach = (
  { lease, alone }: { readonly lease: number; readonly alone: boolean },
  // Not the monotonic clock: that one does not count what a machine slept.
  now: () => number = Date.now,
): Reach => {
  let since: number | null = alone ? Number.NEGATIVE_INFINITY : null
  let last: number | null = null
  return {
    through: async (work) => {
      const began = now()
      // A clock that was set back says nothing of how long ago anything was.
      if (last !== null && (began < last || began - last > STOOD_STILL * lease)) since = began
      try {
        await work()
      } catch (error) {
        since = null
        throw error
      } finally {
        last = now()
      }
      // It may have been silent in between, and not refused.
      if (since === null || now() - began > lease / 2) since = now()
    },
    holds: () => since !== null && now() - since >= lease,
  }
}
