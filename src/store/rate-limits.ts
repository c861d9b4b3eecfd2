/** Counters of rate limits. One statement counts all limits of a request; the database's clock decides. */
import type { Queryable } from './database.ts'

export interface RateDemand {
  readonly name: string
  /** Who or what is counted: a key, an address, a key and a run. */
  readonly subject: string
  readonly quota: number
  /** Of the window, or in which an empty bucket fills. */
  readonly seconds: number
  /** A bucket of tokens that refills, where false a window that begins with the first request. */
  readonly refills: boolean
}

export interface RateTaken {
  readonly name: string
  readonly subject: string
  readonly refused: boolean
  /** Requests in this window, or tokens that are gone: with a fraction. */
  readonly spent: number
  /** Seconds since the window began; 0 for a bucket. */
  readonly age: number
}

/** Takes one of each, in the order of `demands`, which name no subject of a limit twice. `at` stands in for the database's clock. */
export const takeRates = async (
  db: Queryable,
  demands: readonly RateDemand[],
  at: Date | null = null,
): Promise<readonly RateTaken[]> => {
  const rows = await db.query<RateTaken>(TAKE, [JSON.stringify(demands), at])
  return demands.map(({ name, subject }) => {
    const row = rows.find((one) => one.name === name && one.subject === subject)
    if (row === undefined) throw new Error(`The limit ${name} was not counted`)
    return row
  })
}

/** In one order, so that two requests never wait for each other's rows crosswise. */
const TAKE = `
  with clock as materialized (select coalesce($2::timestamptz, clock_timestamp()) as now)
  insert into rate_limits as held (name, subject, spent, since, quota, seconds, refills)
  select d.name, d.subject, 1, clock.now, d.quota, d.seconds, d.refills
    from clock, jsonb_to_recordset($1::jsonb)
         as d (name text, subject text, quota double precision, seconds double precision, refills boolean)
   order by d.name, d.subject
  on conflict (name, subject) do update set (spent, since, refused, quota, seconds) = (
    select case when excluded.refills then gone + case when gone + 1 > excluded.quota then 0 else 1 end
                when over then 1 else held.spent + 1 end,
           case when excluded.refills or over then excluded.since else held.since end,
           case when excluded.refills then gone + 1 > excluded.quota else not over and held.spent + 1 > excluded.quota end,
           excluded.quota, excluded.seconds
      from (select held.since + make_interval(secs => excluded.seconds) <= excluded.since as over,
                   greatest(0, held.spent - extract(epoch from excluded.since - held.since)::double precision
                                            * excluded.quota / excluded.seconds) as gone) as before)
  returning name, subject, spent, refused,
            extract(epoch from (select now from clock) - since)::double precision as age`

/** Forgets counters whose time is over. */
export const forgetRates = async (db: Queryable): Promise<void> => {
  await db.query('delete from rate_limits where since + make_interval(secs => seconds) < clock_timestamp()')
}
