/** One leased run from its start to its end, whatever that is. */

import { faultIdOf } from '../engine/faults.ts'
import { confirmEvidence } from '../store/artifacts.ts'
import { appendAudit } from '../store/events.ts'
import { addChildDeath, countFault } from '../store/faults.ts'
import { cancelEnd, fail, type Lease, type LeasedRun, release, startRun } from '../store/lease.ts'
import { keepToken } from '../store/refresh-tokens.ts'
import { held, isDatabaseAway, LeaseLost, RunFailed, Stopped, StorageAway } from './failures.ts'
import { endEntry, finishRun } from './finish.ts'
import { createStop, type Stop, startHeartbeat } from './heartbeat.ts'
import { createInbox } from './inbox.ts'
import type { Timing, WorkerOptions } from './options.ts'
import { patientDatabase } from './patient-database.ts'
import { createRunFiles, type RunFiles } from './run-files.ts'
import { buildSpec, RUN_SECONDS, refuseActive } from './spec.ts'
import { type ChildEnd, superviseChild } from './supervise.ts'

export interface ActiveRun {
  readonly runId: string
  /** A cancel may have been asked for: look now. */
  readonly look: () => void
  /** Stop and hand the run back. */
  readonly drain: () => void
  /** Never rejects. */
  readonly ended: Promise<void>
}

/**
 * A child that died is started again: what its modules had stored is kept, so little is lost. A module that ended two of
 * them is left out of the third; more than one module may be of that kind.
 */
const CHILDREN_PER_ATTEMPT = 8
/** Deaths in a row with no module at work: then it is nothing that could be left out. */
const MOST_UNEXPLAINED = 2
/** Seconds that a child has at least, however late it is started. */
const LEAST_SECONDS = 60
const MEMORY_MB = 1_024
const SCAN_SCRIPT = new URL('../engine/run-scan.ts', import.meta.url)

/** `leave` gets a lease that nobody could keep, as the database was silent: to be handed back once it answers. */
export const carryOut = (
  options: WorkerOptions,
  timing: Timing,
  run: LeasedRun,
  leave: (lease: Lease) => void,
): ActiveRun => {
  const stop = createStop()
  const beat = startHeartbeat(options.db, run, stop, timing, options.logger)
  const db = patientDatabase(options.db, timing.lease, stop.lost)
  const ended = work({ ...options, db }, timing, run, stop)
    .catch((error: unknown) => {
      if (error instanceof LeaseLost && stop.why() !== 'drain') {
        options.logger.warn({ run: run.runId }, 'lease lost; the run is left alone')
      } else {
        // The lease runs out and another worker takes over.
        options.logger.error({ run: run.runId, err: error }, 'run abandoned')
      }
      if (beat.silent()) leave(run)
    })
    .finally(beat.end)
  return { runId: run.runId, look: beat.now, drain: () => stop.ask('drain'), ended }
}

const work = async (options: WorkerOptions, timing: Timing, run: LeasedRun, stop: Stop): Promise<void> => {
  try {
    await bringToEnd(options, timing, run, stop)
  } finally {
    if (stop.why() === 'drain') await release(options.db, run)
  }
}

const bringToEnd = async (options: WorkerOptions, timing: Timing, run: LeasedRun, stop: Stop): Promise<void> => {
  let files: RunFiles | null = null
  let failure: unknown = new Stopped()
  try {
    files = createRunFiles(options, timing, run, stop.signal)
    if (await scanAndFinish(options, timing, run, stop, files)) return
  } catch (error) {
    failure = error
  }
  if (failure instanceof LeaseLost || isDatabaseAway(failure)) throw failure
  if (failure instanceof StorageAway && stop.why() === null) {
    options.logger.error({ run: run.runId, err: failure }, 'the storage did not come back; the run is handed back')
    held(await release(options.db, run))
    return
  }
  if (stop.why() === 'cancel') await endCanceled(options, run, files)
  else if (stop.why() === null) await endFailed(options, run, files, failure)
}

/** True when the run is done; false when it has to end as `stop` says. */
const scanAndFinish = async (
  options: WorkerOptions,
  timing: Timing,
  run: LeasedRun,
  stop: Stop,
  files: RunFiles,
): Promise<boolean> => {
  const { startedAt, attempt } = held(await startRun(options.db, run))
  const started = { ts: new Date().toISOString(), module: 'worker', event: 'run_started', attempt }
  held(await appendAudit(options.db, run, [started]))
  const activeRefused = await refuseActive(options, run, stop.signal)

  const began = performance.now()
  let unexplained = 0
  for (let child = 1; ; child += 1) {
    const used = (performance.now() - began) / 1_000
    const seconds = Math.max(LEAST_SECONDS, Math.round((options.runSeconds ?? RUN_SECONDS) - used))
    const about = { startedAt, activeRefused, seconds: child === 1 ? null : seconds }
    const end = await scan(options, timing, run, stop, about, files)
    if (stop.why() !== null) return false
    if (end.type === 'crashed') {
      const { detail, modules } = end
      unexplained = modules.length === 0 ? unexplained + 1 : 0
      held(await options.db.transaction((tx) => addChildDeath(tx, run, attempt, end)))
      const faults = Object.fromEntries(modules.map((module) => [module, faultIdOf(module, detail)]))
      for (const [module, id] of Object.entries(faults)) await countFault(options.db, module, id)
      if (child < CHILDREN_PER_ATTEMPT && unexplained < MOST_UNEXPLAINED) {
        options.logger.warn({ run: run.runId, detail, faults }, 'scan child died; started again')
        held(await appendAudit(options.db, run, [{ ...started, event: 'scanner_restarted', detail }]))
        continue
      }
    }
    assertCompleted(end, options)
    const result = await finishRun(options, timing, run, startedAt, files, stop.signal)
    if (result === 'canceling') stop.ask('cancel')
    return result === 'done'
  }
}

