import type { Plan } from '../contract/organisation.ts'
import type { Queryable } from './database.ts'

/**
 * Units used in the calendar month (UTC) of `month`, the present one by default. A run takes its unit when it is
 * created; one that failed, or was cancelled before any worker had it, gives it back. Counted from the runs
 * themselves, so nothing can drift. A run that sends no probe takes none.
 *
 * A batch takes the units of all its domains when it is made, in the month in which it is made, whenever its runs come. It gives
 * back those of its runs, of what was refused, and when it is cancelled of what was not drawn. Its row counts them, by triggers.
 * What was erased in the month in which it was used stays used.
 */
export const used = async (db: Queryable, organisationId: string, month: Date | null = null): Promise<number> => {
  const [row] = await db.query<{ n: number }>(
    `with span as (
       select start at time zone 'utc' as first, (start + interval '1 month') at time zone 'utc' as next
         from date_trunc('month', coalesce($2, clock_timestamp()) at time zone 'utc') as start)
     select (select count(*) from runs, span
              where organisation_id = $1 and created_at >= first and created_at < next and batch_id is null
                and not dry_run and not (status = 'failed' or (status = 'canceled' and first_leased_at is null)))
          + (select coalesce(sum(case when state = 'canceled' then drawn else total end - refused - given_back), 0)
               from batches, span
              where organisation_id = $1 and created_at >= first and created_at < next)
          + (select coalesce(sum(units), 0) from erasures, span
              where organisation_id = $1 and asked_at >= first and asked_at < next) as n`,
    [organisationId, month],
  )
  return row?.n ?? 0
}

/** What of the month's units is left, and how many there are; both null where the plan sets no limit. */
export const unitsLeft = async (
  tx: Queryable,
  plans: readonly Plan[],
  organisation: { readonly id: string; readonly plan: string },
): Promise<{ readonly left: number | null; readonly of: number | null }> => {
  const plan = plans.find(({ id }) => id === organisation.plan)
  if (!plan) throw new Error(`The organisation's plan "${organisation.plan}" is not configured`)
  const of = plan.runs_per_month
  return { of, left: of === null ? null : Math.max(0, of - (await used(tx, organisation.id))) }
}

/** Runs that wait or go on. */
export const activeRuns = async (db: Queryable, organisationId: string): Promise<number> => {
  const [row] = await db.query<{ n: number }>(
    `select count(*) as n from runs where organisation_id = $1 and status in ('queued', 'leased', 'running')`,
    [organisationId],
  )
  return row?.n ?? 0
}
