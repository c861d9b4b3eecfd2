/** Batches: how they come to be, what they show of themselves, and how they are paused, resumed and cancelled. */
import { randomUUID } from 'node:crypto'
import { type Batch, BatchOptions, MAX_BATCHES } from '../contract/batch.ts'
import type { Plan } from '../contract/organisation.ts'
import { settleSwitches } from '../contract/run-switches.ts'
import type { Database, Queryable } from './database.ts'
import { appendEvents, stateEvent } from './event-log.ts'
import { type Idempotency, rememberStart, startedBefore } from './idempotency.ts'
import { type Refused, refuse } from './new-run.ts'
import { unitsLeft } from './quota.ts'
import { RUN_COLUMNS, type RunRow } from './run-row.ts'
import { conflict, lockOrganisation, stoppedBy } from './runs.ts'
import { iso, isoOrNull } from './time.ts'

interface Row {
  readonly id: string
  readonly state: Batch['state']
  readonly options: BatchOptions
  readonly total: number
  readonly drawn: number
  readonly refused: number
  readonly done: number
  readonly failed: number
  readonly canceled: number
  readonly created_at: Date
  readonly finished_at: Date | null
}
const COLUMNS = 'id, state, options, total, drawn, refused, done, failed, canceled, created_at, finished_at'

export interface NewBatch {
  readonly organisationId: string
  /** Distinct domains. */
  readonly total: number
  readonly options: BatchOptions
  readonly idempotency: Idempotency | null
}

/**
 * Reserves a unit of the quota for each domain, in one transaction with the organisation's row locked, or is refused. Nothing
 * of it is drawn before `addItems` has written all and `prepared` was called; `dropBatch` takes it back.
 */
export const reserveBatch = (
  db: Database,
  plans: readonly Plan[],
  batch: NewBatch,
): Promise<{ readonly batch: Batch; readonly created: boolean } | Refused> =>
  db.transaction(async (tx) => {
    const organisation = await lockOrganisation(tx, batch.organisationId)
    const before = batch.idempotency && (await startedBefore(tx, batch.organisationId, batch.idempotency))
    if (before === 'conflict' || before?.runId) return conflict()
    if (before?.batchId) {
      const earlier = await getBatch(tx, batch.organisationId, before.batchId)
      if (earlier) return { batch: earlier, created: false }
    }
    const stopped = stoppedBy(organisation)
    if (stopped) return stopped
    const going = await tx.query('select 1 from batches where organisation_id = $1 and finished_at is null', [
      batch.organisationId,
    ])
    if (going.length >= MAX_BATCHES) {
      return refuse('too_many_batches', `${MAX_BATCHES} batches have not ended; wait for one, or cancel it.`)
    }
    const { left, of } = await unitsLeft(tx, plans, organisation)
    if (left !== null && left < batch.total) {
      return refuse('quota_exceeded', `The batch needs ${batch.total} runs; ${left} of ${of} of this month are left.`)
    }
    const [row] = await tx.query<Row>(
      `insert into batches (id, organisation_id, options, total) values ($1, $2, $3, $4) returning ${COLUMNS}`,
      [randomUUID(), batch.organisationId, JSON.stringify(settleSwitches(batch.options)), batch.total],
    )
    if (!row) throw new Error('The batch was not stored')
    if (batch.idempotency) {
      await rememberStart(tx, batch.organisationId, batch.idempotency, { runId: null, batchId: row.id })
    }
    return { batch: toBatch(row), created: true }
  })

/** At most `STEP` of them, so that others are answered in between; `from` is the number of the first. */
export const addItems = async (
  db: Queryable,
  batchId: string,
  from: number,
  items: readonly { readonly id: string; readonly domain: string }[],
): Promise<void> => {
  await db.query(
    `insert into batch_items (batch_id, n, domain_id, domain)
     select $1, $2 + g.n - 1, g.id, g.domain from unnest($3::uuid[], $4::text[]) with ordinality as g (id, domain, n)`,
    [batchId, from, items.map(({ id }) => id), items.map(({ domain }) => domain)],
  )
}

/** All items are there: workers may draw. */
export const prepared = async (db: Queryable, batchId: string): Promise<void> => {
  await db.query(
    `update batches set prepared_at = clock_timestamp() where id = $1
     returning id, pg_notify('runs_queued', '')`,
    [batchId],
  )
}

/** Of a batch of which nothing was drawn: its units are free again. */
export const dropBatch = async (db: Queryable, batchId: string): Promise<void> => {
  await db.query('delete from batches where id = $1 and drawn = 0', [batchId])
}

/** Minutes after which a batch that was not prepared is the work of a process that has ended. */
export const PREPARING_MINUTES = 30

