/** Changes of findings as they are sent, and what takes them back. Pure. */
import type { ChangeFields, DomainFinding } from '../../src/contract/domain-finding.ts'
import type { SetTriage, Triage } from '../../src/contract/triage.ts'

export interface SentChange {
  /** As they were before. */
  readonly findings: readonly DomainFinding[]
  readonly change: ChangeFields
}

/**
 * What brings the findings back to what they were before the change, those that need the same together. A comment was said and
 * stays; a decision whose time has passed meanwhile is open again, as it would be.
 */
export const takingBack = ({ findings, change }: SentChange): readonly SentChange[] => {
  const now = new Date().toISOString()
  const groups = new Map<string, { change: ChangeFields; findings: DomainFinding[] }>()
  for (const finding of findings) {
    for (const back of changesBack(finding, change, now)) {
      const key = JSON.stringify(back)
      const group = groups.get(key) ?? { change: back, findings: [] }
      group.findings.push(finding)
      groups.set(key, group)
    }
  }
  return [...groups.values()]
}

const changesBack = (finding: DomainFinding, change: ChangeFields, now: string): readonly ChangeFields[] => {
  const { triage, override, severity, assignee, due } = finding
  const plain = {
    ...(change.assignee === undefined ? {} : { assignee }),
    ...(change.due === undefined ? {} : { due }),
  }
  const holds = triage.state !== 'open' && (triage.expires_at === null || triage.expires_at > now)
  const decision: ChangeFields | null =
    change.state === undefined
      ? null
      : holds
        ? {
            ...{ state: triage.state, owner: triage.owner ?? undefined, reason: triage.reason ?? undefined },
            expires_at: triage.expires_at,
          }
        : { state: 'open' }
  const severityBack: ChangeFields | null =
    change.severity === undefined
      ? null
      : override === null
        ? { severity: null }
        : { severity, reason: override.reason }
  // One request has one reason.
  const both =
    decision !== null && severityBack !== null && decision.reason !== undefined && severityBack.reason !== undefined
  const [first, ...rest] = both ? [decision, severityBack] : [{ ...decision, ...severityBack }]
  const all = [{ ...plain, ...first }, ...rest]
  return all.filter((one) => Object.keys(one).length > 0)
}

/** What of a change is missing or cannot be, by its field, in the words of the service, which would refuse it. Empty where it can be sent. */
export const refusedOf = (change: ChangeFields, now: string): Readonly<Record<string, string>> => {
  const decides = change.state !== undefined && change.state !== 'open'
  const grades = change.severity !== undefined && change.severity !== null
  const { expires_at: end } = change
  return {
    ...(Object.keys(change).every((name) => name === 'reason') ? { state: 'Changes nothing' } : {}),
    ...(decides && !change.owner?.trim() ? { owner: 'Is needed for a decision' } : {}),
    ...(change.reason === undefined && (decides || grades)
      ? { reason: decides ? 'Is needed for a decision' : 'Is needed for a severity' }
      : {}),
    ...(typeof end === 'string' && end <= now ? { expires_at: 'Must be in the future' } : {}),
  }
}

/** The finding as it will be once the service has taken the change: it is shown so before. */
export const changedBy = (finding: DomainFinding, change: ChangeFields, by: string, now: string): DomainFinding => {
  const { state: decision, severity, owner, reason, expires_at = null } = change
  const decided =
    decision === undefined
      ? {}
      : {
          triage: triageBy({ state: decision, owner, reason, expires_at }, by, now),
          ...(finding.state === 'fixed' ? {} : { state: decision }),
        }
  const graded =
    severity === undefined
      ? {}
      : severity === null
        ? { severity: finding.judged_severity, override: null }
        : { severity, override: { reason: reason ?? '', by, at: now } }
  const after = {
    ...finding,
    ...decided,
    ...graded,
    ...(change.assignee === undefined ? {} : { assignee: change.assignee }),
    ...(change.due === undefined ? {} : { due: change.due }),
  }
  const isOpen = after.state === 'open' || after.state === 'reopened'
  return { ...after, overdue: isOpen && after.due !== null && after.due < now.slice(0, 10) }
}

/** A decision as it will stand. */
export const triageBy = (
  { state, owner = '', reason = '', expires_at }: Pick<SetTriage, 'state' | 'owner' | 'reason' | 'expires_at'>,
  by: string,
  now: string,
): Triage =>
  state === 'open' ? UNDECIDED : { state, reopened: null, owner, reason, expires_at, decided_at: now, decided_by: by }

/** What makes a decision again that held. */
export const decisionOf = ({ state, owner, reason, expires_at }: Triage): SetTriage => ({
  ...{ state, expires_at },
  ...(owner === null ? {} : { owner }),
  ...(reason === null ? {} : { reason }),
})

/** As in the contract, whose schemas the page does not carry. */
const UNDECIDED: Triage = {
  ...{ state: 'open', reopened: null, owner: null, reason: null },
  ...{ expires_at: null, decided_at: null, decided_by: null },
}
