/**
 * Glossary: the words of this product, each with one meaning.
 *
 * - run: one scan of one domain; the unit of queue, quota, report. The HTTP interface calls it "scan".
 * - tier: 'passive' asks what a browser would ask, 'active' also sends probes.
 * - attempt: one lease of a run by one worker; a run has at most three.
 * - module: one area of a scan. It collects facts; its checks judge them.
 * - check: one decision over facts; it reports findings.
 * - finding: one problem at one place, with confidence and proof.
 * - coverage: what became of every check, so that "clean" and "not looked at" are two things.
 * - artifact: a stored file of a run (report, findings file, audit log, evidence).
 * - evidence: an artifact that proves a finding.
 * - context: what kind of site it is; it shifts severities.
 */
import { z } from 'zod'
import { ExcludePattern, ExcludePatterns, MAX_MERGED } from './exclude.ts'
import { JudgedAgain } from './judging-again.ts'
import { Supposed, WeaknessName } from './place.ts'
import { Cursor, pageSize } from './query.ts'
import { Remaining } from './remaining.ts'
import { ReportState } from './report.ts'
import { misplacedSwitches, type RUN_SWITCHES, runSwitches } from './run-switches.ts'
import { MOST_START_PATHS, StartPath, StartPaths } from './start-paths.ts'
import { Timestamp } from './time.ts'

export const Uuid = z.uuid()

export const RUN_STATUSES = ['queued', 'leased', 'running', 'done', 'failed', 'canceled'] as const
export const RunStatus = z.enum(RUN_STATUSES).describe('State of a run; done, failed and canceled are final')
export type RunStatus = z.infer<typeof RunStatus>

export const END_STATUSES = ['done', 'failed', 'canceled'] as const satisfies readonly RunStatus[]
export type EndStatus = (typeof END_STATUSES)[number]
export const hasEnded = (status: RunStatus): status is EndStatus => (END_STATUSES as readonly string[]).includes(status)

export const Tier = z.enum(['passive', 'active'])
export type Tier = z.infer<typeof Tier>

export const SiteContext = z.enum(['shop', 'brochure', 'saas', 'internal'])
export type SiteContext = z.infer<typeof SiteContext>

/** What a domain is to its owner. */
export const Environment = z
  .enum(['production', 'test'])
  .describe(
    'production: an active run sends nothing that stores, changes, orders, sends or configures. test: it may write, within bounds',
  )
export type Environment = z.infer<typeof Environment>

export const PHASES = [
  'queued',
  'prepare',
  'discover',
  'passive',
  'active',
  'privacy',
  'judge',
  'report',
  'finished',
] as const
export const Phase = z.enum(PHASES)
export type Phase = z.infer<typeof Phase>

/** `report_failed` is of earlier versions: no run fails for its report any more. */
export const ErrorKind = z.enum([
  'target_unresolvable',
  'target_unreachable',
  'target_refused',
  'auth_rejected',
  'deadline_exceeded',
  'report_failed',
  'storage_failed',
  'scanner_crashed',
  'worker_lost',
  'internal',
])
export type ErrorKind = z.infer<typeof ErrorKind>

export const Counts = z
  .strictObject({
    critical: z.int().min(0),
    high: z.int().min(0),
    medium: z.int().min(0),
    low: z.int().min(0),
    info: z.int().min(0),
  })
  .describe('Findings by final severity')
export type Counts = z.infer<typeof Counts>
export const NO_COUNTS: Counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 }

const OpenCounts = Counts.describe('Of them, those that nobody has accepted or called a false positive')

const Progress = z.int().min(0).max(100).describe('Percent; never falls within an attempt, 100 only with done')

/** A retest saw one module: its counts are not those of the domain. */
const RetestOf = z
  .strictObject({ scan_id: Uuid, finding_id: Uuid })
  .nullable()
  .describe('The finding that this run looks for again; null: a whole run')

/** Of a hypothesis: it asks one place, so its counts are not those of the domain. */
const HypothesisOf = WeaknessName.nullable().describe(
  'What this run asks one place for, see GET /v1/scans/{id}/hypothesis; null: a whole run',
)

