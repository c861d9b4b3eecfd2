/** What is due by the clock, or left by workers that were lost. Every worker looks after it; the database lets each be done once. */
import type { Plan } from '../contract/organisation.ts'
import { dropUnprepared } from '../store/batches.ts'
import type { Database } from '../store/database.ts'
import { reap, settleWaiting } from '../store/lease.ts'
import { failLostReports } from '../store/reports.ts'
import { fireNext } from '../store/schedules.ts'
import { expireTriage } from '../store/triage.ts'
import type { Logger } from './options.ts'

/** Schedules fired in one round; the rest has to wait for the next, so that nothing holds up what else is due. */
const MAX_FIRINGS = 100

/** One round: runs and reports of lost workers, decisions whose date has passed, schedules whose time has come. */
export const reapRound = async (db: Database, plans: readonly Plan[], logger: Logger): Promise<void> => {
  const reaped = await reap(db)
  if (reaped.requeued + reaped.failed + reaped.canceled > 0) logger.warn(reaped, 'took back runs of lost workers')
  await settleWaiting(db)
  const failed = await failLostReports(db)
  if (failed > 0) logger.error({ failed }, 'gave up reports whose workers were lost')
  const reopened = await expireTriage(db)
  if (reopened > 0) logger.info({ reopened }, 'decisions about findings have expired')
  const dropped = await dropUnprepared(db)
  if (dropped > 0) logger.warn({ dropped }, 'took back batches whose makers were lost')
  for (let fired = 0; fired < MAX_FIRINGS; fired += 1) {
    const one = await fireNext(db, plans)
    if (one === null) return
    const { scheduleId, domain, runId, refusal } = one
    logger.info({ schedule: scheduleId, domain, run: runId, refusal }, 'schedule fired')
  }
}
