/**
 * The moves of a leased run. Each is one statement guarded by the present state and the lease's token; when it touches
 * no row, the lease is lost and nothing was written. The database's clock alone decides what has run out.
 */
import type { Plan } from '../contract/organisation.ts'
import type { Environment, ErrorKind, RunOptions, RunState, SiteContext, Tier } from '../contract/run.ts'
import { confirmArtifacts, type StoredArtifact } from './artifacts.ts'
import { drawNext } from './batch-draw.ts'
import type { Database, Queryable } from './database.ts'
import { appendEvents, NUMBERED, numberedState, stateEvent, storeEvents } from './event-log.ts'
import { queueDetail } from './holds.ts'
import { FOLLOWED, followEnded } from './problem-runs.ts'
import { COURSE, COURSE_ENDS } from './remaining.ts'
import { RUN_COLUMNS, type RunRow, toRunState, wholeRun } from './run-row.ts'
import { reopenChanged } from './triage.ts'
import { ANYTHING, capsOf, ORDERS, type Waiting } from './what-waits.ts'

/** What every write of a worker shows. */
export interface Lease {
  readonly runId: string
  readonly token: string
}

export interface LeasedRun extends Lease {
  readonly organisationId: string
  readonly organisationName: string
  readonly plan: string
  readonly domainId: string | null
  readonly domain: string
  readonly tier: Tier
  readonly context: SiteContext | null
  readonly environment: Environment
  readonly options: RunOptions
  readonly createdAt: Date
  /** Of the first attempt; null before it. */
  readonly startedAt: Date | null
  /** Attempts started before this one; where only the end is left, the one that scanned is among them. */
  readonly attempts: number
  /** How an agent's scan ended that is only to be brought to its end; null of every other. */
  readonly scanned: ScanEnd | null
}

/** How a scan ended of which nothing more is to be asked. */
export type ScanEnd =
  | { readonly result: 'completed' | 'canceled' }
  | { readonly result: 'failed'; readonly kind: ErrorKind; readonly detail: string }

/** A run has at most so many attempts; the one whose worker is lost at the limit ends it. */
export const ATTEMPT_LIMIT = 3

type LeaseRow = Pick<
  RunRow,
  | 'id'
  | 'organisation_id'
  | 'domain_id'
  | 'domain'
  | 'tier'
  | 'context'
  | 'environment'
  | 'options'
  | 'status'
  | 'attempts'
  | 'created_at'
  | 'started_at'
> & {
  readonly lease_token: string
  readonly org_name: string
  readonly plan: string
  readonly scan_end: ScanEnd | null
}

/** Columns of `LeaseRow`, of a run `r` and its organisation `o`: the whole of a run costs a claim a fifth more. */
const LEASE_COLUMNS = `r.id, r.organisation_id, r.domain_id, r.domain, r.tier, r.context, r.environment, r.options, r.status,
  r.attempts, r.created_at, r.started_at, r.lease_token, r.scan_end, o.name as org_name, o.plan`

/**
 * The next run, or null when no organisation has one waiting below its limit. Fair between organisations. Runs started alone
 * come before scans of agents that are only to be brought to their end, and these before batches, unless `first` says otherwise: so
 * that runs of one kind without end keep none of another from theirs. `plans` gives the limits. `light`: only what mostly waits for
 * answers, without a probe or a browser. `of`: the kinds that are asked for, as `whatWaits` saw them.
 */
export const lease = async (
  db: Database,
  {
    plans,
    first = 'alone',
    light = false,
    of = ANYTHING,
    ...by
  }: Claimant & {
    readonly plans: readonly Plan[]
    readonly first?: keyof Waiting
    readonly light?: boolean
    readonly of?: Waiting
  },
): Promise<LeasedRun | null> => {
  const caps = capsOf(plans)
  const claims = {
    alone: () => pastWaiting(() => leaseBy(db, 'claim_run($1, $2, $3, $4)', [by.workerId, by.seconds, caps, light])),
    scanned: () => pastWaiting(() => leaseBy(db, 'claim_scanned($1, $2)', [by.workerId, by.seconds])),
    batch: () =>
      drawNext(db, { caps, light }, (tx, id) => leaseBy(tx, 'lease_run($1, $2, $3)', [id, by.workerId, by.seconds])),
  }
  for (const kind of ORDERS[first]) {
    const run = of[kind] ? await claims[kind]() : null
    if (run !== null) return run
  }
  return null
}