/** Interface part 2.1. */
export const RunListItem = z.strictObject({
  id: Uuid,
  domain: z.string(),
  tier: Tier,
  status: RunStatus,
  progress: Progress,
  counts: Counts,
  open_counts: OpenCounts,
  retest_of: RetestOf,
  hypothesis: HypothesisOf,
  created_at: Timestamp,
})
export type RunListItem = z.infer<typeof RunListItem>

/** Interface part 2.2. */
export const RunCreated = z.strictObject({
  id: Uuid,
  domain: z.string(),
  tier: Tier,
  status: RunStatus,
  progress: Progress,
  context: SiteContext.nullable(),
  created_at: Timestamp,
})
export type RunCreated = z.infer<typeof RunCreated>

/** Interface part 2.3, with the additions of the decisions page. */
export const RunState = z.strictObject({
  id: Uuid,
  domain: z.string(),
  tier: Tier,
  context: SiteContext.nullable(),
  status: RunStatus,
  phase: Phase,
  phase_detail: z.string().describe('What the run is doing, for a person'),
  progress: Progress,
  counts: Counts,
  open_counts: OpenCounts,
  duration_ms: z.int().min(0).describe('From the first lease to now or the end; 0 before'),
  error_kind: ErrorKind.nullable(),
  error_detail: z.string().nullable(),
  grade: z.string().nullable().describe('A+ to F once judged; null for a dry run'),
  retest_of: RetestOf,
  hypothesis: HypothesisOf,
  signed_in: z.boolean().describe('It looked with a login'),
  environment: Environment.describe("The domain's, when the run was made"),
  dry_run: z
    .boolean()
    .describe('It crawls, sends no probe and lists what it would send; it takes no unit of the quota'),
  report: ReportState,
  judged_again: JudgedAgain.optional(),
  remaining: Remaining.nullable().optional(),
  created_at: Timestamp,
  started_at: Timestamp.nullable(),
  finished_at: Timestamp.nullable(),
  cancel_requested_at: Timestamp.nullable(),
})
export type RunState = z.infer<typeof RunState>

/** A cookie header's value: no control characters, so it cannot split a request (RFC 9110, 5.5). */
export const HeaderValue = z
  .string()
  .min(1)
  .max(8192)
  .regex(/^[\t\x20-\x7e]+$/, 'must be printable ASCII without line breaks')

/** One header line, "Name: value". */
export const HeaderLine = HeaderValue.regex(
  /^[!#$%&'*+.^_`|~0-9A-Za-z-]+:[ \t]*\S/,
  'must be a header line, "Name: value"',
)

export const IdentityName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,39}$/, 'must be small letters, digits, dots, hyphens and underscores, at most 40')
  .describe('Name of an identity of the domain')

/** The domain's: whose sign-in pages an identity may be taken to, beside the domain itself. */
export const SignInHosts = z
  .array(
    z
      .string()
      .max(260)
      .regex(
        /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z0-9-]{0,62}[a-z])(?::\d{1,5})?$/,
        'must be a name in small letters, with a port where it is not 443; no addresses',
      ),
  )
  .max(10)
  .describe('Hosts elsewhere at which its identities sign in, such as an identity provider')

type SwitchShape = {
  readonly [Name in keyof typeof RUN_SWITCHES]: (typeof RUN_SWITCHES)[Name] extends { readonly fallback: boolean }
    ? z.ZodDefault<z.ZodBoolean>
    : z.ZodOptional<z.ZodBoolean>
}
const switchShape = Object.fromEntries(
  runSwitches.map(([name, { fallback, help }]) => [
    name,
    (fallback === undefined ? z.boolean().optional() : z.boolean().default(fallback)).describe(help),
  ]),
) as SwitchShape

/** Requests to one form that an owner may allow. */
export const MOST_WRITES = 2_000

