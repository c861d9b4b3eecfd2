import type { Database } from '../store/database.ts'
import { type Reaped, reap } from '../store/lease.ts'
import { failLostReports } from '../store/reports.ts'
import { expireTriage } from '../store/triage.ts'
import type { Logger } from './options.ts'

/** Takes back the runs of lost workers. Every worker does it; the database lets each run go once. */
export const reapLost = async (db: Database, logger: Logger): Promise<Reaped> => {
  const reaped = await reap(db)
  if (reaped.requeued + reaped.failed + reaped.canceled > 0) logger.warn(reaped, 'took back runs of lost workers')
  return reaped
}

/** Decisions whose date has passed; the problems are open again. */
export const reopenExpired = async (db: Database, logger: Logger): Promise<void> => {
  const reopened = await expireTriage(db)
  if (reopened > 0) logger.info({ reopened }, 'decisions about findings have expired')
}

/** Reports whose workers were lost each time. */
export const failLost = async (db: Database, logger: Logger): Promise<void> => {
  const failed = await failLostReports(db)
  if (failed > 0) logger.error({ failed }, 'gave up reports whose workers were lost')
}
