/** What people decide about a problem of a domain. It is known by its fingerprint, so it holds over the runs. */
import { z } from 'zod'
import type { Severity } from './finding.ts'
import { type Counts, NO_COUNTS } from './run.ts'
import { Timestamp } from './time.ts'

export const TriageState = z
  .enum(['open', 'accepted', 'false_positive'])
  .describe('open: to be fixed; accepted: known and borne for now; false_positive: not a problem here')
export type TriageState = z.infer<typeof TriageState>

export const Reopened = z
  .enum(['evidence_changed', 'expired'])
  .describe('Why an earlier decision no longer holds: a later run saw something else, or its date passed')
export type Reopened = z.infer<typeof Reopened>

export const Triage = z
  .strictObject({
    state: TriageState,
    reopened: Reopened.nullable(),
    owner: z.string().nullable().describe('Who answers for the decision'),
    reason: z.string().nullable(),
    expires_at: Timestamp.nullable().describe('The problem is open again from then on'),
    decided_at: Timestamp.nullable(),
    decided_by: z.string().nullable().describe('Name of the key or member that recorded it'),
  })
  .describe('The decision about this problem; the fields are null where there never was one')
export type Triage = z.infer<typeof Triage>

export const UNDECIDED: Triage = {
  state: 'open',
  reopened: null,
  owner: null,
  reason: null,
  expires_at: null,
  decided_at: null,
  decided_by: null,
}

export const Owner = z.string().trim().min(1).max(200)
export const Reason = z.string().trim().min(1).max(2000)

export const NEEDED_FOR_DECISION = ['owner', 'reason'] as const

/** Taking a decision back needs no reason; every other one names who answers for it, and why. */
export const SetTriage = z
  .strictObject({
    state: TriageState,
    owner: Owner.optional().describe('Who answers for the decision; needed unless state is open'),
    reason: Reason.optional().describe('Needed unless state is open'),
    expires_at: Timestamp.nullable().default(null).describe('In the future; null lasts until the evidence changes'),
  })
  .superRefine((given, { addIssue }) => {
    if (given.state === 'open') return
    for (const path of NEEDED_FOR_DECISION.filter((name) => given[name] === undefined)) {
      addIssue({ code: 'custom', path: [path], message: 'is needed for a decision' })
    }
  })
export type SetTriage = z.infer<typeof SetTriage>

/** The findings about which no decision holds, by severity. */
export const openCounts = (findings: readonly { readonly severity: Severity; readonly triage: Triage }[]): Counts => {
  const counts = { ...NO_COUNTS }
  for (const { severity, triage } of findings) if (triage.state === 'open') counts[severity] += 1
  return counts
}
