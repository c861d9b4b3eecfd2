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

export const recordActivity = async (db: Queryable, entry: NewActivity): Promise<void> => {
  await db.query(
    `insert into activity (organisation_id, actor_kind, actor_id, actor_name, action, subject)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      entry.organisationId,
      entry.actor.kind,
      entry.actor.id,
      entry.actor.name,
      entry.action,
      entry.subject.slice(0, MAX_SUBJECT),
    ],
  )
}

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
