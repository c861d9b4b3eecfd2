/** How a run comes to be: of a start, of a schedule, of a batch. */
import { randomUUID } from 'node:crypto'
import { DEFAULT_IDENTITY } from '../contract/identity.ts'
import type { ProblemCode } from '../contract/problem.ts'
import { type Environment, RunOptions, type SiteContext, type Tier } from '../contract/run.ts'
import { settleSwitches } from '../contract/run-switches.ts'
import type { Queryable } from './database.ts'
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

export interface Site {
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

/** Columns of `Site`, of a domain `d`. */
const SITE = `d.domain, d.context, d.environment, d.exclude, d.start_paths, d.requests_per_second, d.sign_in_hosts,
  coalesce(d.verified_until > clock_timestamp(), false) as verified, d.agent_id,
  (select a.name from agents a where a.id = d.agent_id and a.revoked_at is not null) as agent_gone`

export interface StartingOrganisation {
  readonly id: string
  readonly state: string
  readonly plan: string
}

/** Of the organisation first: until the transaction ends nobody else starts, and nothing is claimed, for it. */
const LOCK = `
  with o as materialized (select id, state, plan from organisations where id = $1 for no key update),
       d as materialized (select ${SITE} from o join domains d on d.organisation_id = o.id where d.id = $2 for key share of d)
  select o.id, o.state, o.plan, d.* from o left join d on true`

/** Locks the organisation that starts a run, and the domain; null where it has no such domain. */
export const lockForStart = async (
  tx: Queryable,
  { organisationId, domainId }: Pick<RunToMake, 'organisationId' | 'domainId'>,
): Promise<{ readonly organisation: StartingOrganisation; readonly site: Site | null }> => {
  const [row] = await tx.query<StartingOrganisation & (Site | { readonly domain: null })>(LOCK, [
    organisationId,
    domainId,
  ])
  if (!row) throw new Error('There is no such organisation')
  return { organisation: row, site: row.domain === null ? null : row }
}

/** Locks the domain alone; null where the organisation has no such domain. */
export const lockSite = async (
  tx: Queryable,
  { organisationId, domainId }: Pick<RunToMake, 'organisationId' | 'domainId'>,
): Promise<Site | null> => {
  const [site] = await tx.query<Site>(
    `select ${SITE} from domains d where d.id = $2 and d.organisation_id = $1 for key share of d`,
    [organisationId, domainId],
  )
  return site ?? null
}

/** Refusals come in the order of the interface document. */
export const readyRun = async (tx: Queryable, run: RunToMake, site: Site | null): Promise<ReadyRun | Refused> => {
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
 * With its first event, and put together once (see `STATES_OF` in runs.ts). Wakes streams and workers too, at the commit: two ways to the
 * database less while the organisation is locked.
 */
const INSERT = `
  with r as (
    insert into runs (id, organisation_id, domain_id, domain, tier, context, options, credentials, signed_in,
                      environment, dry_run, batch_id, agent_id, phase_detail, event_seq)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $8::bytea is not null, $9, $10, $11, $12, ${queueDetail('$2', '$12::uuid')}, 1)
    returning *
  ), told as (
    insert into events (run_id, seq, type, data)
    select r.id, r.event_seq, 'progress', progress_event(r.phase, r.phase_detail, r.progress, r.counts, r.status) from r
  )
  select ${RUN_COLUMNS}, pg_notify('run_events', r.id || ':' || r.event_seq), pg_notify('runs_queued', '') from r`

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
