/** Decisions about findings. They belong to a domain and a fingerprint; runs only show them. */
import type { DomainTriage } from '../contract/domain-triage.ts'
import type { Finding, ResolvedFinding } from '../contract/finding.ts'
import { type Reopened, type Triage, UNDECIDED } from '../contract/triage.ts'
import { adopt, outdated, type ProblemKey } from './adoption.ts'
import type { Database, Queryable } from './database.ts'
import { PROOF_RULE, proofHash } from './proof-hash.ts'
import { IDENTITY_RULE, succeed } from './succession.ts'
import { iso, isoOrNull } from './time.ts'

/** The columns of `TriageRow` of a table or alias `t`; all null where nobody ever decided. */
export const TRIAGE_COLUMNS = `t.state, t.owner, t.reason, t.expires_at, t.decided_at, t.decided_by, t.proof_hash as decided_on,
  case when t.reopened is null and t.expires_at <= clock_timestamp() then 'expired' else t.reopened end as reopened`

export interface TriageRow {
  readonly state: 'accepted' | 'false_positive' | null
  readonly owner: string | null
  readonly reason: string | null
  readonly expires_at: Date | null
  readonly decided_at: Date | null
  readonly decided_by: string | null
  readonly decided_on: string | null
  readonly reopened: Reopened | null
}

/** `proofHash`: of the finding that is shown. A decision about another does not hold for it. */
export const toTriage = (row: TriageRow, proofHash: string): Triage => {
  if (row.state === null) return UNDECIDED
  const reopened = row.reopened ?? (proofHash === row.decided_on ? null : 'evidence_changed')
  return {
    state: reopened === null ? row.state : 'open',
    reopened,
    owner: row.owner,
    reason: row.reason,
    expires_at: isoOrNull(row.expires_at),
    decided_at: isoOrNull(row.decided_at),
    decided_by: row.decided_by,
  }
}

export interface Decision {
  readonly state: 'accepted' | 'false_positive'
  readonly owner: string
  readonly reason: string
  readonly expiresAt: Date | null
  readonly decidedBy: string
}

/**
 * Decides about a finding of a run for its domain, or takes a decision back (null). The open counts of every run that
 * saw the problem follow. `no_domain` when the domain is gone: there is nothing left to decide about.
 */
export const decide = (
  db: Database,
  runId: string,
  finding: Finding,
  decision: Decision | null,
): Promise<'ok' | 'no_domain'> =>
  db.transaction(async (tx) => {
    const [run] = await tx.query<{ domain_id: string | null }>('select domain_id from runs where id = $1', [runId])
    const domainId = run?.domain_id
    if (!domainId) return 'no_domain'
    await adopt(tx, [{ domain_id: domainId, fingerprint: finding.fingerprint }])
    if (decision === null) {
      await tx.query('delete from triage where domain_id = $1 and fingerprint = $2', [domainId, finding.fingerprint])
    } else {
      await store(tx, domainId, finding, decision)
    }
    await recount(tx, [{ domain_id: domainId, fingerprint: finding.fingerprint }])
    return 'ok'
  })

const store = async (tx: Queryable, domainId: string, finding: Finding, decision: Decision): Promise<void> => {
  const { check_id, title, severity, location, fingerprint } = finding
  await tx.query(
    `insert into triage as t
       (organisation_id, domain_id, fingerprint, state, owner, reason, expires_at, proof_hash, proof_rule, subject, decided_by, identity_rule)
     select d.organisation_id, d.id, $2, $3, $4, $5, $6, $7, ${PROOF_RULE}, $8::json, $9,
            coalesce((select f.identity_rule from findings f where f.id = $10), ${IDENTITY_RULE})
       from domains d where d.id = $1
     on conflict (domain_id, fingerprint) do update
       set state = excluded.state, owner = excluded.owner, reason = excluded.reason, expires_at = excluded.expires_at,
           proof_hash = excluded.proof_hash, proof_rule = excluded.proof_rule, subject = excluded.subject, decided_by = excluded.decided_by,
           decided_at = clock_timestamp(), reopened_at = null, reopened = null,
           identity_rule = excluded.identity_rule, superseded_at = null`,
    [
      domainId,
      fingerprint,
      decision.state,
      decision.owner,
      decision.reason,
      decision.expiresAt,
      proofHash(finding),
      JSON.stringify({ check_id, title, severity, location, fingerprint }),
      decision.decidedBy,
      finding.id,
    ],
  )
}

