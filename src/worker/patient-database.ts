/** The database as one run sees it: a short outage is waited for, as long as the lease can hold. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Database, DatabaseError } from '../store/database.ts'
import { isDatabaseAway } from './failures.ts'

const FIRST = 100
const MOST = 2_000

/**
 * Statements that certainly did nothing are tried again for so many milliseconds, until the signal aborts: reads, and
 * transactions that were not committed. One whose commit was lost on the way back is not: it may have been carried out.
 */
export const patientDatabase = (db: Database, milliseconds: number, signal: AbortSignal): Database => {
  const again = async <T>(work: () => Promise<T>): Promise<T> => {
    const since = performance.now()
    for (let pause = FIRST; ; pause = Math.min(pause * 2, MOST)) {
      try {
        return await work()
      } catch (error) {
        if (!isDatabaseAway(error) || isUnresolved(error)) throw error
        if (signal.aborted || performance.now() - since + pause > milliseconds) throw error
        await delay(pause, undefined, { signal }).catch(() => undefined)
      }
    }
  }
  return {
    ...db,
    query: (sql, params) => (/^\s*select\b/i.test(sql) ? again(() => db.query(sql, params)) : db.query(sql, params)),
    transaction: (work) => again(() => db.transaction(work)),
  }
}

/** SQLSTATE transaction_resolution_unknown. */
const isUnresolved = (error: unknown): boolean => error instanceof DatabaseError && error.code === '08007'
