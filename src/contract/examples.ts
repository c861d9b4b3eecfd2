/** Examples of the OpenAPI document; a test holds them valid against their schemas. */
import type { z } from 'zod'
import type { Artifact, SignedUrl } from './artifact.ts'
import type { Comparison } from './comparison.ts'
import type { Description, DescriptionDetail } from './description.ts'
import type { Domain, VerifyAnswer } from './domain.ts'
import type { DomainLogin, LoginTest } from './domain-login.ts'
import type { DomainTriage } from './domain-triage.ts'
import type { Finding } from './finding.ts'
import type { CreateIdentity, Identity } from './identity.ts'
import type { Retest } from './retest.ts'
import type { RunCreated, RunListItem, RunState } from './run.ts'
import type { SigningKeys } from './service.ts'
import { type Triage, UNDECIDED } from './triage.ts'

const RUN = '7b0c7a0e-52a4-4f0c-9d1b-0c8f3f1f2a10'
const DOMAIN = '2f6f1c1e-8a55-4b53-bb0e-3d6f6f1f9b21'
const FINDING = '0a5b2a6f-9a3e-4d39-8a7c-5b1b8f6d7c42'
const EVIDENCE = '9d2c5d8e-0b4b-4b1e-9e57-6d9f2b3c1a53'
const ARTIFACT = '51c1f6f0-6f0a-4a55-8f6c-2e2f4f6a8b64'
const BASE = 'c1d8a9b4-3a5e-4f55-9f0a-2f7f8a6b9c32'
const COUNTS = { critical: 0, high: 1, medium: 3, low: 4, info: 2 }
const OPEN = { ...COUNTS, high: 0 }

export const runCreated: RunCreated = {
  id: RUN,
  domain: 'shop.example.com',
  tier: 'passive',
  status: 'queued',
  progress: 0,
  context: 'shop',
  created_at: '2026-11-20T09:00:00.000Z',
}

export const runListItem: RunListItem = {
  id: RUN,
  domain: 'shop.example.com',
  tier: 'passive',
  status: 'done',
  progress: 100,
  counts: COUNTS,
  open_counts: OPEN,
  retest_of: null,
  hypothesis: null,
  created_at: '2026-11-20T09:00:00.000Z',
}

export const runState: RunState = {
  id: RUN,
  domain: 'shop.example.com',
  tier: 'passive',
  context: 'shop',
  status: 'running',
  phase: 'passive',
  phase_detail: 'tls: 214 of 331 cipher suites',
  progress: 42,
  counts: COUNTS,
  open_counts: OPEN,
  duration_ms: 61_250,
  error_kind: null,
  error_detail: null,
  grade: null,
  retest_of: null,
  hypothesis: null,
  signed_in: false,
  environment: 'production',
  dry_run: false,
  report: { state: 'none', reason: null, version: null },
  remaining: { least_ms: 74_000, most_ms: 131_000, basis: 'domain', runs: 3 },
  created_at: '2026-11-20T09:00:00.000Z',
  started_at: '2026-11-20T09:00:00.040Z',
  finished_at: null,
  cancel_requested_at: null,
}

export const finding: Finding = {
  id: FINDING,
  check_id: 'headers/strict-transport-security-missing',
  module: 'headers',
  title: 'Strict-Transport-Security is missing',
  severity: 'high',
  shift: { base: 'medium', reason: 'A shop takes payments' },
  confidence: 'confirmed',
  location: { url: 'https://shop.example.com/', method: 'GET' },
  places: [{ url: 'https://shop.example.com/', method: 'GET' }],
  detail: 'The start page answers over https without the header.',
  description: 'A first visit over http can be answered by anyone on the path.',
  remediation: 'Add `Strict-Transport-Security: max-age=31536000; includeSubDomains` to every https answer.',
  references: ['https://www.rfc-editor.org/rfc/rfc6797'],
  cwe: 319,
  owasp: ['A02:2025'],
  cvss: null,
  cve: [],
  proof: {
    excerpt: 'HTTP/1.1 200 OK\nserver: nginx',
    mark: null,
    replay: 'curl -sI https://shop.example.com/',
  },
  evidence: [EVIDENCE],
  fingerprint: '9f'.repeat(32),
  status: 'new',
  triage: UNDECIDED,
}

