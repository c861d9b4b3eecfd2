/** Faults of the scanner: figures by module, and the deaths of a run's scan processes. */
import type { Queryable } from './database.ts'
import type { Lease } from './lease.ts'
import { holds } from './lease-guard.ts'

/** One more of this module or task, with the id that the log names it by. */
export const countFault = async (db: Queryable, module: string, id: string): Promise<void> => {
  await db.query(
    `insert into scanner_faults as f (module, faults, last_id) values ($1, 1, $2)
     on conflict (module) do update
       set faults = f.faults + 1, last_id = excluded.last_id, last_at = clock_timestamp()`,
    [module, id],
  )
}

export interface FaultCount {
  readonly module: string
  readonly faults: number
}

/** Since the first start; they never fall. */
export const faultCounts = (db: Queryable): Promise<FaultCount[]> =>
  db.query('select module, faults::float8 as faults from scanner_faults order by module')

/** A scan process of the run that died. */
export interface ChildDeath {
  /** Modules that were at work. */
  readonly modules: readonly string[]
  readonly detail: string
}

/** Remembered with the run, so that a worker which takes it over knows it too. */
export const addChildDeath = async (
  tx: Queryable,
  held: Lease,
  attempt: number,
  { modules, detail }: ChildDeath,
): Promise<'ok' | 'lost'> => {
  if (!(await holds(tx, held))) return 'lost'
  await tx.query(
    `insert into child_deaths (run_id, number, attempt, modules, detail)
     select $1, coalesce(max(number), 0) + 1, $2, $3, $4 from child_deaths where run_id = $1`,
    [held.runId, attempt, [...modules], detail],
  )
  return 'ok'
}

/** In their order. */
export const childDeaths = (db: Queryable, runId: string): Promise<ChildDeath[]> =>
  db.query('select modules, detail from child_deaths where run_id = $1 order by number', [runId])
