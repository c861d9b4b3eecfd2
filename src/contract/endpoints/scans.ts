/** Start, list, read, watch and cancel runs. */
import { z } from 'zod'
import { endpoint, json, raw } from '../endpoint.ts'
import * as example from '../examples.ts'
import { queryInteger } from '../query.ts'
import { ListRuns, page, RunCreated, RunListItem, RunState, RunStatus, StartRun } from '../run.ts'
import { SCAN_MISSING, ScanId } from './ids.ts'

const RunPage = page(RunListItem)

/** `?after=` where the header cannot be set, as in a browser's EventSource. */
const StreamQuery = z.strictObject({
  after: queryInteger(0, Number.MAX_SAFE_INTEGER).optional().describe('Sequence number to go on after'),
})

export const SCANS = {
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
      'agent_revoked',
      'login_not_found',
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
} as const
