/** Domains registered by the thousand: one statement for so many, so that nobody waits for all of them. */
import { randomBytes } from 'node:crypto'
import type { Environment, SiteContext } from '../contract/run.ts'
import type { Queryable } from './database.ts'

export interface ManyDomain {
  /** ASCII form, with a port where one belongs to it. */
  readonly domain: string
  readonly context?: SiteContext | null | undefined
  readonly environment?: Environment | undefined
}

export interface Registered {
  readonly id: string
  readonly domain: string
  readonly added: boolean
}

/** Rows of one statement: tens of milliseconds on the embedded engine, whose one connection all share. */
export const STEP = 1_000

/** Steps of a list, each with the place of its first item. */
export function* stepsOf<Item>(
  items: readonly Item[],
): Generator<{ readonly from: number; readonly part: readonly Item[] }> {
  for (let from = 0; from < items.length; from += STEP) yield { from, part: items.slice(from, from + STEP) }
}

/**
 * At most `STEP` distinct names, by name. Those that are not there yet are registered, unverified; others stay as they are. They are
 * looked for one by one: a join would read all domains of the organisation in each step.
 */
export const registerDomains = async (
  db: Queryable,
  organisationId: string,
  domains: readonly ManyDomain[],
): Promise<ReadonlyMap<string, Registered>> => {
  const rows = await db.query<Registered>(
    `with given as (
       select * from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as g (domain, context, environment, token)
     ), added as (
       insert into domains (organisation_id, domain, context, environment, token)
       select $1, domain, nullif(context, ''), environment, token from given
       on conflict (organisation_id, domain) do nothing
       returning id, domain
     )
     select id, domain, true as added from added
     union all
     select d.id, g.domain, false from given g
      cross join lateral (select id from domains where organisation_id = $1 and domain = g.domain limit 1) d`,
    [
      organisationId,
      domains.map(({ domain }) => domain),
      domains.map(({ context }) => context ?? ''),
      domains.map(({ environment }) => environment ?? 'production'),
      domains.map(() => randomBytes(18).toString('base64url')),
    ],
  )
  const found = new Map(rows.map((row) => [row.domain, row]))
  const names = domains.map(({ domain }) => domain)
  // Registered by somebody else while the statement ran: it neither added nor saw them.
  const late = names.filter((name) => !found.has(name))
  if (late.length === 0) return found
  const others = await db.query<Registered>(
    'select id, domain, false as added from domains where organisation_id = $1 and domain = any ($2::text[])',
    [organisationId, late],
  )
  return new Map([...found, ...others.map((row) => [row.domain, row] as const)])
}

/** What of the names or ids is not proven to be the organisation's now: how many, and the first of them by their names. */
export const unproven = async (
  db: Queryable,
  organisationId: string,
  by: { readonly column: 'domain' | 'id'; readonly values: readonly string[] },
  shown: number,
): Promise<{ readonly count: number; readonly first: readonly string[] }> => {
  const rows = await db.query<{ domain: string; count: number }>(
    `select coalesce(d.domain, g.value) as domain, count(*) over () as count
       from unnest($2::text[]) with ordinality as g (value, n)
       left join domains d on d.${by.column} = g.value::${by.column === 'id' ? 'uuid' : 'text'} and d.organisation_id = $1
      where d.verified_until is null or d.verified_until <= clock_timestamp()
      order by g.n limit $3`,
    [organisationId, by.values, shown],
  )
  return { count: rows[0]?.count ?? 0, first: rows.map(({ domain }) => domain) }
}

/** The domains of these ids, by id; another organisation's are not among them. */
export const domainsOf = async (
  db: Queryable,
  organisationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = await db.query<{ id: string; domain: string }>(
    'select id, domain from domains where organisation_id = $1 and id = any ($2::uuid[])',
    [organisationId, ids],
  )
  return new Map(rows.map(({ id, domain }) => [id, domain]))
}
