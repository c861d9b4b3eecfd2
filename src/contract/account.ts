/** What the settings of an organisation show: plan and use, keys, members, activity. */
import { z } from 'zod'
import { Hold } from './hold.ts'
import { ApiKey, OrganisationState, Plan, Role, Scope } from './organisation.ts'
import { Cursor, pageSize } from './query.ts'
import { Uuid } from './run.ts'
import { Actor } from './session.ts'
import { Timestamp } from './time.ts'

export const LogoInfo = z.strictObject({ content_type: z.enum(['image/png', 'application/pdf']), size_bytes: z.int() })

export const OrganisationView = z.strictObject({
  id: Uuid,
  name: z.string(),
  state: OrganisationState,
  plan: Plan,
  usage: z.strictObject({
    from: Timestamp.describe('Beginning of the present month, in UTC'),
    to: Timestamp.describe('Beginning of the next one, when the count starts again'),
    runs: z.int().min(0).describe('Runs that count'),
    left: z.int().min(0).nullable().describe('Null: without a limit'),
  }),
  requests: z
    .strictObject({
      per_day: z.int().min(1).describe('The operator’s limit'),
      sent: z.int().min(0).describe('Of today, in UTC, as the audit logs count them: a sweep of ports is one a line'),
    })
    .nullable()
    .describe('What runs send to targets a day; null: without a limit'),
  active_runs: z.int().min(0).describe('Runs that wait or go on right now'),
  logo: LogoInfo.nullable(),
  hold: Hold.nullable().describe('The emergency stop, while it lasts'),
})
export type OrganisationView = z.infer<typeof OrganisationView>

export const SetLogo = z.strictObject({
  logo: z.base64().min(4).max(1_500_000).describe('PNG, a PDF of one page, or SVG; up to 1 MiB'),
})

export const CreateKey = z.strictObject({
  name: z.string().trim().min(1).max(200),
  scopes: z.array(Scope).min(1).describe('None that the caller lacks'),
  expires_at: Timestamp.nullable().default(null),
})
export type CreateKey = z.infer<typeof CreateKey>

export const KeyList = z.strictObject({ items: z.array(ApiKey) })
export const KeyCreated = z.strictObject({ key: ApiKey, secret: z.string().describe('Shown this once') })

export const Member = z.strictObject({
  id: Uuid,
  name: z.string(),
  email: z.string().nullable(),
  role: Role,
  created_at: Timestamp,
  last_seen_at: Timestamp,
})
export type Member = z.infer<typeof Member>
export const MemberList = z.strictObject({ items: z.array(Member) })
export const UpdateMember = z.strictObject({ role: Role })

export const Activity = z.strictObject({
  id: Uuid,
  at: Timestamp,
  actor: Actor.pick({ kind: true, id: true, name: true }),
  action: z.string().describe('Name of the operation, e.g. startScan'),
  subject: z.string().describe('What it was done to, for a person'),
})
export type Activity = z.infer<typeof Activity>

export const ListActivity = z.strictObject({
  limit: pageSize(25, 100),
  cursor: Cursor,
})
