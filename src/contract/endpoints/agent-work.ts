/** What an agent itself calls, with its token and no key. It only asks: nothing connects to it. */
import { z } from 'zod'
import {
  AgentAssignment,
  AgentCalls,
  AgentProven,
  AgentSelf,
  AgentStarted,
  AgentWork,
  AskCalls,
  AskWork,
  Attempts,
  EndScan,
  EVIDENCE_BYTES,
  EvidenceQuery,
  LEASE_HEADER,
  MESSAGE_BYTES,
  TellRun,
} from '../agent.ts'
import * as example from '../agent-examples.ts'
import { endpoint, json, raw } from '../endpoint.ts'
import { Uuid } from '../run.ts'
import { SCAN_MISSING, ScanId } from './ids.ts'

const LEASE = [
  { name: LEASE_HEADER, description: 'The lease of the run, as its answer gave it', example: example.run.lease },
] as const

const OF_RUN = { tag: 'Agents', scope: 'agent', params: ScanId, missing: SCAN_MISSING, headers: LEASE } as const
const Kept = raw('Kept, now or before', [])

export const AGENT_WORK = {
  readAgent: endpoint({
    method: 'GET',
    path: '/v1/agent',
    tag: 'Agents',
    scope: 'agent',
    summary: 'Agent: who am I',
    description: 'For the self-check of an agent.',
    responses: { 200: json('AgentSelf', AgentSelf, 'The agent', example.self) },
    problems: [],
  }),
  takeAgentWork: endpoint({
    method: 'POST',
    path: '/v1/agent/work',
    tag: 'Agents',
    scope: 'agent',
    summary: 'Agent: ask for work',
    description:
      'A run where one waits for this agent, and proofs of domains to look for. Runs that were leased to this instance and that it does not ' +
      'say it is holding go back to the queue. Answers at once; ask again after a few seconds.',
    body: AskWork,
    bodyName: 'AskWork',
    bodyExample: example.askWork,
    responses: { 200: json('AgentWork', AgentWork, 'Work, or none', example.work) },
    problems: ['agent_version_wrong'],
  }),
  answerAgentCheck: endpoint({
    method: 'PUT',
    path: '/v1/agent/checks/{id}',
    tag: 'Agents',
    scope: 'agent',
    summary: 'Agent: say whether a domain shows its proof',
    description:
      'The answer verifies the domain for runs through this agent alone. Late and repeated answers are let go.',
    params: z.strictObject({ id: Uuid.describe('Id of the check') }),
    body: Attempts,
    bodyName: 'Attempts',
    bodyExample: example.attempts,
    responses: { 204: raw('Taken', []) },
    problems: [],
  }),
  beatAgentRun: endpoint({
    ...OF_RUN,
    method: 'POST',
    path: '/v1/agent/runs/{id}/heartbeat',
    summary: 'Agent: keep the lease',
    description: 'Extends the lease, and says whether the run is to end, or to send nothing more.',
    responses: {
      200: json(
        'AgentBeat',
        z.strictObject({
          cancel_requested: z.boolean(),
          silence: z.string().nullable().describe('Why the run may send nothing more; it ends with what it has then'),
        }),
        'Kept',
        { cancel_requested: false, silence: null },
      ),
    },
    problems: ['lease_lost'],
  }),
  startAgentRun: endpoint({
    ...OF_RUN,
    method: 'POST',
    path: '/v1/agent/runs/{id}/start',
    summary: 'Agent: begin the attempt',
    description: 'Once a lease; asking again answers the same.',
    responses: { 200: json('AgentStarted', AgentStarted, 'Begun', example.started) },
    problems: ['lease_lost'],
  }),
  proveAgentRun: endpoint({
    ...OF_RUN,
    method: 'POST',
    path: '/v1/agent/runs/{id}/proof',
    summary: 'Agent: say whether the domain of an active run shows its proof',
    description: 'Before the first active request.',
    body: Attempts,
    bodyName: 'RunAttempts',
    bodyExample: example.attempts,
    responses: { 200: json('AgentProven', AgentProven, 'What follows', { active_refused: null }) },
    problems: ['lease_lost'],
  }),
  readAssignment: endpoint({
    ...OF_RUN,
    method: 'GET',
    path: '/v1/agent/runs/{id}/assignment',
    summary: 'Agent: read what to scan',
    description:
      'With the secrets of the identities as whom the run looks: to be kept in memory only. Read before each scan process, since what one before it ' +
      'completed is not collected again.',
    responses: { 200: json('AgentAssignment', AgentAssignment, 'The assignment', example.assignment) },
    problems: ['lease_lost'],
  }),
  listAgentCalls: endpoint({
    ...OF_RUN,
    method: 'POST',
    path: '/v1/agent/runs/{id}/calls',
    summary: 'Agent: ask for calls from targets',
    description:
      'Those that a listener of the service has heard since, and whether it listens: only then what is not here has not come.',
    body: AskCalls,
    bodyName: 'AskCalls',
    bodyExample: { after: 0 },
    responses: { 200: json('AgentCalls', AgentCalls, 'Calls', example.calls) },
    problems: ['lease_lost'],
  }),
  tellAgentRun: endpoint({
    ...OF_RUN,
    method: 'POST',
    path: '/v1/agent/runs/{id}/messages',
    summary: 'Agent: hand over what the scan says',
    description:
      'Messages and files of a lease are numbered together, without a gap, from 1. One that comes twice is kept once.',
    body: TellRun,
    bodyName: 'TellRun',
    bodyExample: example.tell,
    bodyLimit: MESSAGE_BYTES,
    responses: { 204: Kept },
    problems: ['lease_lost', 'message_out_of_order', 'message_unstorable'],
  }),
  putAgentEvidence: endpoint({
    ...OF_RUN,
    method: 'PUT',
    path: '/v1/agent/runs/{id}/evidence/{evidence_id}',
    params: ScanId.extend({ evidence_id: Uuid.describe('Id of the file, as findings name it') }),
    missing: { ...SCAN_MISSING, evidence_id: 'artifact_not_found' },
    summary: 'Agent: hand over a file of evidence',
    description: 'Numbered with the messages. The service reads back what it has written before it answers.',
    query: EvidenceQuery,
    rawBody: ['application/octet-stream'],
    bodyLimit: EVIDENCE_BYTES,
    responses: { 204: Kept },
    problems: ['lease_lost', 'message_out_of_order'],
  }),
  releaseAgentRun: endpoint({
    ...OF_RUN,
    method: 'POST',
    path: '/v1/agent/runs/{id}/release',
    summary: 'Agent: hand the run back',
    description: 'It is queued again, and the attempt does not count.',
    responses: { 204: raw('Handed back', []) },
    problems: ['lease_lost'],
  }),
  endAgentRun: endpoint({
    ...OF_RUN,
    method: 'POST',
    path: '/v1/agent/runs/{id}/end',
    summary: 'Agent: say how the scan ended',
    description: 'The lease goes. A worker of the service judges, writes the reports, signs, and ends the run.',
    body: z.strictObject({ end: EndScan }),
    bodyName: 'EndAgentRun',
    bodyExample: example.endScan,
    responses: { 204: raw('Taken, now or before', []) },
    problems: ['lease_lost'],
  }),
} as const
