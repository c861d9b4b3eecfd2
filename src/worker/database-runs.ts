/** Runs whose home is the database: how a worker leases them, and what it does with one between its lease and its end. */

import type { AuditEntry } from '../contract/event.ts'
import { faultIdOf } from '../engine/faults.ts'
import { startOnce } from '../store/agent-runs.ts'
import { confirmEvidence } from '../store/artifacts.ts'
import { assignmentOf, CredentialsUnreadable } from '../store/assignment.ts'
import { type Database, DatabaseError, type Queryable } from '../store/database.ts'
import { appendAudit } from '../store/events.ts'
import { addChildDeath, countFault } from '../store/faults.ts'
import type { Judged } from '../store/findings.ts'
import { heartbeat } from '../store/heartbeat.ts'
import { cancelEnd, fail, type LeasedRun, lease, type Progress, progress, release } from '../store/lease.ts'
import { type NewModule, saveFound, saveModule, saveTold, type Told } from '../store/modules.ts'
import { leaseSlice } from '../store/paces.ts'
import { keepToken } from '../store/refresh-tokens.ts'
import { whatWaits } from '../store/what-waits.ts'
import { refuseActive } from './active-consent.ts'
import { held, RunFailed, Unstorable } from './failures.ts'
import { endEntry, finishRun } from './finish.ts'
import type { Stop } from './heartbeat.ts'
import type { HeldRun, OpenRun, Orders, RunSource } from './held-run.ts'
import { createInbox, type Sink } from './inbox.ts'
import type { Timing, WorkerOptions } from './options.ts'
import { patientDatabase } from './patient-database.ts'
import { createRunFiles, type RunFiles } from './run-files.ts'

/** One in so many claims looks at batches first: runs that are started alone without end keep none of them from ending. */
const BATCH_TURN = 20
/** The same of what agents have scanned: somebody waits for it, and it takes seconds. */
const SCANNED_TURN = 3

/** `workerId` is shown on the lease. */
export const databaseRuns = (
  options: WorkerOptions,
  timing: Timing,
  workerId: string,
  signal: AbortSignal,
): RunSource => {
  const { db, plans } = options
  const storageWorks = createStorageCheck(options, workerId, signal)
  let claims = 0
  return {
    lease: async ({ light }) => {
      const waiting = await whatWaits(db, { plans, light })
      if (waiting === null || !(await storageWorks())) return null
      claims += 1
      const run = await lease(db, {
        ...{ workerId, seconds: timing.lease / 1000, plans, light, of: waiting },
        first: claims % BATCH_TURN === 0 ? 'batch' : claims % SCANNED_TURN === 0 ? 'scanned' : 'alone',
      })
      return run && heldRun(options, timing, run)
    },
  }
}

const heldRun = (options: WorkerOptions, timing: Timing, run: LeasedRun): HeldRun => ({
  runId: run.runId,
  domain: run.domain,
  light: run.tier === 'passive' && !run.options.privacy,
  attempts: run.attempts,
  heartbeat: () => heartbeat(options.db, run, timing.lease / 1000),
  release: async () => ((await release(options.db, run)) === 'lost' ? 'lost' : 'released'),
  open: (stop) => openDatabaseRun(options, timing, run, stop),
})

/** Nothing is taken whose files could not be kept. The storage is asked only when there is something to take. */
const createStorageCheck = (
  { storage, logger }: WorkerOptions,
  worker: string,
  signal: AbortSignal,
): (() => Promise<boolean>) => {
  let told = false
  return async () => {
    if (!storage.check) return true
    try {
      await unlessStopped(storage.check(), signal)
      if (signal.aborted) return false
      if (told) logger.warn({ worker }, 'the storage works again; runs are leased')
      told = false
    } catch (error) {
      if (!told) logger.error({ worker, err: error }, 'the storage does not work; no run is leased')
      told = true
    }
    return !told
  }
}

