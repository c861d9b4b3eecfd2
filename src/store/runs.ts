import { randomUUID } from 'node:crypto'
import { DEFAULT_IDENTITY } from '../contract/identity.ts'
import type { Plan } from '../contract/organisation.ts'
import type { ProblemCode } from '../contract/problem.ts'
import {
  type Environment,
  type RunListItem,
  RunOptions,
  type RunState,
  type RunStatus,
  type SiteContext,
  type Tier,
} from '../contract/run.ts'
import type { Database, Queryable } from './database.ts'
import { appendEvents, stateEvent } from './event-log.ts'
import { queueDetail } from './holds.ts'
import { giveIdentities, sealedIdentity } from './identities.ts'
import { used } from './quota.ts'
import {
  LIST_COLUMNS,
  type ListRow,
  RUN_COLUMNS,
  type RunRecord,
  type RunRow,
  toListItem,
  toRunRecord,
  toRunState,
} from './run-row.ts'

/** `exclude` holds the run's own patterns; the domain's are added. */
export interface NewRun extends RunOptions {
  readonly organisationId: string
  readonly domainId: string
  /** Null takes the domain's own. */
  readonly context: SiteContext | null
  /** See seal.ts. */
  readonly sealedCredentials: Buffer | null
  readonly idempotency: {
    readonly key: string
    readonly bodyHash: string
    /** The same body by the secret keys before. */
    readonly formerHashes?: readonly string[]
  } | null
}

export type Refusal = Extract<
  ProblemCode,
  | 'quota_exceeded'
  | 'idempotency_conflict'
  | 'organization_blocked'
  | 'organization_throttled'
  | 'domain_not_found'
  | 'domain_not_verified'
  | 'login_not_found'
  | 'identity_not_found'
>
interface Refused {
  readonly refused: Refusal
  readonly detail: string
}
export type CreateRunResult = { readonly run: RunRecord; readonly created: boolean } | Refused

const IDEMPOTENCY_WINDOW = '24 hours'

/**
 * Everything in one transaction with the organisation's row locked: of two simultaneous starts, the second counts the
 * first, so the last unit of the quota is never sold twice. Refusals come in the order of the interface document.
 */
export const createRun = (db: Database, plans: readonly Plan[], run: NewRun): Promise<CreateRunResult> =>
  db.transaction((tx) => createRunIn(tx, plans, run))

/** As `createRun`, as part of a transaction that does more. */
export const createRunIn = async (tx: Queryable, plans: readonly Plan[], run: NewRun): Promise<CreateRunResult> => {
  const [organisation] = await tx.query<{ state: string; plan: string }>(
    'select state, plan from organisations where id = $1 for no key update',
    [run.organisationId],
  )
  if (!organisation) throw new Error('There is no such organisation')
  const earlier = run.idempotency && (await earlierRun(tx, run.organisationId, run.idempotency.key))
  if (earlier) {
    const { bodyHash, formerHashes = [] } = run.idempotency ?? { bodyHash: null }
    if ([bodyHash, ...formerHashes].includes(earlier.bodyHash)) return { run: earlier.run, created: false }
    return refuse('idempotency_conflict', 'This Idempotency-Key was used with another body within 24 hours.')
  }
  if (organisation.state === 'blocked') return refuse('organization_blocked', 'The organisation is blocked.')
  if (organisation.state === 'throttled') return refuse('organization_throttled', 'The organisation is throttled.')

  const [domain] = await tx.query<{
    domain: string
    context: SiteContext | null
    environment: Environment
    exclude: readonly string[]
    requests_per_second: number | null
    sign_in_hosts: readonly string[]
    verified: boolean
  }>(
    `select domain, context, environment, exclude, requests_per_second, sign_in_hosts, coalesce(verified_until > clock_timestamp(), false) as verified
       from domains where id = $2 and organisation_id = $1 for key share`,
    [run.organisationId, run.domainId],
  )
  if (!domain) return refuse('domain_not_found', 'There is no such domain.')
  if (run.active && !domain.verified) {
    return refuse('domain_not_verified', `Verify ${domain.domain} before starting an active run on it.`)
  }
  const login = await loginOf(tx, run, domain)
  if ('refused' in login) return login

  const plan = plans.find(({ id }) => id === organisation.plan)
  if (!plan) throw new Error(`The organisation's plan "${organisation.plan}" is not configured`)
  if (!run.dry_run && plan.runs_per_month !== null && (await used(tx, run.organisationId)) >= plan.runs_per_month) {
    return refuse('quota_exceeded', `All ${plan.runs_per_month} runs of this calendar month are used.`)
  }

  const row = await insertRun(
    tx,
    { ...run, sealedCredentials: login.sealed, identities: login.identities },
    {
      domain: domain.domain,
      context: run.context ?? domain.context,
      environment: domain.environment,
      exclude: [...new Set([...domain.exclude, ...(run.exclude ?? [])])],
      requestsPerSecond: domain.requests_per_second,
      signInHosts: domain.sign_in_hosts,
    },
  )
  if (login.identities !== undefined) await giveIdentities(tx, { id: row.id, domainId: run.domainId }, login.identities)
  if (run.idempotency) {
    await tx.query(
      `insert into idempotency_keys (organisation_id, key, body_hash, run_id) values ($1, $2, $3, $4)
       on conflict (organisation_id, key)
       do update set body_hash = excluded.body_hash, run_id = excluded.run_id, created_at = excluded.created_at`,
      [run.organisationId, run.idempotency.key, run.idempotency.bodyHash, row.id],
    )
  }
  const eventSeq = await appendEvents(tx, row.id, [stateEvent(row)])
  return { run: { ...toRunRecord(row), eventSeq }, created: true }
}

