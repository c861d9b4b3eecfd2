/** Descriptions of interfaces that a domain keeps. */
import { DescribeQuery, Description, DescriptionDetail, DescriptionList } from '../description.ts'
import { endpoint, json, raw } from '../endpoint.ts'
import { description, descriptionDetail } from '../examples.ts'
import { Uuid } from '../run.ts'
import { DOMAIN_MISSING, DomainId } from './ids.ts'

const DescriptionId = DomainId.extend({ description_id: Uuid.describe('Id of the description') })
const MISSING = { ...DOMAIN_MISSING, description_id: 'description_not_found' } as const

export const DESCRIPTIONS = {
  listDescriptions: endpoint({
    method: 'GET',
    path: '/v1/domains/{id}/descriptions',
    tag: 'Domains',
    scope: 'domains:read',
    summary: 'List descriptions of interfaces',
    description: 'All of the domain, newest first; at most 20.',
    params: DomainId,
    missing: DOMAIN_MISSING,
    responses: { 200: json('DescriptionList', DescriptionList, 'Descriptions', { items: [description] }) },
    problems: ['domain_not_found'],
  }),
  createDescription: endpoint({
    method: 'POST',
    path: '/v1/domains/{id}/descriptions',
    tag: 'Domains',
    scope: 'domains:write',
    summary: 'Bring a description of an interface',
    description:
      'The body is the document; of several files, a zip or a multipart form with a file in each part. Formats are told by ' +
      'their content. It is read at once: the answer says what was taken and what was refused, with line and ' +
      'reason. Active runs of the domain ask every operation that was taken, as far as their policy lets them. Hosts that it names are ' +
      'replaced by the domain, credentials in it are neither kept nor sent, and references to other addresses are not followed. ' +
      'At most 20 MiB unpacked and 5,000 operations.',
    params: DomainId,
    missing: DOMAIN_MISSING,
    query: DescribeQuery,
    rawBody: [
      'application/json',
      'application/yaml',
      'text/xml',
      'application/zip',
      'multipart/form-data',
      'application/octet-stream',
    ],
    bodyLimit: 21 * 1024 * 1024,
    responses: { 201: json('Description', Description, 'Taken', description) },
    problems: ['domain_not_found', 'description_unreadable', 'too_many_descriptions'],
  }),
  readDescription: endpoint({
    method: 'GET',
    path: '/v1/domains/{id}/descriptions/{description_id}',
    tag: 'Domains',
    scope: 'domains:read',
    summary: 'Read a description',
    description: 'With every operation that was taken of it.',
    params: DescriptionId,
    missing: MISSING,
    responses: { 200: json('DescriptionDetail', DescriptionDetail, 'Description', descriptionDetail) },
    problems: ['domain_not_found', 'description_not_found'],
  }),
  deleteDescription: endpoint({
    method: 'DELETE',
    path: '/v1/domains/{id}/descriptions/{description_id}',
    tag: 'Domains',
    scope: 'domains:write',
    summary: 'Remove a description',
    description: 'Runs that begin from now on do without it.',
    params: DescriptionId,
    missing: MISSING,
    responses: { 204: raw('Deleted', []) },
    problems: ['domain_not_found', 'description_not_found'],
  }),
} as const