export interface Claimant {
  readonly workerId: string
  readonly seconds: number
}

/** Runs that one claim may find to be waiting still before it gives up until the next: it must not hold up its worker. */
const MAX_WAITING = 100

/** The first that is not `waits`. */
export const pastWaiting = async (claim: () => Promise<Claimed>): Promise<LeasedRun | null> => {
  for (let waiting = 0; waiting < MAX_WAITING; waiting += 1) {
    const claimed = await claim()
    if (claimed !== 'waits') return claimed
  }
  return null
}

/** `waits`: what was next may not begin yet, and is passed over until it may. */
export type Claimed = LeasedRun | 'waits' | null

/** `claim`: a call that leases a run, tells of it, and gives its row; or one that may not begin yet, as it is now. */
export const leaseBy = async (db: Queryable, claim: string, params: readonly unknown[]): Promise<Claimed> => {
  const [row] = await db.query<LeaseRow>(
    `select ${LEASE_COLUMNS}
       from ${claim} r join organisations o on o.id = r.organisation_id`,
    params,
  )
  if (!row) return null
  return row.status === 'queued' ? 'waits' : toLeasedRun(row)
}

/** The run of a lease that still holds, as its holder got it. */
export const leasedRun = async (db: Queryable, held: Lease): Promise<LeasedRun | null> => {
  const [row] = await db.query<LeaseRow>(
    `select ${LEASE_COLUMNS}
       from runs r join organisations o on o.id = r.organisation_id where r.id = $1 and r.lease_token = $2`,
    [held.runId, held.token],
  )
  return row ? toLeasedRun(row) : null
}

const toLeasedRun = (row: LeaseRow): LeasedRun => ({
  ...{ runId: row.id, token: row.lease_token },
  ...{ organisationId: row.organisation_id, organisationName: row.org_name, plan: row.plan },
  domainId: row.domain_id,
  domain: row.domain,
  tier: row.tier,
  context: row.context,
  environment: row.environment,
  options: row.options,
  createdAt: row.created_at,
  startedAt: row.started_at,
  attempts: row.attempts,
  scanned: row.scan_end,
})

/** leased → running; an attempt counts from here. The answer has the time of the first start. */
export const startRun = (db: Database, held: Lease): Promise<{ startedAt: Date; attempt: number } | 'lost'> =>
  db.transaction(async (tx) => {
    const row = await move(
      tx,
      held,
      `set status = 'running', attempts = attempts + 1, started_at = coalesce(started_at, clock_timestamp()),
           phase_detail = 'Starting the scanner',
           baseline_run_id = coalesce(baseline_run_id, (
             select b.id from runs b where b.domain_id = r.domain_id and b.status = 'done' and ${wholeRun('b')} and not b.dry_run
                and (r.options @> '{"survey": true}' or not b.options @> '{"survey": true}')
              order by b.finished_at desc limit 1))`,
      `and r.status = 'leased'`,
    )
    if (!row?.started_at) return 'lost'
    await told(tx, row)
    return { startedAt: row.started_at, attempt: row.attempts }
  })

/** What a person sees of a running run. A progress below the present one is raised to it; 100 is for `done` alone. */
export type Progress = Pick<RunState, 'phase' | 'progress'> & { readonly detail: string }

export const progress = (db: Database, held: Lease, now: Progress): Promise<'ok' | 'lost'> =>
  db.transaction(async (tx) => told(tx, await advance(tx, held, now)))

/** Inside a transaction, and not told yet; null where the lease is lost. `also`: SQL, what else of the run `r` is set, behind a comma. */
export const advance = (tx: Queryable, held: Lease, now: Progress, also = ''): Promise<RunRow | null> => {
  const set = `set phase = $3, phase_detail = $4, progress = greatest(r.progress, least($5::int, 99)), course = ${COURSE}`
  return move(tx, held, set + also, `and r.status = 'running'`, [now.phase, now.detail, Math.floor(now.progress)])
}

