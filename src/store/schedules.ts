import type { Plan } from '../contract/organisation.ts'
import { RunOptions, StartFields } from '../contract/run.ts'
import { MAX_SCHEDULES, type Schedule, Timing, type UpdateSchedule } from '../contract/schedule.ts'
import type { Database, Queryable } from './database.ts'
import { nextFiring } from './firing.ts'
import { createRunIn } from './runs.ts'
import { iso, isoOrNull } from './time.ts'

interface Row {
  readonly id: string
  readonly organisation_id: string
  readonly domain_id: string
  readonly domain: string
  readonly timing: Timing
  readonly options: RunOptions
  readonly paused_at: Date | null
  readonly next_at: Date
  readonly last_at: Date | null
  readonly last_run_id: string | null
  readonly last_refusal: string | null
  readonly created_at: Date
}
const SELECT = `select s.id, s.organisation_id, s.domain_id, d.domain, s.timing, s.options, s.paused_at, s.next_at,
  s.last_at, s.last_run_id, s.last_refusal, s.created_at
  from schedules s join domains d on d.id = s.domain_id`

/** With the defaults of a start. */
export const wholeOptions = (given: Partial<RunOptions>): RunOptions =>
  RunOptions.parse({ ...RunOptions.parse(DEFAULTS), ...given })
const DEFAULTS = StartFields.omit({
  ...{ domain_id: true, auth_cookie: true, auth_header: true, auth_stored: true, identities: true, context: true },
}).parse({})

/** `domain_not_found` also for another organisation's. */
export const createSchedule = (
  db: Database,
  organisationId: string,
  domainId: string,
  timing: Timing,
  options: RunOptions,
): Promise<Schedule | 'domain_not_found' | 'too_many_schedules'> =>
  db.transaction(async (tx) => {
    await tx.query('select 1 from organisations where id = $1 for no key update', [organisationId])
    const existing = await tx.query('select 1 from schedules where organisation_id = $1', [organisationId])
    if (existing.length >= MAX_SCHEDULES) return 'too_many_schedules'
    const [made] = await tx.query<{ id: string }>(
      `insert into schedules (organisation_id, domain_id, timing, options, next_at)
       select d.organisation_id, d.id, $3, $4, $5 from domains d where d.id = $2 and d.organisation_id = $1
       returning id`,
      [
        organisationId,
        domainId,
        JSON.stringify(timing),
        JSON.stringify(options),
        nextFiring(timing, new Date(), Math.random()),
      ],
    )
    return made ? existingSchedule(await getSchedule(tx, organisationId, made.id)) : 'domain_not_found'
  })

/** Newest first. */
export const listSchedules = async (
  db: Queryable,
  organisationId: string,
  domainId: string | null,
): Promise<Schedule[]> =>
  (
    await db.query<Row>(
      `${SELECT} where s.organisation_id = $1 and ($2::uuid is null or s.domain_id = $2)
        order by s.created_at desc, s.id desc`,
      [organisationId, domainId],
    )
  ).map(toSchedule)

export const getSchedule = async (db: Queryable, organisationId: string, id: string): Promise<Schedule | null> => {
  const [row] = await db.query<Row>(`${SELECT} where s.organisation_id = $1 and s.id = $2`, [organisationId, id])
  return row ? toSchedule(row) : null
}

/** What is absent stays. A new timing, and a resumed schedule, start from now: what was missed meanwhile is gone. */
export const updateSchedule = (
  db: Database,
  organisationId: string,
  id: string,
  change: UpdateSchedule,
): Promise<Schedule | null> =>
  db.transaction(async (tx) => {
    const [row] = await tx.query<Row>(`${SELECT} where s.organisation_id = $1 and s.id = $2 for update of s`, [
      organisationId,
      id,
    ])
    if (!row) return null
    const { options, state, ...times } = change
    const timing = Timing.parse({ ...row.timing, ...times })
    const retimed = Object.keys(times).length > 0 || (state === 'active' && row.paused_at !== null)
    const paused = state === undefined ? row.paused_at : state === 'active' ? null : (row.paused_at ?? new Date())
    await tx.query('update schedules set timing = $2, options = $3, paused_at = $4, next_at = $5 where id = $1', [
      id,
      JSON.stringify(timing),
      JSON.stringify({ ...row.options, ...options }),
      paused,
      retimed ? nextFiring(timing, new Date(), Math.random()) : row.next_at,
    ])
    return existingSchedule(await getSchedule(tx, organisationId, id))
  })