export const triage: Triage = {
  state: 'accepted',
  reopened: null,
  owner: 'J. Weber',
  reason: 'The old payment terminals go in January.',
  expires_at: '2027-02-01T00:00:00.000Z',
  decided_at: '2026-11-20T10:12:00.000Z',
  decided_by: 'ci',
}

export const domainTriage: DomainTriage = {
  ...triage,
  finding: {
    check_id: finding.check_id,
    title: finding.title,
    severity: finding.severity,
    location: finding.location,
    fingerprint: finding.fingerprint,
  },
}
export const setTriage = {
  state: 'accepted',
  owner: triage.owner,
  reason: triage.reason,
  expires_at: triage.expires_at,
}

export const comparison: Comparison = {
  run: { id: RUN, tier: 'passive', grade: 'B', finished_at: '2026-11-20T09:03:12.000Z' },
  base: { id: BASE, tier: 'passive', grade: 'C', finished_at: '2026-11-13T09:02:55.000Z' },
  new: [{ ...domainTriage.finding, id: FINDING }],
  gone: [],
  changed: [],
  not_comparable: [],
  unchanged: 9,
}

export const retest: Retest = {
  id: '4c8e0f9a-1d2b-4a6c-8e3f-5a7b9c0d1e77',
  finding_id: FINDING,
  state: 'waiting',
  reason: null,
  finding: null,
  created_at: '2026-11-20T10:00:00.000Z',
  finished_at: null,
}

export const artifact: Artifact = {
  id: ARTIFACT,
  kind: 'report_pdf',
  filename: 'report.pdf',
  content_type: 'application/pdf',
  size_bytes: 184_320,
  sha256: '3a'.repeat(32),
  page_count: 24,
  version: 1,
  created_at: '2026-11-20T09:03:10.000Z',
  expires_at: '2027-02-18T09:03:10.000Z',
  deleted: false,
}

export const signedUrl: SignedUrl = {
  url: `https://sonde.example/files/runs/${RUN}/report.pdf?expires=1795511290&filename=report.pdf&type=application%2Fpdf&signature=Zm9v`,
  expires_at: '2026-11-20T09:08:10.000Z',
  filename: 'report.pdf',
  watermarked: false,
  version: 1,
}

export const domain: Domain = {
  id: DOMAIN,
  domain: 'shop.example.com',
  context: 'shop',
  environment: 'production',
  exclude: ['/admin', '/**?action=delete*'],
  start_paths: ['/wiki/'],
  requests_per_second: 5,
  agent_id: null,
  quiet_hours: { from: '08:00', to: '18:00', time_zone: 'Europe/Berlin' },
  cooldown_minutes: 60,
  max_requests_per_second: 20,
  sign_in_hosts: [],
  login: null,
  verified_at: '2026-11-20T08:00:00.000Z',
  verified_until: '2027-02-18T08:00:00.000Z',
  verification: {
    dns_txt: { name: '_sonde-challenge.shop.example.com', value: 'sonde-verification=4WqVfAqTt0cY0nXhL5m2Zw' },
    http_file: {
      url: 'https://shop.example.com/.well-known/sonde-challenge.txt',
      content: 'sonde-verification=4WqVfAqTt0cY0nXhL5m2Zw',
    },
    meta_tag: {
      html: '<meta name="sonde-verification" content="4WqVfAqTt0cY0nXhL5m2Zw">',
      url: 'https://shop.example.com/',
    },
  },
  created_at: '2026-11-20T07:55:00.000Z',
}