const told = async (tx: Queryable, row: RunRow | null): Promise<'ok' | 'lost'> => {
  if (row === null) return 'lost'
  await storeEvents(tx, row.id, [numberedState(row)])
  return 'ok'
}

/** Hands the run back, e.g. because the worker stops. The attempt does not count. */
export const release = (db: Database, held: Lease): Promise<RunState | 'lost'> =>
  db.transaction(async (tx) => {
    const [toFinish] = await tx.query<RunRow>(
      `update runs r set ${TO_FINISH}, finishes = finishes - 1
        where r.id = $1 and r.lease_token = $2 and r.scan_end is not null returning ${RUN_COLUMNS}`,
      [held.runId, held.token],
    )
    if (toFinish) {
      await tell(tx, toFinish)
      return toRunState(toFinish)
    }
    const [row] = await tx.query<RunRow>(
      `update runs r
          set attempts = case when status = 'running' then attempts - 1 else attempts end,
              ${LEASE_ENDS}, ${QUEUE_OR_CANCEL}
        where r.id = $1 and r.lease_token = $2
        returning ${RUN_COLUMNS}`,
      [held.runId, held.token],
    )
    if (!row) return 'lost'
    await tell(tx, row)
    return toRunState(row)
  })

/**
 * running → done, with the files that make it so: they become visible in the same moment. Refused with `canceling`
 * when a cancel was asked for, so that a run whose cancel was accepted never ends `done`.
 */
export const finish = (
  db: Database,
  held: Lease,
  end: { readonly grade: string | null; readonly artifacts: readonly StoredArtifact[] },
): Promise<RunState | 'lost' | 'canceling'> =>
  db.transaction(async (tx) => {
    const row = await endRun(
      tx,
      held,
      `status = 'done', progress = 100, phase_detail = '', grade = $3, course = ${COURSE_ENDS}, ${FOLLOWED}`,
      `and r.status = 'running' and r.cancel_requested_at is null`,
      [end.grade],
      end.artifacts,
    )
    if (row) {
      if (row.decided) await reopenChanged(tx, row.id)
      await followEnded(tx, row.id)
      return toRunState(row)
    }
    const still = await tx.query('select 1 from runs where id = $1 and lease_token = $2', [held.runId, held.token])
    return still.length > 0 ? 'canceling' : 'lost'
  })

/** leased or running → failed. `detail` is a plain sentence for a person. */
export const fail = (
  db: Database,
  held: Lease,
  end: { readonly kind: ErrorKind; readonly detail: string; readonly artifacts: readonly StoredArtifact[] },
): Promise<RunState | 'lost'> =>
  db.transaction(async (tx) => {
    const row = await endRun(
      tx,
      held,
      `status = 'failed', error_kind = $3, error_detail = $4, phase_detail = $4`,
      '',
      [end.kind, end.detail],
      end.artifacts,
    )
    return row ? toRunState(row) : 'lost'
  })

/** leased or running → canceled, once the scan has stopped. */
export const cancelEnd = (
  db: Database,
  held: Lease,
  end: { readonly artifacts: readonly StoredArtifact[] },
): Promise<RunState | 'lost'> =>
  db.transaction(async (tx) => {
    const row = await endRun(
      tx,
      held,
      `status = 'canceled', phase_detail = ${CANCELED}`,
      'and r.cancel_requested_at is not null',
      [],
      end.artifacts,
    )
    return row ? toRunState(row) : 'lost'
  })

export interface Reaped {
  readonly requeued: number
  readonly failed: number
  readonly canceled: number
}

/** Seconds that a run which lost two workers waits for its last one: it may be what ended them. */
const RETRY_SECONDS = 15