/** As whom it looks, sealed, and which identities it was given. */
type Login = { readonly sealed: Buffer | null; readonly identities: string[] | undefined }

/** Given credentials, the identities that are named, or `default` where none is and there is one; never on what is not proven to be owned. */
const loginOf = async (
  tx: Queryable,
  run: NewRun,
  { domain, verified }: { readonly domain: string; readonly verified: boolean },
): Promise<Login | Refused> => {
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

/** Wakes the workers too, at the commit: one way to the database less while the organisation is locked. */
const insertRun = async (
  tx: Queryable,
  run: NewRun,
  site: {
    readonly domain: string
    readonly context: SiteContext | null
    readonly environment: Environment
    readonly exclude: string[]
    readonly requestsPerSecond: number | null
    readonly signInHosts: readonly string[]
  },
): Promise<RunRow> => {
  const asked = STORED_OPTIONS.parse(run)
  const options: RunOptions = {
    ...asked,
    exclude: site.exclude,
    // What is undefined is not stored.
    auth_stored: asked.auth_stored || undefined,
    requests_per_second: site.requestsPerSecond ?? undefined,
    sign_in_hosts: site.signInHosts.length > 0 ? [...site.signInHosts] : undefined,
  }
  const tier: Tier = options.active ? 'active' : 'passive'
  const [row] = await tx.query<RunRow>(
    `insert into runs as r (id, organisation_id, domain_id, domain, tier, context, options, credentials, signed_in,
                            environment, dry_run, phase_detail)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8::bytea is not null, $9, $10, ${queueDetail('$2')})
     returning ${RUN_COLUMNS}, pg_notify('runs_queued', '')`,
    [
      randomUUID(),
      run.organisationId,
      run.domainId,
      site.domain,
      tier,
      site.context,
      JSON.stringify(options),
      run.sealedCredentials,
      site.environment,
      options.dry_run ?? false,
    ],
  )
  if (!row) throw new Error('The run was not stored')
  return row
}

const earlierRun = async (
  tx: Queryable,
  organisationId: string,
  key: string,
): Promise<{ run: RunRecord; bodyHash: string } | null> => {
  const [row] = await tx.query<RunRow & { body_hash: string }>(
    `select ${RUN_COLUMNS}, i.body_hash
       from idempotency_keys i join runs r on r.id = i.run_id
      where i.organisation_id = $1 and i.key = $2
        and i.created_at > clock_timestamp() - interval '${IDEMPOTENCY_WINDOW}'`,
    [organisationId, key],
  )
  return row ? { run: toRunRecord(row), bodyHash: row.body_hash } : null
}

export const getRun = async (db: Queryable, organisationId: string, id: string): Promise<RunRecord | null> => {
  const [row] = await db.query<RunRow>(`select ${RUN_COLUMNS} from runs r where r.id = $2 and r.organisation_id = $1`, [
    organisationId,
    id,
  ])
  return row ? toRunRecord(row) : null
}

/** For the operator and the worker: whoever's run it is. */
export const getAnyRun = async (db: Queryable, id: string): Promise<RunRecord | null> => {
  const [row] = await db.query<RunRow>(`select ${RUN_COLUMNS} from runs r where r.id = $1`, [id])
  return row ? toRunRecord(row) : null
}

export interface RunFilters {
  readonly domainId?: string | undefined
  readonly status?: readonly RunStatus[] | undefined
  readonly tier?: Tier | undefined
  /** Inclusive. */
  readonly from?: Date | undefined
  /** Exclusive. */
  readonly to?: Date | undefined
  /** Part of the domain, or beginning of the id. */
  readonly q?: string | undefined
}

/**
 * Newest first; `after` is the last one of the page before. Keyset paging: the depth of a page costs nothing. Only what a
 * list shows is read: a page has up to a hundred rows.
 */
export const listRuns = async (
  db: Queryable,
  organisationId: string,
  filters: RunFilters,
  after: { readonly createdAt: Date; readonly id: string } | null,
  limit: number,
): Promise<RunListItem[]> => {
  const where = ['r.organisation_id = $1']
  const params: unknown[] = [organisationId]
  const bind = (value: unknown): string => `$${params.push(value)}`

  if (filters.domainId) where.push(`r.domain_id = ${bind(filters.domainId)}`)
  if (filters.status?.length === 1) where.push(`r.status = ${bind(filters.status[0])}`)
  else if (filters.status) where.push(`r.status = any (${bind([...filters.status])}::text[])`)
  if (filters.tier) where.push(`r.tier = ${bind(filters.tier)}`)
  if (filters.from) where.push(`r.created_at >= ${bind(filters.from)}`)
  if (filters.to) where.push(`r.created_at < ${bind(filters.to)}`)
  if (filters.q) {
    const q = filters.q.toLowerCase()
    const named = `r.domain like ${bind(`%${escapeLike(q)}%`)}`
    const ids = idsFrom(q)
    where.push(ids ? `(${named} or r.id between ${bind(ids.first)}::uuid and ${bind(ids.last)}::uuid)` : named)
  }
  if (after) where.push(`(r.created_at, r.id) < (${bind(after.createdAt)}::timestamptz, ${bind(after.id)}::uuid)`)

  const rows = await db.query<ListRow>(
    `select ${LIST_COLUMNS} from runs r
      where ${where.join(' and ')}
      order by r.created_at desc, r.id desc
      limit ${bind(limit)}`,
    params,
  )
  return rows.map(toListItem)
}

/**
 * A queued run ends at once. A leased or running one is marked: its worker notices at the next heartbeat, or earlier
 * through the channel, and ends it. Asking again answers the same.
 */
export const cancelRun = (
  db: Database,
  organisationId: string,
  id: string,
): Promise<RunState | 'not_found' | 'not_cancelable'> =>
  db.transaction(async (tx) => {
    const [row] = await tx.query<RunRow>(
      `update runs r
          set status = case when status = 'queued' then 'canceled' else status end,
              phase = case when status = 'queued' then 'finished' else phase end,
              phase_detail = case when status = 'queued' then 'Cancelled on request' else phase_detail end,
              finished_at = case when status = 'queued' then clock_timestamp() end,
              credentials = case when status = 'queued' then null else credentials end,
              cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp())
        where r.id = $2 and r.organisation_id = $1 and r.status in ('queued', 'leased', 'running')
        returning ${RUN_COLUMNS}`,
      [organisationId, id],
    )
    if (!row) return (await getRun(tx, organisationId, id)) ? 'not_cancelable' : 'not_found'
    if (row.status === 'canceled') await appendEvents(tx, id, [stateEvent(row)])
    else await tx.query(`select pg_notify('run_cancel', $1)`, [id])
    return toRunState(row)
  })

const refuse = (refused: Refusal, detail: string): Refused => ({ refused, detail })

/** The ids that begin so, null where none can. A comparison of ids costs a tenth of one of their texts. */
const idsFrom = (beginning: string): { readonly first: string; readonly last: string } | null => {
  const [first, last] = ['0', 'f'].map((digit) => {
    const rest = '00000000-0000-0000-0000-000000000000'.slice(beginning.length)
    return beginning + rest.replaceAll('0', digit)
  })
  return first && last && /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(first) ? { first, last } : null
}

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** Keys older than the window mean nothing any more. */
export const forgetIdempotencyKeys = async (db: Queryable): Promise<void> => {
  await db.query(
    `delete from idempotency_keys where created_at < clock_timestamp() - interval '${IDEMPOTENCY_WINDOW}'`,
    [],
  )
}
