import type { Plan } from '../contract/organisation.ts'
import type { RunState } from '../contract/run.ts'
import type { Database, Queryable } from './database.ts'
import { appendEvents, stateEvent } from './event-log.ts'
import { type Idempotency, rememberStart, startedBefore } from './idempotency.ts'
import { inOrder } from './in-order.ts'
import {
  lockForStart,
  type Refused,
  type RunToMake,
  readyRun,
  refuse,
  type StartingOrganisation,
  storeRun,
} from './new-run.ts'
import { unitsLeft } from './quota.ts'
import {
  GOING_ON,
  type GoingOn,
  RUN_COLUMNS,
  RUN_STATE,
  type RunRecord,
  type RunRow,
  toRunRecord,
  toRunState,
} from './run-row.ts'

export interface NewRun extends RunToMake {
  readonly idempotency: Idempotency | null
}

export type CreateRunResult = { readonly run: RunRecord; readonly created: boolean } | Refused

/**
 * Everything in one transaction with the organisation's row locked: of two simultaneous starts, the second counts the
 * first, so the last unit of the quota is never sold twice. Refusals come in the order of the interface document.
 */
export const createRun = (db: Database, plans: readonly Plan[], run: NewRun): Promise<CreateRunResult> =>
  db.transaction((tx) => createRunIn(tx, plans, run))

/** As `createRun`, as part of a transaction that does more. */
export const createRunIn = async (tx: Queryable, plans: readonly Plan[], run: NewRun): Promise<CreateRunResult> => {
  const { organisation, site } = await lockForStart(tx, run)
  const before = run.idempotency && (await startedBefore(tx, run.organisationId, run.idempotency))
  if (before === 'conflict' || before?.batchId) return conflict()
  if (before?.runId) {
    const earlier = await getRun(tx, run.organisationId, before.runId)
    if (earlier) return { run: earlier, created: false }
  }
  const stopped = stoppedBy(organisation)
  if (stopped) return stopped
  const ready = await readyRun(tx, run, site)
  if ('refused' in ready) return ready
  const quota = await unitsLeft(tx, plans, organisation)
  if (!run.dry_run && quota.left !== null && quota.left < 1) {
    return refuse('quota_exceeded', `All ${quota.of} runs of this calendar month are used.`)
  }
  const made = await storeRun(tx, ready)
  if (run.idempotency) {
    await rememberStart(tx, run.organisationId, run.idempotency, { runId: made.id, batchId: null })
  }
  return { run: made, created: true }
}

/** Until the transaction ends nobody else starts, and nothing is claimed, for this organisation. */
export const lockOrganisation = async (tx: Queryable, id: string): Promise<StartingOrganisation> => {
  const [organisation] = await tx.query<StartingOrganisation>(
    'select id, state, plan from organisations where id = $1 for no key update',
    [id],
  )
  if (!organisation) throw new Error('There is no such organisation')
  return organisation
}

/** Why the organisation may start nothing, null where it may. */
export const stoppedBy = ({ state }: StartingOrganisation): Refused | null => {
  if (state === 'blocked') return refuse('organization_blocked', 'The organisation is blocked.')
  return state === 'throttled' ? refuse('organization_throttled', 'The organisation is throttled.') : null
}

export const conflict = (): Refused =>
  refuse('idempotency_conflict', 'This Idempotency-Key was used with another body within 24 hours.')

export const getRun = async (db: Queryable, organisationId: string, id: string): Promise<RunRecord | null> => {
  const [row] = await db.query<RunRow>(`select ${RUN_COLUMNS} from runs r where r.id = $2 and r.organisation_id = $1`, [
    organisationId,
    id,
  ])
  return row ? toRunRecord(row) : null
}

export interface StateAsked {
  readonly organisationId: string
  readonly id: string
}

export interface StateFound {
  readonly state: string
  readonly going_on: GoingOn | null
}

/** As the interface answers them, see `RUN_STATE`, and what else is to be asked of one under way; in the order in which they are asked for. */
export const readStates = async (
  db: Queryable,
  asked: readonly StateAsked[],
): Promise<readonly (StateFound | null)[]> => {
  const rows = await db.query<StateFound & { n: number }>(STATES_OF, [
    JSON.stringify(asked.map(({ organisationId: organisation, id }, n) => ({ n, organisation, id }))),
  ])
  return inOrder(asked.length, rows)
}

/**
 * Put together once: a text of several thousand letters costs as much as what is asked by it. How many are asked for is no part of its plan,
 * so that one serves all; `offset 0` keeps each a look by its key.
 */
const STATES_OF = `
  select asked.n, found.state, found.going_on
    from jsonb_to_recordset($1::jsonb) as asked (n integer, organisation uuid, id uuid)
   cross join lateral (select ${RUN_STATE} as state, ${GOING_ON} as going_on from runs r
                        where r.id = asked.id and r.organisation_id = asked.organisation offset 0) as found`

/** For the operator and the worker: whoever's run it is. */
export const getAnyRun = async (db: Queryable, id: string): Promise<RunRecord | null> => {
  const [row] = await db.query<RunRow>(`select ${RUN_COLUMNS} from runs r where r.id = $1`, [id])
  return row ? toRunRecord(row) : null
}

/**
 * A queued run ends at once. A leased or running one is marked: its worker notices at the next heartbeat, or earlier
 * through the channel, and ends it. Asking again answers the same.
 */
export const cancelRun = (
  db: Database,
  organisationId: string,
  id: string,
): Promise<RunState | 'not_found' | 'not_cancelable'> =>
  db.transaction(async (tx) => {
    const [row] = await tx.query<RunRow>(
      `update runs r
          set status = case when status = 'queued' then 'canceled' else status end,
              phase = case when status = 'queued' then 'finished' else phase end,
              phase_detail = case when status = 'queued' then 'Cancelled on request' else phase_detail end,
              finished_at = case when status = 'queued' then clock_timestamp() end,
              credentials = case when status = 'queued' then null else credentials end,
              cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp())
        where r.id = $2 and r.organisation_id = $1 and r.status in ('queued', 'leased', 'running')
        returning ${RUN_COLUMNS}`,
      [organisationId, id],
    )
    if (!row) return (await getRun(tx, organisationId, id)) ? 'not_cancelable' : 'not_found'
    if (row.status === 'canceled') await appendEvents(tx, id, [stateEvent(row)])
    else await tx.query(`select pg_notify('run_cancel', $1)`, [id])
    return toRunState(row)
  })
