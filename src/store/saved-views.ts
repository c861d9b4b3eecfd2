/** Lists that a person, or a key, has named for themselves. */
import { MOST_VIEWS, type SavedView } from '../contract/saved-view.ts'
import type { Queryable } from './database.ts'

export interface ViewOwner {
  readonly organisationId: string
  /** Id of the member or the key. */
  readonly actorId: string
}

export const listViews = (db: Queryable, { organisationId, actorId }: ViewOwner): Promise<SavedView[]> =>
  db.query(
    `select name, query from saved_views where organisation_id = $1 and actor_id = $2 order by lower(name), name limit ${MOST_VIEWS}`,
    [organisationId, actorId],
  )

/** The same name again replaces it. */
export const saveView = async (
  db: Queryable,
  { organisationId, actorId }: ViewOwner,
  { name, query }: SavedView,
): Promise<'saved' | 'too_many_views'> => {
  const rows = await db.query(
    `insert into saved_views as v (organisation_id, actor_id, name, query)
     select $1, $2, $3, $4
      where (select count(*) from saved_views o where o.organisation_id = $1 and o.actor_id = $2 and o.name <> $3) < ${MOST_VIEWS}
     on conflict (organisation_id, actor_id, name) do update set query = excluded.query
     returning name`,
    [organisationId, actorId, name, query],
  )
  return rows.length > 0 ? 'saved' : 'too_many_views'
}

/** False when there is none of the name. */
export const deleteView = async (
  db: Queryable,
  { organisationId, actorId }: ViewOwner,
  name: string,
): Promise<boolean> => {
  const rows = await db.query(
    'delete from saved_views where organisation_id = $1 and actor_id = $2 and name = $3 returning name',
    [organisationId, actorId, name],
  )
  return rows.length > 0
}
