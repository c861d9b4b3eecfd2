/**
 * Decisions outlive the rule by which their proofs were hashed: after an upgrade the findings they concern are hashed
 * anew from their stored bodies, and each decision follows the finding that it was made about.
 */
import type { Queryable } from './database.ts'
import type { NewFinding } from './findings.ts'
import { PROOF_RULE, proofHash } from './proof-hash.ts'

/** A problem of a domain. */
export interface ProblemKey {
  readonly domain_id: string
  readonly fingerprint: string
}

interface Row extends ProblemKey {
  readonly id: string
  readonly proof_hash: string
  readonly body: NewFinding
}

/**
 * Brings findings of these problems, and the decisions about them, to the present rule. A decision that was reopened
 * because two hashes of one and the same evidence differed holds again. Returns the problems that were touched; their open
 * counts are the caller's to make anew.
 */
export const adopt = async (tx: Queryable, keys: readonly ProblemKey[]): Promise<ProblemKey[]> => {
  if (keys.length === 0) return []
  const asked = [keys.map(({ domain_id }) => domain_id), keys.map(({ fingerprint }) => fingerprint)] as const
  const rows = await tx.query<Row>(
    `select f.id, f.fingerprint, r.domain_id, coalesce(f.proof_hash, '') as proof_hash, f.body
       from unnest($1::uuid[], $2::text[]) as k (domain_id, fingerprint)
       join findings f on f.fingerprint = k.fingerprint
       join runs r on r.id = f.run_id and r.domain_id = k.domain_id
      where f.proof_rule < ${PROOF_RULE}
        for no key update of f`,
    asked,
  )
  const now = rows.map(({ body }) => proofHash(body))
  await tx.query(
    `update triage t
        set proof_hash = coalesce(f.now, t.proof_hash), proof_rule = ${PROOF_RULE}
       from unnest($1::uuid[], $2::text[]) as k (domain_id, fingerprint)
       left join lateral (
         select n.now from unnest($3::uuid[], $4::text[], $5::text[], $6::text[]) as n (domain_id, fingerprint, was, now), triage o
          where o.domain_id = k.domain_id and o.fingerprint = k.fingerprint
            and n.domain_id = k.domain_id and n.fingerprint = k.fingerprint and n.was = o.proof_hash
          limit 1) f on true
      where t.domain_id = k.domain_id and t.fingerprint = k.fingerprint and t.proof_rule < ${PROOF_RULE}`,
    [
      ...asked,
      rows.map(({ domain_id }) => domain_id),
      rows.map(({ fingerprint }) => fingerprint),
      rows.map(({ proof_hash }) => proof_hash),
      now,
    ],
  )
  await tx.query(
    `update findings f set proof_hash = n.now, proof_rule = ${PROOF_RULE}
       from unnest($1::uuid[], $2::text[]) as n (id, now)
      where f.id = n.id`,
    [rows.map(({ id }) => id), now],
  )
  await tx.query(
    `update triage t
        set reopened_at = null, reopened = null
       from unnest($1::uuid[], $2::text[]) as k (domain_id, fingerprint)
      where t.domain_id = k.domain_id and t.fingerprint = k.fingerprint and t.reopened = 'evidence_changed'
        and not exists (
          select 1 from findings f join runs r on r.id = f.run_id
           where r.domain_id = t.domain_id and f.fingerprint = t.fingerprint and r.finished_at > t.decided_at
             and coalesce(f.proof_hash, '') <> t.proof_hash)`,
    asked,
  )
  return [...keys]
}

/**
 * Problems with a decision of which something is of an older rule, locked; `runId`: only those that this run saw. Without
 * it, those that somebody else works on are left out. The rule stands in the text so that the partial index serves.
 */
export const outdated = (tx: Queryable, limit: number, runId: string | null = null): Promise<ProblemKey[]> =>
  tx.query(
    `select t.domain_id, t.fingerprint
       from triage t
      where ($2::uuid is null or exists (
              select 1 from findings f join runs r on r.id = f.run_id
               where r.id = $2 and r.domain_id = t.domain_id and f.fingerprint = t.fingerprint))
        and (t.proof_rule < ${PROOF_RULE} or exists (
              select 1 from findings f join runs r on r.id = f.run_id
               where f.fingerprint = t.fingerprint and r.domain_id = t.domain_id and f.proof_rule < ${PROOF_RULE}))
      order by t.domain_id, t.fingerprint
      limit $1
        for update of t${runId === null ? ' skip locked' : ''}`,
    [limit, runId],
  )
