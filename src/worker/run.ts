/** A run that a worker has leased: brought to its end, whatever that is. Where it is kept is no matter here, see held-run.ts. */
import type { Slice } from '../contract/pace.ts'
import { note, traced, tracedParts } from '../contract/tracing.ts'
import { pacedBy } from '../egress/door/settings.ts'
import { faultIdOf } from '../engine/faults.ts'
import type { RunSpec } from '../engine/protocol.ts'
import { isDatabaseAway, LeaseLost, RunFailed, Stopped, StorageAway, tellFailure } from './failures.ts'
import { createStop, type Stop, startHeartbeat } from './heartbeat.ts'
import type { HeldRun, OpenRun, Orders } from './held-run.ts'
import { memoryOf } from './memory.ts'
import type { ScanOptions, Timing } from './options.ts'
import { targetOf } from './report-writer.ts'
import { discard, type ScanProcess, type ScanProcesses } from './scan-processes.ts'
import { type ChildEnd, type ChildMessage, superviseChild } from './supervise.ts'
import { blameFor } from './suspects.ts'

interface RunAtWork extends HeldRun {
  /** Aborts when nothing more may be sent, with a sentence why. */
  readonly muted: AbortSignal
  /** Its process has this number now; null: it has none. */
  readonly scansIn: (pid: number | null) => void
}

