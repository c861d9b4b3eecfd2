/** Counters of rate limits. One statement counts all limits of a request; the database's clock decides. */
import { hashSecret, isWellFormed } from '../contract/key-format.ts'
import { type KeyOwner, OWNER, type OwnerRow, ownerOf } from './api-keys.ts'
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
  const rows = await db.query<RateRow>(TAKE, [JSON.stringify(demands.map((demand) => ({ ...demand, n: 1 }))), at])
  return inOrder(demands, rows, 1)[0] ?? []
}

export interface Admitted {
  readonly owner: KeyOwner
  /** Of each of the requests, in the order of the demands. */
  readonly taken: readonly (readonly RateTaken[])[]
}

/**
 * Finds the owner of a key and counts `n` requests of it, in one statement; nothing is counted and null answered where the key may
 * not be used. The subject of a demand is what the key's id is followed by. `n` is no more than the least of the quotas.
 */
export const admitKey = async (
  db: Queryable,
  secret: string,
  demands: readonly RateDemand[],
  n: number,
): Promise<Admitted | null> => {
  if (!isWellFormed(secret)) return null
  const hash = hashSecret(secret)
  const [row] = await db.query<OwnerRow & { readonly taken: readonly RateRow[] }>(ADMIT, [
    JSON.stringify(demands.map((demand) => ({ ...demand, n }))),
    null,
    hash,
  ])
  const owner = row ? await ownerOf(db, row, hash) : null
  if (row === undefined || owner === null) return null
  const own = demands.map(({ name, subject }) => ({ name, subject: `${owner.key.id}${subject}` }))
  return { owner, taken: inOrder(own, row.taken, n) }
}

interface RateRow extends Omit<RateTaken, 'refused'> {
  readonly quota: number
  readonly refills: boolean
  /** Of those that asked of a bucket. */
  readonly turned_away: number
}

/** What each of `n` requests that were counted together was told, as if one had come after the other. */
const inOrder = (
  demands: readonly Pick<RateTaken, 'name' | 'subject'>[],
  rows: readonly RateRow[],
  n: number,
): readonly (readonly RateTaken[])[] => {
  const each = demands.map(({ name, subject }) => {
    const row = rows.find((one) => one.name === name && one.subject === subject)
    if (row === undefined) throw new Error(`The limit ${name} was not counted`)
    return row
  })
  return Array.from({ length: n }, (_, at) => each.map((row) => oneOf(row, at, n)))
}

const oneOf = ({ quota, refills, turned_away: away, ...row }: RateRow, at: number, n: number): RateTaken => {
  if (!refills) {
    const spent = row.spent - n + at + 1
    return { ...row, spent, refused: spent > quota }
  }
  const refused = at >= n - away
  return { ...row, spent: refused ? row.spent : row.spent - (n - away) + at + 1, refused }
}

const CLOCK = 'clock as materialized (select coalesce($2::timestamptz, clock_timestamp()) as now)'

/** In one order, so that two requests never wait for each other's rows crosswise. */
const COUNT = (subject: string, from: string): string => `
  insert into rate_limits as held (name, subject, spent, since, quota, seconds, refills)
  select d.name, ${subject}, d.n, clock.now, d.quota, d.seconds, d.refills
    from clock, ${from} jsonb_to_recordset($1::jsonb)
         as d (name text, subject text, n double precision, quota double precision, seconds double precision, refills boolean)
   order by d.name, d.subject
  on conflict (name, subject) do update set (spent, since, turned_away, quota, seconds) = (
    select case when excluded.refills then gone + took when over then excluded.spent else held.spent + excluded.spent end,
           case when excluded.refills or over then excluded.since else held.since end,
           case when excluded.refills then excluded.spent - took else 0 end,
           excluded.quota, excluded.seconds
      from (select over, gone, least(excluded.spent, greatest(0, floor(excluded.quota - gone))) as took
              from (select held.since + make_interval(secs => excluded.seconds) <= excluded.since as over,
                           greatest(0, held.spent - extract(epoch from excluded.since - held.since)::double precision
                                                    * excluded.quota / excluded.seconds) as gone) as before) as now)
  returning name, subject, spent, quota, refills, turned_away,
            extract(epoch from (select now from clock) - since)::double precision as age`

const TAKE = `with ${CLOCK} ${COUNT('d.subject', '')}`
const ADMIT = `
  with ${CLOCK}, owner as materialized (${OWNER('$3')}), taken as (${COUNT('owner.id::text || d.subject', 'owner,')})
  select owner.*, (select json_agg(taken) from taken) as taken from owner`

/** Forgets counters whose time is over. */
export const forgetRates = async (db: Queryable): Promise<void> => {
  await db.query('delete from rate_limits where since + make_interval(secs => seconds) < clock_timestamp()')
}
