import type { Domain } from '../contract/domain.ts'
import type { QuietHours } from '../contract/quiet-hours.ts'
import type { Environment, SiteContext } from '../contract/run.ts'
import { verificationOf } from '../contract/verification.ts'
import { type Database, DatabaseError, type Queryable } from './database.ts'
import { lookAgain } from './silences.ts'

/** A registered domain as stored; what the owner has to publish is derived from `token` by the API. */
export interface StoredDomain {
  readonly id: string
  readonly organisationId: string
  readonly domain: string
  readonly context: SiteContext | null
  readonly environment: Environment
  /** Patterns of addresses that no run of it asks for. */
  readonly exclude: readonly string[]
  readonly startPaths: readonly string[]
  /** Null: as many as the operator allows. */
  readonly requestsPerSecond: number | null
  /** Nothing is sent to it then. */
  readonly quietHours: QuietHours | null
  /** From the end of one run until the next may begin. */
  readonly cooldownMinutes: number
  /** Through whom alone it is asked for anything; null: the service asks itself. */
  readonly agentId: string | null
  /** Hosts elsewhere at which identities of it sign in. */
  readonly signInHosts: readonly string[]
  readonly login: Domain['login']
  readonly token: string
  readonly verifiedAt: Date | null
  readonly verifiedUntil: Date | null
  /** The operator vouches for it: no proof is asked for while `verifiedUntil` lasts. */
  readonly vouched: boolean
  readonly createdAt: Date
}

interface Row {
  readonly id: string
  readonly organisation_id: string
  readonly domain: string
  readonly context: SiteContext | null
  readonly environment: Environment
  readonly exclude: readonly string[]
  readonly start_paths: readonly string[]
  readonly requests_per_second: number | null
  readonly quiet_hours: QuietHours | null
  readonly cooldown_minutes: number
  readonly agent_id: string | null
  readonly sign_in_hosts: readonly string[]
  readonly login: Domain['login']
  readonly token: string
  readonly verified_at: Date | null
  readonly verified_until: Date | null
  readonly vouched: boolean
  readonly created_at: Date
}
const COLUMNS = `id, organisation_id, domain, context, environment, exclude, start_paths, requests_per_second, quiet_hours, cooldown_minutes, agent_id, sign_in_hosts, token, verified_at, verified_until,
  vouched, created_at,
  (select json_build_object('kinds', l.parts, 'page', l.page, 'set_at', l.set_at, 'set_by', l.set_by)
     from domain_identities l
    where l.domain_id = domains.id and l.name = 'default' and l.parts <@ array['cookie', 'header']) as login`
const UNIQUE_VIOLATION = '23505'

/** `domain` in ASCII form, with a port where one belongs to it. */
export const createDomain = async (
  db: Queryable,
  domain: {
    readonly organisationId: string
    readonly domain: string
    readonly context: SiteContext | null
    readonly environment?: Environment
    readonly exclude?: readonly string[]
    readonly startPaths?: readonly string[]
    readonly agentId?: string | null
    readonly token: string
  },
): Promise<StoredDomain | 'domain_exists'> => {
  try {
    const [row] = await db.query<Row>(
      `insert into domains (organisation_id, domain, context, environment, exclude, token, agent_id, start_paths)
       values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${COLUMNS}`,
      [
        ...[domain.organisationId, domain.domain, domain.context, domain.environment ?? 'production'],
        ...[domain.exclude ?? [], domain.token, domain.agentId ?? null, domain.startPaths ?? []],
      ],
    )
    if (!row) throw new Error('The domain was not stored')
    return toDomain(row)
  } catch (error) {
    if (error instanceof DatabaseError && error.code === UNIQUE_VIOLATION) return 'domain_exists'
    throw error
  }
}

export const getDomain = async (db: Queryable, organisationId: string, id: string): Promise<StoredDomain | null> => {
  const [row] = await db.query<Row>(`select ${COLUMNS} from domains where id = $2 and organisation_id = $1`, [
    organisationId,
    id,
  ])
  return row ? toDomain(row) : null
}

