/**
 * The parts of the table of events: one for each month (UTC) in which they were written, made ahead, and dropped whole once it
 * is old enough. What has no month lies in a part of its own, so that no event is lost for want of one.
 */
import { type Database, DatabaseError, type Queryable } from './database.ts'

/** Months made ahead of the present one: as long may nobody look after it before events have no month. */
const AHEAD = 3
/** Any number of our own: only one process at a time changes parts. */
const LOCK = 7_303_015
/** Milliseconds that a change of parts waits for who reads or writes, and lets others wait behind it. */
const PATIENCE = 1_000
const LOCK_NOT_AVAILABLE = '55P03'
const DAY = 24 * 60 * 60_000
/** Days that events stay at least: what is written after a run's end, e.g. its audit log, is made from them. */
const LEAST_DAYS = 31

interface Part {
  readonly name: string
  /** Null of the first, which has all that was before. */
  readonly from: Date | null
  /** Exclusive. */
  readonly until: Date
}

/**
 * Makes the months that are missing, up to three ahead of `at`, by default of the database's present. Returns their names; none
 * where another process is at it.
 */
export const makeEventMonths = async (db: Database, at?: Date): Promise<string[]> => {
  const now = at ?? (await nowOf(db))
  const made: string[] = []
  for (let ahead = 0; ahead <= AHEAD; ahead += 1) {
    const month = { from: monthOf(now, ahead), until: monthOf(now, ahead + 1) }
    const name = `events_${month.from.toISOString().slice(0, 7).replace('-', '_')}`
    if (await isTaken(db, month)) continue
    if (await changing(db, async (tx) => !(await isTaken(tx, month)) && makeMonth(tx, name, month))) made.push(name)
  }
  return made
}

interface Month {
  readonly from: Date
  readonly until: Date
}

const isTaken = async (db: Queryable, month: Month): Promise<boolean> =>
  (await partsOf(db)).some(({ from, until }) => (from === null || from < month.until) && until > month.from)

/** Days after which events go: as many as the files of the plan that keeps them longest, where the operator says nothing. */
export const eventDays = (plans: readonly { readonly retention_days: number }[], said: number | null): number =>
  Math.max(LEAST_DAYS, said ?? Math.max(...plans.map((plan) => plan.retention_days)))

/**
 * Drops every part that ended `days` before `at`, by default the database's present, unless a run is under way that began in it. Returns the names of those dropped;
 * one that is being read stays until the next time.
 */
export const dropOldEvents = async (db: Database, days: number, at?: Date): Promise<string[]> => {
  const before = new Date((at ?? (await nowOf(db))).getTime() - days * DAY)
  const dropped: string[] = []
  for (const { name, until } of await partsOf(db)) {
    if (until > before || (await isRunSince(db, until))) continue
    if (await changing(db, (tx) => dropPart(tx, name))) dropped.push(name)
  }
  await db.query(
    `delete from events_other e
      where created_at < $1 and exists (select 1 from runs r where r.id = e.run_id and r.finished_at < $1)`,
    [before],
  )
  return dropped
}

/** False where another process was quicker. */
const dropPart = async (tx: Queryable, name: string): Promise<boolean> => {
  if (!(await partsOf(tx)).some((part) => part.name === name)) return false
  await tx.query(`drop table ${name}`)
  return true
}

const nowOf = async (db: Queryable): Promise<Date> => {
  const [row] = await db.query<{ now: Date }>('select clock_timestamp() as now', [])
  if (!row) throw new Error('unreachable: a row without a table')
  return row.now
}

/** The first moment of a month, so many after that of `now`. */
const monthOf = (now: Date, ahead: number): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead))

/** Those with an end, the oldest first. */
const partsOf = (db: Queryable): Promise<Part[]> =>
  db.query<Part>(
    `select name, substring(bounds from $1)::timestamptz as from, substring(bounds from $2)::timestamptz as until
       from (select c.relname::text as name, pg_get_expr(c.relpartbound, c.oid) as bounds
               from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'events'::regclass) as parts
      where bounds like '%TO (%' order by until`,
    [`FROM \\('([^']+)'\\)`, `TO \\('([^']+)'\\)`],
  )

const makeMonth = async (tx: Queryable, name: string, { from, until }: Month): Promise<true> => {
  const [start, end] = [from.toISOString(), until.toISOString()]
  await tx.query(`lock table events_other in access exclusive mode`)
  await tx.query(
    `create table ${name} (like events including defaults including constraints, primary key (run_id, seq))`,
  )
  // What came before its month was made.
  await tx.query(
    `with moved as (delete from events_other where created_at >= '${start}' and created_at < '${end}' returning *)
     insert into ${name} select * from moved`,
  )
  await tx.query(
    `alter table ${name} add constraint events_run_id_fkey foreign key (run_id) references runs on delete cascade`,
  )
  await tx.query(`alter table events attach partition ${name} for values from ('${start}') to ('${end}')`)
  return true
}

/**
 * Whether a run that has not ended was at work before the moment: its audit log is to be made from its events. In the words of the indexes of
 * those that are at work and of those that wait: for all three states at once one of all runs is read through.
 */
const isRunSince = async (db: Queryable, moment: Date): Promise<boolean> =>
  (
    await db.query(
      `select 1 from runs where status in ('leased', 'running') and first_leased_at < $1
       union all select 1 from runs where status = 'queued' and first_leased_at < $1 limit 1`,
      [moment],
    )
  ).length > 0

/** What `work` says; false where another process changes parts, or somebody holds what has to be changed: the next round tries again. */
const changing = async (db: Database, work: (tx: Queryable) => Promise<boolean>): Promise<boolean> => {
  try {
    return await db.transaction(async (tx) => {
      await tx.query(`set local lock_timeout = ${PATIENCE}`)
      const [lock] = await tx.query<{ ours: boolean }>(`select pg_try_advisory_xact_lock(${LOCK}) as ours`)
      return lock?.ours === true && (await work(tx))
    })
  } catch (error) {
    if (error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE) return false
    throw error
  }
}
