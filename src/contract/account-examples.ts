/** Examples of the OpenAPI document for the rows of account-endpoints.ts. */
import type { Activity, Member, OrganisationView } from './account.ts'
import { ids } from './examples.ts'
import type { HoldState, StopRuns } from './hold.ts'
import type { ApiKey, Organisation } from './organisation.ts'
import type { FindingAppearance, Overview, RunCoverage } from './overview.ts'
import type { Session, SignIn } from './session.ts'

const ORGANISATION = '6d1f5a52-0c5e-4f0b-8a7e-3a1b2c4d5e60'
const KEY = 'b3f0c2d4-1a2b-4c3d-9e8f-7a6b5c4d3e21'
const MEMBER = 'c4a1d3e5-2b3c-4d4e-8f90-8b7c6d5e4f32'
const COUNTS = { critical: 0, high: 1, medium: 3, low: 4, info: 2 }
const NONE = { critical: 0, high: 0, medium: 0, low: 0, info: 0 }

export const signIn: SignIn = { open_id: { name: 'Company account', path: '/sign-in/openid' } }
export const createSession = { api_key: 'sonde_…' }

const plan = { id: 'team', runs_per_month: 200, concurrent_runs: 3, retention_days: 90, watermark: false }
const organisationOf: Organisation = {
  id: ORGANISATION,
  name: 'Example',
  plan: 'team',
  state: 'active',
  requests_per_day: null,
  created_at: '2026-11-01T08:00:00.000Z',
}

export const session: Session = {
  actor: { kind: 'key', id: KEY, name: 'laptop', role: null },
  organisation: organisationOf,
  scopes: ['scans:read', 'scans:write', 'artifacts:read', 'domains:read'],
  csrf_token: 'Zm9vYmFy',
  expires_at: '2026-11-27T09:00:00.000Z',
}

export const organisation: OrganisationView = {
  id: ORGANISATION,
  name: 'Example',
  state: 'active',
  plan,
  usage: { from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z', runs: 41, left: 159 },
  requests: { per_day: 2_000_000, sent: 81_204 },
  active_runs: 1,
  logo: { content_type: 'image/png', size_bytes: 5_120 },
  hold: null,
}
export const stopRuns: StopRuns = { reason: 'The shop is slow since noon' }
export const held: HoldState = {
  hold: {
    by: 'organisation',
    held_by: 'J. Weber',
    reason: stopRuns.reason ?? null,
    held_at: '2026-11-21T12:04:00.000Z',
  },
  ending: 2,
  waiting: 1,
}
export const released: HoldState = { hold: null, ending: 0, waiting: 1 }
export const setLogo = { logo: 'iVBORw0KGgo=' }

export const apiKey: ApiKey = {
  id: KEY,
  organisation_id: ORGANISATION,
  name: 'laptop',
  scopes: ['scans:read', 'scans:write'],
  expires_at: null,
  last_used_at: '2026-11-20T09:00:00.000Z',
  revoked_at: null,
  created_at: '2026-11-01T08:00:00.000Z',
}
export const revokedKey: ApiKey = { ...apiKey, revoked_at: '2026-11-20T10:00:00.000Z' }
export const createKey = { name: 'pipeline', scopes: ['scans:read' as const, 'scans:write' as const], expires_at: null }
export const keyCreated = { key: { ...apiKey, name: 'pipeline', last_used_at: null }, secret: 'sonde_…' }

export const member: Member = {
  id: MEMBER,
  name: 'Ada Example',
  email: 'ada@example.com',
  role: 'owner',
  created_at: '2026-11-01T08:00:00.000Z',
  last_seen_at: '2026-11-20T09:00:00.000Z',
}

export const activity: Activity = {
  id: 'd5b2e4f6-3c4d-4e5f-9a01-9c8d7e6f5a43',
  at: '2026-11-20T09:00:00.000Z',
  actor: { kind: 'member', id: MEMBER, name: 'Ada Example' },
  action: 'startScan',
  subject: 'shop.example.com',
}

export const overview: Overview = {
  domains: [
    {
      id: ids.domain,
      domain: 'shop.example.com',
      verified_until: '2027-02-18T08:00:00.000Z',
      runs: [{ id: ids.run, tier: 'passive', grade: 'B', counts: COUNTS, finished_at: '2026-11-20T09:03:10.000Z' }],
      latest: {
        added: { ...NONE, high: 1 },
        gone: 2,
        not_comparable: 0,
        checks: { pass: 180, fail: 10, not_applicable: 22, not_tested: 61, blocked: 0, inconclusive: 1 },
      },
    },
  ],
  total: 1,
}

export const appearance: FindingAppearance = {
  run_id: ids.run,
  finding_id: ids.finding,
  state: 'found',
  severity: 'high',
  finished_at: '2026-11-20T09:03:10.000Z',
}

export const coverage: RunCoverage = {
  status: 'done',
  modules: [{ module: 'headers', state: 'completed', reason: null, duration_ms: 812, requests: 4 }],
  items: [
    {
      module: 'headers',
      check_id: 'headers/strict-transport-security-missing',
      title: 'Strict-Transport-Security is missing',
      state: 'fail',
      reason: null,
    },
    {
      module: 'ports',
      check_id: 'ports/*',
      title: 'Ports',
      state: 'not_tested',
      reason: 'a passive run sends no probes',
    },
  ],
  grade: {
    grade: 'B',
    score: 82,
    provisional: false,
    caps: [],
    parts: [{ id: 'headers', title: 'Response headers', grade: 'B', score: 75 }],
  },
  resolved: [],
}

export const judgingAgain = { enabled: true }
export const readingLanguage = { language: 'de' } as const
export const dueDays = { critical: 7, high: 30, medium: 90, low: null, info: null }
