import { z } from 'zod'

/** Who has to act: the person calling, the operator's policy, the scanned target, or us. */
export type Blame = 'person' | 'policy' | 'us'

interface ProblemDefinition {
  readonly status: number
  readonly title: string
  readonly blame: Blame
}

/** Every error code of the HTTP interface: part 7 of the interface document, then our additions. */
export const PROBLEMS = {
  validation_failed: { status: 400, title: 'The request is not valid', blame: 'person' },
  description_unreadable: { status: 400, title: 'The description cannot be read', blame: 'person' },
  unauthenticated: { status: 401, title: 'A valid API key is required', blame: 'person' },
  quota_exceeded: { status: 402, title: 'The runs of this month are used up', blame: 'policy' },
  domain_not_verified: { status: 403, title: 'This needs a verified domain', blame: 'person' },
  organization_throttled: { status: 403, title: 'The organisation is throttled', blame: 'policy' },
  organization_blocked: { status: 403, title: 'The organisation is blocked', blame: 'policy' },
  api_key_scope_insufficient: { status: 403, title: 'The API key lacks the scope for this', blame: 'person' },
  origin_not_allowed: { status: 403, title: 'Pages of that origin may not call this', blame: 'person' },
  csrf_token_invalid: {
    status: 403,
    title: 'The request does not come from the signed-in application',
    blame: 'person',
  },
  signature_invalid: { status: 403, title: 'The address was altered or has expired', blame: 'person' },
  not_found: { status: 404, title: 'There is nothing at this path', blame: 'person' },
  scan_not_found: { status: 404, title: 'There is no such run', blame: 'person' },
  finding_not_found: { status: 404, title: 'There is no such finding', blame: 'person' },
  matrix_not_found: { status: 404, title: 'Nobody was asked who may do what', blame: 'person' },
  retest_not_found: { status: 404, title: 'The finding was not tested again', blame: 'person' },
  hypothesis_not_found: { status: 404, title: 'The run asks for no hypothesis', blame: 'person' },
  artifact_not_found: { status: 404, title: 'There is no such artifact', blame: 'person' },
  login_not_found: { status: 404, title: 'No login is stored with the domain', blame: 'person' },
  login_test_not_found: { status: 404, title: 'The login was not tested yet', blame: 'person' },
  batch_not_found: { status: 404, title: 'There is no such batch', blame: 'person' },
  schedule_not_found: { status: 404, title: 'There is no such schedule', blame: 'person' },
  webhook_not_found: { status: 404, title: 'There is no such webhook', blame: 'person' },
  mail_subscription_not_found: { status: 404, title: 'There is no such subscription', blame: 'person' },
  domain_not_found: { status: 404, title: 'There is no such domain', blame: 'person' },
  key_not_found: { status: 404, title: 'There is no such key', blame: 'person' },
  erasure_not_found: { status: 404, title: 'There is no such erasure', blame: 'person' },
  agent_not_found: { status: 404, title: 'There is no such agent', blame: 'person' },
  member_not_found: { status: 404, title: 'There is no such member', blame: 'person' },
  description_not_found: { status: 404, title: 'There is no such description', blame: 'person' },
  identity_not_found: { status: 404, title: 'The domain has no such identity', blame: 'person' },
  logo_not_found: { status: 404, title: 'There is no logo', blame: 'person' },
  view_not_found: { status: 404, title: 'There is no such view', blame: 'person' },
  method_not_allowed: { status: 405, title: 'This path does not take that method', blame: 'person' },
  not_acceptable: { status: 406, title: 'No representation that you accept', blame: 'person' },
  scan_not_cancelable: { status: 409, title: 'The run can no longer be cancelled', blame: 'person' },
  scan_not_reportable: { status: 409, title: 'No report can be made of the run', blame: 'person' },
  agent_exists: { status: 409, title: 'There is an agent of that name', blame: 'person' },
  agent_revoked: { status: 409, title: 'The agent was revoked', blame: 'person' },
  agent_version_wrong: { status: 409, title: 'The agent is not of the version of the service', blame: 'policy' },
  lease_lost: { status: 409, title: 'The lease of the run is lost', blame: 'person' },
  message_out_of_order: { status: 409, title: 'A message before this one is missing', blame: 'person' },
  domain_behind_agent: { status: 409, title: 'Only an agent reaches the domain', blame: 'policy' },
  domain_exists: { status: 409, title: 'The domain is registered already', blame: 'person' },
  domain_in_use: { status: 409, title: 'The domain has runs that have not ended', blame: 'person' },
  batch_has_ended: { status: 409, title: 'The batch has ended', blame: 'person' },
  too_many_batches: { status: 409, title: 'There are as many batches as there may be', blame: 'policy' },
  too_many_schedules: { status: 409, title: 'There are as many schedules as there may be', blame: 'policy' },
  too_many_descriptions: { status: 409, title: 'The domain keeps as many descriptions as it may', blame: 'policy' },
  picture_not_found: { status: 404, title: 'There is no picture of that step', blame: 'person' },
  identity_exists: { status: 409, title: 'The domain has an identity of that name', blame: 'person' },
  too_many_identities: { status: 409, title: 'The domain keeps as many identities as it may', blame: 'policy' },
  too_many_receivers: { status: 409, title: 'There are as many receivers as there may be', blame: 'policy' },
  too_many_views: { status: 409, title: 'There are as many named views as there may be', blame: 'policy' },
  mail_not_configured: { status: 409, title: 'The operator has set up no mail server', blame: 'policy' },
  last_owner: { status: 409, title: 'An organisation keeps at least one owner', blame: 'person' },
  idempotency_conflict: { status: 409, title: 'The Idempotency-Key was used with another body', blame: 'person' },
  artifact_expired: { status: 410, title: 'The artifact was deleted after its retention ended', blame: 'policy' },
  request_timeout: { status: 408, title: 'The request did not arrive in time', blame: 'person' },
  payload_too_large: { status: 413, title: 'The request body is too large', blame: 'person' },
  unsupported_media_type: { status: 415, title: 'The body has to be application/json', blame: 'person' },
  expectation_failed: { status: 417, title: 'The expectation cannot be met', blame: 'person' },
  range_not_satisfiable: { status: 416, title: 'The file has no such range', blame: 'person' },
  message_unstorable: { status: 422, title: 'The data cannot be stored', blame: 'person' },
  header_fields_too_large: { status: 431, title: 'The request headers are too large', blame: 'person' },
  rate_limited: { status: 429, title: 'Too many requests', blame: 'person' },
  internal: { status: 500, title: 'Something failed on our side', blame: 'us' },
  unavailable: { status: 503, title: 'The service cannot answer right now', blame: 'us' },
} as const satisfies Record<string, ProblemDefinition>

export type ProblemCode = keyof typeof PROBLEMS
export const PROBLEM_CODES = Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]

/** RFC 9457 application/problem+json. */
export const Problem = z.strictObject({
  type: z.string().describe('Address of the documentation page of the code'),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.enum(PROBLEM_CODES),
  request_id: z.string(),
  errors: z
    .array(z.strictObject({ path: z.string(), message: z.string() }))
    .optional()
    .describe('Every bad field, for validation_failed'),
})
export type Problem = z.infer<typeof Problem>

/** Thrown by a handler; the one error handler turns it into the answer. */
export class ProblemError extends Error {
  readonly code: ProblemCode
  readonly errors: Problem['errors']
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ProblemCode,
    detail: string,
    more: { errors?: Problem['errors']; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(detail, { cause: more.cause })
    this.name = 'ProblemError'
    this.code = code
    this.errors = more.errors
    this.headers = more.headers ?? {}
  }
}
