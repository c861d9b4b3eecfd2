/** How long problems of a severity may stay open, by the policy of the organisation. */
import type { DueDays } from '../contract/due-days.ts'
import type { ProblemKey } from './adoption.ts'
import type { Queryable } from './database.ts'
import { columnsOf } from './problem-states.ts'

export const getDueDays = async (db: Queryable, organisationId: string): Promise<DueDays> => {
  const [row] = await db.query<{ due_days: Partial<DueDays> }>('select due_days from organisations where id = $1', [
    organisationId,
  ])
  return { critical: null, high: null, medium: null, low: null, info: null, ...row?.due_days }
}

/** For problems from now on: what is open already keeps its day, or none. */
export const setDueDays = async (db: Queryable, organisationId: string, days: DueDays): Promise<void> => {
  await db.query('update organisations set due_days = $2::jsonb where id = $1', [organisationId, JSON.stringify(days)])
}

/**
 * Gives problems that a run has opened the day by which the policy wants them fixed, counted from the day of the run in UTC. A day that
 * somebody has set stays, unless the problem was fixed since. Returns those that got one.
 */
export const giveDueDays = async (
  tx: Queryable,
  keys: readonly ProblemKey[],
  run: { readonly at: Date },
): Promise<(ProblemKey & { readonly due: string })[]> => {
  if (keys.length === 0) return []
  return tx.query(
    `update problems p
        set due = ($3::timestamptz at time zone 'UTC')::date + (o.due_days ->> coalesce(p.severity, p.seen_severity))::int
       from unnest($1::uuid[], $2::text[]) as k (domain_id, fingerprint), organisations o
      where p.domain_id = k.domain_id and p.fingerprint = k.fingerprint and o.id = p.organisation_id
        and (o.due_days ->> coalesce(p.severity, p.seen_severity)) is not null
        and (p.due is null or p.returned_at = $3) and p.open
     returning p.domain_id, p.fingerprint, p.due::text as due`,
    [...columnsOf(keys), run.at],
  )
}
