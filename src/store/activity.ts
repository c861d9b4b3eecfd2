/** Who did what in an organisation. */
import type { Activity } from '../contract/account.ts'
import type { Queryable } from './database.ts'

export interface NewActivity {
  readonly organisationId: string
  readonly actor: Activity['actor']
  readonly action: string
  readonly subject: string
}

/** Characters of a subject; names of domains and keys are shorter. */
const MAX_SUBJECT = 300

/** By one statement, and in their order. */
export const recordActivities = async (db: Queryable, entries: readonly NewActivity[]): Promise<void> => {
  const of = (column: (entry: NewActivity) => string): string[] => entries.map(column)
  await db.query(RECORD, [
    of(({ organisationId }) => organisationId),
    of(({ actor }) => actor.kind),
    of(({ actor }) => actor.id),
    of(({ actor }) => actor.name),
    of(({ action }) => action),
    of(({ subject }) => subject.slice(0, MAX_SUBJECT)),
  ])
}

const RECORD = `
  insert into activity (organisation_id, actor_kind, actor_id, actor_name, action, subject)
  select * from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::text[])`

/** Newest first; `after` is the last one of the page before. */
export const listActivity = async (
  db: Queryable,
  organisationId: string,
  after: { readonly createdAt: Date; readonly id: string } | null,
  limit: number,
): Promise<(Activity & { readonly time: Date })[]> => {
  const rows = await db.query<{
    id: string
    at: Date
    actor_kind: Activity['actor']['kind']
    actor_id: string
    actor_name: string
    action: string
    subject: string
  }>(
    `select id, at, actor_kind, actor_id, actor_name, action, subject from activity
      where organisation_id = $1 and ($2::timestamptz is null or (at, id) < ($2, $3::uuid))
      order by at desc, id desc
      limit $4`,
    [organisationId, after?.createdAt ?? null, after?.id ?? null, limit],
  )
  return rows.map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    time: row.at,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    action: row.action,
    subject: row.subject,
  }))
}