const scan = async (
  options: WorkerOptions,
  timing: Timing,
  run: LeasedRun,
  stop: Stop,
  {
    startedAt,
    activeRefused,
    seconds,
  }: { readonly startedAt: Date; readonly activeRefused: string | null; readonly seconds: number | null },
  files: RunFiles,
): Promise<ChildEnd> => {
  // A failed write stops the child at once; what it found after that could not be stored.
  const broken = follow(stop)
  const inbox = createInbox(
    options.db,
    run,
    async ({ id, module, filename, contentType, body }) => {
      const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
      const stored = await files.store({ id, kind: 'evidence', module, filename, contentType, body: bytes })
      held(await confirmEvidence(options.db, run, stored))
    },
    async (lineage, token) => {
      if (run.domainId !== null) await keepToken(options.db, options.keys, run.domainId, lineage, token)
    },
    () => broken.ask('lost'),
    options.logger,
  )
  const spec = await buildSpec(options, run, startedAt, activeRefused, seconds)
  const folder = await options.childFolder?.()
  const removeFolder = async (): Promise<void> => {
    await folder?.remove().catch((error: unknown) => {
      options.logger.warn({ run: run.runId, err: error }, 'temporary files of a scan are left for the next start')
    })
  }
  const end = await superviseChild(spec, {
    script: (await options.scanScript?.()) ?? SCAN_SCRIPT,
    memoryMb: options.childMemoryMb ?? MEMORY_MB,
    env: { ...(folder ? { TMPDIR: folder.path } : {}), ...options.childEnv },
    grace: timing.grace,
    overrun: timing.overrun,
    silence: timing.silence,
    stop: broken,
    ...(options.outOfBand ? { calls: options.outOfBand.watch } : {}),
    onMessage: inbox.push,
    onLine: (line) => options.logger.warn({ run: run.runId, line }, 'scan child'),
  }).finally(removeFolder)
  await inbox.settled()
  return end
}

const follow = (stop: Stop): Stop => {
  const follower = createStop()
  const ask = (): void => follower.ask(stop.why() ?? 'lost')
  for (const signal of [stop.signal, stop.lost]) {
    if (signal.aborted) ask()
    else signal.addEventListener('abort', ask, { once: true })
  }
  return follower
}

const assertCompleted = (end: ChildEnd, options: WorkerOptions): void => {
  switch (end.type) {
    case 'crashed':
      throw new RunFailed('scanner_crashed', end.detail)
    case 'overran':
      throw new RunFailed('deadline_exceeded', `The scan did not end within ${options.runSeconds ?? 3_600} seconds.`)
    case 'killed':
      throw new Stopped()
    case 'ended':
      if (end.result === 'failed') throw new RunFailed(end.error.kind, end.error.detail)
      if (end.result === 'canceled') throw new RunFailed('internal', 'The scanner stopped without being asked to.')
  }
}

const endFailed = async (
  options: WorkerOptions,
  run: LeasedRun,
  files: RunFiles | null,
  error: unknown,
): Promise<void> => {
  const failure =
    error instanceof RunFailed
      ? error
      : new RunFailed('internal', 'Something failed on our side; the operator’s log says what.', { cause: error })
  options.logger.error({ run: run.runId, err: error, kind: failure.kind }, 'run failed')
  const { kind, message } = failure
  const artifacts = await closingFiles(options, run, files, endEntry({ result: 'failed', error_kind: kind }))
  held(await fail(options.db, run, { kind, detail: message, artifacts }))
}

const endCanceled = async (options: WorkerOptions, run: LeasedRun, files: RunFiles | null): Promise<void> => {
  const artifacts = await closingFiles(options, run, files, endEntry({ result: 'canceled' }))
  held(await cancelEnd(options.db, run, { artifacts }))
}

/** When the storage is away the run ends without its files; the sweep writes them later. */
const closingFiles = async (
  options: WorkerOptions,
  run: LeasedRun,
  files: RunFiles | null,
  last: ReturnType<typeof endEntry>,
): Promise<Awaited<ReturnType<RunFiles['storeClosing']>>> => {
  held(await appendAudit(options.db, run, [last]))
  try {
    return files ? await files.storeClosing(false) : []
  } catch (error) {
    if (!(error instanceof RunFailed)) throw error
    options.logger.error({ run: run.runId, err: error }, 'audit log and evidence archive are written later')
    return []
  }
}