/** Newest first; `after` is the last one of the page before. */
export const listDomains = async (
  db: Queryable,
  organisationId: string,
  {
    limit,
    after,
    domain = null,
  }: {
    readonly limit: number
    readonly after: { readonly createdAt: Date; readonly id: string } | null
    /** The one of this name alone. */
    readonly domain?: string | null
  },
): Promise<StoredDomain[]> =>
  (
    await db.query<Row>(
      `select ${COLUMNS} from domains
        where organisation_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3::uuid))
          ${domain === null ? '' : 'and domain = $5'}
        order by created_at desc, id desc
        limit $4`,
      [organisationId, after?.createdAt ?? null, after?.id ?? null, limit, ...(domain === null ? [] : [domain])],
    )
  ).map(toDomain)

/** What is left out stays as it is. */
export const updateDomain = async (
  db: Queryable,
  organisationId: string,
  id: string,
  change: {
    readonly context?: SiteContext | null | undefined
    readonly environment?: Environment | undefined
    readonly exclude?: readonly string[] | undefined
    readonly start_paths?: readonly string[] | undefined
    readonly requests_per_second?: number | null | undefined
    readonly sign_in_hosts?: readonly string[] | undefined
    readonly quiet_hours?: QuietHours | null | undefined
    readonly cooldown_minutes?: number | undefined
  },
): Promise<StoredDomain | null> => {
  const [row] = await db.query<Row>(
    `update domains
        set context = case when $3 then $4 else context end,
            exclude = coalesce($5, exclude),
            requests_per_second = case when $6 then $7::int else requests_per_second end,
            environment = coalesce($8, environment),
            sign_in_hosts = coalesce($9, sign_in_hosts),
            quiet_hours = case when $10 then $11::jsonb else quiet_hours end,
            cooldown_minutes = coalesce($12, cooldown_minutes),
            start_paths = coalesce($13, start_paths)
      where id = $2 and organisation_id = $1 returning ${COLUMNS}`,
    [
      ...[organisationId, id, change.context !== undefined, change.context ?? null, change.exclude ?? null],
      ...[change.requests_per_second !== undefined, change.requests_per_second ?? null, change.environment ?? null],
      ...[change.sign_in_hosts ?? null, change.quiet_hours !== undefined],
      ...[change.quiet_hours ? JSON.stringify(change.quiet_hours) : null, change.cooldown_minutes ?? null],
      change.start_paths ?? null,
    ],
  )
  if (row && (change.quiet_hours !== undefined || change.cooldown_minutes !== undefined)) {
    await lookAgain(db, { organisationId, domainId: id })
  }
  return row ? toDomain(row) : null
}

/**
 * From now on it is asked through this agent alone, or by the service itself (null). What was proven to the one proves
 * nothing to the other: the verification goes. Refused while a run of it has not ended. The caller has made sure of the agent.
 */
export const setAgent = (
  db: Database,
  organisationId: string,
  id: string,
  agentId: string | null,
): Promise<'set' | 'domain_not_found' | 'domain_in_use'> =>
  db.transaction(async (tx) => {
    const [domain] = await tx.query<{ agent_id: string | null }>(
      'select agent_id from domains where id = $2 and organisation_id = $1 for update',
      [organisationId, id],
    )
    if (domain === undefined) return 'domain_not_found'
    if (domain.agent_id === agentId) return 'set'
    if (await hasRuns(tx, organisationId, id)) return 'domain_in_use'
    await tx.query(
      `update domains set agent_id = $2, verified_at = null, verified_until = null, vouched = false where id = $1`,
      [id, agentId],
    )
    return 'set'
  })

/** Whether a run of it has not ended; the caller has locked its row. */
const hasRuns = async (tx: Queryable, organisationId: string, id: string): Promise<boolean> =>
  (
    await tx.query(
      `select 1 from runs where organisation_id = $1 and domain_id = $2 and status in ('queued', 'leased', 'running')
        limit 1`,
      [organisationId, id],
    )
  ).length > 0

