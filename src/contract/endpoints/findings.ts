/** What runs found, what people decided about it, and what changed between runs. */
import { z } from 'zod'
import { CompareQuery, Comparison } from '../comparison.ts'
import { DomainTriage, ListTriage } from '../domain-triage.ts'
import { endpoint, json, jsonOr } from '../endpoint.ts'
import * as example from '../examples.ts'
import { Finding, ListFindings } from '../finding.ts'
import { InLanguage } from '../language.ts'
import { ListMatrix, MatrixPage } from '../matrix.ts'
import * as matrixExample from '../matrix-examples.ts'
import { LISTED_RETESTS, Retest, RetestList, StartRetest } from '../retest.ts'
import { page, Uuid } from '../run.ts'
import { SetTriage } from '../triage.ts'
import { DOMAIN_MISSING, DomainId, SCAN_MISSING, ScanId } from './ids.ts'

const FindingOfScan = ScanId.extend({ finding_id: Uuid.describe('Id of the finding') })
const FINDING_MISSING = { ...SCAN_MISSING, finding_id: 'finding_not_found' } as const

const FindingPage = page(Finding)
const TriagePage = page(DomainTriage)

/** Only as much of the two formats as their readers look for first; their own schemas say the rest. */
const SarifFile = z.looseObject({ version: z.literal('2.1.0'), runs: z.array(z.unknown()) })
const DefectDojoFile = z.looseObject({ findings: z.array(z.looseObject({ title: z.string(), severity: z.string() })) })

export const FINDINGS = {
  listFindings: endpoint({
    method: 'GET',
    path: '/v1/scans/{id}/findings',
    tag: 'Findings',
    scope: 'scans:read',
    summary: 'List findings of a run',
    description:
      'The gravest first; readable while the run goes on. `format=sarif` (SARIF 2.1.0), `format=defectdojo` ' +
      '(Generic Findings), `format=csv` and `format=junit` give the whole result of a done run in one file and take no filter but ' +
      '`version`.',
    params: ScanId,
    missing: SCAN_MISSING,
    query: ListFindings,
    responses: {
      200: jsonOr(json('FindingPage', FindingPage, 'Findings', { items: [example.finding], next_cursor: null }), {
        'application/sarif+json': SarifFile,
        'application/json': DefectDojoFile,
        'text/csv': z.string(),
        'application/xml': z.string(),
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
    params: FindingOfScan,
    missing: FINDING_MISSING,
    query: InLanguage,
    responses: { 200: json('Finding', Finding, 'Finding', example.finding) },
    problems: ['scan_not_found', 'finding_not_found'],
  }),
  readMatrix: endpoint({
    method: 'GET',
    path: '/v1/scans/{id}/matrix',
    tag: 'Findings',
    scope: 'scans:read',
    summary: 'Read who may do what',
    description:
      'Operations by identities, and nobody, of an active run that looked as somebody: the rows of the table ' +
      '`authorization/matrix` of findings.json, of which that keeps 300. Where nothing was asked, the 404 says why.',
    params: ScanId,
    missing: SCAN_MISSING,
    query: ListMatrix,
    responses: { 200: json('MatrixPage', MatrixPage, 'Operations', matrixExample.matrixPage) },
    problems: ['scan_not_found', 'matrix_not_found'],
  }),
  compareScans: endpoint({
    method: 'GET',
    path: '/v1/scans/{id}/diff',
    tag: 'Findings',
    scope: 'scans:read',
    summary: 'Compare with an earlier run',
    description:
      'Problems by fingerprint. A problem counts as new or gone only where the other run had looked for it and come to ' +
      'an answer; else it is not comparable, with the reason. Without `base` the run before is taken, of the same tier ' +
      'where there is one.',
    params: ScanId,
    missing: SCAN_MISSING,
    query: CompareQuery,
    responses: { 200: json('Comparison', Comparison, 'What changed', example.comparison) },
    problems: ['scan_not_found'],
  }),
  retestFinding: endpoint({
    method: 'POST',
    path: '/v1/scans/{id}/findings/{finding_id}/retest',
    tag: 'Findings',
    scope: 'scans:write',
    summary: 'Test a finding again',
    description:
      "Starts a run with the options of the one that found it, of the finding's module and what that needs alone. It " +
      'counts as a run, and never as the last one that others are compared with.',
    params: FindingOfScan,
    missing: FINDING_MISSING,
    body: StartRetest,
    bodyName: 'StartRetest',
    bodyExample: { auth_cookie: null },
    responses: { 202: json('Retest', Retest, 'Queued', example.retest) },
    problems: [
      'scan_not_found',
      'finding_not_found',
      'domain_not_found',
      'login_not_found',
      'quota_exceeded',
      'domain_not_verified',
      'organization_throttled',
      'organization_blocked',
    ],
  }),
  readRetest: endpoint({
    method: 'GET',
    path: '/v1/scans/{id}/findings/{finding_id}/retest',
    tag: 'Findings',
    scope: 'scans:read',
    summary: 'Read what the last retest came to',
    description: 'With the proof, where the problem is still there.',
    params: FindingOfScan,
    missing: FINDING_MISSING,
    responses: {
      200: json('Retest', Retest, 'The last retest', {
        ...example.retest,
        state: 'gone',
        finished_at: '2026-11-20T10:00:41.000Z',
      }),
    },
    problems: ['scan_not_found', 'finding_not_found', 'retest_not_found'],
  }),
  listRetests: endpoint({
    method: 'GET',
    path: '/v1/scans/{id}/findings/{finding_id}/retests',
    tag: 'Findings',
    scope: 'scans:read',
    summary: 'List the retests of a finding',
    description: `What each came to, the latest first; at most ${LISTED_RETESTS}.`,
    params: FindingOfScan,
    missing: FINDING_MISSING,
    responses: { 200: json('RetestList', RetestList, 'Retests', { items: [example.retest] }) },
    problems: ['scan_not_found', 'finding_not_found'],
  }),
  setTriage: endpoint({
    method: 'PUT',
    path: '/v1/scans/{id}/findings/{finding_id}/triage',
    tag: 'Findings',
    scope: 'scans:write',
    summary: 'Decide about a finding',
    description:
      'The decision is about the problem, known by its fingerprint, and so holds in every run of the domain, past and ' +
      'to come. It ends by itself on its date, and when a run sees other evidence. `open` takes it back.',
    params: FindingOfScan,
    missing: FINDING_MISSING,
    body: SetTriage,
    bodyName: 'SetTriage',
    bodyExample: example.setTriage,
    responses: {
      200: json('Finding', Finding, 'The finding with the decision', { ...example.finding, triage: example.triage }),
    },
    problems: ['scan_not_found', 'finding_not_found', 'domain_not_found'],
  }),
  listTriage: endpoint({
    method: 'GET',
    path: '/v1/domains/{id}/triage',
    tag: 'Findings',
    scope: 'scans:read',
    summary: 'List the decisions of a domain',
    description: 'Every decision about a problem of the domain, also those that no longer hold, the latest first.',
    params: DomainId,
    missing: DOMAIN_MISSING,
    query: ListTriage,
    responses: {
      200: json('TriagePage', TriagePage, 'Decisions', { items: [example.domainTriage], next_cursor: null }),
    },
    problems: ['domain_not_found'],
  }),
} as const
