import type { ModuleEnd } from '../contract/assignment.ts'
import type { Coverage } from '../contract/finding.ts'
import type { Database, Queryable } from './database.ts'
import { NUMBERED, tellState } from './event-log.ts'
import { COUNTED, type NewFinding, type Revised, reviseFindings } from './findings.ts'
import type { Lease } from './lease.ts'
import { holds } from './lease-guard.ts'
import { RUN_COLUMNS, type RunRow } from './run-row.ts'

export type { ModuleEnd }

export interface ModuleRecord {
  readonly module: string
  /** Plain JSON; of a module that did not complete what it had offered by then, or null. */
  readonly facts: unknown
  readonly outcome: ModuleEnd
  readonly coverage: readonly Coverage[]
}

export interface NewModule extends ModuleRecord {
  readonly findings: readonly NewFinding[]
  /**
   * Ids of the evidence that came with this result. Other evidence of the module is from a scan that broke off, and is
   * withdrawn. Absent: all stays.
   */
  readonly evidence?: readonly string[]
}

/**
 * Stores what a module came to, in one transaction: its facts, findings and coverage, and the run's counts. A module
 * that is saved again replaces itself.
 */
export const saveModule = (db: Database, held: Lease, record: NewModule): Promise<'ok' | 'lost'> =>
  db.transaction(async (tx) => {
    const saved = await tx.query(
      `with held as (select id from runs where id = $1 and lease_token = $2 for update)
       insert into run_modules (run_id, module, facts, outcome, coverage) select id, $3, $4::json, $5::json, $6::json from held
       on conflict (run_id, module) do update
         set facts = excluded.facts, outcome = excluded.outcome, coverage = excluded.coverage,
             saved_at = clock_timestamp()
       returning 1`,
      [
        held.runId,
        held.token,
        record.module,
        record.facts === null || record.facts === undefined ? null : JSON.stringify(record.facts),
        JSON.stringify(record.outcome),
        JSON.stringify(record.coverage),
      ],
    )
    if (saved.length === 0) return 'lost'
    const revised = await reviseFindings(tx, held.runId, record.module, record.findings)
    if (record.evidence) await withdrawOthers(tx, held.runId, record.module, record.evidence)
    await count(tx, held.runId, revised)
    return 'ok'
  })

/** What a module that still goes on has found: shown and counted until it is saved. */
export const saveFound = (
  db: Database,
  held: Lease,
  module: string,
  findings: readonly NewFinding[],
): Promise<'ok' | 'lost'> =>
  db.transaction(async (tx) => {
    if (!(await holds(tx, held))) return 'lost'
    await count(tx, held.runId, await reviseFindings(tx, held.runId, module, findings))
    return 'ok'
  })

/** Counts and tells, where there is anything to count anew: most modules of most runs find nothing. */
const count = async (tx: Queryable, runId: string, { added, changed, gone }: Revised): Promise<void> => {
  if (added.length + changed.length + gone.length === 0) return
  const [row] = await tx.query<RunRow>(
    `update runs r
        set ${COUNTED}, ${NUMBERED}
      where r.id = $1
      returning ${RUN_COLUMNS}`,
    [runId],
  )
  if (row) await tellState(tx, row)
}

/** Their objects are deleted by the sweep, as of every file that is not stored for good. */
const withdrawOthers = async (
  tx: Queryable,
  runId: string,
  module: string,
  evidence: readonly string[],
): Promise<void> => {
  await tx.query(
    `update artifacts set stored_at = null
      where run_id = $1 and module = $2 and kind = 'evidence' and id <> all ($3::uuid[])`,
    [runId, module, [...evidence]],
  )
}

/** In the order they were saved. */
export const loadModules = (db: Queryable, runId: string): Promise<ModuleRecord[]> =>
  db.query('select module, facts, outcome, coverage from run_modules where run_id = $1 order by saved_at, module', [
    runId,
  ])

/** As `loadModules` without the facts, which can be megabytes. */
export const loadModuleEnds = (db: Queryable, runId: string): Promise<Omit<ModuleRecord, 'facts'>[]> =>
  db.query('select module, outcome, coverage from run_modules where run_id = $1 order by saved_at, module', [runId])

/** One of them, with its facts; null where it has not ended, or had no part in the run. */
export const loadModule = async (db: Queryable, runId: string, module: string): Promise<ModuleRecord | null> => {
  const [row] = await db.query<ModuleRecord>(
    'select module, facts, outcome, coverage from run_modules where run_id = $1 and module = $2',
    [runId, module],
  )
  return row ?? null
}