/** Ends with the work, or without waiting for it when the signal aborts. */
const unlessStopped = async (work: Promise<void>, signal: AbortSignal): Promise<void> => {
  const stopped = Promise.withResolvers<void>()
  const stop = (): void => stopped.resolve()
  signal.addEventListener('abort', stop, { once: true })
  try {
    await Promise.race([work, stopped.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Its database is asked again during an outage, as long as the lease can hold. */
const openDatabaseRun = (given: WorkerOptions, timing: Timing, run: LeasedRun, stop: Stop): OpenRun => {
  const options = { ...given, db: patientDatabase(given.db, timing.lease, stop.lost) }
  const { db, logger } = options
  let files: RunFiles | null = null
  const filesNow = (): RunFiles => {
    files ??= createRunFiles(options, timing, run, stop.signal)
    return files
  }
  let begun = begunElsewhere(run)
  const attempt = (): Begun => {
    if (begun === null) throw new Error('The run has not begun')
    return begun
  }
  const entry = (event: string) => ({
    ts: new Date().toISOString(),
    ...{ module: 'worker', event, attempt: attempt().attempt },
  })
  /** When the storage is away the run ends without its files; the sweep writes them later. */
  const closingFiles = async (last: ReturnType<typeof endEntry>): ReturnType<RunFiles['storeClosing']> => {
    held(await appendAudit(db, run, [last]))
    try {
      if (run.scanned !== null) filesNow()
      return files ? await files.storeClosing(false) : []
    } catch (error) {
      if (!(error instanceof RunFailed)) throw error
      logger.error({ run: run.runId, err: error }, 'audit log and evidence archive are written later')
      return []
    }
  }

  return {
    scanned: run.scanned,
    start: async () => {
      filesNow()
      const started = held(await startOnce(db, run))
      begun = { ...started, activeRefused: await refuseActive(options, run, stop.signal) }
    },
    orders: async () => {
      const assignment = await assignmentOf(db, options.keys, run).catch((cause: unknown) => {
        if (!(cause instanceof CredentialsUnreadable)) throw cause
        throw new RunFailed('internal', cause.message, { cause })
      })
      return { ...attempt(), assignment: held(assignment) }
    },
    // A worker hears them itself.
    calls: () => null,
    slice: (address) => leaseSlice(given.db, run.runId, address),
    inbox: (onFailure) => createInbox(run.runId, databaseSink(options, run, filesNow()), onFailure, logger),
    died: async ({ modules, detail }, again) => {
      const { attempt: number } = attempt()
      held(await db.transaction((tx) => addChildDeath(tx, run, number, { modules, detail })))
      for (const module of modules) await countFault(db, module, faultIdOf(module, detail))
      if (again) held(await appendAudit(db, run, [{ ...entry('scanner_restarted'), detail }]))
    },
    complete: () => finishRun(options, timing, run, attempt().startedAt, filesNow(), stop.signal),
    fail: async ({ kind, detail }) => {
      const artifacts = await closingFiles(endEntry({ result: 'failed', error_kind: kind }))
      held(await fail(db, run, { kind, detail, artifacts }))
    },
    cancel: async () => {
      const artifacts = await closingFiles(endEntry({ result: 'canceled' }))
      held(await cancelEnd(db, run, { artifacts }))
    },
  }
}

/** What is known of an attempt once it has begun. */
type Begun = Omit<Orders, 'assignment'> & { readonly attempt: number }

/** An agent has begun, and scanned. */
const begunElsewhere = ({ scanned, startedAt, attempts }: LeasedRun): Begun | null =>
  scanned === null || startedAt === null ? null : { startedAt, attempt: attempts, activeRefused: null }

const databaseSink = (options: WorkerOptions, run: LeasedRun, files: RunFiles): Sink => ({
  ...writingTo(options, run, files),
  together: async (work) => {
    const { sink, told, others } = collecting()
    await work(sink)
    const inside = (tx: Queryable) => ({ ...options, db: within(options.db, tx) })
    await refusedAsUnstorable(() =>
      options.db.transaction(async (tx) => {
        const to = writingTo(inside(tx), run, files)
        for (const other of others) await other(to)
        held(await saveTold(within(options.db, tx), run, told()))
      }),
    )
  },
})

/** Keeps what it is given for one `saveTold`, and what that does not take. */
const collecting = () => {
  const audit: AuditEntry[] = []
  const progress: Progress[] = []
  const found = new Map<string, Judged>()
  const modules = new Map<string, NewModule>()
  const others: ((sink: Sink) => Promise<void>)[] = []
  const later =
    <Given extends unknown[]>(what: (sink: Sink, ...given: Given) => Promise<void>) =>
    async (...given: Given): Promise<void> =>
      void others.push((sink) => what(sink, ...given))
  const sink: Sink = {
    progress: async (message) => void progress.push(message),
    audit: async (entries) => void audit.push(...entries),
    found: async ({ module, findings }) => void found.set(module, { module, findings }),
    module: async (record) => {
      // What it had found until then is part of it.
      found.delete(record.module)
      modules.set(record.module, record)
    },
    evidence: later((to, messages) => to.evidence(messages)),
    token: later((to, message) => to.token(message)),
    fault: later((to, module, id) => to.fault(module, id)),
  }
  const told = (): Told => ({ audit, progress, found: [...found.values()], modules: [...modules.values()] })
  return { sink, told, others }
}

/** The database as those see it who write within a transaction: theirs is this one. */
const within = (db: Database, tx: Queryable): Database => ({ ...db, query: tx.query, transaction: (work) => work(tx) })

const writingTo = ({ db, keys }: WorkerOptions, run: LeasedRun, files: RunFiles): Sink => ({
  progress: async (message) => {
    held(await progress(db, run, message))
  },
  audit: async (entries) => {
    held(await appendAudit(db, run, entries))
  },
  evidence: async (messages) => {
    const evidence = messages.map(({ id, module, filename, contentType, body }) => ({
      ...{ id, kind: 'evidence' as const, module, filename, contentType },
      body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
    }))
    held(await confirmEvidence(db, run, ...(await files.store(evidence))))
  },
  found: async ({ module, findings }) => {
    held(await refusedAsUnstorable(() => saveFound(db, run, module, findings)))
  },
  module: async (record) => {
    held(await refusedAsUnstorable(() => saveModule(db, run, record)))
  },
  token: async ({ lineage, token }) => {
    if (run.domainId !== null) await keepToken(db, keys, run.domainId, lineage, token)
  },
  fault: (module, id) => countFault(db, module, id),
})

const refusedAsUnstorable = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (cause) {
    if (isUnstorable(cause)) throw new Unstorable({ cause })
    throw cause
  }
}

/** The database is there and refuses these very data: classes 22 and 23 of SQLSTATE, and 54, a limit of the program. */
const isUnstorable = (error: unknown): boolean => error instanceof DatabaseError && /^(22|23|54)/.test(error.code)
