import { z } from 'zod'
import { Uuid } from './run.ts'
import { Timestamp } from './time.ts'

export const SCOPES = [
  'scans:read',
  'scans:write',
  'artifacts:read',
  'domains:read',
  'domains:write',
  'webhooks:write',
  'organisation:read',
  'organisation:write',
] as const
export const Scope = z.enum(SCOPES)
export type Scope = z.infer<typeof Scope>

/** What a person of the organisation may do, each more than the one before. */
export const ROLES = ['reader', 'member', 'owner'] as const
export const Role = z.enum(ROLES)
export type Role = z.infer<typeof Role>

const READING = ['scans:read', 'artifacts:read', 'domains:read', 'organisation:read'] as const
export const SCOPES_OF_ROLE: Readonly<Record<Role, readonly Scope[]>> = {
  reader: READING,
  member: [...READING, 'scans:write', 'domains:write'],
  owner: SCOPES,
}

export const OrganisationState = z.enum(['active', 'throttled', 'blocked'])
export type OrganisationState = z.infer<typeof OrganisationState>

/** Null means unlimited. */
export const Plan = z.strictObject({
  id: z.string(),
  runs_per_month: z.int().min(0).nullable().describe('Per calendar month in UTC'),
  concurrent_runs: z.int().min(1),
  retention_days: z.int().min(1),
  watermark: z.boolean(),
})
export type Plan = z.infer<typeof Plan>

export const BUILT_IN_PLANS: readonly Plan[] = [
  { id: 'free', runs_per_month: 10, concurrent_runs: 1, retention_days: 7, watermark: true },
  { id: 'team', runs_per_month: 200, concurrent_runs: 3, retention_days: 90, watermark: false },
  { id: 'enterprise', runs_per_month: null, concurrent_runs: 10, retention_days: 365, watermark: false },
]

export const Organisation = z.strictObject({
  id: Uuid,
  name: z.string(),
  plan: z.string(),
  state: OrganisationState,
  requests_per_day: z
    .int()
    .min(1)
    .nullable()
    .describe('What its runs may send to targets a day (UTC); null: as much as they do'),
  created_at: Timestamp,
})
export type Organisation = z.infer<typeof Organisation>

/** A key as it may be shown: the secret itself is shown once, at creation. */
export const ApiKey = z.strictObject({
  id: Uuid,
  organisation_id: Uuid,
  name: z.string(),
  scopes: z.array(Scope),
  expires_at: Timestamp.nullable(),
  last_used_at: Timestamp.nullable(),
  revoked_at: Timestamp.nullable(),
  created_at: Timestamp,
})
export type ApiKey = z.infer<typeof ApiKey>
