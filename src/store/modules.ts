import type { ModuleEnd } from '../contract/assignment.ts'
import type { AuditEntry } from '../contract/event.ts'
import type { Coverage } from '../contract/finding.ts'
import type { Database, Queryable } from './database.ts'
import { NUMBERED, type NumberedEvent, numberedState, storeEvents } from './event-log.ts'
import { extendChain, lockChain } from './events.ts'
import { COUNTED, type Judged, type NewFinding, reviseFindings } from './findings.ts'
import { advance, type Lease, type Progress } from './lease.ts'
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

/** What a scan has told since the last time. */
export interface Told {
  readonly audit?: readonly AuditEntry[]
  /** One after the other. */
  readonly progress?: readonly Progress[]
  /** Of modules that still go on, each once. */
  readonly found?: readonly Judged[]
  /** Of those that have ended, each once, and not among `found`. */
  readonly modules?: readonly NewModule[]
}

/**
 * Stores all of it in one transaction: facts, findings and coverage of modules, the run's counts, its audit lines, and where it is. What
 * a statement costs, it costs once for all modules and not once for each. A module that is saved again replaces itself.
 */
export const saveTold = (
  db: Database,
  held: Lease,
  { audit = [], progress = [], found = [], modules = [] }: Told,
): Promise<'ok' | 'lost'> =>
  db.transaction(async (tx) => {
    const { runId } = held
    const chain = await lockChain(tx, held)
    if (chain === null || (progress.length > 0 && chain.status !== 'running')) return 'lost'
    const events = await extendChain(tx, held, chain, audit)
    await putModules(tx, runId, modules)
    const { added, changed, gone } = await reviseFindings(tx, runId, [...found, ...modules])
    // Most modules of most runs find nothing.
    let uncounted = added.length + changed.length + gone.length > 0
    for (const now of progress) {
      const row = await advance(tx, held, now, uncounted ? `, ${COUNTED}` : '')
      if (row === null) throw new Error(`The run ${runId} has moved while it was locked`)
      uncounted = false
      events.push(numberedState(row))
    }
    if (uncounted) events.push(...(await count(tx, runId)))
    await storeEvents(tx, runId, events)
    return 'ok'
  })

/** What a module came to, as `saveTold`. */
export const saveModule = (db: Database, held: Lease, record: NewModule): Promise<'ok' | 'lost'> =>
  saveTold(db, held, { modules: [record] })

/** What a module that still goes on has found: shown and counted until it is saved. */
export const saveFound = (
  db: Database,
  held: Lease,
  module: string,
  findings: readonly NewFinding[],
): Promise<'ok' | 'lost'> => saveTold(db, held, { found: [{ module, findings }] })

/** Characters of JSON from which a module is stored by a statement of its own: within an array each of its quotes is escaped, and read again. */
const LARGE = 64 * 1024

const INTO_MODULES = 'insert into run_modules (run_id, module, facts, outcome, coverage, saved_at)'
/** SQL: they have ended one after the other, however many are stored by one statement; the column keeps milliseconds. */
const savedAt = (place: string): string => `now() + ${place}::int * interval '1 millisecond'`
const REPLACED = `on conflict (run_id, module) do update
  set facts = excluded.facts, outcome = excluded.outcome, coverage = excluded.coverage, saved_at = excluded.saved_at`

const putModules = async (tx: Queryable, runId: string, modules: readonly NewModule[]): Promise<void> => {
  if (modules.length === 0) return
  const rows = modules.map(({ module, facts, outcome, coverage }, place) => ({
    ...{ place, module, outcome: JSON.stringify(outcome), coverage: JSON.stringify(coverage) },
    facts: facts === null || facts === undefined ? null : JSON.stringify(facts),
  }))
  const isLarge = ({ facts, coverage }: (typeof rows)[number]): boolean =>
    (facts?.length ?? 0) + coverage.length > LARGE
  for (const { place, module, facts, outcome, coverage } of rows.filter(isLarge))
    await tx.query(`${INTO_MODULES} values ($1, $2, $3::json, $4::json, $5::json, ${savedAt('$6')}) ${REPLACED}`, [
      ...[runId, module, facts, outcome, coverage, place],
    ])
  const small = rows.filter((one) => !isLarge(one))
  if (small.length > 0)
    await tx.query(
      `${INTO_MODULES}
       select $1, m.module, m.facts::json, m.outcome::json, m.coverage::json, ${savedAt('m.place')}
         from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::int[])
              as m (module, facts, outcome, coverage, place)
       ${REPLACED}`,
      [
        runId,
        small.map(({ module }) => module),
        small.map(({ facts }) => facts),
        small.map(({ outcome }) => outcome),
        small.map(({ coverage }) => coverage),
        small.map(({ place }) => place),
      ],
    )
  await withdrawOthers(tx, runId, modules)
}

const count = async (tx: Queryable, runId: string): Promise<NumberedEvent[]> => {
  const rows = await tx.query<RunRow>(
    `update runs r
        set ${COUNTED}, ${NUMBERED}
      where r.id = $1
      returning ${RUN_COLUMNS}`,
    [runId],
  )
  return rows.map(numberedState)
}

/** Evidence that none of these names; the objects are deleted by the sweep, as of every file that is not stored for good. */
const withdrawOthers = async (tx: Queryable, runId: string, modules: readonly NewModule[]): Promise<void> => {
  const naming = modules.flatMap(({ module, evidence }) => (evidence === undefined ? [] : [{ module, evidence }]))
  if (naming.length === 0) return
  await tx.query(
    `update artifacts set stored_at = null
      where run_id = $1 and module = any ($2::text[]) and kind = 'evidence' and stored_at is not null
        and id <> all ($3::uuid[])`,
    [runId, naming.map(({ module }) => module), naming.flatMap(({ evidence }) => evidence)],
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
