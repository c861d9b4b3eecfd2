/** Agents as people see them. */
import { z } from 'zod'
import { Agent, AgentCreated, AgentList, CreateAgent } from '../agent.ts'
import * as example from '../agent-examples.ts'
import { endpoint, json } from '../endpoint.ts'
import { Uuid } from '../run.ts'

const AgentId = z.strictObject({ id: Uuid.describe('Id of the agent') })

export const SCAN_AGENTS = {
  listAgents: endpoint({
    method: 'GET',
    path: '/v1/agents',
    tag: 'Agents',
    scope: 'domains:read',
    summary: 'List agents',
    description: 'Oldest first, revoked ones included. An agent that works has been seen within the last minute.',
    responses: { 200: json('AgentList', AgentList, 'Agents', { items: [example.agent] }) },
    problems: [],
  }),
  createAgent: endpoint({
    method: 'POST',
    path: '/v1/agents',
    tag: 'Agents',
    scope: 'organisation:write',
    summary: 'Make an agent',
    description:
      'An agent is a worker that makes outbound connections to this interface alone, for domains that only it can reach. Start it there ' +
      'with the token: `sonde agent`. The token is shown this once, is no API key, and opens nothing but the runs of this ' +
      'organisation whose domains name the agent (`agent_id` of the domain).',
    body: CreateAgent,
    bodyName: 'CreateAgent',
    bodyExample: example.createAgent,
    responses: { 201: json('AgentCreated', AgentCreated, 'Made', example.agentCreated) },
    problems: ['agent_exists'],
  }),
  revokeAgent: endpoint({
    method: 'POST',
    path: '/v1/agents/{id}/revoke',
    tag: 'Agents',
    scope: 'organisation:write',
    summary: 'Revoke an agent',
    description:
      'Its token opens nothing from now on, and its runs that have not ended fail. Domains go on naming it, and start no run until they ' +
      'name another or none.',
    params: AgentId,
    missing: { id: 'agent_not_found' },
    responses: { 200: json('Agent', Agent, 'Revoked', { ...example.agent, revoked_at: '2026-11-25T10:00:00.000Z' }) },
    problems: ['agent_not_found'],
  }),
} as const
