/** Deletes what has had its time: objects first, then the mark in the row, so that nothing is marked but still there. */

import type { StoredArtifact } from '../store/artifacts.ts'
import { abandoned, expired, markDeleted, removeAbandoned } from '../store/artifacts.ts'
import { confirmClosing, reserveClosing, runsToClose, type UnclosedRun } from '../store/closing.ts'
import { forgetDeliveries } from '../store/deliveries.ts'
import { dropOldEvents, eventDays, makeEventMonths } from '../store/event-months.ts'
import { forgetIdempotencyKeys } from '../store/idempotency.ts'
import { forgetSlices } from '../store/paces.ts'
import { forgetRates } from '../store/rate-limits.ts'
import { forgetSessions } from '../store/sessions.ts'
import { forgetSent } from '../store/silences.ts'
import { adoptDecisions } from '../store/triage.ts'
import { RunFailed } from './failures.ts'
import { auditLog, evidenceArchive, type FilePolicy, storeFile } from './files.ts'
import type { WorkerOptions } from './options.ts'

const BATCH = 200

export interface Swept {
  readonly deleted: number
  readonly abandoned: number
  readonly closed: number
}

type SweepOptions = Pick<WorkerOptions, 'db' | 'storage' | 'plans' | 'logger' | 'eventDays'>

/** One round; stops early when `signal` aborts. A file that cannot be deleted now is tried again in the next round. */
export const sweep = async (options: SweepOptions, signal: AbortSignal): Promise<Swept> => {
  const { db } = options
  const deleted = await deleteAll(options, signal, await expired(db, BATCH), (id) => markDeleted(db, id))
  const left = await deleteAll(options, signal, await abandoned(db, BATCH), (id) => removeAbandoned(db, id))
  let closed = 0
  for (const run of await runsToClose(db, BATCH)) {
    if (signal.aborted) break
    if (await closeRun(options, run)) closed += 1
  }
  await forgetIdempotencyKeys(db)
  await forgetDeliveries(db)
  await forgetSessions(db)
  await forgetRates(db)
  await forgetSlices(db)
  await forgetSent(db)
  await makeEventMonths(db)
  const months = await dropOldEvents(db, eventDays(options.plans, options.eventDays ?? null))
  if (months.length > 0) options.logger.info({ months }, 'dropped the months of events that are old enough')
  // A worker of the version before may have stored findings while the upgrade went round.
  await adoptDecisions(db)
  return { deleted, abandoned: left, closed }
}

const deleteAll = async (
  { storage, logger }: SweepOptions,
  signal: AbortSignal,
  files: readonly { id: string; objectKey: string }[],
  then: (id: string) => Promise<void>,
): Promise<number> => {
  let count = 0
  for (const { id, objectKey } of files) {
    if (signal.aborted) break
    try {
      await storage.delete(objectKey)
    } catch (error) {
      logger.error({ artifact: id, err: error }, 'an expired file could not be deleted')
      continue
    }
    await then(id)
    count += 1
  }
  return count
}

/** Audit log and evidence archive of a run that ended without its worker. */
const closeRun = async ({ db, storage, plans, logger }: SweepOptions, run: UnclosedRun): Promise<boolean> => {
  const plan = plans.find(({ id }) => id === run.plan)
  const policy: FilePolicy = { runId: run.runId, retentionDays: plan?.retention_days ?? 7, watermark: false }
  try {
    const stored: StoredArtifact[] = []
    for (const file of [await evidenceArchive(db, storage, run.runId), await auditLog(db, run.runId)]) {
      if (file) {
        stored.push(await storeFile(storage, (artifact) => reserveClosing(db, run.runId, artifact), policy, file))
      }
    }
    return stored.length > 0 && (await confirmClosing(db, run.runId, stored)) === 'ok'
  } catch (error) {
    if (!(error instanceof RunFailed)) throw error
    logger.error({ run: run.runId, err: error }, 'the files of an ended run could not be stored')
    return false
  }
}
