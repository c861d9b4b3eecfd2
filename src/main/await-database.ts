/** A process that is started before its database waits for it, as containers and machines that boot together need. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { migrate } from '../store/migrate.ts'
import { isDatabaseAway } from '../worker/failures.ts'
import type { Runtime } from './runtime.ts'

/** Milliseconds. */
const FIRST = 500
const MOST = 5_000
/** Milliseconds between two lines in the log, however often it is tried. */
const LINE_EVERY = 60_000

/**
 * Opens and migrates; tries again while a PostgreSQL does not answer. Rejects with the signal's reason when that aborts,
 * and at once for what no waiting fixes, such as a wrong password.
 */
export const openMigrated = async (
  open: () => Promise<Runtime>,
  logger: Logger,
  signal: AbortSignal,
): Promise<Runtime> => {
  let told = Number.NEGATIVE_INFINITY
  for (let pause = FIRST; ; pause = Math.min(pause * 2, MOST)) {
    try {
      return await openOnce(open)
    } catch (error) {
      if (!isDatabaseAway(error)) throw error
      if (performance.now() - told >= LINE_EVERY) {
        logger.warn({ err: error }, 'the database does not answer; waiting for it')
        told = performance.now()
      }
    }
    await delay(pause, undefined, { signal }).catch(() => undefined)
    signal.throwIfAborted()
  }
}

const openOnce = async (open: () => Promise<Runtime>): Promise<Runtime> => {
  const runtime = await open()
  try {
    await migrate(runtime.db)
    return runtime
  } catch (error) {
    await runtime.close()
    throw error
  }
}
