/** What a run that was judged again does to the problems of its domain. It has asked nothing anew, so it ends none. */
import type { JudgedBecause } from '../contract/judging-again.ts'
import type { ProblemKey } from './adoption.ts'
import type { Queryable } from './database.ts'
import { giveDueDays } from './due-days.ts'
import type { Revised } from './findings.ts'
import { foundBy, knownOf, readRun, see } from './problem-runs.ts'
import { record, restate, tell } from './problem-states.ts'

export interface ProblemsOf {
  readonly runId: string
  readonly version: number
  readonly because: JudgedBecause
  /** Those that were judged again. */
  readonly modules: readonly string[]
  readonly revised: Revised
}

/**
 * Inside the transaction that makes the judgement count. What the run had seen without knowing it is opened, as of the day of the run; what
 * is graver or less grave now is told as changed. What would not be found by the knowledge of now stays as it is, with a
 * line in its history: only who asks the same place again can say that it is gone.
 */
export const problemsFollow = async (
  tx: Queryable,
  { runId, version, because, modules, revised }: ProblemsOf,
): Promise<void> => {
  const run = await readRun(tx, runId)
  if (run === null) return
  const touched = new Set([...revised.added, ...revised.changed])
  const ended = await endedSince(tx, run.domain_id, run.finished_at)
  const found = (await foundBy(tx, runId, modules)).filter(({ fingerprint }) => !ended.has(fingerprint))
  const known = await knownOf(tx, run.domain_id, found)
  await see(tx, run, found)
  const keyOf = (fingerprint: string): ProblemKey => ({ domain_id: run.domain_id, fingerprint })
  const keys = found.map(({ fingerprint }) => fingerprint).filter((one) => touched.has(one))
  const fresh = keys.filter((one) => !known.has(one)).map(keyOf)
  const rest = keys.filter((one) => known.has(one)).map(keyOf)
  const at = new Date(because.at)
  const event = { actor: null, runId, at } as const
  const said = { version, feeds: because.feeds }
  await record(tx, fresh, { kind: 'opened', ...event, data: () => ({}) })
  await record(tx, [...fresh, ...rest], { kind: 'judged_again', ...event, data: () => said })
  await record(tx, revised.gone.map(keyOf), { kind: 'judged_again', ...event, data: () => ({ ...said, found: false }) })
  const changed = await restate(
    tx,
    found.map(({ fingerprint }) => keyOf(fingerprint)),
    { by: 'run', runId, at, silent: false },
  )
  const dated = await giveDueDays(tx, [...fresh, ...changed.filter(({ was }) => was === 'fixed')], { at })
  await record(tx, dated, { kind: 'due', ...event, data: ({ due }) => ({ due }) })
  const reopened = changed.filter(({ now }) => now === 'reopened')
  const again = new Set(reopened.map(({ fingerprint }) => fingerprint))
  await tell(tx, 'finding.opened', [...fresh, ...reopened], runId, said)
  await tell(
    tx,
    'finding.changed',
    rest.filter(({ fingerprint }) => !again.has(fingerprint)),
    runId,
    said,
  )
}

/** Problems that were asked for again after the run, and were gone. */
const endedSince = async (tx: Queryable, domainId: string, since: Date): Promise<ReadonlySet<string>> => {
  const rows = await tx.query<{ fingerprint: string }>(
    'select fingerprint from problems where domain_id = $1 and fixed_at > $2',
    [domainId, since],
  )
  return new Set(rows.map(({ fingerprint }) => fingerprint))
}
