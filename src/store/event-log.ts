import type { RunEvent } from '../contract/event.ts'
import type { Channel, Queryable } from './database.ts'
import { type RunRow, toRunState } from './run-row.ts'

export type NewEvent = { [Type in RunEvent['type']]: Omit<Extract<RunEvent, { type: Type }>, 'seq'> }[RunEvent['type']]

/**
 * Numbers and stores events inside the caller's transaction, and wakes the streams at its commit. The numbers come
 * from the run's row, which stays locked until the commit: a reader never sees number n before n - 1.
 * The caller has made sure that it may write (lease, or the state move itself). Returns the last number. `wakes`: a channel
 * whose listeners are woken at the commit as well.
 */
export const appendEvents = async (
  tx: Queryable,
  runId: string,
  events: readonly NewEvent[],
  wakes: Channel | null = null,
): Promise<number> => {
  const [row] = await tx.query<{ seq: number }>(
    `with numbered as (
       update runs set event_seq = event_seq + $2 where id = $1 returning event_seq - $2 as base
     ), stored as (
       insert into events (run_id, seq, type, data)
       select $1, base + e.n, e.type, e.data::json
         from numbered, unnest($3::text[], $4::text[]) with ordinality as e (type, data, n)
     )
     select base + $2 as seq, pg_notify('run_events', $1::uuid || ':' || (base + $2)),
            case when $5::text is not null then pg_notify($5, '') end
       from numbered`,
    [runId, events.length, events.map((event) => event.type), events.map((event) => JSON.stringify(event.data)), wakes],
  )
  if (!row) throw new Error(`There is no run ${runId}`)
  return row.seq
}

/** SQL, in the `set` of an update of the run `r`: takes a number for `numberedState`. */
export const NUMBERED = 'event_seq = r.event_seq + 1'

/** With the number that an update of the run's row has taken: a second update of it would cost as much as the first. */
export type NumberedEvent = NewEvent & { readonly seq: number }

/** Where the run is now, under the number that the update which brought it there has taken. */
export const numberedState = (row: RunRow): NumberedEvent => ({ ...stateEvent(row), seq: row.event_seq })

/** Stores and tells what has its numbers, in their order. `wakes` as of `appendEvents`. */
export const storeEvents = async (
  tx: Queryable,
  runId: string,
  events: readonly NumberedEvent[],
  wakes: Channel | null = null,
): Promise<void> => {
  const last = events.at(-1)
  if (last === undefined) return
  await tx.query(
    `with stored as (
       insert into events (run_id, seq, type, data)
       select $1, e.seq, e.type, e.data::json from unnest($2::bigint[], $3::text[], $4::text[]) as e (seq, type, data))
     select pg_notify('run_events', $1::uuid || ':' || $5::bigint),
            case when $6::text is not null then pg_notify($6, '') end`,
    [
      runId,
      events.map(({ seq }) => seq),
      events.map(({ type }) => type),
      events.map(({ data }) => JSON.stringify(data)),
      ...[last.seq, wakes],
    ],
  )
}

/** The event that tells a stream where the run is now: `done` once it ended. */
export const stateEvent = (row: RunRow): NewEvent => {
  const state = toRunState(row)
  if (state.finished_at !== null) return { type: 'done', data: state }
  const { phase, phase_detail, progress, counts, status } = state
  return { type: 'progress', data: { phase, phase_detail, progress, counts, status } }
}

/**
 * SQL, that an event may be one of the run of `$1`: those of other months are not looked at. A day more on both sides, for clocks
 * of databases that followed each other.
 */
export const WHILE_IT_RAN = `created_at >= (select r.created_at - interval '1 day' from runs r where r.id = $1)
  and created_at <= (select coalesce(r.finished_at + interval '1 day', 'infinity') from runs r where r.id = $1)`