/** Its ended runs stay, with the name. */
export const deleteDomain = (
  db: Database,
  organisationId: string,
  id: string,
): Promise<'deleted' | 'domain_not_found' | 'domain_in_use'> =>
  db.transaction(async (tx) => {
    // The lock first: a run being created holds the row, and only a later statement sees that run.
    const found = await tx.query('select id from domains where id = $2 and organisation_id = $1 for update', [
      organisationId,
      id,
    ])
    if (found.length === 0) return 'domain_not_found'
    if (await hasRuns(tx, organisationId, id)) return 'domain_in_use'
    await tx.query('delete from domains where id = $1', [id])
    return 'deleted'
  })

/**
 * `at` is when a check held, `until` when that lapses; null takes the verification away. `vouched` is the operator's
 * word, which a later check does not shorten. `through`: only where this agent, or with null the service itself, asks the domain.
 */
export const setVerified = async (
  db: Queryable,
  id: string,
  verified: {
    readonly at: Date
    readonly until: Date
    readonly vouched?: boolean
    readonly through?: string | null
  } | null,
): Promise<StoredDomain | null> => {
  if (verified === null) return unverify(db, id)
  const [row] = await db.query<Row>(
    `update domains
        set verified_at = $2,
            verified_until = case when vouched then greatest($3, verified_until) else $3 end,
            vouched = vouched or $4
      where id = $1 and ($5 or agent_id is not distinct from $6)
      returning ${COLUMNS}`,
    [
      id,
      verified.at,
      verified.until,
      verified.vouched ?? false,
      verified.through === undefined,
      verified.through ?? null,
    ],
  )
  return row ? toDomain(row) : null
}

const unverify = async (db: Queryable, id: string): Promise<StoredDomain | null> => {
  const [row] = await db.query<Row>(
    `update domains set verified_at = null, verified_until = null, vouched = false where id = $1 returning ${COLUMNS}`,
    [id],
  )
  return row ? toDomain(row) : null
}

/** Verified domains whose verification lapses within so many days, soonest first: those to check again. */
export const lapsingDomains = async (db: Queryable, days: number, limit: number): Promise<StoredDomain[]> =>
  (
    await db.query<Row>(
      `select ${COLUMNS} from domains
        where verified_until < clock_timestamp() + make_interval(days => $1) and verified_until > clock_timestamp()
          and (rechecked_at is null or rechecked_at < clock_timestamp() - interval '20 hours')
        order by verified_until
        limit $2`,
      [days, limit],
    )
  ).map(toDomain)

/** Before it is asked for again by itself: should that end the process, the next one does not begin with it. */
export const markRechecked = async (db: Queryable, domainId: string): Promise<void> => {
  await db.query('update domains set rechecked_at = clock_timestamp() where id = $1', [domainId])
}

/** As the interface shows it. `max`: the operator's limit of requests a second. */
export const domainView = (stored: StoredDomain, max: number): Domain => ({
  id: stored.id,
  domain: stored.domain,
  context: stored.context,
  environment: stored.environment,
  exclude: [...stored.exclude],
  start_paths: [...stored.startPaths],
  requests_per_second: stored.requestsPerSecond,
  quiet_hours: stored.quietHours,
  cooldown_minutes: stored.cooldownMinutes,
  agent_id: stored.agentId,
  max_requests_per_second: max,
  sign_in_hosts: [...stored.signInHosts],
  login: stored.login,
  verified_at: stored.verifiedAt?.toISOString() ?? null,
  verified_until: stored.verifiedUntil?.toISOString() ?? null,
  verification: verificationOf(stored.domain, stored.token),
  created_at: stored.createdAt.toISOString(),
})

const toDomain = (row: Row): StoredDomain => ({
  id: row.id,
  organisationId: row.organisation_id,
  domain: row.domain,
  context: row.context,
  environment: row.environment,
  exclude: row.exclude,
  startPaths: row.start_paths,
  requestsPerSecond: row.requests_per_second,
  quietHours: row.quiet_hours,
  cooldownMinutes: row.cooldown_minutes,
  agentId: row.agent_id,
  signInHosts: row.sign_in_hosts,
  // JSON holds times as PostgreSQL writes them.
  login: row.login && { ...row.login, set_at: new Date(row.login.set_at).toISOString() },
  token: row.token,
  verifiedAt: row.verified_at,
  verifiedUntil: row.verified_until,
  vouched: row.vouched,
  createdAt: row.created_at,
})
