/**
 * The emergency stop. A hold is a row; `claim_run` takes nothing of an organisation that has one, and the heartbeat of a run
 * asks the run to end. Both look for themselves, so no order of events lets a run slip through.
 */
import type { Hold, HoldState } from '../contract/hold.ts'
import type { Database, Queryable } from './database.ts'
import { appendEvents, stateEvent } from './event-log.ts'
import { RUN_COLUMNS, type RunRow } from './run-row.ts'
import { iso } from './time.ts'

export interface NewHold {
  /** Null: all organisations. */
  readonly organisationId: string | null
  readonly heldBy: string
  readonly reason: string | null
}

/** In phase_detail of a waiting run, and of one that was ended. */
const WAITING = 'Waiting for a worker'
const HELD = 'Held by the emergency stop'

/** Ends what goes on and holds what waits. A hold that is there stays as it is; its runs are asked to end once more. */
export const stopRuns = (db: Database, { organisationId, heldBy, reason }: NewHold): Promise<void> =>
  db.transaction(async (tx) => {
    // As claim_run does: a run that is being leased now is seen below, one that comes later finds the hold.
    await tx.query('select id from organisations where $1::uuid is null or id = $1 order by id for no key update', [
      organisationId,
    ])
    await tx.query(
      `insert into holds (organisation_id, held_by, reason) values ($1, $2, $3)
       on conflict (organisation_id) do nothing`,
      [organisationId, heldBy, reason],
    )
    await tx.query(
      `update runs set cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp()),
                       cancel_detail = coalesce(cancel_detail, $2)
        where status in ('leased', 'running') and ($1::uuid is null or organisation_id = $1)`,
      [organisationId, `Ended by the emergency stop of ${heldBy}`],
    )
    await tellQueue(tx, organisationId, `${HELD} of ${heldBy}`)
    await tx.query(`select pg_notify('run_cancel', ''), pg_notify('login_tests', '')`)
  })

/** False: there was none. What waits is taken up again, unless another hold is over it. */
export const releaseRuns = (db: Database, organisationId: string | null): Promise<boolean> =>
  db.transaction(async (tx) => {
    const gone = await tx.query('delete from holds where organisation_id is not distinct from $1::uuid returning id', [
      organisationId,
    ])
    if (gone.length === 0) return false
    await tellQueue(tx, organisationId, WAITING)
    await tx.query(`select pg_notify('runs_queued', ''), pg_notify('login_tests', '')`)
    return true
  })

/** Streams of waiting runs learn why they wait. Of an organisation under another hold, they say that they are held still. */
const tellQueue = async (tx: Queryable, organisationId: string | null, detail: string): Promise<void> => {
  const rows = await tx.query<RunRow>(
    `update runs r
        set phase_detail = case when $3 then ${queueDetail('r.organisation_id', 'r.agent_id')} else $2 end
      where r.status = 'queued' and ($1::uuid is null or r.organisation_id = $1)
      returning ${RUN_COLUMNS}`,
    [organisationId, detail, detail === WAITING],
  )
  for (const row of rows) await appendEvents(tx, row.id, [stateEvent(row)])
}

/** For `phase_detail` of a run that comes to the queue now; an SQL expression over the ids of the organisation and of the run's agent. */
export const queueDetail = (organisation: string, agent: string): string =>
  `coalesce((select '${HELD} of ' || h.held_by from holds h
              where h.organisation_id = ${organisation} or h.organisation_id is null
              order by h.organisation_id nulls first limit 1),
            (select 'Waiting for the agent ' || a.name from agents a where a.id = ${agent}), '${WAITING}')`

/** For work on a domain that is no run. */
export const isDomainHeld = async (db: Queryable, domainId: string): Promise<boolean> =>
  (await db.query('select 1 from domains where id = $1 and is_held(organisation_id)', [domainId])).length > 0

interface Row {
  readonly organisation_id: string | null
  readonly held_by: string
  readonly reason: string | null
  readonly held_at: Date
}

/** The hold over all before the organisation's own: the owners cannot release it. */
export const holdState = async (db: Queryable, organisationId: string): Promise<HoldState> => {
  const [hold] = await db.query<Row>(
    `select organisation_id, held_by, reason, held_at from holds
      where organisation_id = $1 or organisation_id is null order by organisation_id nulls first limit 1`,
    [organisationId],
  )
  return { hold: hold ? toHold(hold) : null, ...(await liveRuns(db, organisationId)) }
}

interface Whose {
  readonly organisation_id: string | null
  /** Its name. */
  readonly organisation: string | null
}

/** All holds with their runs; `organisation` null: over all. */
export const listHolds = async (db: Queryable): Promise<(HoldState & Whose & { readonly hold: Hold })[]> => {
  const rows = await db.query<Row & { name: string | null }>(
    `select h.organisation_id, o.name, h.held_by, h.reason, h.held_at
       from holds h left join organisations o on o.id = h.organisation_id
      order by h.organisation_id nulls first, o.name`,
    [],
  )
  const states = []
  for (const row of rows) {
    const { organisation_id, name } = row
    states.push({ organisation_id, organisation: name, hold: toHold(row), ...(await liveRuns(db, organisation_id)) })
  }
  return states
}

const liveRuns = async (
  db: Queryable,
  organisationId: string | null,
): Promise<Pick<HoldState, 'ending' | 'waiting'>> => {
  const [row] = await db.query<{ ending: number; waiting: number }>(
    `select count(*) filter (where status in ('leased', 'running')) as ending,
            count(*) filter (where status = 'queued') as waiting
       from runs where status in ('queued', 'leased', 'running') and ($1::uuid is null or organisation_id = $1)`,
    [organisationId],
  )
  return { ending: row?.ending ?? 0, waiting: row?.waiting ?? 0 }
}

const toHold = ({ organisation_id, held_by, reason, held_at }: Row): Hold => ({
  by: organisation_id === null ? 'operator' : 'organisation',
  held_by,
  reason,
  held_at: iso(held_at),
})
