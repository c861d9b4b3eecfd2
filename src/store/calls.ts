/**
 * Calls from targets of runs that agents have: a worker that listens hears them, the agent asks for them. It is never said that there
 * were none while nobody listened.
 */
import { randomBytes } from 'node:crypto'
import type { OobCall, OobPlace } from '../contract/agent.ts'
import type { Database, Queryable } from './database.ts'
import type { Lease } from './lease.ts'

/** Seconds after which a listener that has not been seen counts as gone. */
const SILENCE = 20
const MOST_HITS = 5_000

/** A worker listens; it says so every few seconds. */
export const announceListener = async (
  db: Queryable,
  worker: string,
  { address, domain, httpPort }: Omit<OobPlace, 'key'>,
): Promise<void> => {
  await db.query(
    `insert into call_listeners (worker, address, domain, http_port, seen_at) values ($1, $2, $3, $4, clock_timestamp())
     on conflict (worker) do update set seen_at = excluded.seen_at`,
    [worker, address, domain, httpPort],
  )
}

/** It listens no more; what it watched is heard by nobody. */
export const dropListener = async (db: Queryable, worker: string): Promise<void> => {
  await db.query('delete from call_listeners where worker = $1', [worker])
  await db.query('delete from call_watches where worker = $1', [worker])
}

/** Runs that this worker is to listen for, with the keys of their tokens. Forgets those of other listeners that are long gone. */
export const watchesOf = async (
  db: Queryable,
  worker: string,
): Promise<readonly { readonly runId: string; readonly key: string }[]> => {
  await db.query(`delete from call_listeners where seen_at < clock_timestamp() - interval '1 hour'`, [])
  await db.query(
    `delete from call_watches w using runs r where r.id = w.run_id and (r.finished_at is not null or r.scan_end is not null)`,
    [],
  )
  return db.query('select run_id as "runId", key from call_watches where worker = $1', [worker])
}

export const markWatched = async (db: Queryable, worker: string, runIds: readonly string[]): Promise<void> => {
  if (runIds.length === 0) return
  await db.query(
    `update call_watches set watched_at = coalesce(watched_at, clock_timestamp())
      where worker = $1 and run_id = any ($2::uuid[])`,
    [worker, [...runIds]],
  )
}

export const keepCall = async (db: Queryable, runId: string, call: OobCall): Promise<void> => {
  await db.query(
    `insert into call_hits (run_id, hit)
     select $1, $2 from runs where id = $1 and (select count(*) from call_hits where run_id = $1) < ${MOST_HITS}`,
    [runId, JSON.stringify(call)],
  )
}

interface PlaceRow {
  readonly address: string
  readonly domain: string | null
  readonly httpPort: number
  readonly key: string
  readonly watched: boolean
}

/**
 * Where targets of the run reach a listener, once it listens for them; null where there is none. A new one each time that the one
 * before is gone. Ask again while `pending`.
 */
export const listenFor = (db: Database, { runId }: Lease): Promise<OobPlace | 'pending' | null> =>
  db.transaction(async (tx) => {
    const [row] = (await present(tx, runId)) ?? (await choose(tx, runId))
    if (row === undefined) return null
    const { watched, ...place } = row
    return watched ? place : 'pending'
  })

const FRESH = `l.seen_at > clock_timestamp() - interval '${SILENCE} seconds'`

const present = async (tx: Queryable, runId: string): Promise<PlaceRow[] | null> => {
  const rows = await tx.query<PlaceRow>(
    `select l.address, l.domain, l.http_port as "httpPort", w.key, w.watched_at is not null as watched
       from call_watches w join call_listeners l on l.worker = w.worker where w.run_id = $1 and ${FRESH}`,
    [runId],
  )
  return rows.length === 0 ? null : rows
}

const choose = async (tx: Queryable, runId: string): Promise<PlaceRow[]> =>
  tx.query<PlaceRow>(
    `with chosen as (
       select l.* from call_listeners l where ${FRESH} order by l.seen_at desc limit 1
     ), asked as (
       insert into call_watches (run_id, worker, key) select $1, worker, $2 from chosen
       on conflict (run_id) do update set worker = excluded.worker, key = excluded.key, watched_at = null
       returning key
     )
     select c.address, c.domain, c.http_port as "httpPort", a.key, false as watched, pg_notify('call_watches', '')
       from chosen c cross join asked a`,
    [runId, randomBytes(32).toString('base64url')],
  )

export interface CallsSoFar {
  readonly calls: readonly { readonly n: number; readonly call: OobCall }[]
  readonly listening: boolean
  /** What came before then is here; null: nobody listens. By the database's clock, as `now`. */
  readonly heardUntil: Date | null
  readonly now: Date
}

/** Calls of the run after number `after`. */
export const callsAfter = async (db: Queryable, { runId }: Lease, after: number): Promise<CallsSoFar> => {
  // Before the calls themselves: one that comes in between is told and not promised.
  const [state] = await db.query<{ until: Date | null; now: Date }>(
    `select (select l.seen_at from call_watches w join call_listeners l on l.worker = w.worker
              where w.run_id = $1 and w.watched_at is not null and ${FRESH}) as until,
            clock_timestamp() as now`,
    [runId],
  )
  const calls = await db.query<{ n: number; call: OobCall }>(
    'select n, hit as call from call_hits where run_id = $1 and n > $2 order by n limit 500',
    [runId, after],
  )
  const until = state?.until ?? null
  return { calls, listening: until !== null, heardUntil: until, now: state?.now ?? new Date(0) }
}
