/** The files of a run. */
import { z } from 'zod'
import { Artifact, ArtifactKind, SignedUrl, SignedUrlQuery } from '../artifact.ts'
import { endpoint, json, raw } from '../endpoint.ts'
import * as example from '../examples.ts'
import { AskReport, ReportState } from '../report.ts'
import { SCAN_MISSING, ScanId } from './ids.ts'

const ArtifactList = z.strictObject({ items: z.array(Artifact) })

/** A part that is missing is an altered address like any other: 403, not 400. */
const SIGNED = z.string().catch('').describe('As in the signed URL')

export const ARTIFACTS = {
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
      "run's evidence.zip unless `artifact_id` names one file. For files of the report it is the newest rendering " +
      'that has such a file, unless `version` names one; where there is none, the 404 says why.',
    params: ScanId.extend({ kind: ArtifactKind.describe('Kind of the artifact') }),
    missing: { ...SCAN_MISSING, kind: 'artifact_not_found' },
    query: SignedUrlQuery,
    responses: { 200: json('SignedUrl', SignedUrl, 'Signed URL', example.signedUrl) },
    problems: ['scan_not_found', 'artifact_not_found', 'artifact_expired'],
  }),
  makeReport: endpoint({
    method: 'POST',
    path: '/v1/scans/{id}/report',
    tag: 'Artifacts',
    scope: 'scans:write',
    summary: 'Make the report again',
    description:
      'A new rendering of findings.json, the page and the PDF of a done run, with the decisions as they stand when it ' +
      'is made. It has the next `version`; older ones stay until the retention ends. Asked again while one waits, the ' +
      'answer is that one. `GET /v1/scans/{id}` tells when it is ready.',
    params: ScanId,
    missing: SCAN_MISSING,
    body: AskReport,
    bodyName: 'AskReport',
    bodyExample: {
      language: 'en',
      texts: { introduction: 'Findings of the quarter, with what we decided about each.' },
    },
    responses: {
      202: json('ReportState', ReportState, 'It will be made', { state: 'pending', reason: null, version: 2 }),
    },
    problems: ['scan_not_found', 'scan_not_reportable', 'artifact_expired'],
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
} as const
