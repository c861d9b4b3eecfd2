import type { DomainFinding, DomainFindingEvent } from './domain-finding.ts'
import { ids, finding as one, triage } from './examples.ts'
import type { SavedView } from './saved-view.ts'

export const finding: DomainFinding = {
  domain_id: ids.domain,
  domain: 'shop.example.com',
  fingerprint: one.fingerprint,
  check_id: one.check_id,
  module: one.module,
  title: one.title,
  location: one.location,
  places: 1,
  severity: one.severity,
  judged_severity: one.severity,
  override: null,
  confidence: one.confidence,
  cwe: one.cwe,
  kev: false,
  state: 'accepted',
  triage,
  assignee: 'J. Weber',
  due: '2026-12-18',
  overdue: false,
  first_seen: '2026-11-13T09:02:55.000Z',
  last_seen: '2026-11-20T09:03:12.000Z',
  last_run: ids.run,
  finding_id: one.id,
  fixed: null,
}

export const groups = {
  total: 3,
  items: [{ check_id: one.check_id, title: one.title, severity: one.severity, findings: 3, domains: 3, overdue: 0 }],
}

export const change = { assignee: 'J. Weber', due: '2026-12-18', comment: 'With the new proxy.' }
export const changeAll = {
  findings: [{ domain_id: ids.domain, fingerprint: one.fingerprint }],
  state: 'accepted',
  owner: triage.owner,
  reason: triage.reason,
}

export const event: DomainFindingEvent = {
  id: ids.domain,
  at: '2026-11-20T10:12:00.000Z',
  kind: 'decided',
  actor: 'ci',
  run_id: null,
  data: { state: 'accepted', owner: 'J. Weber', reason: 'The old payment terminals go in January.', expires_at: null },
}

export const view: SavedView = { name: 'Mine, overdue', query: 'assignee=J.%20Weber&sort=due' }