/** Takes back what was reserved by processes that have ended over it. Returns how many batches. */
export const dropUnprepared = async (db: Queryable): Promise<number> =>
  (
    await db.query(
      `delete from batches
        where prepared_at is null and drawn = 0 and created_at < clock_timestamp() - make_interval(mins => $1)
        returning id`,
      [PREPARING_MINUTES],
    )
  ).length

export const getBatch = async (db: Queryable, organisationId: string, id: string): Promise<Batch | null> => {
  const [row] = await db.query<Row>(`select ${COLUMNS} from batches where organisation_id = $1 and id = $2`, [
    organisationId,
    id,
  ])
  return row ? toBatch(row) : null
}

/** Newest first; `after` is the last one of the page before. */
export const listBatches = async (
  db: Queryable,
  organisationId: string,
  after: { readonly createdAt: Date; readonly id: string } | null,
  limit: number,
): Promise<Batch[]> =>
  (
    await db.query<Row>(
      `select ${COLUMNS} from batches
        where organisation_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3::uuid))
        order by created_at desc, id desc limit $4`,
      [organisationId, after?.createdAt ?? null, after?.id ?? null, limit],
    )
  ).map(toBatch)

type Moved = Batch | 'not_found' | 'ended'

/** Nothing more is drawn once this has returned; what goes on goes on. Asking again answers the same. */
export const pauseBatch = (db: Database, organisationId: string, id: string): Promise<Moved> =>
  move(db, organisationId, id, 'paused')

export const resumeBatch = (db: Database, organisationId: string, id: string): Promise<Moved> =>
  move(db, organisationId, id, 'running')

const move = (db: Database, organisationId: string, id: string, state: Batch['state']): Promise<Moved> =>
  db.transaction(async (tx) => {
    const [row] = await tx.query<Row>(
      `update batches set state = $3 where organisation_id = $1 and id = $2 and state in ('running', 'paused')
       returning ${COLUMNS}, pg_notify('runs_queued', '')`,
      [organisationId, id, state],
    )
    return row ? toBatch(row) : whyNot(tx, organisationId, id)
  })

/**
 * What waits is never drawn, what a worker has is asked to end, and what came back from one ends at once. However many domains
 * there are: one row, and the few runs that have not ended. Asking again answers the same until all have.
 */
export const cancelBatch = (db: Database, organisationId: string, id: string): Promise<Moved> =>
  db.transaction(async (tx) => {
    // First, as claim_batch does: what it draws now is seen below. The runs before their batch, as their ends do.
    await lockOrganisation(tx, organisationId)
    const known = await getBatch(tx, organisationId, id)
    if (known === null || known.finished_at !== null) return whyNot(tx, organisationId, id)
    const live = await tx.query<RunRow>(
      `update runs r
          set status = case when status = 'queued' then 'canceled' else status end,
              phase = case when status = 'queued' then 'finished' else phase end,
              phase_detail = case when status = 'queued' then $3 else phase_detail end,
              finished_at = case when status = 'queued' then clock_timestamp() end,
              credentials = case when status = 'queued' then null else credentials end,
              cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp()),
              cancel_detail = coalesce(cancel_detail, $3)
        where r.organisation_id = $1 and r.batch_id = $2 and r.status in ('queued', 'leased', 'running')
        returning ${RUN_COLUMNS}`,
      [organisationId, id, 'Its batch was cancelled'],
    )
    for (const run of live) {
      if (run.status === 'canceled') await appendEvents(tx, run.id, [stateEvent(run)])
      else await tx.query(`select pg_notify('run_cancel', $1)`, [run.id])
    }
    const [row] = await tx.query<Row>(`update batches set state = 'canceled' where id = $1 returning ${COLUMNS}`, [id])
    if (!row) throw new Error('The batch is gone')
    return toBatch(row)
  })

const whyNot = async (tx: Queryable, organisationId: string, id: string): Promise<'not_found' | 'ended'> =>
  (await getBatch(tx, organisationId, id)) === null ? 'not_found' : 'ended'

const toBatch = (row: Row): Batch => {
  const { total, drawn, refused, done, failed } = row
  const left = total - drawn
  const isCanceled = row.state === 'canceled'
  return {
    id: row.id,
    state: row.state,
    counts: {
      ...{ total, waiting: isCanceled ? 0 : left },
      running: drawn - refused - done - failed - row.canceled,
      ...{ done, failed, canceled: row.canceled + (isCanceled ? left : 0), refused },
    },
    options: BatchOptions.parse(row.options),
    created_at: iso(row.created_at),
    finished_at: isoOrNull(row.finished_at),
  }
}
