/**
 * When a run has to wait and when it has to be silent: quiet hours and the rest of a domain, the requests of an organisation
 * and day. The database's clock decides. The rules themselves are in SQL (migrations/0038-silences.sql, defer_run in 0041), where runs are claimed.
 */
import type { Queryable } from './database.ts'

/** True: this run, which was about to be leased, may not begin yet, and has said so. */
export const deferRun = async (tx: Queryable, runId: string): Promise<boolean> =>
  (await tx.query('select 1 from defer_run($1)', [runId])).length > 0

/** The rules have changed: what waits by them is looked at anew. */
export const lookAgain = async (
  tx: Queryable,
  whose: { readonly organisationId: string; readonly domainId?: string },
): Promise<void> => {
  await tx.query(
    `update runs set not_before = null
      where organisation_id = $1 and ($2::uuid is null or domain_id = $2) and status = 'queued' and not_before is not null`,
    [whose.organisationId, whose.domainId ?? null],
  )
  await tx.query(`select pg_notify('runs_queued', '')`)
}

/** Counts what a run of the organisation, which has a limit, has sent. */
export const countSent = async (tx: Queryable, organisationId: string, requests: number): Promise<void> => {
  if (requests === 0) return
  await tx.query(
    `insert into sent_requests as s (organisation_id, day, requests)
     values ($1, (clock_timestamp() at time zone 'UTC')::date, $2)
     on conflict (organisation_id, day) do update set requests = s.requests + excluded.requests`,
    [organisationId, requests],
  )
}

/** What was sent today (UTC); 0 where the organisation has no limit. */
export const sentToday = async (db: Queryable, organisationId: string): Promise<number> => {
  const [row] = await db.query<{ requests: number }>(
    `select requests from sent_requests where organisation_id = $1 and day = (clock_timestamp() at time zone 'UTC')::date`,
    [organisationId],
  )
  return row?.requests ?? 0
}

/** Forgets counts of days that are over. */
export const forgetSent = async (db: Queryable): Promise<void> => {
  await db.query(`delete from sent_requests where day < (clock_timestamp() at time zone 'UTC')::date - 31`)
}