/** Takes back the runs whose lease ran out: queued again, failed at the attempt limit, canceled when that was asked. */
export const reap = (db: Database, limit = 100): Promise<Reaped> =>
  db.transaction(async (tx) => {
    const rows = await tx.query<RunRow>(
      `with lost as (
         select id from runs
          where status in ('leased', 'running')
            and (scan_end is null or finishes >= ${ATTEMPT_LIMIT})
            and lease_until < clock_timestamp() - case when attempts = ${ATTEMPT_LIMIT - 1} then interval '${RETRY_SECONDS} seconds' else '0' end
          order by lease_until
          limit $1
            for update skip locked
       ), ended as (
         select r.id, r.status = 'running' and greatest(r.attempts, r.finishes) >= ${ATTEMPT_LIMIT} and r.cancel_requested_at is null as over
           from runs r join lost using (id)
       )
       update runs r
          set ${LEASE_ENDS},
              status = case when over then 'failed' when cancel_requested_at is not null then 'canceled' else 'queued' end,
              phase = case when over or cancel_requested_at is not null then 'finished' else 'queued' end,
              phase_detail = case when over then $2
                                  when cancel_requested_at is not null then ${CANCELED}
                                  else ${queueDetail('r.organisation_id', 'r.agent_id')} end,
              progress = case when over or cancel_requested_at is not null then progress else 0 end,
              error_kind = case when over then 'worker_lost' end,
              error_detail = case when over then $2 end,
              finished_at = case when over or cancel_requested_at is not null then clock_timestamp() end,
              credentials = case when over or cancel_requested_at is not null then null else credentials end
         from ended
        where r.id = ended.id
        returning ${RUN_COLUMNS}`,
      [limit, `The worker was lost in each of ${ATTEMPT_LIMIT} attempts.`],
    )
    for (const row of rows) await tell(tx, row)
    const count = (status: string): number => rows.filter((row) => row.status === status).length
    return { requeued: count('queued'), failed: count('failed'), canceled: count('canceled') }
  })

/** Of a run `r`. */
const CANCELED = `coalesce(r.cancel_detail, 'Cancelled on request')`

/** Nobody holds it, and the next worker may finish it at once. */
export const TO_FINISH = `lease_token = gen_random_uuid(), lease_until = clock_timestamp(), leased_by = null`

const LEASE_ENDS = 'lease_token = null, lease_until = null, leased_by = null'

/** A cancel that was accepted is kept, whoever lets go of the run. */
const QUEUE_OR_CANCEL = `
  status = case when cancel_requested_at is null then 'queued' else 'canceled' end,
  phase = case when cancel_requested_at is null then 'queued' else 'finished' end,
  phase_detail = case when cancel_requested_at is null then ${queueDetail('r.organisation_id', 'r.agent_id')} else ${CANCELED} end,
  progress = case when cancel_requested_at is null then 0 else progress end,
  finished_at = case when cancel_requested_at is null then null else clock_timestamp() end,
  credentials = case when cancel_requested_at is null then credentials end`

/** Writes the event of the state just reached, and wakes workers: a place of the organisation may have become free. */
export const tell = async (tx: Queryable, row: RunRow): Promise<void> => {
  await appendEvents(tx, row.id, [stateEvent(row)], 'runs_queued')
}

/** `$1` and `$2` are run and token; further parameters count from `$3`. What it came to has a number, and is to be told. */
const move = async (
  tx: Queryable,
  held: Lease,
  set: string,
  guard: string,
  params: readonly unknown[] = [],
): Promise<RunRow | null> => {
  const [row] = await tx.query<RunRow>(
    `update runs r ${set}, ${NUMBERED} where r.id = $1 and r.lease_token = $2 ${guard} returning ${RUN_COLUMNS}`,
    [held.runId, held.token, ...params],
  )
  return row ?? null
}

type EndedRow = RunRow & {
  /** Whether there are decisions about problems of its domain. */
  readonly decided: boolean
}

const endRun = async (
  tx: Queryable,
  held: Lease,
  set: string,
  guard: string,
  params: readonly unknown[],
  artifacts: readonly StoredArtifact[],
): Promise<EndedRow | null> => {
  const [row] = await tx.query<EndedRow>(
    `update runs r
        set ${set}, phase = 'finished', finished_at = clock_timestamp(), credentials = null, ${LEASE_ENDS}, ${NUMBERED}
      where r.id = $1 and r.lease_token = $2 ${guard}
      returning ${RUN_COLUMNS}, exists (select 1 from triage t where t.domain_id = r.domain_id) as decided`,
    [held.runId, held.token, ...params],
  )
  if (!row) return null
  await confirmArtifacts(tx, held, artifacts)
  await storeEvents(tx, row.id, [numberedState(row)], 'runs_queued')
  return row
}
