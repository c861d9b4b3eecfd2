import type { Plan } from '../contract/organisation.ts'
import type { Retest } from '../contract/retest.ts'
import { hasEnded } from '../contract/run.ts'
import { unseenIn } from './comparison.ts'
import type { Database, Queryable } from './database.ts'
import { allFindings, getFinding } from './findings.ts'
import { loadModules } from './modules.ts'
import type { RunRecord } from './run-row.ts'
import { type CreateRunResult, createRunIn, getRun } from './runs.ts'

/**
 * A run like the one that found it, but of the finding's module and what that needs alone. Refused as every start is,
 * and with `domain_not_found` when the domain is gone.
 */
export const createRetest = (
  db: Database,
  plans: readonly Plan[],
  { run, findingId, module }: { readonly run: RunRecord; readonly findingId: string; readonly module: string },
  sealedCredentials: Buffer | null,
): Promise<CreateRunResult> => {
  const { domainId } = run
  if (domainId === null) {
    return Promise.resolve({ refused: 'domain_not_found', detail: 'The domain of the run was removed.' })
  }
  return db.transaction(async (tx) => {
    const made = await createRunIn(tx, plans, {
      ...run.options,
      ...{ organisationId: run.organisationId, domainId, context: run.context, sealedCredentials, idempotency: null },
      make_pdf: false,
      only: module,
    })
    if ('refused' in made) return made
    await tx.query('update runs set retest_of = $2, baseline_run_id = $3 where id = $1', [
      made.run.id,
      findingId,
      run.id,
    ])
    return made
  })
}

/** The latest of a finding; null when there never was one. */
export const latestRetest = async (
  db: Queryable,
  organisationId: string,
  run: RunRecord,
  findingId: string,
): Promise<Retest | null> => {
  const [row] = await db.query<{ id: string }>(
    'select id from runs where retest_of = $1 and organisation_id = $2 order by created_at desc, id desc limit 1',
    [findingId, organisationId],
  )
  const again = row ? await getRun(db, organisationId, row.id) : null
  if (again === null) return null
  const about = { id: again.id, finding_id: findingId, created_at: again.created_at, finished_at: again.finished_at }
  return { ...about, ...(await outcome(db, run, again, findingId)) }
}

type Outcome = Pick<Retest, 'state' | 'reason' | 'finding'>

const outcome = async (db: Queryable, run: RunRecord, again: RunRecord, findingId: string): Promise<Outcome> => {
  if (!hasEnded(again.status)) {
    return { state: again.status === 'queued' ? 'waiting' : 'running', reason: null, finding: null }
  }
  if (again.status !== 'done') {
    return { state: 'not_tested', reason: again.error_detail ?? 'The run was cancelled.', finding: null }
  }
  const before = await getFinding(db, run.id, findingId)
  if (before === null) return { state: 'not_tested', reason: 'The finding is gone with its run.', finding: null }
  const now = (await allFindings(db, again.id)).find(({ fingerprint }) => fingerprint === before.fingerprint)
  if (now) return { state: 'still_there', reason: null, finding: now }
  const reason = unseenIn(await loadModules(db, again.id), before)
  return { state: reason === null ? 'gone' : 'not_tested', reason, finding: null }
}
