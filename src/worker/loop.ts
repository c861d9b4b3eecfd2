import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { whatIsDue } from '../store/what-is-due.ts'
import { startCallRelay } from './call-relay.ts'
import { databaseRuns } from './database-runs.ts'
import { startErasing } from './erasing.ts'
import { startFeedNews } from './feed-news.ts'
import type { HeldRun } from './held-run.ts'
import { lookAtLogins } from './login-looks.ts'
import { TIMING, type Timing, type WorkerOptions } from './options.ts'
import { fillPlaces, placesOf } from './places.ts'
import { createReach, reapRound } from './reaper.ts'
import { repeat } from './repeat.ts'
import { startReportLane } from './report-jobs.ts'
import { sweep } from './retention.ts'
import { startSigning } from './signing.ts'

export interface Worker {
  readonly id: string
  readonly activeRuns: () => number
  /** No new leases; running scans are stopped and handed back. Resolves when nothing of the worker is left. */
  readonly drain: () => Promise<void>
}

const DAY = 24 * 60 * 60_000

/** Leases runs as they come, so many at once, until it is drained. Rejects when the database cannot be listened to. */
export const startWorker = async (options: WorkerOptions): Promise<Worker> => {
  const { db, logger } = options
  const timing: Timing = { ...TIMING, ...options.timing }
  const id = options.workerId ?? `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`
  const stopped = new AbortController()
  /** Runs whose lease the database's silence cost us. */
  const left = new Set<HeldRun>()
  /** Before the reaper looks: what is handed back has not used up an attempt. */
  const handBack = async (): Promise<void> => {
    for (const run of [...left]) {
      await run.release()
      left.delete(run)
    }
  }

  const runs = databaseRuns(options, timing, id, stopped.signal)
  const places = fillPlaces(options, timing, runs, stopped.signal, (run) => left.add(run))
  const reach = createReach({ lease: timing.lease, alone: db.kind === 'embedded' })
  const reaper = repeat({ every: timing.reap, signal: stopped.signal, logger, name: 'reaper' }, () =>
    reach.through(async () => {
      await handBack()
      const due = await whatIsDue(db)
      if (due.reports) reports.now()
      if (due.signatures) signatures.now()
      if (due.erasures) erasures.now()
      if (due.logins) logins.now()
      await reapRound(db, options.plans, logger, due, { lost: reach.holds() })
    }),
  )
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
  const logins = repeat({ every: null, signal: stopped.signal, logger, name: 'login tests' }, async () => {
    if (testLogin) await lookAtLogins(options, testLogin, stopped.signal)
  })

  const relay = options.outOfBand && startCallRelay(options, options.outOfBand, id, stopped.signal)
  const reports = startReportLane(options, timing, placesOf(options), stopped.signal)
  const signatures = startSigning(options, timing, stopped.signal)
  const erasures = startErasing(options, stopped.signal)

  const unlisten = await Promise.all([
    db.listen('runs_queued', places.wake),
    db.listen('login_tests', logins.now),
    db.listen('reports_due', reports.now),
    db.listen('run_cancel', places.lookAt),
    ...(relay ? [db.listen('call_watches', relay.now)] : []),
  ])
  places.look.now()
  reaper.now()
  sweeper.now()
  logins.now()
  reports.now()
  signatures.now()
  erasures.now()
  relay?.now()
  for (const chore of chores) chore.now()

  return {
    id,
    activeRuns: () => places.active().length,
    drain: async () => {
      stopped.abort()
      await Promise.all([
        places.drain(),
        ...[reaper, sweeper, logins, reports, signatures, erasures, ...chores].map(({ ended }) => ended()),
      ])
      await relay?.close()
      for (const stop of unlisten) await stop()
    },
  }
}
