/** What an operator may ask of a service: the verbs behind `sonde org`, `key`, `domain`, `plan`, `hosts`, `judge`, `doctor`. */
import { z } from 'zod'
import { Domain } from './domain.ts'
import { Erasure } from './erasure.ts'
import { Coverage, Finding } from './finding.ts'
import { Grade } from './findings-file.ts'
import { Hold, HoldState } from './hold.ts'
import { ApiKey, Organisation, OrganisationState, Plan, Scope } from './organisation.ts'
import { Counts, Environment, SiteContext, Uuid } from './run.ts'
import { Timestamp } from './time.ts'

/** An organisation by its id or its exact name; null is the only one there is. */
const OrganisationName = z.string().min(1).max(200).nullable()

/** A stored run judged with the checks of today; nothing is written. */
export const Rejudged = z.strictObject({
  run_id: Uuid,
  domain: z.string(),
  grade: Grade,
  counts: Counts,
  findings: z.array(Finding.omit({ id: true, status: true, triage: true })),
  coverage: z.array(Coverage),
})
export type Rejudged = z.infer<typeof Rejudged>

export const HostEntry = z.strictObject({ name: z.string(), addresses: z.array(z.string()) })

/** An emergency stop; `organisation` is its name, null where it is over all. */
export const OperatorHold = HoldState.extend({
  organisation_id: Uuid.nullable(),
  organisation: z.string().nullable(),
  hold: Hold,
})
export type OperatorHold = z.infer<typeof OperatorHold>

/** The process that answers. `base_url` is null when no service runs and the database was opened for this one call. */
export const ServiceState = z.strictObject({
  version: z.string(),
  pid: z.int(),
  base_url: z.string().nullable(),
  database: z.enum(['embedded', 'postgres']),
  storage: z.enum(['fs', 's3']),
})

/** One thing that was looked at, and what to do about it. */
export const DoctorCheck = z.strictObject({
  name: z.string(),
  /** `missing`: something is gone without; `bad`: the service cannot work as configured. */
  state: z.enum(['ok', 'missing', 'bad']),
  detail: z.string(),
  /** Null when nothing is to be done. */
  fix: z.string().nullable(),
  /** Debian's packages that mend it; absent where nothing has to be installed. */
  packages: z.array(z.string()).optional(),
})
export type DoctorCheck = z.infer<typeof DoctorCheck>

export const OPERATOR_VERBS = {
  self_check: { input: z.strictObject({}), output: z.array(DoctorCheck) },
  service: { input: z.strictObject({}), output: ServiceState },
  org_create: {
    input: z.strictObject({ name: z.string().min(1).max(200), plan: z.string() }),
    output: Organisation,
  },
  org_list: { input: z.strictObject({}), output: z.array(Organisation) },
  org_set: {
    input: z.strictObject({
      organisation: OrganisationName,
      name: z.string().min(1).max(200).optional(),
      plan: z.string().optional(),
      state: OrganisationState.optional(),
      requests_per_day: Organisation.shape.requests_per_day.optional(),
      logo: z.base64().nullable().optional().describe('PNG, PDF or SVG; null takes it away'),
    }),
    output: Organisation,
  },
  org_erase: {
    input: z.strictObject({
      organisation: z.string().min(1).max(200).describe('Id or exact name; never "the only one"'),
      confirm: z.string().max(200).describe('Its name once more'),
    }),
    output: Erasure,
  },
  erasure: { input: z.strictObject({ id: Uuid }), output: Erasure.nullable() },
  key_create: {
    input: z.strictObject({
      organisation: OrganisationName,
      name: z.string().min(1).max(200),
      scopes: z.array(Scope).min(1),
      expires_at: Timestamp.nullable(),
    }),
    output: z.strictObject({ key: ApiKey, secret: z.string() }),
  },
  key_list: { input: z.strictObject({ organisation: OrganisationName }), output: z.array(ApiKey) },
  rotate_secret: {
    input: z.strictObject({ at_once: z.boolean().describe('Forgets the key before without an overlap') }),
    output: z.strictObject({
      new_key: z.boolean().describe('False: it is in the environment, and only what was sealed was sealed again'),
      resealed: z.int(),
      unopened: z.int().describe('Rows that no known key opens'),
      old_until: Timestamp.nullable().describe(
        'Until then the key before is accepted; null: it is forgotten, or the operator says',
      ),
    }),
  },
  rotate_signing: {
    input: z.strictObject({}),
    output: z.strictObject({
      fingerprint: z.string().describe('Of the key that signs from now on'),
      before: z.string().nullable().describe('Of the one until now; null: there was none'),
    }),
  },
  revoke_signing: {
    input: z.strictObject({
      fingerprint: z.string().regex(/^[0-9a-f]{64}$/),
      because: z.string().trim().min(1).max(300),
    }),
    output: z.strictObject({
      fingerprint: z.string(),
      revoked_at: Timestamp,
      present: z.string().describe('Fingerprint of the key that signs now'),
    }),
  },
  key_revoke: { input: z.strictObject({ id: Uuid }), output: ApiKey },
  domain_add: {
    input: z.strictObject({
      organisation: OrganisationName,
      domain: z.string().min(1).max(260),
      context: SiteContext.nullable(),
      environment: Environment.optional().describe('Absent: as it is, production where it is new'),
      verified: z.boolean(),
    }),
    output: Domain,
  },
  hold: {
    input: z.strictObject({ organisation: OrganisationName.describe('Null: the hold over all of them') }),
    output: OperatorHold.nullable(),
  },
  holds: { input: z.strictObject({}), output: z.array(OperatorHold) },
  stop_all: {
    input: z.strictObject({
      organisation: OrganisationName.describe('Null: all of them'),
      reason: z.string().trim().min(1).max(200).nullable(),
    }),
    output: OperatorHold,
  },
  release: {
    input: z.strictObject({ organisation: OrganisationName.describe('Null: the hold over all of them') }),
    output: z.strictObject({ released: z.boolean(), holds: z.array(OperatorHold) }),
  },
  snapshot: {
    input: z.strictObject({}),
    output: z.strictObject({
      folder: z.string().describe('Relative to the data folder; the caller removes it'),
    }),
  },
  plan_list: { input: z.strictObject({}), output: z.array(Plan) },
  hosts: { input: z.strictObject({}), output: z.array(HostEntry) },
  judge: { input: z.strictObject({ run_id: Uuid }), output: Rejudged },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>

export type OperatorVerb = keyof typeof OPERATOR_VERBS
export type OperatorInput<Verb extends OperatorVerb> = z.infer<(typeof OPERATOR_VERBS)[Verb]['input']>
export type OperatorOutput<Verb extends OperatorVerb> = z.infer<(typeof OPERATOR_VERBS)[Verb]['output']>

export interface Operator {
  /** Rejects with `OperatorError` when the request cannot be done as asked. */
  readonly call: <Verb extends OperatorVerb>(verb: Verb, input: OperatorInput<Verb>) => Promise<OperatorOutput<Verb>>
  readonly close: () => Promise<void>
}

/** A refusal with a sentence for the operator; anything else is a fault of ours. */
export class OperatorError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'OperatorError'
  }
}
