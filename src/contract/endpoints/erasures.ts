/** Rows of the endpoint table about erasure, and about where scans come from. */
import { z } from 'zod'
import { endpoint, json } from '../endpoint.ts'
import { EraseDomain, Erasure, ErasurePage, ListErasures } from '../erasure.ts'
import * as example from '../erasure-examples.ts'
import { Uuid } from '../run.ts'
import { ScanAddresses } from '../service.ts'

const ErasureId = z.strictObject({ id: Uuid.describe('Id of the erasure') })

export const ERASURES = {
  eraseDomain: endpoint({
    method: 'POST',
    path: '/v1/erasures',
    tag: 'Organisation',
    scope: 'organisation:write',
    summary: 'Erase a domain for good',
    description:
      'Deletes the domain with its runs, findings, decisions, reports, evidence, logins, schedules and messages, also where the domain was removed ' +
      'before. Rows are gone with the answer, files soon after it; then there is a signed receipt. Refused while a run has not ended. ' +
      'Backups are files of the operator: those made before hold it until they are deleted. What was used of the quota stays used.',
    body: EraseDomain,
    bodyName: 'EraseDomain',
    bodyExample: { domain: 'shop.example.com', confirm: 'shop.example.com' },
    responses: { 202: json('Erasure', Erasure, 'The rows are gone', example.erasing) },
    problems: ['domain_not_found', 'domain_in_use'],
  }),
  listErasures: endpoint({
    method: 'GET',
    path: '/v1/erasures',
    tag: 'Organisation',
    scope: 'organisation:read',
    summary: 'List erasures',
    description: 'Newest first, with their receipts.',
    query: ListErasures,
    responses: { 200: json('ErasurePage', ErasurePage, 'Erasures', { items: [example.erasure], next_cursor: null }) },
    problems: [],
  }),
  readErasure: endpoint({
    method: 'GET',
    path: '/v1/erasures/{id}',
    tag: 'Organisation',
    scope: 'organisation:read',
    summary: 'Read an erasure',
    description: '`receipt` is the text of a file that `sonde verify` checks; it comes once the last file is gone.',
    params: ErasureId,
    missing: { id: 'erasure_not_found' },
    responses: { 200: json('Erasure', Erasure, 'The erasure', example.erasure) },
    problems: ['erasure_not_found'],
  }),
  scanAddresses: endpoint({
    method: 'GET',
    path: '/v1/scan-addresses',
    tag: 'Service',
    scope: null,
    summary: 'Where scans come from',
    description:
      'Public, for allow-lists of firewalls and rate limits: the addresses that the operator names, and how a request of a scan is told from others. ' +
      'Runs through an agent come from the machine of the agent.',
    query: z.object({}),
    responses: { 200: json('ScanAddresses', ScanAddresses, 'Addresses', example.scanAddresses) },
    problems: [],
  }),
} as const