/**
 * Inside the transaction that ends a run: decisions follow what it found under another name, and those about other evidence
 * than it saw hold no longer.
 */
export const reopenChanged = async (tx: Queryable, runId: string): Promise<void> => {
  const adopted = await adopt(tx, await outdated(tx, 100_000, runId))
  const heirs = await succeed(tx, runId)
  const keys = await tx.query<ProblemKey>(
    `update triage t
        set reopened_at = clock_timestamp(), reopened = 'evidence_changed'
       from runs r join findings f on f.run_id = r.id
      where r.id = $1 and t.domain_id = r.domain_id and t.fingerprint = f.fingerprint
        and t.proof_hash <> coalesce(f.proof_hash, '') and t.reopened_at is null
      returning t.domain_id, t.fingerprint`,
    [runId],
  )
  await recount(tx, [...adopted, ...heirs, ...keys])
}

/** After an upgrade: all decisions follow their findings to the present rule. Returns how many were looked at. */
export const adoptDecisions = async (db: Database): Promise<number> => {
  let count = 0
  for (;;) {
    const round = await db.transaction(async (tx) => {
      const keys = await adopt(tx, await outdated(tx, ADOPTED_AT_ONCE))
      await recount(tx, keys)
      return keys.length
    })
    count += round
    if (round < ADOPTED_AT_ONCE) return count
  }
}
const ADOPTED_AT_ONCE = 200

/** Decisions whose date has passed hold no longer. Any number of workers may do it at once. Returns how many. */
export const expireTriage = (db: Database, limit = 1000): Promise<number> =>
  db.transaction(async (tx) => {
    const keys = await tx.query<ProblemKey>(
      `update triage set reopened_at = clock_timestamp(), reopened = 'expired'
        where (domain_id, fingerprint) in (
          select domain_id, fingerprint from triage
           where reopened_at is null and expires_at <= clock_timestamp()
           order by expires_at limit $1 for update skip locked)
        returning domain_id, fingerprint`,
      [limit],
    )
    await recount(tx, keys)
    return keys.length
  })

const recount = async (tx: Queryable, keys: readonly ProblemKey[]): Promise<void> => {
  if (keys.length === 0) return
  await tx.query(
    `update runs r set open_counts = open_counts(r.id)
       from (select distinct f.run_id
               from unnest($1::uuid[], $2::text[]) as k (domain_id, fingerprint)
               join findings f on f.fingerprint = k.fingerprint
               join runs s on s.id = f.run_id and s.domain_id = k.domain_id) seen
      where r.id = seen.run_id`,
    [keys.map(({ domain_id }) => domain_id), keys.map(({ fingerprint }) => fingerprint)],
  )
}

interface ListRow extends TriageRow {
  readonly subject: ResolvedFinding
}

/** The latest first; `after` is the last one of the page before. */
export const listTriage = async (
  db: Queryable,
  domainId: string,
  after: { readonly decidedAt: Date; readonly fingerprint: string } | null,
  limit: number,
): Promise<DomainTriage[]> => {
  const rows = await db.query<ListRow>(
    `select ${TRIAGE_COLUMNS}, t.subject from triage t
      where t.domain_id = $1 and t.superseded_at is null
        and ($2::timestamptz is null or (t.decided_at, t.fingerprint) < ($2, $3))
      order by t.decided_at desc, t.fingerprint desc
      limit $4`,
    [domainId, after?.decidedAt ?? null, after?.fingerprint ?? null, limit],
  )
  return rows.map((row) => ({ ...toTriage(row, row.decided_on ?? ''), finding: row.subject }))
}

export const triagePosition = ({ decided_at, finding }: DomainTriage): { decidedAt: string; fingerprint: string } => ({
  decidedAt: decided_at ?? iso(new Date(0)),
  fingerprint: finding.fingerprint,
})
