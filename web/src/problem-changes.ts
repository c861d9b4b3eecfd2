/** Changes of findings as they are sent, and what takes them back. Pure. */
import type { ChangeFields, DomainFinding } from '../../src/contract/domain-finding.ts'

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
