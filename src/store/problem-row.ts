/** A problem of a domain as it stands in the table, and as the interface shows it. */
import type { DomainFinding, ProblemState } from '../contract/domain-finding.ts'
import type { Confidence, Location, Severity } from '../contract/finding.ts'
import { iso } from './time.ts'
import { TRIAGE_COLUMNS, type TriageRow, toTriage } from './triage-row.ts'

export interface ProblemRow extends Omit<TriageRow, 'state'> {
  readonly domain_id: string
  readonly domain: string
  readonly fingerprint: string
  readonly formerly: readonly string[]
  readonly check_id: string
  readonly module: string
  readonly title: string
  readonly location: Location
  readonly places: number
  readonly cwe: number | null
  readonly kev: boolean
  readonly confidence: Confidence
  readonly seen_severity: Severity
  readonly severity: Severity | null
  readonly severity_reason: string | null
  readonly severity_by: string | null
  readonly severity_at: Date | null
  readonly problem_state: ProblemState
  readonly decided_state: TriageRow['state']
  readonly first_seen: Date
  readonly last_seen: Date
  readonly last_run: string
  readonly finding_id: string
  readonly fixed_in: string | null
  readonly fixed_at: Date | null
  readonly assignee: string | null
  readonly due: string | null
  readonly due_order: string
  readonly overdue: boolean
  readonly proof_hash: string
}

/** Of problems `p`. The day is that of UTC, as due days are. */
export const OVERDUE = `(p.open and p.due_order < (clock_timestamp() at time zone 'UTC')::date)`

/** `ProblemRow`s of problems `p`, with the decision `t` and the finding `f` that last showed each. */
export const SELECT_PROBLEMS = `select p.domain_id, p.domain, p.fingerprint, p.formerly, p.check_id, p.module, p.title, p.location,
    p.places, p.cwe, p.kev, p.confidence, p.seen_severity, p.severity, p.severity_reason, p.severity_by, p.severity_at,
    p.state as problem_state, p.first_seen, p.last_seen, p.last_run, p.finding_id, p.fixed_in, p.fixed_at, p.assignee,
    p.due::text as due, p.due_order::text as due_order, ${OVERDUE} as overdue, coalesce(f.proof_hash, '') as proof_hash,
    ${TRIAGE_COLUMNS.replace('t.state', 't.state as decided_state')}
  from problems p
  left join triage t on t.domain_id = p.domain_id and t.fingerprint = p.fingerprint
  left join findings f on f.id = p.finding_id`

export const toDomainFinding = (row: ProblemRow): DomainFinding => ({
  domain_id: row.domain_id,
  domain: row.domain,
  fingerprint: row.fingerprint,
  check_id: row.check_id,
  module: row.module,
  title: row.title,
  location: row.location,
  places: row.places,
  severity: row.severity ?? row.seen_severity,
  judged_severity: row.seen_severity,
  override:
    row.severity_reason === null || row.severity_by === null || row.severity_at === null
      ? null
      : { reason: row.severity_reason, by: row.severity_by, at: iso(row.severity_at) },
  confidence: row.confidence,
  cwe: row.cwe,
  kev: row.kev,
  state: row.problem_state,
  triage: toTriage({ ...row, state: row.decided_state }, row.proof_hash),
  assignee: row.assignee,
  due: row.due,
  overdue: row.overdue,
  first_seen: iso(row.first_seen),
  last_seen: iso(row.last_seen),
  last_run: row.last_run,
  finding_id: row.finding_id,
  fixed: row.fixed_at === null || row.fixed_in === null ? null : { at: iso(row.fixed_at), run_id: row.fixed_in },
})