export const deleteSchedule = async (db: Queryable, organisationId: string, id: string): Promise<boolean> =>
  (await db.query('delete from schedules where organisation_id = $1 and id = $2 returning id', [organisationId, id]))
    .length > 0

/** Minutes until a schedule whose last run has not ended looks again. */
const BUSY_MINUTES = 5

/**
 * Fires one schedule that is due, if there is one, in one transaction: the run and the next time are there together or
 * not at all. What was missed while nothing looked is caught up with one run. Null when nothing is due.
 */
export const fireNext = (db: Database, plans: readonly Plan[]): Promise<Fired | null> =>
  db.transaction(async (tx) => {
    const [row] = await tx.query<Row>(
      `${SELECT} where s.next_at <= clock_timestamp() and s.paused_at is null
        order by s.next_at limit 1 for update of s skip locked`,
      [],
    )
    if (!row) return null
    // First: of a start by hand at the same moment, either sees the other.
    await tx.query('select 1 from organisations where id = $1 for no key update', [row.organisation_id])
    const busy = await tx.query(
      `select 1 from runs
        where organisation_id = $1 and domain_id = $2 and tier = $3 and status in ('queued', 'leased', 'running')
        limit 1`,
      [row.organisation_id, row.domain_id, row.options.active ? 'active' : 'passive'],
    )
    if (busy.length > 0) return postpone(tx, row)
    const made = await createRunIn(tx, plans, {
      ...row.options,
      organisationId: row.organisation_id,
      domainId: row.domain_id,
      context: null,
      sealedCredentials: null,
      idempotency: null,
    })
    const [runId, refusal] = 'refused' in made ? [null, made.detail] : [made.run.id, null]
    await tx.query(
      `update schedules
          set next_at = $2, last_at = clock_timestamp(), last_run_id = coalesce($3::uuid, last_run_id), last_refusal = $4
        where id = $1`,
      [row.id, nextFiring(row.timing, new Date(), Math.random()), runId, refusal],
    )
    return { scheduleId: row.id, domain: row.domain, runId, refusal }
  })

export interface Fired {
  readonly scheduleId: string
  readonly domain: string
  /** Null when it was refused or postponed. */
  readonly runId: string | null
  readonly refusal: string | null
}

/** A run of the same domain and tier goes on: it is not stopped, and its successor waits for it. */
const postpone = async (tx: Queryable, { id, domain }: Row): Promise<Fired> => {
  await tx.query(
    `update schedules set next_at = clock_timestamp() + make_interval(mins => ${BUSY_MINUTES}) where id = $1`,
    [id],
  )
  return { scheduleId: id, domain, runId: null, refusal: 'the run before has not ended' }
}

const existingSchedule = (found: Schedule | null): Schedule => {
  if (found === null) throw new Error('The schedule was not stored')
  return found
}

const toSchedule = (row: Row): Schedule => ({
  id: row.id,
  domain_id: row.domain_id,
  domain: row.domain,
  ...Timing.parse(row.timing),
  options: RunOptions.parse({ ...DEFAULTS, ...row.options }),
  state: row.paused_at === null ? 'active' : 'paused',
  next_at: row.paused_at === null ? iso(row.next_at) : null,
  last_at: isoOrNull(row.last_at),
  last_run_id: row.last_run_id,
  last_refusal: row.last_refusal,
  created_at: iso(row.created_at),
})
