import { randomBytes } from 'node:crypto'
import { availableParallelism, hostname } from 'node:os'
import { type Lease, lease, release } from '../store/lease.ts'
import { isAnyQueued } from '../store/queue-stats.ts'
import { startFeedNews } from './feed-news.ts'
import { lookAtLogins } from './login-looks.ts'
import { TIMING, type Timing, type WorkerOptions } from './options.ts'
import { reapRound } from './reaper.ts'
import { repeat } from './repeat.ts'
import { startReportLane } from './report-jobs.ts'
import { sweep } from './retention.ts'
import { type ActiveRun, carryOut } from './run.ts'
import { startSigning } from './signing.ts'

export interface Worker {
  readonly id: string
  readonly activeRuns: () => number
  /** No new leases; running scans are stopped and handed back. Resolves when nothing of the worker is left. */
  readonly drain: () => Promise<void>
}

const DAY = 24 * 60 * 60_000
/** One in so many claims looks at batches first: runs that are started alone without end keep none of them from ending. */
const BATCH_TURN = 20

/** Leases runs as they come, so many at once, until it is drained. Rejects when the database cannot be listened to. */
export const startWorker = async (options: WorkerOptions): Promise<Worker> => {
  const { db, logger } = options
  const timing: Timing = { ...TIMING, ...options.timing }
  const id = options.workerId ?? `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`
  const places = options.concurrency ?? availableParallelism()
  const active = new Map<string, ActiveRun>()
  const stopped = new AbortController()
  /** Leases that the database's silence cost us. */
  const left = new Set<Lease>()
  const isFull = (): boolean => stopped.signal.aborted || active.size >= places

  let claims = 0
  const storageWorks = createStorageCheck(options, id, stopped.signal)
  /** Before the reaper looks: what is handed back has not used up an attempt. */
  const handBack = async (): Promise<void> => {
    for (const lease of [...left]) {
      await release(db, lease)
      left.delete(lease)
    }
  }

  const take = async (): Promise<void> => {
    while (!isFull()) {
      if (!(await storageWorks())) return
      claims += 1
      const run = await lease(db, {
        ...{ workerId: id, seconds: timing.lease / 1000, plans: options.plans },
        batchesFirst: claims % BATCH_TURN === 0,
      })
      if (!run) return
      logger.info({ run: run.runId, domain: run.domain, attempt: run.attempts + 1 }, 'run leased')
      const started = carryOut(options, timing, run, (lease) => left.add(lease))
      active.set(run.runId, started)
      // Leased while the worker was asked to stop: straight back.
      if (stopped.signal.aborted) started.drain()
      void started.ended.then(() => {
        active.delete(run.runId)
        look.now()
      })
    }
  }
  const look = repeat({ every: timing.poll, signal: stopped.signal, logger, name: 'queue' }, take)
  const reaper = repeat({ every: timing.reap, signal: stopped.signal, logger, name: 'reaper' }, async () => {
    await handBack()
    await reapRound(db, options.plans, logger)
  })
  const sweeper = repeat({ every: timing.sweep, signal: stopped.signal, logger, name: 'retention' }, async () => {
    await sweep(options, stopped.signal)
  })
  const { daily, testLogin, news } = options
  const chores = [
    ...(daily
      ? [repeat({ every: DAY, signal: stopped.signal, logger, name: 'daily' }, () => daily(stopped.signal))]
      : []),
    ...(news ? [startFeedNews(options, news, timing, stopped.signal)] : []),
  ]
  const logins = repeat({ every: timing.reap, signal: stopped.signal, logger, name: 'login tests' }, async () => {
    if (testLogin) await lookAtLogins(options, testLogin, stopped.signal)
  })

  const reports = startReportLane(options, timing, places, stopped.signal)
  const signatures = startSigning(options, timing, stopped.signal)

  const unlisten = await Promise.all([
    db.listen('runs_queued', look.now),
    db.listen('login_tests', logins.now),
    db.listen('reports_due', reports.now),
    db.listen('run_cancel', (runId) => {
      if (runId) active.get(runId)?.look()
      else for (const run of active.values()) run.look()
    }),
  ])
  look.now()
  reaper.now()
  sweeper.now()
  logins.now()
  reports.now()
  signatures.now()
  for (const chore of chores) chore.now()

  return {
    id,
    activeRuns: () => active.size,
    drain: async () => {
      stopped.abort()
      for (const run of active.values()) run.drain()
      await Promise.all([look, reaper, sweeper, logins, reports, signatures, ...chores].map(({ ended }) => ended()))
      // The queue is not looked at any more, so no run can join now.
      await Promise.all([...active.values()].map(({ ended }) => ended))
      for (const stop of unlisten) await stop()
    },
  }
}

/** Nothing is taken whose files could not be kept. The storage is asked only when there is something to take. */
const createStorageCheck = (
  { db, storage, logger }: WorkerOptions,
  worker: string,
  signal: AbortSignal,
): (() => Promise<boolean>) => {
  let told = false
  return async () => {
    if (!storage.check || !(await isAnyQueued(db))) return true
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
