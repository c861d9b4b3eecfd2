import type { Queryable } from './database.ts'

/**
 * Units used in the calendar month (UTC) of `month`, the present one by default. A run takes its unit when it is
 * created; one that failed, or was cancelled before any worker had it, gives it back. Counted from the runs
 * themselves, so nothing can drift. A run that sends no probe takes none.
 */
export const used = async (db: Queryable, organisationId: string, month: Date | null = null): Promise<number> => {
  const [row] = await db.query<{ n: number }>(
    `with span as (select date_trunc('month', coalesce($2, clock_timestamp()) at time zone 'utc') as start)
     select count(*) as n from runs, span
      where organisation_id = $1
        and created_at >= start at time zone 'utc'
        and created_at < (start + interval '1 month') at time zone 'utc'
        and not dry_run and not (status = 'failed' or (status = 'canceled' and first_leased_at is null))`,
    [organisationId, month],
  )
  return row?.n ?? 0
}

/** Runs that wait or go on. */
export const activeRuns = async (db: Queryable, organisationId: string): Promise<number> => {
  const [row] = await db.query<{ n: number }>(
    `select count(*) as n from runs where organisation_id = $1 and status in ('queued', 'leased', 'running')`,
    [organisationId],
  )
  return row?.n ?? 0
}
