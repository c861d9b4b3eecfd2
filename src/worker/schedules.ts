import type { Plan } from '../contract/organisation.ts'
import type { Database } from '../store/database.ts'
import { fireNext } from '../store/schedules.ts'
import type { Logger } from './options.ts'

/** Schedules fired in one round; the rest has to wait for the next, so that nothing holds up the reaper. */
const MAX_FIRINGS = 100

/** Starts the runs that are due. Every worker does it; the database lets each firing happen once. */
export const fireSchedules = async (db: Database, plans: readonly Plan[], logger: Logger): Promise<number> => {
  for (let fired = 0; fired < MAX_FIRINGS; fired += 1) {
    const one = await fireNext(db, plans)
    if (one === null) return fired
    const { scheduleId, domain, runId, refusal } = one
    logger.info({ schedule: scheduleId, domain, run: runId, refusal }, 'schedule fired')
  }
  return MAX_FIRINGS
}
