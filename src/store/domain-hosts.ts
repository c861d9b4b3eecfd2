import type { Queryable } from './database.ts'
import { wholeRun } from './run-row.ts'

export interface NewestFacts {
  readonly module: string
  readonly run_id: string
  /** Plain JSON, as the module has left it. */
  readonly facts: unknown
}

/** What each of these modules kept of the newest whole run of the domain in which it ended well. */
export const newestFacts = (db: Queryable, domainId: string, modules: readonly string[]): Promise<NewestFacts[]> =>
  db.query(
    `select m.module, m.run_id, m.facts
       from unnest($2::text[]) as wanted (module)
      cross join lateral (
        select k.module, k.run_id, k.facts
          from runs r join run_modules k on k.run_id = r.id and k.module = wanted.module
         where r.domain_id = $1 and r.status = 'done' and not r.dry_run and ${wholeRun('r')} and k.facts is not null
         order by r.finished_at desc
         limit 1) m`,
    [domainId, [...modules]],
  )

/** Which of these names are registered, and as which domain; names with a port are others. */
export const registeredAmong = async (
  db: Queryable,
  organisationId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = await db.query<{ readonly domain: string; readonly id: string }>(
    'select domain, id from domains where organisation_id = $1 and domain = any ($2::text[])',
    [organisationId, [...names]],
  )
  return new Map(rows.map(({ domain, id }) => [domain, id]))
}