export const login: DomainLogin = {
  kinds: ['cookie'],
  page: '/account',
  set_at: '2026-11-20T08:10:00.000Z',
  set_by: 'ci',
}
export const description: Description = {
  id: '8c0c0f3e-5d3b-4c57-a8d1-5b5f0c1d2e30',
  name: 'openapi.yaml',
  kind: 'OpenAPI 3.0.3',
  title: 'Shop',
  described: 3,
  operations: 2,
  refused: [{ where: 'GET /reports', line: 41, reason: 'it refers to another address, and none is fetched' }],
  left_out: [
    { where: 'header X-Api-Key of GET /orders', reason: 'it says who asks: the login of the run is sent instead' },
  ],
  created_at: '2026-11-20T08:20:00.000Z',
  created_by: 'ci',
}
export const descriptionDetail: DescriptionDetail = {
  ...description,
  taken: [
    { method: 'GET', path: '/api/orders', name: '' },
    { method: 'GET', path: '/api/orders/{id}', name: '' },
  ],
}
export const loginTest: LoginTest = {
  ...{ state: 'waiting', reason: null, without: null, with: null, steps: [] },
  ...{ asked_at: '2026-11-20T08:11:00.000Z', finished_at: null },
}
export const loginTested: LoginTest = {
  ...loginTest,
  state: 'works',
  reason: 'Without the login the page answers 302 and leads to /login, with it 200.',
  without: { url: 'https://shop.example.com/login', status: 200, title: 'Sign in' },
  with: { url: 'https://shop.example.com/account', status: 200, title: 'Your account' },
  finished_at: '2026-11-20T08:11:02.000Z',
}
export const identity: Identity = {
  id: '5d0c7a1e-84f4-4a0f-9c35-7f5b8e1d2a60',
  name: 'customer',
  role: 'customer',
  kind: 'request',
  parts: ['request', 'totp'],
  proof: { path: '/account', text: 'Sign out' },
  set_at: '2026-11-20T08:10:00.000Z',
  set_by: 'ci',
  test: null,
}
export const createIdentity: z.input<typeof CreateIdentity> = {
  ...{ name: 'customer', role: 'customer', kind: 'request' },
  request: {
    requests: [
      { url: '/login', read: { csrf: { field: '_csrf' } } },
      { url: '/login', form: { user: 'ada', password: 'correct horse', code: '{{totp}}', _csrf: '{{csrf}}' } },
    ],
  },
  totp: { secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' },
  proof: { path: '/account', text: 'Sign out' },
}

export const verifyAnswer: VerifyAnswer = {
  domain,
  attempts: [
    { method: 'dns_txt', ok: true, seen: '_sonde-challenge.shop.example.com has the expected TXT record' },
    { method: 'http_file', ok: false, seen: 'https://shop.example.com/.well-known/sonde-challenge.txt answered 404' },
    { method: 'meta_tag', ok: false, seen: 'https://shop.example.com/ has no such meta element in its head' },
  ],
}
/** Public keys of RFC 8032, 7.1. */
export const signingKeys: SigningKeys = {
  algorithm: 'Ed25519',
  fingerprint: '06e3fd8fda29bb60ab59557de61edb0aecdb231134be30e75b455f8e1b792fa9',
  public_key:
    '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n',
  created_at: '2026-11-20T08:59:00.000Z',
  former: [
    {
      fingerprint: 'deb2ded39dc26fce0e6085b6fc34bf6b5941913bbfe2ea614113cff9e004c170',
      public_key:
        '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAPUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=\n-----END PUBLIC KEY-----\n',
      created_at: '2026-06-01T08:00:00.000Z',
      retired_at: '2026-11-20T08:59:00.000Z',
    },
  ],
}
export const startRun = { domain_id: DOMAIN, active: false, privacy: true, context: null, make_pdf: true }
export const createDomain = { domain: 'shop.example.com', context: 'shop' }
export const ids = { run: RUN, domain: DOMAIN, finding: FINDING }
