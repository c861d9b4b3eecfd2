/** Problems of domains over all their runs: what the list of findings shows and what people do with it. */
import { z } from 'zod'
import { Confidence, Location, Severity } from './finding.ts'
import { AskLanguage } from './language.ts'
import { Cursor, pageSize, queryInteger } from './query.ts'
import { Uuid } from './run.ts'
import { Day, Timestamp } from './time.ts'
import { NEEDED_FOR_DECISION, Owner, Reason, Triage, TriageState } from './triage.ts'

export const PROBLEM_STATES = ['open', 'reopened', 'accepted', 'false_positive', 'fixed'] as const
export const ProblemState = z
  .enum(PROBLEM_STATES)
  .describe(
    'reopened: it came back, or a decision about it ended; accepted, false_positive: a decision holds; fixed: a later run ' +
      'asked the same place and did not find it. Nobody can set fixed',
  )
export type ProblemState = z.infer<typeof ProblemState>

export const Fingerprint = z.string().regex(/^[0-9a-f]{64}$/)

export const DomainFinding = z.strictObject({
  domain_id: Uuid,
  domain: z.string(),
  fingerprint: Fingerprint,
  check_id: z.string(),
  module: z.string(),
  title: z.string(),
  location: Location,
  places: z.int().min(0).describe('How many places the last run that saw it named'),
  severity: Severity.describe('As a person has put it, else as judged'),
  judged_severity: Severity,
  override: z
    .strictObject({ reason: z.string(), by: z.string(), at: Timestamp })
    .nullable()
    .describe('Who has put the severity, and why; null: it is as judged'),
  confidence: Confidence,
  cwe: z.int().nullable(),
  kev: z.boolean().describe('Of a vulnerability that is known to be exploited'),
  state: ProblemState,
  triage: Triage,
  assignee: z.string().nullable(),
  due: Day.nullable(),
  overdue: z.boolean().describe('Open, and its day has passed'),
  first_seen: Timestamp,
  last_seen: Timestamp,
  last_run: Uuid.describe('The last run that saw it'),
  finding_id: Uuid.describe('The finding of that run'),
  fixed: z.strictObject({ at: Timestamp, run_id: Uuid }).nullable().describe('When, and by which run it was missed'),
})
export type DomainFinding = z.infer<typeof DomainFinding>

const Flag = z.enum(['true', 'false']).transform((text) => text === 'true')
const severities = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(Severity).min(1))
const states = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(ProblemState).min(1))

/** Lists of the query, separated by commas. */
export const PROBLEM_LISTS = { severity: Severity, state: ProblemState } as const

const Filters = z.strictObject({
  domain_id: Uuid.optional().describe('Of this domain alone'),
  severity: severities.optional().describe('Several with commas'),
  module: z.string().max(64).optional().describe('Of this module alone'),
  check_id: z.string().max(128).optional().describe('Of this check alone'),
  state: states.optional().describe('Several with commas'),
  since: Timestamp.optional().describe('First seen then or later'),
  assignee: z.string().max(200).optional().describe('Exactly this; empty: nobody'),
  due_before: Day.optional().describe('With a due day before this one'),
  kev: Flag.optional().describe('Those that are known to be exploited (CISA)'),
  cwe: queryInteger(1, 1_000_000).optional().describe('Number of a weakness, as 79'),
  q: z
    .string()
    .max(200)
    .optional()
    .describe(
      'Beginnings of words of title, domain, place and check; all have to be there. Of titles also those of the language asked for',
    ),
})

export const PROBLEM_SORTS = ['severity', 'last_seen', 'due'] as const
export const ListDomainFindings = Filters.extend({
  sort: z
    .enum(PROBLEM_SORTS)
    .default('severity')
    .describe('The gravest first and the newest of them; the last seen first; the next due first'),
  language: AskLanguage,
  limit: pageSize(25, 100),
  cursor: Cursor,
})
export type ListDomainFindings = z.infer<typeof ListDomainFindings>
export const CountDomainFindings = Filters.extend({ language: AskLanguage })
export type ProblemFilters = z.infer<typeof Filters>

export const DomainFindingGroup = z.strictObject({
  check_id: z.string(),
  title: z.string(),
  severity: Severity.describe('The gravest'),
  findings: z.int().min(1),
  domains: z.int().min(1),
  overdue: z.int().min(0),
})
export type DomainFindingGroup = z.infer<typeof DomainFindingGroup>
export const DomainFindingGroups = z.strictObject({
  total: z.int().min(0),
  items: z.array(DomainFindingGroup).describe('By check, the gravest and then the largest first; at most 1000'),
})

