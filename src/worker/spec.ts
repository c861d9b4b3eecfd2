/** What the child of a run is told, and whether it may still probe: the domain is asked again before the first active request. */
import type { Assignment } from '../contract/assignment.ts'
import type { EgressSettings } from '../egress/door/settings.ts'
import type { RunSpec } from '../engine/protocol.ts'
import { getDomain, type StoredDomain, setVerified } from '../store/domains.ts'
import { appendAudit } from '../store/events.ts'
import type { LeasedRun } from '../store/lease.ts'
import { held, Stopped } from './failures.ts'
import type { ScanSettings, WorkerOptions } from './options.ts'
import type { JudgeTarget } from './report-writer.ts'
import { blameFor } from './suspects.ts'
import { proofFrom } from './verify-domain.ts'

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
 * A proof that holds is renewed. The operator's word needs no proof, but ends when it ends. Throws `Stopped` when the run
 * has to stop meanwhile.
 */
export const refuseActive = async (
  options: WorkerOptions,
  run: LeasedRun,
  signal: AbortSignal,
): Promise<string | null> => {
  if (run.tier !== 'active') return null
  const domain = run.domainId === null ? null : await getDomain(options.db, run.organisationId, run.domainId)
  if (domain === null) return noted(options, run, 'the domain is not registered any more')
  if (domain.vouched && domain.verifiedUntil !== null && domain.verifiedUntil > new Date()) return null
  const attempts = await unlessAborted(options.verifyDomain(domain), signal)
  const proof = attempts.find(({ ok }) => ok)
  if (proof === undefined) {
    const seen = attempts.map((attempt) => `${attempt.method}: ${attempt.seen}`).join('; ')
    return noted(options, run, lapsed(domain), seen)
  }
  await setVerified(options.db, domain.id, proofFrom(new Date()))
  await note(options, run, 'proven', `${proof.method}: ${proof.seen}`)
  return null
}

const lapsed = ({ verifiedUntil }: StoredDomain): string =>
  verifiedUntil === null
    ? 'the verification of the domain was taken back'
    : 'the domain does not show its verification any more'

const noted = async (options: WorkerOptions, run: LeasedRun, reason: string, seen?: string): Promise<string> => {
  await note(options, run, 'refused', seen === undefined ? reason : `${reason} (${seen})`)
  return `${reason}, so nothing active was sent`
}

const note = async ({ db }: WorkerOptions, run: LeasedRun, result: string, detail: string): Promise<void> => {
  const entry = { ts: new Date().toISOString(), module: 'worker', event: 'domain_verification', result, detail }
  held(await appendAudit(db, run, [entry]))
}

const unlessAborted = async <Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> => {
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
