/** What the child of a run is told, and whether it may still probe: the domain is asked again before the first active request. */
import type { SecretKeys } from '../contract/secret-keys.ts'
import type { EgressSettings } from '../egress/door/settings.ts'
import type { RunSpec } from '../engine/protocol.ts'
import { interfacesOf } from '../store/descriptions.ts'
import { getDomain, type StoredDomain, setVerified } from '../store/domains.ts'
import { appendAudit } from '../store/events.ts'
import { childDeaths } from '../store/faults.ts'
import { identitiesOfRun } from '../store/identities.ts'
import type { LeasedRun } from '../store/lease.ts'
import { loadModules } from '../store/modules.ts'
import { withNewestToken } from '../store/refresh-tokens.ts'
import { openCredentials } from '../store/seal.ts'
import { held, RunFailed, Stopped } from './failures.ts'
import type { WorkerOptions } from './options.ts'
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

/** What the child is told. Modules that an earlier attempt completed are not collected again. */
export const buildSpec = async (
  options: WorkerOptions,
  run: LeasedRun,
  startedAt: Date,
  activeRefused: string | null,
  /** Seconds for this child; null: all that a run has. */
  seconds: number | null = null,
): Promise<RunSpec> => {
  const modules = await loadModules(options.db, run.runId)
  const { suspects, leftOut } = blameFor(await childDeaths(options.db, run.runId))
  const completed = modules.filter(({ outcome }) => outcome.state === 'completed')
  return {
    runId: run.runId,
    target: targetOf(run),
    options: run.options,
    egress: pacedBy(options.egress, run.options.requests_per_second ?? null),
    ...(options.modules ? { settings: options.modules } : {}),
    ...(run.tier === 'active' && run.domainId !== null
      ? { descriptions: await interfacesOf(options.db, run.domainId) }
      : {}),
    credentials: await newest(options, run, run.credentials),
    ...(await identitiesIn(options, run)),
    now: startedAt.getTime(),
    deadline: seconds ?? options.runSeconds ?? RUN_SECONDS,
    activeRefused,
    suspects,
    leftOut,
    ...(options.knowledge === undefined ? {} : { knowledge: options.knowledge }),
    completed: Object.fromEntries(completed.map(({ module, facts, outcome }) => [module, { facts, outcome }])),
  }
}

/** A domain may slow its runs down, never past the operator's limit. */
export const pacedBy = (settings: EgressSettings, requestsPerSecond: number | null): EgressSettings =>
  requestsPerSecond === null
    ? settings
    : { ...settings, requestsPerSecond: Math.min(settings.requestsPerSecond, requestsPerSecond) }

/** None where the run looks as nobody or as what it was given. */
const identitiesIn = async (options: WorkerOptions, run: LeasedRun): Promise<Pick<RunSpec, 'identities'>> => {
  const stored = await identitiesOfRun(options.db, run.runId)
  if (stored.length === 0) return {}
  return {
    identities: await Promise.all(
      stored.map(async ({ name, role, sealed }) => ({
        ...{ name, role, credentials: sealed === null ? null : await newest(options, run, sealed) },
      })),
    ),
  }
}

const newest = ({ db, keys }: WorkerOptions, { domainId }: LeasedRun, sealed: Buffer | null) =>
  withNewestToken(db, keys, domainId, openSealed(keys, sealed))

const openSealed = (keys: SecretKeys, sealed: Buffer | null): RunSpec['credentials'] => {
  try {
    return openCredentials(keys, sealed)
  } catch (cause) {
    throw new RunFailed('internal', 'The credentials of the run could not be opened on this worker.', { cause })
  }
}

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