/** What a person may change of a problem. One reason serves all of it. */
const ChangeFields = z.strictObject({
  state: TriageState.optional().describe('open takes a decision back'),
  owner: Owner.optional().describe('Who answers for the decision; needed unless state is open'),
  expires_at: Timestamp.nullable().optional().describe('Of a decision; null or absent: until the evidence changes'),
  severity: Severity.nullable().optional().describe('null: as judged again'),
  reason: Reason.optional().describe('Needed for a decision and for a severity'),
  assignee: z.string().trim().min(1).max(200).nullable().optional(),
  due: Day.nullable().optional(),
  comment: z
    .string()
    .trim()
    .min(1)
    .max(5000)
    .optional()
    .describe('@name or @address of a member tells them, where their address subscribes to it'),
})
export type ChangeFields = z.infer<typeof ChangeFields>

const complete = (given: ChangeFields, { addIssue }: Pick<z.core.$RefinementCtx, 'addIssue'>): void => {
  const need = (path: string, message: string): void => addIssue({ code: 'custom', path: [path], message })
  const decides = given.state !== undefined && given.state !== 'open'
  if (decides) {
    for (const path of NEEDED_FOR_DECISION.filter((name) => given[name] === undefined))
      need(path, 'is needed for a decision')
  } else if (given.severity !== undefined && given.severity !== null && given.reason === undefined) {
    need('reason', 'is needed for a severity')
  }
  if (!decides && given.owner !== undefined) need('owner', 'goes with a decision')
  if (!decides && given.expires_at !== undefined) need('expires_at', 'goes with a decision')
  const { state, severity, assignee, due, comment } = given
  if ([state, severity, assignee, due, comment].every((one) => one === undefined)) {
    addIssue({ code: 'custom', path: [], message: 'changes nothing' })
  }
}

export const ChangeDomainFinding = ChangeFields.superRefine(complete)

/** More at once would keep everybody else of the domain waiting. */
export const MOST_AT_ONCE = 500
export const ChangeDomainFindings = ChangeFields.extend({
  findings: z
    .array(z.strictObject({ domain_id: Uuid, fingerprint: Fingerprint }))
    .min(1)
    .max(MOST_AT_ONCE)
    .describe('Each gets the same change; where one of them is not there, none does'),
}).superRefine(complete)

export const HISTORY_KINDS = [
  'opened',
  'fixed',
  'reopened',
  'decided',
  'severity',
  'assigned',
  'due',
  'comment',
  'judged_again',
] as const
export const DomainFindingEvent = z.strictObject({
  id: Uuid,
  at: Timestamp,
  kind: z
    .enum(HISTORY_KINDS)
    .describe(
      'opened, fixed, reopened: what a run came to, or a decision that ended; judged_again: feeds brought news; the others are what people did',
    ),
  actor: z.string().nullable().describe('Null: a run, or the calendar'),
  run_id: Uuid.nullable(),
  data: z
    .strictObject({
      state: TriageState.optional(),
      owner: z.string().optional(),
      expires_at: Timestamp.nullable().optional(),
      because: z.enum(['seen_again', 'evidence_changed', 'expired']).optional(),
      severity: Severity.nullable().optional(),
      reason: z.string().optional(),
      assignee: z.string().nullable().optional(),
      due: z.string().nullable().optional(),
      text: z.string().optional(),
      mentions: z.array(z.string()).optional().describe('Of a comment: members whom it names, as @name or @address'),
      feeds: z
        .record(z.string(), z.string())
        .optional()
        .describe('Of judged_again: those that brought news, with versions'),
      version: z.int().optional().describe('Of judged_again: version of the results of the run'),
      found: z.boolean().optional().describe('Of judged_again; false: by the knowledge of now it would not be found'),
    })
    .describe('What it became, by kind'),
})
export type DomainFindingEvent = z.infer<typeof DomainFindingEvent>
export const ListDomainFindingEvents = z.strictObject({
  limit: pageSize(25, 100),
  cursor: Cursor,
})

/** `data` of the webhook messages: one message a run or a person's act, however many findings it concerns. */
export const TOLD_AT_ONCE = 100