export interface ActiveRun {
  /** A cancel may have been asked for: look now. */
  readonly look: () => void
  /** Stop and hand the run back. */
  readonly drain: () => void
  /** Bytes that its scan has taken by now, with all that it started. */
  readonly memory: () => number
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
const RUN_SECONDS = 3_600

/** What this machine scans with. */
export interface Scanner extends ScanOptions {
  readonly processes: ScanProcesses
}

/** `leave` is called for a run that nobody could go on with, as its home was silent: to be handed back once that answers. */
export const carryOut = (options: Scanner, timing: Timing, run: HeldRun, leave: () => void): ActiveRun => {
  const stop = createStop()
  const muted = new AbortController()
  const beat = startHeartbeat(run, stop, muted, timing, options.logger)
  muted.signal.addEventListener('abort', () => {
    options.logger.info({ run: run.runId, why: muted.signal.reason }, 'nothing more is sent')
  })
  let pid: number | null = null
  const scansIn: RunAtWork['scansIn'] = (now) => {
    pid = now
  }
  const held = { ...run, muted: muted.signal, scansIn }
  const about = { 'sonde.run.id': run.runId, 'sonde.domain': run.domain, 'sonde.run.attempt': run.attempts + 1 }
  const ended = traced('run', about, () => work(options, timing, held, stop))
    .catch((error: unknown) => {
      if (error instanceof LeaseLost && stop.why() !== 'drain') {
        options.logger.warn({ run: run.runId }, 'lease lost; the run is left alone')
      } else {
        // The lease runs out and another worker takes over.
        options.logger.error({ run: run.runId, err: error }, 'run abandoned')
      }
      // An outage is nobody's fault: the attempt does not count. That a commit was lost on its way may be told before the lease has run out.
      if (beat.silent() || isDatabaseAway(error)) leave()
    })
    .finally(beat.end)
  const memory = (): number => (pid === null ? 0 : memoryOf(pid))
  return { look: beat.now, drain: () => stop.ask('drain'), memory, ended }
}

const work = async (options: Scanner, timing: Timing, run: RunAtWork, stop: Stop): Promise<void> => {
  try {
    await bringToEnd(options, timing, run, stop)
  } finally {
    if (stop.why() === 'drain') await run.release()
  }
}

const bringToEnd = async (options: Scanner, timing: Timing, run: RunAtWork, stop: Stop): Promise<void> => {
  const open = run.open(stop)
  let failure: unknown = new Stopped()
  try {
    if (await scanAndComplete(options, timing, run, open, stop)) return ended('done')
  } catch (error) {
    failure = error
  }
  if (failure instanceof LeaseLost || isDatabaseAway(failure)) throw failure
  if (failure instanceof StorageAway && stop.why() === null) {
    options.logger.error({ run: run.runId, err: failure }, 'the storage did not come back; the run is handed back')
    if ((await run.release()) === 'lost') throw new LeaseLost()
    return ended('handed_back')
  }
  if (stop.why() === 'cancel') {
    await open.cancel()
    ended('canceled')
  } else if (stop.why() === null) {
    await endFailed(options, run, open, failure)
    ended('failed')
  } else ended('handed_back')
}

const ended = (result: 'done' | 'failed' | 'canceled' | 'handed_back'): void => note({ 'sonde.run.result': result })

/** True when the run is done; false when it has to end as `stop` says. */
const scanAndComplete = async (
  options: Scanner,
  timing: Timing,
  run: RunAtWork,
  open: OpenRun,
  stop: Stop,
): Promise<boolean> => {
  if (open.scanned === null) {
    await open.start()
    const end = await scanToEnd(options, timing, run, open, stop)
    if (stop.why() !== null) return false
    assertCompleted(end, options)
  } else if (open.scanned.result === 'canceled') {
    stop.ask('cancel')
    return false
  } else if (open.scanned.result === 'failed') throw new RunFailed(open.scanned.kind, open.scanned.detail)
  const result = await open.complete()
  if (result === 'canceling') stop.ask('cancel')
  return result === 'done'
}

/** What modules that have not ended had found last, by their ids: the facts, as the scan processes told of them. */
type Offered = Map<string, unknown>

/** One scan process after another, until one did not die, or has died too often. */
const scanToEnd = async (
  options: Scanner,
  timing: Timing,
  run: RunAtWork,
  open: OpenRun,
  stop: Stop,
): Promise<ChildEnd> => {
  const began = performance.now()
  const offered: Offered = new Map()
  let unexplained = 0
  for (let child = 1; ; child += 1) {
    const used = (performance.now() - began) / 1_000
    const left = Math.max(LEAST_SECONDS, Math.round((options.runSeconds ?? RUN_SECONDS) - used))
    const about = { 'sonde.scan.process': child }
    const end = await traced('scan', about, () =>
      scan(options, timing, run, open, stop, { seconds: child === 1 ? null : left, offered }),
    )
    if (stop.why() !== null || end.type !== 'crashed') return end
    const { detail, modules } = end
    unexplained = modules.length === 0 ? unexplained + 1 : 0
    const again = child < CHILDREN_PER_ATTEMPT && unexplained < MOST_UNEXPLAINED
    await open.died({ modules, detail }, again)
    if (!again) return end
    const faults = Object.fromEntries(modules.map((module) => [module, faultIdOf(module, detail)]))
    options.logger.warn({ run: run.runId, detail, faults }, 'scan child died; started again')
  }
}

/** In a process that waited for it, if there is one. That such a one died before it had heard of the run is no matter of the run's. */
const scan = async (
  options: Scanner,
  timing: Timing,
  run: RunAtWork,
  open: OpenRun,
  stop: Stop,
  { seconds, offered }: { readonly seconds: number | null; readonly offered: Offered },
): Promise<ChildEnd> => {
  const { processes } = options
  const { orders, process } = await bothOf(open.orders(), processes.take())
  const told = specOf(options, run.runId, orders, seconds)
  const lost = [...offered].filter(([module]) => told.leftOut?.[module] !== undefined)
  const spec = lost.length === 0 ? told : { ...told, offered: Object.fromEntries(lost) }
  const end = await scanIn(process, spec, offered, options, timing, run, open, stop)
  if (!process.waited || end.type !== 'crashed' || end.heard) return end
  return scanIn(await processes.fresh(), spec, offered, options, timing, run, open, stop)
}

/** A process that nobody will use is not left behind. */
const bothOf = async (asked: Promise<Orders>, taken: Promise<ScanProcess>) => {
  const [orders, process] = await Promise.allSettled([asked, taken])
  if (orders.status === 'fulfilled' && process.status === 'fulfilled')
    return { orders: orders.value, process: process.value }
  if (process.status === 'fulfilled') await discard(process.value)
  throw orders.status === 'rejected' ? orders.reason : (process as PromiseRejectedResult).reason
}

const scanIn = async (
  process: ScanProcess,
  spec: RunSpec,
  offered: Offered,
  options: Scanner,
  timing: Timing,
  run: RunAtWork,
  open: OpenRun,
  stop: Stop,
): Promise<ChildEnd> => {
  // A failed write stops the child at once; what it found after that could not be stored.
  const broken = follow(stop)
  const inbox = open.inbox(() => broken.ask('lost'))
  const modules = tracedParts('module')
  const calls = options.outOfBand?.watch ?? open.calls() ?? undefined
  run.scansIn(process.child.pid ?? null)
  const end = await superviseChild(spec, process, {
    grace: timing.grace,
    overrun: timing.overrun,
    silence: timing.silence,
    stop: broken,
    muted: run.muted,
    ...(calls === undefined ? {} : { calls }),
    slice: (address) => inTime(open.slice(address), options, run),
    onMessage: (message) => {
      if (message.type === 'module') {
        modules.ended(message.module, outcomeOf(message))
        offered.delete(message.module)
      }
      inbox.push(message)
    },
    onOffered: (module, facts) => void offered.set(module, facts),
    onWorking: modules.working,
    onLine: (line) => options.logger.warn({ run: run.runId, line }, 'scan child'),
  }).finally(() => {
    run.scansIn(null)
    return process.removeFolder()
  })
  modules.close()
  note({ 'sonde.scan.end': end.type === 'ended' ? end.result : end.type })
  await inbox.settled()
  return end
}

/** The scan goes on without: it keeps to what it had. */
const inTime = async (slice: Promise<Slice>, { logger }: ScanOptions, { runId }: HeldRun): Promise<Slice | null> => {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(() => late.resolve(null), SLICE_WAIT)
  try {
    return await Promise.race([slice, late.promise])
  } catch (error) {
    logger.warn({ run: runId, err: error }, 'no part of an address’s pace could be had')
    return null
  } finally {
    clearTimeout(timer)
  }
}

/** Milliseconds until a scan goes on without knowing of other runs on its address. */
const SLICE_WAIT = 2_000

const outcomeOf = ({ outcome }: Extract<ChildMessage, { type: 'module' }>) => ({
  'sonde.module.state': outcome.state,
  'sonde.module.requests': outcome.requests,
})

/** What the child is told: the run's orders under this machine's settings. `seconds`: its wall-clock time; null: all that a run has. */
const specOf = (settings: ScanOptions, runId: string, orders: Orders, seconds: number | null): RunSpec => {
  const { assignment, startedAt, activeRefused, trafficKey = settings.egress.trafficKey } = orders
  const { options, credentials, identities, descriptions, deaths, completed } = assignment
  const { suspects, leftOut } = blameFor(deaths)
  return {
    runId,
    target: targetOf(assignment),
    options,
    egress: pacedBy({ ...settings.egress, trafficKey }, options.requests_per_second ?? null),
    ...(settings.modules ? { settings: settings.modules } : {}),
    ...(descriptions === undefined ? {} : { descriptions }),
    credentials,
    ...(identities === undefined ? {} : { identities }),
    now: startedAt.getTime(),
    deadline: seconds ?? settings.runSeconds ?? RUN_SECONDS,
    activeRefused,
    suspects,
    leftOut,
    ...(settings.knowledge === undefined ? {} : { knowledge: settings.knowledge }),
    completed,
  }
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

const assertCompleted = (end: ChildEnd, options: ScanOptions): void => {
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

const endFailed = async (options: ScanOptions, run: HeldRun, open: OpenRun, error: unknown): Promise<void> => {
  const failure =
    error instanceof RunFailed
      ? error
      : new RunFailed('internal', 'Something failed on our side; the operator’s log says what.', { cause: error })
  tellFailure(options.logger, run.runId, failure, error)
  await open.fail({ kind: failure.kind, detail: failure.message })
}
