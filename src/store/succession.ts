/**
 * Decisions outlive the rule by which problems are told apart: a finding says what earlier versions called it
 * (engine/identity.ts), and at the end of the first run that sees it so, it inherits what was decided about it.
 */
import { adopt, type ProblemKey } from './adoption.ts'
import type { Queryable } from './database.ts'
import type { NewFinding } from './findings.ts'
import { wholeRun } from './run-row.ts'

/**
 * Raised when fingerprints of unchanged problems change, together with what they were before (`earlierFingerprints`): without
 * that, every decision about them would be lost to the upgrade.
 *
 * 1: check, host, parameter, method, path and subject.
 * 2: with the route that chooses the program; one error handler is one problem, whatever its places.
 * 3: with the procedure that the body asks for.
 * 4: rows of one list are one parameter.
 */
export const IDENTITY_RULE = 4

/** A decision `t` that holds for the finding `b`. */
const HOLDS = `t.proof_hash = coalesce(b.proof_hash, '') and t.reopened_at is null
  and (t.expires_at is null or t.expires_at > clock_timestamp())`

/**
 * Findings of a run that earlier versions called otherwise take over the decisions about what they were. One problem that
 * became several hands its decision to each that this run saw; several that became one do so where a decision held for every
 * one that was last seen, and the one that ends first speaks. What was decided under the present fingerprint stays.
 * Returns the problems that inherited; their open counts are the caller's to make anew.
 */
export const succeed = async (tx: Queryable, runId: string): Promise<ProblemKey[]> => {
  const decided = await tx.query<ProblemKey & { readonly heir: string }>(
    `select distinct t.domain_id, t.fingerprint, f.fingerprint as heir
       from runs r
       join findings f on f.run_id = r.id
       join triage t on t.domain_id = r.domain_id and t.fingerprint = any (f.formerly)
      where r.id = $1 and t.identity_rule < f.identity_rule and t.superseded_at is null
        and not exists (select 1 from triage o where o.domain_id = r.domain_id and o.fingerprint = f.fingerprint)`,
    [runId],
  )
  await adopt(tx, decided)
  const heirs = await inherit(tx, runId, [...new Set(decided.map(({ heir }) => heir))])
  await settle(tx, runId, heirs)
  return heirs
}

const inherit = async (tx: Queryable, runId: string, heirs: readonly string[]): Promise<ProblemKey[]> => {
  if (heirs.length === 0) return []
  const found = await tx.query<{ readonly body: NewFinding }>(
    'select body from findings where run_id = $1 and fingerprint = any ($2::text[])',
    [runId, heirs],
  )
  const subjects = found.map(({ body: { check_id, title, severity, location, fingerprint } }) => ({
    ...{ check_id, title, severity, location, fingerprint },
  }))
  return tx.query(
    `insert into triage (organisation_id, domain_id, fingerprint, state, owner, reason, expires_at, proof_hash, proof_rule,
                         subject, decided_by, decided_at, identity_rule)
     select distinct on (f.fingerprint)
            t.organisation_id, t.domain_id, f.fingerprint, t.state, t.owner, t.reason, t.expires_at, t.proof_hash, t.proof_rule,
            heir.subject::json, t.decided_by, t.decided_at, f.identity_rule
       from runs r
       join unnest($2::text[], $3::text[]) as heir (fingerprint, subject) on true
       join findings f on f.run_id = r.id and f.fingerprint = heir.fingerprint
       join lateral (
         select s.id from runs s join findings b on b.run_id = s.id
          where s.domain_id = r.domain_id and s.id <> r.id and s.status = 'done' and ${wholeRun('s')}
            and b.fingerprint = any (f.formerly) and b.identity_rule < f.identity_rule
          order by s.finished_at desc limit 1) last on true
       join findings b on b.run_id = last.id and b.fingerprint = any (f.formerly)
       join triage t on t.domain_id = r.domain_id and t.fingerprint = b.fingerprint and ${HOLDS}
      where r.id = $1
        and not exists (
          select 1 from findings b
           where b.run_id = last.id and b.fingerprint = any (f.formerly)
             and not exists (
               select 1 from triage t where t.domain_id = r.domain_id and t.fingerprint = b.fingerprint and ${HOLDS}))
      order by f.fingerprint, t.proof_hash = coalesce(f.proof_hash, '') desc, t.expires_at nulls last, t.decided_at desc
     returning domain_id, fingerprint`,
    [runId, subjects.map(({ fingerprint }) => fingerprint), subjects.map((subject) => JSON.stringify(subject))],
  )
}

/** What this run saw under the name it was decided by needs no heir any more; what it saw under another has had its own. */
const settle = async (tx: Queryable, runId: string, heirs: readonly ProblemKey[]): Promise<void> => {
  if (heirs.length > 0) {
    await tx.query(
      `update triage t set superseded_at = clock_timestamp()
         from runs r join findings f on f.run_id = r.id and f.fingerprint = any ($2::text[])
        where r.id = $1 and t.domain_id = r.domain_id and t.fingerprint = any (f.formerly) and t.identity_rule < f.identity_rule`,
      [runId, heirs.map(({ fingerprint }) => fingerprint)],
    )
  }
  await tx.query(
    `update triage t set identity_rule = f.identity_rule, superseded_at = null
       from runs r join findings f on f.run_id = r.id
      where r.id = $1 and t.domain_id = r.domain_id and t.fingerprint = f.fingerprint
        and (t.identity_rule < f.identity_rule or t.superseded_at is not null)`,
    [runId],
  )
}
