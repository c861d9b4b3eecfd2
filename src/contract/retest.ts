import { z } from 'zod'
import { Finding } from './finding.ts'
import { StartFields, secondLogin, Uuid } from './run.ts'
import { Timestamp } from './time.ts'

/**
 * Credentials that were given to the first run are needed again: those of a run are not kept, those of a domain are. Without a word it
 * looks as the same identity.
 */
export const StartRetest = StartFields.pick({
  auth_cookie: true,
  auth_header: true,
  auth_stored: true,
  identities: true,
}).superRefine((given, { addIssue }) => {
  const second = secondLogin(given)
  if (second !== null) addIssue({ code: 'custom', path: [second.path], message: second.message })
})
export type StartRetest = z.infer<typeof StartRetest>

export const Retest = z.strictObject({
  id: Uuid.describe('Id of the run that looks again; it can be watched and cancelled like any other'),
  finding_id: Uuid,
  state: z
    .enum(['waiting', 'running', 'still_there', 'gone', 'not_tested'])
    .describe('gone: the check ran to an answer and did not find it; not_tested: it could not look'),
  reason: z.string().nullable().describe('Why it could not look'),
  finding: Finding.nullable().describe('As seen now, with its proof, where it is still there'),
  created_at: Timestamp,
  finished_at: Timestamp.nullable(),
})
export type Retest = z.infer<typeof Retest>

/** So many of a finding are listed. */
export const LISTED_RETESTS = 20
export const RetestList = z.strictObject({ items: z.array(Retest) })
