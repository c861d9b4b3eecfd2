/** Agents: workers of one organisation that reach the service by this interface alone, for what only they can reach. */
import { z } from 'zod'
import { VerificationAttempt } from './domain.ts'
import { AuditLine } from './event.ts'
import { Coverage, Finding } from './finding.ts'
import { queryInteger } from './query.ts'
import { Environment, ErrorKind, Phase, RunOptions, SiteContext, Tier, Uuid } from './run.ts'
import { Timestamp } from './time.ts'

/** Characters of the name of an agent. */
const NAME = z.string().trim().min(1).max(100)

export const Agent = z.strictObject({
  id: Uuid,
  name: z.string(),
  created_at: Timestamp,
  created_by: z.string().describe('Who made it'),
  last_seen_at: Timestamp.nullable().describe('Null: it has never asked for work'),
  version: z.string().nullable().describe('Of the program, as it said when it was last seen'),
  networks: z
    .array(z.string())
    .describe('Networks that its operator lets it reach beyond public addresses, as it said when it was last seen'),
  domains: z.int().min(0).describe('Domains that name it'),
  revoked_at: Timestamp.nullable(),
})
export type Agent = z.infer<typeof Agent>

export const CreateAgent = z.strictObject({ name: NAME.describe('Unique among those that are not revoked') })
export const AgentCreated = z.strictObject({ agent: Agent, token: z.string().describe('Shown this once') })
export const AgentList = z.strictObject({ items: z.array(Agent) })

/** What an agent learns of itself. */
export const AgentSelf = z.strictObject({
  agent: Agent.pick({ id: true, name: true }),
  organisation: z.string(),
  version: z.string().describe('Of the service; an agent of another takes no run'),
  now: Timestamp.describe('By the clock of the service'),
})
export type AgentSelf = z.infer<typeof AgentSelf>

/** Runs that one process of an agent can say that it has. */
export const MOST_PLACES = 64
export const AskWork = z.strictObject({
  version: z.string().min(1).max(64),
  instance: Uuid.describe('Of the folder that the process works in; one process at a time has it'),
  holding: z
    .array(Uuid)
    .max(MOST_PLACES)
    .describe('Runs that the process has. Others that were leased to this instance are taken back'),
  place: z.boolean().describe('It has a place for one more run'),
  networks: z.array(z.string().max(64)).max(256),
})
export type AskWork = z.infer<typeof AskWork>

export const AgentRun = z.strictObject({
  id: Uuid,
  domain: z.string(),
  attempts: z.int().min(0).describe('Started before this one'),
  lease: Uuid.describe('Fences every write: whoever does not send it can write nothing'),
  lease_seconds: z.number().positive(),
})
export type AgentRun = z.infer<typeof AgentRun>

/** A question whether a domain shows the proof of its owner. */
export const AgentCheck = z.strictObject({ id: Uuid, domain: z.string(), token: z.string() })
export type AgentCheck = z.infer<typeof AgentCheck>

export const AgentWork = z.strictObject({ run: AgentRun.nullable(), checks: z.array(AgentCheck) })
export type AgentWork = z.infer<typeof AgentWork>

/**
 * Seconds that an agent may be silent before its run is taken back: it may be cut off for ten minutes, and goes on with its
 * scan meanwhile.
 */
export const AGENT_LEASE = 900

export const LEASE_HEADER = 'Sonde-Lease'

export const AgentStarted = z.strictObject({
  started_at: Timestamp.describe('Of the first attempt'),
  attempt: z.int().min(1),
  prove: AgentCheck.pick({ domain: true, token: true })
    .nullable()
    .describe('The proof to ask for before anything active is sent; null: none'),
  active_refused: z.string().nullable().describe('Why nothing active may be sent, where that is known already'),
})
export type AgentStarted = z.infer<typeof AgentStarted>

export const Attempts = z.strictObject({ attempts: z.array(VerificationAttempt).min(1).max(3) })
export const AgentProven = z.strictObject({ active_refused: z.string().nullable() })

/** Where targets reach a listener of the service, and the key by which it knows the tokens of one run. */
export const OobPlace = z.strictObject({
  key: z.string(),
  domain: z.string().nullable(),
  address: z.string(),
  httpPort: z.int(),
})
export type OobPlace = z.infer<typeof OobPlace>

/** A call that a target made. */
export const OobCall = z.strictObject({
  token: z.string(),
  protocol: z.enum(['dns', 'http']),
  at: z.number().describe('Milliseconds since the epoch'),
  from: z.string(),
  detail: z.string(),
  agent: z.string(),
})
export type OobCall = z.infer<typeof OobCall>

