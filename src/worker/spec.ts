/** What the child of a run is told, and whether it may still probe: the domain is asked again before the first active request. */
import type { Assignment } from '../contract/assignment.ts'
import type { EgressSettings } from '../egress/door/settings.ts'
import type { RunSpec } from '../engine/protocol.ts'
import { activeStanding, settleProof } from '../store/active-proof.ts'
import type { LeasedRun } from '../store/lease.ts'
import { held, Stopped } from './failures.ts'
import type { ScanSettings, WorkerOptions } from './options.ts'
import type { JudgeTarget } from './report-writer.ts'
import { blameFor } from './suspects.ts'

export const RUN_SECONDS = 3_600

/** `shop.test:8081` is a name with the port that was registered with it. */
export const targetOf = ({
  domain,
  context,
  tier,
  environment,
}: Pick<LeasedRun, 'domain' | 'context' | 'tier' | 'environment'>): JudgeTarget => {
  const [host = '', port] = domain.split(':')
  return { host, port: port === undefined ? null : Number(port), context, tier, environment }
}

/** What one scan process is told beside what its run is made of. */
export interface ScanBounds {
  /** Of the first attempt. */
  readonly startedAt: Date
  /** As of the spec. */
  readonly activeRefused: string | null
  /** Seconds for this process; null: all that a run has. */
  readonly seconds: number | null
}

/** What the child is told: the run's assignment under this machine's settings. */
export const specOf = (
  settings: ScanSettings,
  runId: string,
  assignment: Assignment,
  { startedAt, activeRefused, seconds }: ScanBounds,
): RunSpec => {
  const { options, credentials, identities, descriptions, deaths, completed } = assignment
  const { suspects, leftOut } = blameFor(deaths)
  return {
    runId,
    target: targetOf(assignment),
    options,
    egress: pacedBy(settings.egress, options.requests_per_second ?? null),
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

/** A domain may slow its runs down, never past the operator's limit. */
export const pacedBy = (settings: EgressSettings, requestsPerSecond: number | null): EgressSettings =>
  requestsPerSecond === null
    ? settings
    : { ...settings, requestsPerSecond: Math.min(settings.requestsPerSecond, requestsPerSecond) }

/**
 * Null where the run may send active requests, or none are asked for; otherwise the reason against, in words for coverage.
 * Throws `Stopped` when the run has to stop meanwhile.
 */
export const refuseActive = async (
  options: WorkerOptions,
  run: LeasedRun,
  signal: AbortSignal,
): Promise<string | null> => {
  const standing = held(await activeStanding(options.db, run))
  if ('refused' in standing) return standing.refused
  const attempts = await unlessAborted(options.verifyDomain(standing.prove), signal)
  return held(await settleProof(options.db, run, standing.prove, attempts)).refused
}

/** Throws `Stopped` when the signal aborts before. */
export const unlessAborted = async <Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> => {
  const stopped = Promise.withResolvers<never>()
  const stop = (): void => stopped.reject(new Stopped())
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, stopped.promise])
  } finally {
    signal.removeEventListener('abort', stop)
    // Whichever was not waited for: the run is over, and a check writes nothing.
    work.catch(() => undefined)
    stopped.promise.catch(() => undefined)
  }
}
