/** Figures of the queue for /metrics: of all processes together, since the database alone sees them all. */
import type { Severity } from '../contract/finding.ts'
import type { EndStatus, ErrorKind, Phase, RunStatus } from '../contract/run.ts'
import type { Queryable } from './database.ts'
import { type FaultCount, faultCounts } from './faults.ts'

export interface QueueStats {
  /** Runs that have not ended. */
  readonly live: readonly {
    readonly status: Exclude<RunStatus, EndStatus>
    readonly phase: Phase
    readonly runs: number
  }[]
  /** Seconds that the oldest queued run has waited since it might begin; 0 when none waits. */
  readonly oldestQueuedSeconds: number
  /** Organisations that an emergency stop holds, and 1 where one is over all. */
  readonly held: { readonly organisations: number; readonly all: number }
  /** Of the last hour, by how they ended. Seconds count from the first lease; requests are those sent to targets. */
  readonly ended: readonly {
    readonly status: EndStatus
    readonly runs: number
    readonly seconds: number
    readonly slowestSeconds: number
    readonly requests: number
  }[]
  /** Those of them that failed, by why. */
  readonly failed: readonly { readonly kind: ErrorKind; readonly runs: number }[]
  /** Open findings of those that are done, by severity. */
  readonly found: readonly { readonly severity: Severity; readonly findings: number }[]
  /** Faults of the scanner since the first start, by the module or task they happened in. */
  readonly faults: readonly FaultCount[]
}

type Row =
  | { kind: 'live'; status: QueueStats['live'][number]['status']; phase: Phase; runs: number; oldest: number }
  | { kind: 'failed'; status: ErrorKind; runs: number }
  | { kind: 'found'; status: Severity; runs: number }
  | { kind: 'held'; runs: number; requests: number }
  | { kind: 'ended'; status: EndStatus; runs: number; seconds: number; slowest: number; requests: number }

/** One statement over partial indexes, and one over a row for each module: it costs what is waiting, running and ended within the hour, not what is stored. */
export const queueStats = async (db: Queryable): Promise<QueueStats> => {
  const rows = await db.query<Row>(
    `with live as (
       select status, phase, case when not_before > clock_timestamp() then null else greatest(created_at, not_before) end as created_at
         from runs where status = 'queued'
       union all
       select status, phase, null from runs where status in ('leased', 'running')
     ), ended as (
       select r.status, r.error_kind, r.open_counts, coalesce(extract(epoch from r.finished_at - r.first_leased_at), 0)::float8 as seconds,
              (select coalesce(sum((m.outcome ->> 'requests')::int), 0) from run_modules m where m.run_id = r.id) as requests
         from runs r
        where r.finished_at is not null and r.finished_at > clock_timestamp() - interval '1 hour'
     )
     select 'live' as kind, status, phase, count(*) as runs,
            coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as oldest,
            null::float8 as seconds, null::float8 as slowest, null::bigint as requests
       from live group by status, phase
     union all
     select 'ended', status, null, count(*), null, sum(seconds), max(seconds), sum(requests)::bigint
       from ended group by status
     union all
     select 'failed', error_kind, null, count(*), null, null, null, null
       from ended where status = 'failed' and error_kind is not null group by error_kind
     union all
     select 'found', severity, null, sum(findings::bigint), null, null, null, null
       from ended cross join jsonb_each_text(open_counts) as c(severity, findings) where status = 'done' group by severity
     union all
     select 'held', null, null, count(organisation_id), null, null, null, count(*) filter (where organisation_id is null)
       from holds`,
    [],
  )
  const live = rows.filter((row) => row.kind === 'live')
  const ended = rows.filter((row) => row.kind === 'ended')
  const held = rows.find((row) => row.kind === 'held')
  return {
    faults: await faultCounts(db),
    live: live.map(({ status, phase, runs }) => ({ status, phase, runs })),
    oldestQueuedSeconds: Math.max(0, ...live.filter((row) => row.status === 'queued').map((row) => row.oldest)),
    held: { organisations: held?.runs ?? 0, all: held?.requests ?? 0 },
    failed: rows.flatMap((row) => (row.kind === 'failed' ? [{ kind: row.status, runs: Number(row.runs) }] : [])),
    found: rows.flatMap((row) => (row.kind === 'found' ? [{ severity: row.status, findings: Number(row.runs) }] : [])),
    ended: ended.map(({ status, runs, seconds, slowest, requests }) => ({
      ...{ status, runs, seconds, slowestSeconds: slowest, requests },
    })),
  }
}
