/** Decisions about findings. They belong to a domain and a fingerprint; runs only show them. */
import type { DomainTriage } from '../contract/domain-triage.ts'
import type { Finding, ResolvedFinding } from '../contract/finding.ts'
import { adopt, outdated, type ProblemKey } from './adoption.ts'
import type { Database, Queryable } from './database.ts'
import { type Cause, columnsOf, record, restate, tell } from './problem-states.ts'
import { type HashedParts, PROOF_RULE, proofHash } from './proof-hash.ts'
import { IDENTITY_RULE, succeed } from './succession.ts'
import { iso, isoOrNull } from './time.ts'
import { TRIAGE_COLUMNS, type TriageRow, toTriage } from './triage-row.ts'

export interface Decision {
  readonly state: 'accepted' | 'false_positive'
  readonly owner: string
  readonly reason: string
  readonly expiresAt: Date | null
}

/** What is decided about: a finding as it stands in the store, of a domain. */
export interface Decided {
  readonly domainId: string
  readonly finding: Pick<Finding, 'id' | 'title' | 'location' | 'fingerprint'> & HashedParts
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
  by: string,
): Promise<'ok' | 'no_domain'> =>
  db.transaction(async (tx) => {
    const [run] = await tx.query<{ domain_id: string | null }>('select domain_id from runs where id = $1', [runId])
    const domainId = run?.domain_id
    if (!domainId) return 'no_domain'
    await decideAll(tx, [{ domainId, finding }], decision, by)
    await tell(tx, 'finding.changed', [{ domain_id: domainId, fingerprint: finding.fingerprint }], null)
    return 'ok'
  })

/** The one place where decisions are made. Receivers are the caller's to tell. */
export const decideAll = async (
  tx: Queryable,
  decided: readonly Decided[],
  decision: Decision | null,
  by: string,
): Promise<void> => {
  const keys = decided.map(({ domainId, finding }) => ({ domain_id: domainId, fingerprint: finding.fingerprint }))
  await adopt(tx, keys)
  if (decision === null) {
    await tx.query(
      `delete from triage t using unnest($1::uuid[], $2::text[]) as k (domain_id, fingerprint)
        where t.domain_id = k.domain_id and t.fingerprint = k.fingerprint`,
      columnsOf(keys),
    )
    await tx.query(
      `update problems p set returned_at = null from unnest($1::uuid[], $2::text[]) as k (domain_id, fingerprint)
        where p.domain_id = k.domain_id and p.fingerprint = k.fingerprint and p.returned_at is not null`,
      columnsOf(keys),
    )
  } else {
    await store(tx, decided, decision, by)
  }
  const { state = 'open', owner, reason, expiresAt = null } = decision ?? {}
  await record(tx, keys, {
    ...{ kind: 'decided', actor: by, runId: null, at: null },
    data: () =>
      owner === undefined || reason === undefined
        ? { state: 'open' }
        : { state, owner, reason, expires_at: isoOrNull(expiresAt) },
  })
  await recount(tx, keys, { by: 'person' })
}

const store = async (tx: Queryable, decided: readonly Decided[], decision: Decision, by: string): Promise<void> => {
  const subjects = decided.map(({ finding: { check_id, title, severity, location, fingerprint } }) =>
    JSON.stringify({ check_id, title, severity, location, fingerprint }),
  )
  await tx.query(
    `insert into triage as t
       (organisation_id, domain_id, fingerprint, state, owner, reason, expires_at, proof_hash, proof_rule, subject, decided_by, identity_rule)
     select d.organisation_id, d.id, n.fingerprint, $1, $2, $3, $4, n.proof_hash, ${PROOF_RULE}, n.subject::json, $5,
            coalesce((select f.identity_rule from findings f where f.id = n.finding_id), ${IDENTITY_RULE})
       from unnest($6::uuid[], $7::text[], $8::text[], $9::text[], $10::uuid[])
              as n (domain_id, fingerprint, proof_hash, subject, finding_id)
       join domains d on d.id = n.domain_id
     on conflict (domain_id, fingerprint) do update
       set state = excluded.state, owner = excluded.owner, reason = excluded.reason, expires_at = excluded.expires_at,
           proof_hash = excluded.proof_hash, proof_rule = excluded.proof_rule, subject = excluded.subject, decided_by = excluded.decided_by,
           decided_at = clock_timestamp(), reopened_at = null, reopened = null,
           identity_rule = excluded.identity_rule, superseded_at = null`,
    [
      ...[decision.state, decision.owner, decision.reason, decision.expiresAt, by],
      decided.map(({ domainId }) => domainId),
      decided.map(({ finding }) => finding.fingerprint),
      decided.map(({ finding }) => proofHash(finding)),
      subjects,
      decided.map(({ finding }) => finding.id),
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
  await recount(tx, [...adopted, ...heirs, ...keys], null)
}

/** After an upgrade: all decisions follow their findings to the present rule. Returns how many were looked at. */
export const adoptDecisions = async (db: Database): Promise<number> => {
  let count = 0
  for (;;) {
    const round = await db.transaction(async (tx) => {
      const keys = await adopt(tx, await outdated(tx, ADOPTED_AT_ONCE))
      await recount(tx, keys, { by: 'upgrade' })
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
    const opened = await recount(tx, keys, { by: 'calendar' })
    await tell(tx, 'finding.opened', opened, null)
    return keys.length
  })

/**
 * The open counts of runs and the states of problems follow what was decided; null: the states follow a run, once all of it
 * is known. Returns the problems whose state is another now.
 */
const recount = async (tx: Queryable, keys: readonly ProblemKey[], cause: Cause | null): Promise<ProblemKey[]> => {
  if (keys.length === 0) return []
  await tx.query(
    `update runs r set open_counts = open_counts(r.id)
       from (select distinct f.run_id
               from unnest($1::uuid[], $2::text[]) as k (domain_id, fingerprint)
               join findings f on f.fingerprint = k.fingerprint
               join runs s on s.id = f.run_id and s.domain_id = k.domain_id) seen
      where r.id = seen.run_id`,
    columnsOf(keys),
  )
  return cause === null ? [] : restate(tx, keys, cause)
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
