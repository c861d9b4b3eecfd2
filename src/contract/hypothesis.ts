/** Somebody supposes that a place has a weakness; a run of that one place proves or refutes it. */
import { z } from 'zod'
import { Finding } from './finding.ts'
import { Supposed } from './place.ts'
import { Cursor, pageSize } from './query.ts'
import { RunStatus, StartFields, secondLogin, Uuid } from './run.ts'
import { Timestamp } from './time.ts'

export const StartHypothesis = Supposed.extend(
  StartFields.pick({ auth_cookie: true, auth_header: true, auth_stored: true, identities: true }).shape,
).superRefine((given, { addIssue }) => {
  const second = secondLogin(given)
  if (second !== null) addIssue({ code: 'custom', path: [second.path], message: second.message })
})
export type StartHypothesis = z.infer<typeof StartHypothesis>

export const VERDICTS = ['confirmed', 'refuted', 'inconclusive', 'not_asked'] as const
export const Verdict = z
  .enum(VERDICTS)
  .describe(
    'confirmed: proven, a stranger can replay it. refuted: every question that the checks have was asked at the place, and none proved it. ' +
      'inconclusive: it was asked, but not in full, or there are signs and no proof. not_asked: nothing was sent to the place',
  )
export type Verdict = z.infer<typeof Verdict>

export const Hypothesis = Supposed.extend({
  id: Uuid.describe('Id of the run that asks; it can be watched and cancelled like any other'),
  domain: z.string(),
  status: RunStatus,
  verdict: Verdict.nullable().describe('Null until the run has ended'),
  reason: z.string().nullable().describe('What the verdict rests on, in a sentence'),
  finding: Finding.nullable().describe(
    'With its proof where it is confirmed; the sign where there is one without a proof',
  ),
  requests: z.int().min(0).describe('That the module has sent which asks'),
  left_out: z.array(z.string()).describe('What of the request was replaced because it is a credential'),
  created_at: Timestamp,
  finished_at: Timestamp.nullable(),
})
export type Hypothesis = z.infer<typeof Hypothesis>

export const ListHypotheses = z.strictObject({
  domain_id: Uuid.optional().describe('Of this domain alone'),
  limit: pageSize(25, 50),
  cursor: Cursor,
})
export const HypothesisPage = z.strictObject({ items: z.array(Hypothesis), next_cursor: z.string().nullable() })
