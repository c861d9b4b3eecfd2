/** A decision as it stands in the table, and as it is shown beside a finding. */
import { type Reopened, type Triage, UNDECIDED } from '../contract/triage.ts'
import { isoOrNull } from './time.ts'

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
