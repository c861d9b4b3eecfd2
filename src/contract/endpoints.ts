/**
 * Every endpoint of the HTTP interface, one row each. The routes, their validation and scopes, the OpenAPI document and
 * the typed client all come from here.
 */
import { ACCOUNT } from './endpoints/account.ts'
import { AGENT_WORK } from './endpoints/agent-work.ts'
import { AGENTS } from './endpoints/agents.ts'
import { ARTIFACTS } from './endpoints/artifacts.ts'
import { BATCHES } from './endpoints/batches.ts'
import { DESCRIPTIONS } from './endpoints/descriptions.ts'
import { DOMAIN_FINDINGS } from './endpoints/domain-findings.ts'
import { DOMAINS } from './endpoints/domains.ts'
import { ERASURES } from './endpoints/erasures.ts'
import { FINDINGS } from './endpoints/findings.ts'
import { HYPOTHESES } from './endpoints/hypotheses.ts'
import { IDENTITIES } from './endpoints/identities.ts'
import { NOTICES } from './endpoints/notices.ts'
import { SCAN_AGENTS } from './endpoints/scan-agents.ts'
import { SCANS } from './endpoints/scans.ts'
import { SCHEDULES } from './endpoints/schedules.ts'
import { SERVICE } from './endpoints/service.ts'

export const ENDPOINTS = {
  ...SCANS,
  ...BATCHES,
  ...FINDINGS,
  ...HYPOTHESES,
  ...DOMAIN_FINDINGS,
  ...ARTIFACTS,
  ...DOMAINS,
  ...DESCRIPTIONS,
  ...IDENTITIES,
  ...SCHEDULES,
  ...NOTICES,
  ...ACCOUNT,
  ...AGENTS,
  ...SCAN_AGENTS,
  ...AGENT_WORK,
  ...ERASURES,
  ...SERVICE,
} as const

export type Endpoints = typeof ENDPOINTS
export type EndpointId = keyof Endpoints
