/**
 * Every endpoint of the HTTP interface, one row each. The routes, their validation and scopes, the OpenAPI document and
 * the typed client all come from here.
 */
import { z } from 'zod'
import { ACCOUNT_ENDPOINTS } from './account-endpoints.ts'
import { Artifact, ArtifactKind, SignedUrl, SignedUrlQuery } from './artifact.ts'
import { CreateDomain, Domain, ListDomains, UpdateDomain, VerifyAnswer } from './domain.ts'
import { endpoint, json, jsonOr, raw } from './endpoint.ts'
import * as example from './examples.ts'
import { Finding, ListFindings } from './finding.ts'
import { ListRuns, page, RunCreated, RunListItem, RunState, RunStatus, StartRun, Uuid } from './run.ts'
import { Health, Readiness, TrafficVerdict, VerifyTrafficQuery } from './service.ts'

const ScanId = z.strictObject({ id: Uuid.describe('Id of the run') })
const DomainId = z.strictObject({ id: Uuid.describe('Id of the domain') })
const SCAN_MISSING = { id: 'scan_not_found' } as const
const DOMAIN_MISSING = { id: 'domain_not_found' } as const
const NO_BODY = raw('Deleted', [])

export const RunPage = page(RunListItem)
export const FindingPage = page(Finding)
export const DomainPage = page(Domain)
export const ArtifactList = z.strictObject({ items: z.array(Artifact) })

/** A part that is missing is an altered address like any other: 403, not 400. */
const SIGNED = z.string().catch('').describe('As in the signed URL')

/** Only as much of the two formats as their readers look for first; their own schemas say the rest. */
const SarifFile = z.looseObject({ version: z.literal('2.1.0'), runs: z.array(z.unknown()) })
const DefectDojoFile = z.looseObject({ findings: z.array(z.looseObject({ title: z.string(), severity: z.string() })) })

/** `?after=` where the header cannot be set, as in a browser's EventSource. */
export const StreamQuery = z.strictObject({
  after: z.coerce
    .number()
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('Sequence number to go on after'),
})