export const AskCalls = z.strictObject({ after: z.int().min(0).describe('Number of the last call that is known') })
export const AgentCalls = z.strictObject({
  calls: z.array(z.strictObject({ n: z.int().min(1), call: OobCall })),
  listening: z.boolean().describe('Whether a listener is there, and was since the assignment'),
  heard_until: Timestamp.nullable().describe('What came before then and is not here has not come'),
  now: Timestamp.describe('By the same clock'),
})
export type AgentCalls = z.infer<typeof AgentCalls>

/** Held open in the parts that only the scanner reads. */
export const AgentAssignment = z.strictObject({
  domain: z.string(),
  tier: Tier,
  context: SiteContext.nullable(),
  environment: Environment,
  options: RunOptions,
  credentials: z.looseObject({ cookie: z.string().nullable(), header: z.string().nullable() }),
  identities: z
    .array(z.strictObject({ name: z.string(), role: z.string(), credentials: z.looseObject({}).nullable() }))
    .optional(),
  descriptions: z.array(z.looseObject({})).optional(),
  deaths: z.array(z.strictObject({ modules: z.array(z.string()), detail: z.string() })),
  completed: z.record(z.string(), z.strictObject({ facts: z.unknown(), outcome: z.looseObject({}) })),
  out_of_band: OobPlace.nullable().describe(
    'Of active runs, where a worker of the service listens for calls from targets',
  ),
  traffic_key: z.string().describe('Signs the Sonde-Run header of this run alone'),
})

const Module = z.string().min(1).max(64)
const Outcome = z.looseObject({
  state: z.enum(['completed', 'failed', 'skipped', 'blocked']),
  reason: z.string().max(2_000).nullable(),
  duration_ms: z.number().min(0),
  requests: z.int().min(0),
})
const AuditEntry = z.strictObject(AuditLine.omit({ seq: true, prev: true }).shape)

const Findings = z.array(Finding.omit({ id: true, status: true, triage: true })).max(20_000)

/** What a scan process says, and what its supervisor says of it. */
export const AgentMessage = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('progress'),
    phase: Phase,
    detail: z.string().max(2_000),
    progress: z.number().min(0).max(100),
  }),
  z.strictObject({ type: z.literal('audit'), entries: z.array(AuditEntry).max(2_000) }),
  z.strictObject({
    type: z.literal('module'),
    module: Module,
    outcome: Outcome,
    facts: z.unknown(),
    findings: Findings,
    coverage: z.array(Coverage).max(20_000),
    evidence: z.array(Uuid).max(20_000).optional(),
  }),
  z.strictObject({ type: z.literal('found'), module: Module, findings: Findings }),
  z.strictObject({ type: z.literal('token_replaced'), lineage: z.string().max(128), token: z.string().max(16_384) }),
  z.strictObject({ type: z.literal('fault'), module: Module, id: z.string().regex(/^F-[0-9a-f]{8}$/) }),
  z.strictObject({
    type: z.literal('died'),
    modules: z.array(Module).max(200),
    detail: z.string().max(2_000),
  }),
])
export type AgentMessage = z.infer<typeof AgentMessage>

/** Messages and files of one lease. */
const MOST_MESSAGES = 1_000_000
/** Counts the messages and files of one lease without a gap, from 1: one that comes twice is kept once. */
const Sequence = z.int().min(1).max(MOST_MESSAGES)
export const TellRun = z.strictObject({ seq: Sequence, message: AgentMessage })

/** Bytes of one message; facts of a large site are megabytes. */
export const MESSAGE_BYTES = 64 * 1024 * 1024
/** Bytes of one file of evidence. */
export const EVIDENCE_BYTES = 64 * 1024 * 1024

export const EvidenceQuery = z.strictObject({
  seq: queryInteger(1, MOST_MESSAGES).describe('Number of this message of the lease, from 1 on'),
  module: Module.describe('Whose evidence it is'),
  filename: z.string().min(1).max(255).describe('Under which it is kept'),
  content_type: z.string().min(1).max(255).describe('Media type of the body'),
})

export const EndScan = z.discriminatedUnion('result', [
  z.strictObject({ result: z.literal('completed') }),
  z.strictObject({ result: z.literal('canceled') }),
  z.strictObject({ result: z.literal('failed'), kind: ErrorKind, detail: z.string().min(1).max(2_000) }),
])
export type EndScan = z.infer<typeof EndScan>
