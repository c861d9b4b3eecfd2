/** Examples of the OpenAPI document for agents. */
import type { Agent, AgentRun, AgentSelf, AgentStarted, AskWork } from './agent.ts'
import { domain, ids } from './examples.ts'

const AGENT = 'a7e2c1d0-5b6f-4c3d-8e9f-0a1b2c3d4e5f'

export const agent: Agent = {
  id: AGENT,
  name: 'warehouse',
  created_at: '2026-11-20T08:00:00.000Z',
  created_by: 'J. Weber',
  last_seen_at: '2026-11-25T09:30:00.000Z',
  version: '1.0.0',
  networks: ['10.20.0.0/16'],
  domains: 1,
  revoked_at: null,
}
export const newAgent: Agent = { ...agent, last_seen_at: null, version: null, networks: [], domains: 0 }
export const createAgent = { name: 'warehouse' }
export const agentCreated = { agent: newAgent, token: 'sonde_agent_…' }
export const self: AgentSelf = {
  agent: { id: AGENT, name: 'warehouse' },
  organisation: 'Example',
  version: '1.0.0',
  now: '2026-11-25T09:30:00.000Z',
}
export const askWork: AskWork = {
  version: '1.0.0',
  instance: '3f0d6a52-9c1e-4b7a-8d2f-6e5c4b3a2f10',
  holding: [],
  place: true,
  networks: ['10.20.0.0/16'],
}
export const run: AgentRun = {
  id: ids.run,
  domain: 'wiki.corp.example',
  attempts: 0,
  lease: 'd1c2b3a4-6f5e-4d4c-9b8a-7f6e5d4c3b2a',
  lease_seconds: 900,
}
export const work = { run, checks: [] }
export const started: AgentStarted = {
  started_at: '2026-11-25T09:30:02.000Z',
  attempt: 1,
  prove: null,
  active_refused: null,
}
export const attempts = {
  attempts: [
    { method: 'dns_txt' as const, ok: true, seen: '_sonde-challenge.wiki.corp.example has the expected TXT record' },
  ],
}
export const assignment = {
  domain: 'wiki.corp.example',
  tier: 'passive' as const,
  context: domain.context,
  environment: domain.environment,
  options: { active: false } as never,
  credentials: { cookie: null, header: null },
  deaths: [],
  completed: {},
  out_of_band: null,
  traffic_key: 'c2VlIHRoZSBzY2hlbWE',
}
export const tell = {
  seq: 1,
  message: {
    type: 'progress' as const,
    phase: 'passive' as const,
    detail: 'headers: reading the start page',
    progress: 30,
  },
}
export const endScan = { end: { result: 'completed' as const } }
export const calls = {
  calls: [],
  listening: true,
  heard_until: '2026-11-25T09:31:00.000Z',
  now: '2026-11-25T09:31:01.500Z',
}
