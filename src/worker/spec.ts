import type { EgressSettings } from '../egress/door/settings.ts'
import type { RunSpec } from '../engine/protocol.ts'
import { interfacesOf } from '../store/descriptions.ts'
import { childDeaths } from '../store/faults.ts'
import type { LeasedRun } from '../store/lease.ts'
import { loadModules } from '../store/modules.ts'
import { openCredentials } from '../store/seal.ts'
import { RunFailed } from './failures.ts'
import type { WorkerOptions } from './options.ts'
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
    credentials: openSealed(options.secretKey, run.credentials),
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

const openSealed = (key: Buffer, sealed: Buffer | null): RunSpec['credentials'] => {
  try {
    return openCredentials(key, sealed)
  } catch (cause) {
    throw new RunFailed('internal', 'The credentials of the run could not be opened on this worker.', { cause })
  }
}
