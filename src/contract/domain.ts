import { z } from 'zod'
import { DomainLogin } from './domain-login.ts'
import { ExcludePattern, ExcludePatterns } from './exclude.ts'
import { Cursor, pageSize } from './query.ts'
import { LONGEST_COOLDOWN, QuietHours } from './quiet-hours.ts'
import { Environment, SignInHosts, SiteContext, Uuid } from './run.ts'
import { StartPath, StartPaths } from './start-paths.ts'
import { Timestamp } from './time.ts'

export const VerificationMethod = z.enum(['dns_txt', 'http_file', 'meta_tag'])
export type VerificationMethod = z.infer<typeof VerificationMethod>

/** What the owner has to publish, by any one of three ways. */
export const Verification = z.strictObject({
  dns_txt: z.strictObject({ name: z.string(), value: z.string() }),
  http_file: z.strictObject({ url: z.string(), content: z.string() }),
  meta_tag: z.strictObject({ html: z.string(), url: z.string() }),
})
export type Verification = z.infer<typeof Verification>

export const Domain = z.strictObject({
  id: Uuid,
  domain: z.string().describe('ASCII form, with a port where the operator allows one'),
  context: SiteContext.nullable(),
  environment: Environment,
  exclude: z.array(ExcludePattern).describe('Addresses that no run of this domain asks for; see the start of a run'),
  start_paths: z.array(StartPath).describe('Where it begins beside "/"; see the start of a run'),
  requests_per_second: z
    .int()
    .min(1)
    .nullable()
    .describe('Requests a second that runs of it send to one host; null: as many as the operator allows'),
  quiet_hours: QuietHours.nullable().describe(
    'Nothing is sent to it then: no run begins, and one that goes on sends nothing more and ends with what it has. They may go over midnight',
  ),
  cooldown_minutes: z
    .int()
    .min(0)
    .describe('From the end of one run until the next may begin; two are never at work at once then. 0: no such rest'),
  agent_id: Uuid.nullable().describe(
    'Through which agent alone it is asked for anything; null: the service asks itself',
  ),
  max_requests_per_second: z.int().min(1).describe("The operator's limit"),
  sign_in_hosts: SignInHosts,
  login: DomainLogin.nullable().describe('The login stored for runs that ask for it; null: none'),
  verified_at: Timestamp.nullable(),
  verified_until: Timestamp.nullable().describe('Verification lapses then unless a check still holds'),
  verification: Verification,
  created_at: Timestamp,
})
export type Domain = z.infer<typeof Domain>

export const CreateDomain = z.strictObject({
  domain: z.string().min(1).max(260),
  context: SiteContext.nullable().default(null),
  environment: Environment.default('production'),
  exclude: ExcludePatterns.default([]),
  start_paths: StartPaths.default([]),
  agent_id: Uuid.nullable().default(null).describe('An agent that is to scan it; its name may then have any suffix'),
})
export type CreateDomain = z.infer<typeof CreateDomain>

export const UpdateDomain = z
  .strictObject({
    context: SiteContext.nullable().optional(),
    environment: Environment.optional(),
    exclude: ExcludePatterns.optional(),
    start_paths: StartPaths.optional(),
    requests_per_second: z
      .int()
      .min(1)
      .max(1_000)
      .nullable()
      .optional()
      .describe("Never more than the operator's limit; null takes that"),
    quiet_hours: QuietHours.nullable().optional().describe('Null: none'),
    cooldown_minutes: z.int().min(0).max(LONGEST_COOLDOWN).optional(),
    sign_in_hosts: SignInHosts.optional(),
    agent_id: Uuid.nullable()
      .optional()
      .describe('Another agent, or none: takes the verification back. Refused while a run has not ended'),
  })
  .refine((body) => Object.keys(body).length > 0, 'names nothing to change')
export type UpdateDomain = z.infer<typeof UpdateDomain>

export const VerificationAttempt = z.strictObject({
  method: VerificationMethod,
  ok: z.boolean(),
  seen: z.string().describe('What this method found, for a person'),
})
export type VerificationAttempt = z.infer<typeof VerificationAttempt>

export const VerifyAnswer = z.strictObject({ domain: Domain, attempts: z.array(VerificationAttempt) })
export type VerifyAnswer = z.infer<typeof VerifyAnswer>

export const ListDomains = z.strictObject({
  domain: z.string().min(1).max(260).optional().describe('The one of this name alone, in its registered form'),
  limit: pageSize(25, 100),
  cursor: Cursor,
})