export const ENDPOINTS = {
  listScans: endpoint({
    method: 'GET',
    path: '/v1/scans',
    tag: 'Scans',
    scope: 'scans:read',
    summary: 'List runs',
    description:
      'The runs of the organisation, newest first. Pages neither skip nor repeat while runs are being created.',
    query: ListRuns,
    lists: { status: RunStatus },
    responses: {
      200: json('ScanPage', RunPage, 'Runs', { items: [example.runListItem], next_cursor: null }),
    },
    problems: [],
  }),
  startScan: endpoint({
    method: 'POST',
    path: '/v1/scans',
    tag: 'Scans',
    scope: 'scans:write',
    summary: 'Start a run',
    description:
      'Creates a run and answers at once; the run itself is queued. Checks come in this order: key, rate limit, body, ' +
      'scope, state of the organisation, domain, verification (active runs), quota.',
    headers: [
      {
        name: 'Idempotency-Key',
        description:
          'Up to 255 visible ASCII characters. For 24 hours the same key with the same body gives the same run, with ' +
          'another body 409 idempotency_conflict.',
        example: 'deploy-2026-11-20-1',
      },
    ],
    body: StartRun,
    bodyName: 'StartScan',
    bodyExample: example.startRun,
    responses: { 202: json('ScanCreated', RunCreated, 'Queued', example.runCreated) },
    problems: [
      'quota_exceeded',
      'domain_not_verified',
      'organization_throttled',
      'organization_blocked',
      'domain_not_found',
      'idempotency_conflict',
    ],
  }),
  readScan: endpoint({
    method: 'GET',
    path: '/v1/scans/{id}',
    tag: 'Scans',
    scope: 'scans:read',
    summary: 'Read the status of a run',
    description: 'Ask at most every 5 seconds and stop at done, failed or canceled; or use the stream.',
    params: ScanId,
    missing: SCAN_MISSING,
    responses: { 200: json('Scan', RunState, 'Status', example.runState) },
    problems: ['scan_not_found'],
  }),
  streamScan: endpoint({
    method: 'GET',
    path: '/v1/scans/{id}/stream',
    tag: 'Scans',
    scope: 'scans:read',
    summary: 'Watch a run live',
    description:
      'Server-Sent Events: `progress` (schema ProgressEvent), `audit` (AuditLine), `done` (Scan), after which the ' +
      'stream closes. Each has an id; Last-Event-ID or `after` resumes without loss or repetition. A finished run ' +
      'is replayed and closed. A comment comes every 15 seconds.',
    headers: [{ name: 'Last-Event-ID', description: 'Sequence number to go on after', example: '41' }],
    params: ScanId,
    missing: SCAN_MISSING,
    query: StreamQuery,
    responses: { 200: raw('Events', ['text/event-stream']) },
    problems: ['scan_not_found'],
  }),
  cancelScan: endpoint({
    method: 'POST',
    path: '/v1/scans/{id}/cancel',
    tag: 'Scans',
    scope: 'scans:write',
    summary: 'Cancel a run',
    description:
      'A queued run is canceled at once. A leased or running one is asked to stop and ends itself within seconds; ' +
      'asking again changes nothing.',
    params: ScanId,
    missing: SCAN_MISSING,
    responses: {
      202: json('Scan', RunState, 'Cancellation requested', {
        ...example.runState,
        cancel_requested_at: '2026-11-20T09:01:01.290Z',
      }),
    },
    problems: ['scan_not_found', 'scan_not_cancelable'],
  }),
  listFindings: endpoint({
    method: 'GET',
    path: '/v1/scans/{id}/findings',
    tag: 'Findings',
    scope: 'scans:read',
    summary: 'List findings of a run',
    description:
      'The gravest first; readable while the run goes on. `format=sarif` (SARIF 2.1.0) and `format=defectdojo` ' +
      '(Generic Findings) give the whole result of a done run in one file and take no filter.',
    params: ScanId,
    missing: SCAN_MISSING,
    query: ListFindings,
    responses: {
      200: jsonOr(json('FindingPage', FindingPage, 'Findings', { items: [example.finding], next_cursor: null }), {
        'application/sarif+json': SarifFile,
        'application/json': DefectDojoFile,
      }),
    },
    problems: ['scan_not_found', 'artifact_not_found', 'artifact_expired'],
  }),
  readFinding: endpoint({
    method: 'GET',
    path: '/v1/scans/{id}/findings/{finding_id}',
    tag: 'Findings',
    scope: 'scans:read',
    summary: 'Read one finding',
    description: 'One finding of a run.',
    params: ScanId.extend({ finding_id: Uuid.describe('Id of the finding') }),
    missing: { ...SCAN_MISSING, finding_id: 'finding_not_found' },
    responses: { 200: json('Finding', Finding, 'Finding', example.finding) },
    problems: ['scan_not_found', 'finding_not_found'],
  }),
  listArtifacts: endpoint({
    method: 'GET',
    path: '/v1/scans/{id}/artifacts',
    tag: 'Artifacts',
    scope: 'artifacts:read',
    summary: 'List artifacts of a run',
    description: 'Metadata of the files of a run; it stays when the files are gone.',
    params: ScanId,
    missing: SCAN_MISSING,
    responses: { 200: json('ArtifactList', ArtifactList, 'Artifacts', { items: [example.artifact] }) },
    problems: ['scan_not_found'],
  }),
  signArtifactUrl: endpoint({
    method: 'GET',
    path: '/v1/scans/{id}/artifacts/{kind}/url',
    tag: 'Artifacts',
    scope: 'artifacts:read',
    summary: 'Get a short-lived address of a file',
    description:
      'The file is then fetched with a plain GET on `url`, without a key. For `evidence` the answer is the whole ' +
      "run's evidence.zip unless `artifact_id` names one file.",
    params: ScanId.extend({ kind: ArtifactKind.describe('Kind of the artifact') }),
    missing: { ...SCAN_MISSING, kind: 'artifact_not_found' },
    query: SignedUrlQuery,
    responses: { 200: json('SignedUrl', SignedUrl, 'Signed URL', example.signedUrl) },
    problems: ['scan_not_found', 'artifact_not_found', 'artifact_expired'],
  }),
  listDomains: endpoint({
    method: 'GET',
    path: '/v1/domains',
    tag: 'Domains',
    scope: 'domains:read',
    summary: 'List domains',
    description: 'The domains of the organisation, newest first.',
    query: ListDomains,
    responses: { 200: json('DomainPage', DomainPage, 'Domains', { items: [example.domain], next_cursor: null }) },
    problems: [],
  }),
  createDomain: endpoint({
    method: 'POST',
    path: '/v1/domains',
    tag: 'Domains',
    scope: 'domains:write',
    summary: 'Register a domain',
    description:
      'A registrable name or one below it; no addresses. International names are stored in their ASCII form.',
    body: CreateDomain,
    bodyName: 'CreateDomain',
    bodyExample: example.createDomain,
    responses: {
      201: json('Domain', Domain, 'Registered', { ...example.domain, verified_at: null, verified_until: null }),
    },
    problems: ['domain_exists'],
  }),
  readDomain: endpoint({
    method: 'GET',
    path: '/v1/domains/{id}',
    tag: 'Domains',
    scope: 'domains:read',
    summary: 'Read a domain',
    description: 'One domain, with what to publish to prove that it is yours.',
    params: DomainId,
    missing: DOMAIN_MISSING,
    responses: { 200: json('Domain', Domain, 'Domain', example.domain) },
    problems: ['domain_not_found'],
  }),
  updateDomain: endpoint({
    method: 'PATCH',
    path: '/v1/domains/{id}',
    tag: 'Domains',
    scope: 'domains:write',
    summary: 'Change a domain',
    description: 'Sets the context that runs of this domain take unless they say otherwise.',
    params: DomainId,
    missing: DOMAIN_MISSING,
    body: UpdateDomain,
    bodyName: 'UpdateDomain',
    bodyExample: { context: 'saas' },
    responses: { 200: json('Domain', Domain, 'Changed', { ...example.domain, context: 'saas' }) },
    problems: ['domain_not_found'],
  }),
  deleteDomain: endpoint({
    method: 'DELETE',
    path: '/v1/domains/{id}',
    tag: 'Domains',
    scope: 'domains:write',
    summary: 'Remove a domain',
    description: 'Refused while a run of it has not ended. Its ended runs stay readable.',
    params: DomainId,
    missing: DOMAIN_MISSING,
    responses: { 204: NO_BODY },
    problems: ['domain_not_found', 'domain_in_use'],
  }),
  verifyDomain: endpoint({
    method: 'POST',
    path: '/v1/domains/{id}/verify',
    tag: 'Domains',
    scope: 'domains:write',
    summary: 'Prove that a domain is yours',
    description:
      'Asks now for the DNS TXT record, the file and the meta element; one is enough. Answers the domain with what ' +
      'each of the three showed. A proof holds for 90 days and is renewed while a check still holds.',
    params: DomainId,
    missing: DOMAIN_MISSING,
    responses: { 200: json('VerifyAnswer', VerifyAnswer, 'What was seen', example.verifyAnswer) },
    problems: ['domain_not_found'],
  }),
  ...ACCOUNT_ENDPOINTS,
  verifyTraffic: endpoint({
    method: 'GET',
    path: '/v1/verify-traffic',
    tag: 'Service',
    scope: null,
    summary: 'Ask whether a request to your site was ours',
    description: 'Public. Every request of a run carries a signed `Sonde-Run` header; give its value here.',
    query: VerifyTrafficQuery,
    responses: {
      200: json('TrafficVerdict', TrafficVerdict, 'Verdict', {
        ours: true,
        run_id: example.ids.run,
        sent_at: '2026-11-20T09:00:14.000Z',
      }),
    },
    problems: [],
  }),
  download: endpoint({
    method: 'GET',
    path: '/files/{key}',
    tag: 'Artifacts',
    scope: null,
    summary: 'Fetch a file by its signed URL',
    description:
      'Only with the local file storage; with S3 the signed URL leads there. `{key}` contains slashes. Ranges work.',
    headers: [{ name: 'Range', description: 'One range of bytes', example: 'bytes=0-1023' }],
    params: z.strictObject({ key: z.string().describe('As in the signed URL') }),
    query: z.object({ expires: SIGNED, filename: SIGNED, type: SIGNED, signature: SIGNED }),
    responses: {
      200: raw('The file', ['*/*'], { 'Accept-Ranges': 'bytes', 'Content-Disposition': 'attachment; filename="…"' }),
      206: raw('The range asked for', ['*/*'], { 'Content-Range': 'bytes 0-1023/184320' }),
    },
    problems: ['signature_invalid', 'artifact_expired', 'range_not_satisfiable'],
  }),
  openapi: endpoint({
    method: 'GET',
    path: '/openapi.json',
    tag: 'Service',
    scope: null,
    summary: 'This document',
    description: 'The OpenAPI 3.1 description of this interface.',
    query: z.object({}),
    responses: { 200: raw('OpenAPI 3.1', ['application/json']) },
    problems: [],
  }),
  healthz: endpoint({
    method: 'GET',
    path: '/healthz',
    tag: 'Service',
    scope: null,
    summary: 'Is the process alive',
    description: 'Touches nothing else.',
    query: z.object({}),
    responses: { 200: json('Health', Health, 'Alive', { status: 'ok', version: '0.1.0' }) },
    problems: [],
  }),
  readyz: endpoint({
    method: 'GET',
    path: '/readyz',
    tag: 'Service',
    scope: null,
    summary: 'Can requests be served',
    description: 'Asks the database, within two seconds.',
    query: z.object({}),
    responses: { 200: json('Readiness', Readiness, 'Ready', { status: 'ready', checks: { database: 'ok' } }) },
    problems: ['unavailable'],
  }),
  metrics: endpoint({
    method: 'GET',
    path: '/metrics',
    tag: 'Service',
    scope: null,
    summary: 'Figures for Prometheus',
    description: 'Prometheus text format.',
    query: z.object({}),
    responses: { 200: raw('Figures', ['text/plain']) },
    problems: [],
  }),
} as const

export type Endpoints = typeof ENDPOINTS
export type EndpointId = keyof Endpoints
