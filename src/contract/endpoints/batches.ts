/** Many domains, one set of options: start, watch, hold, and read what became of each. */
import { z } from 'zod'
import { Batch, BatchQuery, CreateBatch, ListBatches, ListResults, RESULT_TYPES } from '../batch.ts'
import * as example from '../batch-examples.ts'
import { domainTable, MAX_DOMAINS } from '../domain-table.ts'
import { endpoint, json, raw } from '../endpoint.ts'
import { page, Uuid } from '../run.ts'

const BatchId = z.strictObject({ id: Uuid.describe('Id of the batch') })
const BATCH_MISSING = { id: 'batch_not_found' } as const
const BatchPage = page(Batch)

/** Bytes: room for as many names as a batch may have, of 160 each. */
export const LIST_BYTES = 16 * 1024 * 1024

/** Words of the query as what they mean; what is none of ours is told apart where the query is checked. */
const optionsOf = (query: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(query)
      .filter(([name]) => name in BatchQuery.shape)
      .map(([name, value]) => [name, value === 'true' ? true : value === 'false' ? false : value]),
  )

export const BATCHES = {
  listBatches: endpoint({
    method: 'GET',
    path: '/v1/batches',
    tag: 'Batches',
    scope: 'scans:read',
    summary: 'List batches',
    description: 'The batches of the organisation, newest first.',
    query: ListBatches,
    responses: { 200: json('BatchPage', BatchPage, 'Batches', { items: [example.batch], next_cursor: null }) },
    problems: [],
  }),
  createBatch: endpoint({
    method: 'POST',
    path: '/v1/batches',
    tag: 'Batches',
    scope: 'scans:write',
    summary: 'Start a batch',
    description:
      `Runs of up to ${MAX_DOMAINS.toLocaleString('en')} domains with one set of options. They yield to runs started alone. ` +
      'A unit of the quota is reserved for each domain at once, or none is. Names that are not registered yet are registered, ' +
      'unverified; bad names are told apart, up to 1,000 of them, and nothing is started. Active runs need every domain ' +
      'verified. The body may be a table (text/csv) with a column `domain`, other columns are left out; its options then ' +
      'stand in the query. Checks come in the order of starting a run. At most 100 batches go on at once.',
    headers: [
      {
        name: 'Idempotency-Key',
        description: 'As for starting a run: for 24 hours the same key with the same body gives the same batch.',
        example: 'quarter-2026-4',
      },
    ],
    query: BatchQuery,
    body: CreateBatch,
    bodyName: 'CreateBatch',
    bodyExample: example.createBatch,
    bodyLimit: LIST_BYTES,
    table: (text, query) => ({ domains: domainTable(text).map(({ domain }) => domain), options: optionsOf(query) }),
    tableExample: example.batchTable,
    responses: { 202: json('Batch', Batch, 'Reserved; its runs start as there is room', example.batch) },
    problems: [
      'quota_exceeded',
      'domain_not_verified',
      'organization_throttled',
      'organization_blocked',
      'domain_not_found',
      'idempotency_conflict',
      'too_many_batches',
    ],
  }),
  readBatch: endpoint({
    method: 'GET',
    path: '/v1/batches/{id}',
    tag: 'Batches',
    scope: 'scans:read',
    summary: 'Read a batch',
    description: 'How far it is: its domains by what became of them.',
    params: BatchId,
    missing: BATCH_MISSING,
    responses: { 200: json('Batch', Batch, 'Batch', example.batch) },
    problems: ['batch_not_found'],
  }),
  readBatchResults: endpoint({
    method: 'GET',
    path: '/v1/batches/{id}/results',
    tag: 'Batches',
    scope: 'scans:read',
    summary: 'Results of a batch',
    description:
      'A row a domain in the order in which they were given, as they are now: a JSON object a line (schema BatchResult), or a ' +
      'table by `Accept: text/csv` or `format=csv`. Findings, files and reports are those of the runs.',
    params: BatchId,
    missing: BATCH_MISSING,
    query: ListResults,
    responses: { 200: raw('Rows', Object.values(RESULT_TYPES)) },
    problems: ['batch_not_found'],
  }),
  pauseBatch: endpoint({
    method: 'POST',
    path: '/v1/batches/{id}/pause',
    tag: 'Batches',
    scope: 'scans:write',
    summary: 'Pause a batch',
    description: 'No further run of it starts; those that go on end. Asking again changes nothing.',
    params: BatchId,
    missing: BATCH_MISSING,
    responses: { 200: json('Batch', Batch, 'Paused', { ...example.batch, state: 'paused' }) },
    problems: ['batch_not_found', 'batch_has_ended'],
  }),
  resumeBatch: endpoint({
    method: 'POST',
    path: '/v1/batches/{id}/resume',
    tag: 'Batches',
    scope: 'scans:write',
    summary: 'Resume a batch',
    description: 'Its runs start again, where it was paused. Asking again changes nothing.',
    params: BatchId,
    missing: BATCH_MISSING,
    responses: { 200: json('Batch', Batch, 'Resumed', example.batch) },
    problems: ['batch_not_found', 'batch_has_ended'],
  }),
  cancelBatch: endpoint({
    method: 'POST',
    path: '/v1/batches/{id}/cancel',
    tag: 'Batches',
    scope: 'scans:write',
    summary: 'Cancel a batch',
    description:
      'What waits never starts and gives its unit of the quota back; what goes on is asked to stop and ends itself within ' +
      'seconds. Asking again changes nothing.',
    params: BatchId,
    missing: BATCH_MISSING,
    responses: {
      202: json('Batch', Batch, 'Cancellation requested', {
        ...example.batch,
        ...{ state: 'canceled', counts: { ...example.batch.counts, waiting: 0, canceled: 1 } },
      }),
    },
    problems: ['batch_not_found', 'batch_has_ended'],
  }),
} as const
