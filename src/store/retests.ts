import type { Plan } from '../contract/organisation.ts'
import type { Retest } from '../contract/retest.ts'
import { hasEnded, type RunOptions } from '../contract/run.ts'
import { unseenIn, withoutLogin } from './comparison.ts'
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
  login: { readonly sealed: Buffer | null } & Pick<RunOptions, 'auth_stored' | 'identities'>,
): Promise<CreateRunResult> => {
  const { domainId } = run
  if (domainId === null) {
    return Promise.resolve({ refused: 'domain_not_found', detail: 'The domain of the run was removed.' })
  }
  return db.transaction(async (tx) => {
    const made = await createRunIn(tx, plans, {
      ...run.options,
      ...{ organisationId: run.organisationId, domainId, context: run.context, idempotency: null },
      sealedCredentials: login.sealed,
      // As the run before where nothing else is said; what was given to that one is gone.
      auth_stored: login.auth_stored,
      identities: login.identities ?? (login.auth_stored === undefined ? (run.options.identities ?? []) : undefined),
      make_pdf: false,
      survey: undefined,
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

/** Those of a finding, the latest first. */
export const listRetests = async (
  db: Queryable,
  organisationId: string,
  { run, findingId, limit }: { readonly run: RunRecord; readonly findingId: string; readonly limit: number },
): Promise<Retest[]> => {
  const rows = await db.query<{ id: string }>(
    'select id from runs where retest_of = $1 and organisation_id = $2 order by created_at desc, id desc limit $3',
    [findingId, organisationId, limit],
  )
  const found: Retest[] = []
  for (const { id } of rows) {
    const again = await getRun(db, organisationId, id)
    if (again === null) continue
    const about = { id, finding_id: findingId, created_at: again.created_at, finished_at: again.finished_at }
    found.push({ ...about, ...(await outcome(db, run, again, findingId)) })
  }
  return found
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
  const now = (await allFindings(db, again.id)).find(({ fingerprint, formerly = [] }) =>
    [fingerprint, ...formerly].includes(before.fingerprint),
  )
  if (now) return { state: 'still_there', reason: null, finding: now }
  const reason = withoutLogin(again, run) ?? unseenIn(await loadModules(db, again.id), before)
  return { state: reason === null ? 'gone' : 'not_tested', reason, finding: null }
}
