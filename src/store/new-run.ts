/** How a run comes to be: of a start, of a schedule, of a batch. */
import { randomUUID } from 'node:crypto'
import { DEFAULT_IDENTITY } from '../contract/identity.ts'
import type { ProblemCode } from '../contract/problem.ts'
import { type Environment, RunOptions, type SiteContext, type Tier } from '../contract/run.ts'
import { settleSwitches } from '../contract/run-switches.ts'
import type { Queryable } from './database.ts'
import { numberedState, storeEvents } from './event-log.ts'
import { queueDetail } from './holds.ts'
import { giveIdentities, sealedIdentity } from './identities.ts'
import { RUN_COLUMNS, type RunRecord, type RunRow, toRunRecord } from './run-row.ts'

/** `exclude` holds the run's own patterns; the domain's are added. */
export interface RunToMake extends RunOptions {
  readonly organisationId: string
  readonly domainId: string
  /** Null takes the domain's own. */
  readonly context: SiteContext | null
  /** See seal.ts. */
  readonly sealedCredentials: Buffer | null
}

export type Refusal = Extract<
  ProblemCode,
  | 'quota_exceeded'
  | 'idempotency_conflict'
  | 'organization_blocked'
  | 'organization_throttled'
  | 'domain_not_found'
  | 'agent_revoked'
  | 'domain_not_verified'
  | 'login_not_found'
  | 'identity_not_found'
  | 'too_many_batches'
>
export interface Refused {
  readonly refused: Refusal
  readonly detail: string
}
export const refuse = (refused: Refusal, detail: string): Refused => ({ refused, detail })

interface Site {
  readonly domain: string
  readonly context: SiteContext | null
  readonly environment: Environment
  readonly exclude: readonly string[]
  readonly start_paths: readonly string[]
  readonly requests_per_second: number | null
  readonly sign_in_hosts: readonly string[]
  readonly verified: boolean
  readonly agent_id: string | null
  /** Of an agent that was revoked; else null. */
  readonly agent_gone: string | null
}

/** What may start, but for state and quota of its organisation. */
export interface ReadyRun {
  readonly run: RunToMake
  readonly site: Site
  readonly login: Login
}

/** Refusals come in the order of the interface document. */
export const readyRun = async (tx: Queryable, run: RunToMake): Promise<ReadyRun | Refused> => {
  const [site] = await tx.query<Site>(
    `select domain, context, environment, exclude, start_paths, requests_per_second, sign_in_hosts, coalesce(verified_until > clock_timestamp(), false) as verified, agent_id,
            (select a.name from agents a where a.id = agent_id and a.revoked_at is not null) as agent_gone
       from domains where id = $2 and organisation_id = $1 for key share`,
    [run.organisationId, run.domainId],
  )
  if (!site) return refuse('domain_not_found', 'There is no such domain.')
  if (site.agent_gone !== null) {
    return refuse(
      'agent_revoked',
      `The agent of ${site.domain}, ${site.agent_gone}, was revoked: name another, or none.`,
    )
  }
  if (run.active && !site.verified) {
    return refuse('domain_not_verified', `Verify ${site.domain} before starting an active run on it.`)
  }
  const login = await loginOf(tx, run, site)
  return 'refused' in login ? login : { run, site, login }
}

/** Queued, with its first event. `batchId`: of the batch that it belongs to. */
export const storeRun = async (
  tx: Queryable,
  { run, site, login }: ReadyRun,
  batchId: string | null = null,
): Promise<RunRecord> => {
  const row = await insertRun(
    tx,
    { ...run, sealedCredentials: login.sealed, identities: login.identities },
    site,
    batchId,
  )
  if (login.identities !== undefined) await giveIdentities(tx, { id: row.id, domainId: run.domainId }, login.identities)
  await storeEvents(tx, row.id, [numberedState(row)])
  return toRunRecord(row)
}

/** As whom it looks, sealed, and which identities it was given. */
type Login = { readonly sealed: Buffer | null; readonly identities: string[] | undefined }

/** Given credentials, the identities that are named, or `default` where none is and there is one; never on what is not proven to be owned. */
const loginOf = async (tx: Queryable, run: RunToMake, { domain, verified }: Site): Promise<Login | Refused> => {
  if (run.sealedCredentials !== null) return { sealed: run.sealedCredentials, identities: undefined }
  if (run.identities === undefined && run.auth_stored === undefined) {
    const sealed = verified ? await sealedIdentity(tx, run.domainId, DEFAULT_IDENTITY) : null
    return { sealed, identities: sealed === null ? undefined : [DEFAULT_IDENTITY] }
  }
  const names = [...new Set(run.identities ?? (run.auth_stored ? [DEFAULT_IDENTITY] : []))]
  if (names.length > 0 && !verified) {
    return refuse('domain_not_verified', `Verify ${domain} before using the login that is stored with it.`)
  }
  const found = await Promise.all(names.map((name) => sealedIdentity(tx, run.domainId, name)))
  const missing = names.find((_, n) => found[n] === null)
  if (missing !== undefined && run.auth_stored) {
    return refuse('login_not_found', 'No login is stored with the domain.')
  }
  if (missing !== undefined) return refuse('identity_not_found', `${domain} has no identity called "${missing}".`)
  return { sealed: found[0] ?? null, identities: names }
}

/** Of a run only its options: they are stored in clear. */
const STORED_OPTIONS = RunOptions.strip()

/**
 * With the number of its first event taken, and put together once (see `STATES_OF` in runs.ts). Wakes the workers too, at the commit: one way to the
 * database less while the organisation is locked.
 */
const INSERT = `
  insert into runs as r (id, organisation_id, domain_id, domain, tier, context, options, credentials, signed_in,
                         environment, dry_run, batch_id, agent_id, phase_detail, event_seq)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $8::bytea is not null, $9, $10, $11, $12, ${queueDetail('$2', '$12::uuid')}, 1)
  returning ${RUN_COLUMNS}, pg_notify('runs_queued', '')`

const insertRun = async (tx: Queryable, run: RunToMake, site: Site, batchId: string | null): Promise<RunRow> => {
  const asked = settleSwitches(STORED_OPTIONS.parse(run))
  const startPaths = [...new Set([...site.start_paths, ...(run.start_paths ?? [])])]
  const options: RunOptions = {
    ...asked,
    exclude: [...new Set([...site.exclude, ...(run.exclude ?? [])])],
    // What is undefined is not stored.
    start_paths: startPaths.length > 0 ? startPaths : undefined,
    auth_stored: asked.auth_stored || undefined,
    requests_per_second: site.requests_per_second ?? undefined,
    sign_in_hosts: site.sign_in_hosts.length > 0 ? [...site.sign_in_hosts] : undefined,
  }
  const tier: Tier = options.active ? 'active' : 'passive'
  const [row] = await tx.query<RunRow>(INSERT, [
    randomUUID(),
    run.organisationId,
    run.domainId,
    site.domain,
    tier,
    run.context ?? site.context,
    JSON.stringify(options),
    run.sealedCredentials,
    site.environment,
    options.dry_run ?? false,
    batchId,
    site.agent_id,
  ])
  if (!row) throw new Error('The run was not stored')
  return row
}