/** What a start request may say, field by field. */
export const StartFields = z.strictObject({
  domain_id: Uuid.describe('Domain to scan'),
  active: z.boolean().default(false).describe('Add active checks; needs a verified domain'),
  ...switchShape,
  context: SiteContext.nullable().default(null).describe("Overrides the domain's own context for this run"),
  exclude: ExcludePatterns.default([]).describe(`${ExcludePatterns.description} Added to the domain's own.`),
  start_paths: StartPaths.default([]).describe(`${StartPaths.description} Added to the domain's own.`),
  writes_per_form: z
    .int()
    .min(1)
    .max(MOST_WRITES)
    .optional()
    .describe(
      'On a test system, how often a request that may write is sent for each form, beside up to twice as many that the site refuses; without it 40',
    ),
  auth_cookie: HeaderValue.nullable().default(null).describe('Cookie header value for the logged-in area'),
  auth_header: HeaderLine.nullable().default(null).describe('One header line, "Name: value", for the logged-in area'),
  auth_stored: z
    .boolean()
    .optional()
    .describe('true: as the identity `default`; false: as nobody. The same is said by `identities`'),
  identities: z
    .array(IdentityName)
    .max(10)
    .optional()
    .describe(
      'Identities of the domain, which has to be verified; the run looks as the first, and an active one asks as the others, ' +
        'too, what the first may see, and as each what that one alone is led to. Without it as `default` where there is one, and with an empty list as nobody',
    ),
})

/** One login a run: a stored one and a given one at once would leave open which of them counts. */
export const secondLogin = (given: {
  readonly auth_stored?: boolean | undefined
  readonly auth_cookie: string | null
  readonly auth_header: string | null
  readonly identities?: readonly string[] | undefined
}): { readonly path: string; readonly message: string } | null => {
  const isGiven = given.auth_cookie !== null || given.auth_header !== null
  if (given.auth_stored && isGiven) return { path: 'auth_stored', message: TWO_LOGINS }
  if (given.identities === undefined) return null
  if (isGiven) return { path: 'identities', message: TWO_LOGINS }
  return given.auth_stored === undefined ? null : { path: 'auth_stored', message: 'cannot be combined with identities' }
}
const TWO_LOGINS = 'cannot be combined with auth_cookie or auth_header'

/** Interface part 4.2, with the additions of the decisions page. */
export const StartRun = StartFields.superRefine((given, context) => {
  const second = secondLogin(given)
  if (second !== null) context.addIssue({ code: 'custom', path: [second.path], message: second.message })
  for (const { name, message } of misplacedSwitches(given)) context.addIssue({ code: 'custom', path: [name], message })
})
export type StartRun = z.infer<typeof StartRun>

/** What of a start request may be stored in clear and shown: everything but the credentials. */
export const RunOptions = StartFields.omit({
  domain_id: true,
  auth_cookie: true,
  auth_header: true,
  auth_stored: true,
  context: true,
  exclude: true,
  start_paths: true,
}).extend({
  auth_stored: z.boolean().optional().describe('With the login that is stored with the domain'),
  /** The domain's, when the run was made. */
  sign_in_hosts: SignInHosts.optional(),
  /** The domain's, when the run was made. */
  requests_per_second: z.int().min(1).optional(),
  /** The domain's and the run's own. */
  exclude: z.array(ExcludePattern).max(MAX_MERGED).optional(),
  /** The domain's and the run's own. */
  start_paths: z
    .array(StartPath)
    .max(2 * MOST_START_PATHS)
    .optional(),
  /** Of a retest and of a hypothesis: the one module that it is about. What that needs runs too. */
  only: z.string().max(64).optional(),
  /** Of a hypothesis: the one place that it is about, and what it is asked for. */
  hypothesis: Supposed.extend({ left_out: z.array(z.string().max(300)).max(200).optional() }).optional(),
})
export type RunOptions = z.infer<typeof RunOptions>

const statusList = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(RunStatus).min(1))

/** Interface part 4.1. `from` is inclusive, `to` exclusive, both on created_at. */
export const ListRuns = z.strictObject({
  domain_id: Uuid.optional().describe('Of this domain alone'),
  status: statusList.optional().describe('One or several states, with commas between'),
  tier: Tier.optional().describe('Of this tier alone'),
  from: Timestamp.optional(),
  to: Timestamp.optional(),
  q: z.string().min(1).max(255).optional().describe('Part of the domain or beginning of the run id'),
  limit: pageSize(25, 100),
  cursor: Cursor,
})
export type ListRuns = z.infer<typeof ListRuns>

export const page = <T extends z.ZodType>(item: T) =>
  z.strictObject({ items: z.array(item), next_cursor: z.string().nullable() })
