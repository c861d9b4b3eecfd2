/** Identities of a domain: as whom its runs look. */
import { z } from 'zod'
import { LoginTest } from '../domain-login.ts'
import { endpoint, json, raw } from '../endpoint.ts'
import { createIdentity, identity, loginTest } from '../examples.ts'
import { CreateIdentity, Identity, IdentityList, UpdateIdentity } from '../identity.ts'
import { Uuid } from '../run.ts'
import { DOMAIN_MISSING, DomainId } from './ids.ts'

const IdentityId = DomainId.extend({ identity_id: Uuid.describe('Id of the identity') })
const MISSING = { ...DOMAIN_MISSING, identity_id: 'identity_not_found' } as const

export const IDENTITIES = {
  listIdentities: endpoint({
    method: 'GET',
    path: '/v1/domains/{id}/identities',
    tag: 'Domains',
    scope: 'domains:read',
    summary: 'List identities',
    description: 'As whom runs of the domain may look, by name; at most 20. No secret is given back.',
    params: DomainId,
    missing: DOMAIN_MISSING,
    responses: { 200: json('IdentityList', IdentityList, 'Identities', { items: [identity] }) },
    problems: ['domain_not_found'],
  }),
  createIdentity: endpoint({
    method: 'POST',
    path: '/v1/domains/{id}/identities',
    tag: 'Domains',
    scope: 'domains:write',
    summary: 'Store an identity',
    description:
      'A header or a cookie that is sent along, or how the scan signs in by itself: `request` (requests one after the other, ' +
      'with a token that an answer gave), `steps` (in a browser), `oauth2` (an access token), with the code of a one-time password where ' +
      'one is asked for. It is kept encrypted and never given back. Only for verified domains. Addresses are of the domain, or ' +
      'of a host that its `sign_in_hosts` list. The one that is called `default` is used by runs that name none.',
    params: DomainId,
    missing: DOMAIN_MISSING,
    body: CreateIdentity,
    bodyName: 'CreateIdentity',
    bodyExample: createIdentity,
    responses: { 201: json('Identity', Identity, 'Stored', identity) },
    problems: ['domain_not_found', 'domain_not_verified', 'identity_exists', 'too_many_identities'],
  }),
  readIdentity: endpoint({
    method: 'GET',
    path: '/v1/domains/{id}/identities/{identity_id}',
    tag: 'Domains',
    scope: 'domains:read',
    summary: 'Read an identity',
    description: 'With what its last test came to, and without what is secret.',
    params: IdentityId,
    missing: MISSING,
    responses: { 200: json('Identity', Identity, 'Identity', identity) },
    problems: ['domain_not_found', 'identity_not_found'],
  }),
  updateIdentity: endpoint({
    method: 'PATCH',
    path: '/v1/domains/{id}/identities/{identity_id}',
    tag: 'Domains',
    scope: 'domains:write',
    summary: 'Change an identity',
    description:
      'What is absent stays; an object that is named is replaced as a whole, and another kind takes nothing over but name, role and proof. ' +
      'Runs that have taken the identity keep what it was.',
    params: IdentityId,
    missing: MISSING,
    body: UpdateIdentity,
    bodyName: 'UpdateIdentity',
    bodyExample: { role: 'editor' },
    responses: { 200: json('Identity', Identity, 'Changed', { ...identity, role: 'editor' }) },
    problems: ['domain_not_found', 'domain_not_verified', 'identity_not_found', 'identity_exists'],
  }),
  deleteIdentity: endpoint({
    method: 'DELETE',
    path: '/v1/domains/{id}/identities/{identity_id}',
    tag: 'Domains',
    scope: 'domains:write',
    summary: 'Delete an identity',
    description:
      'Runs that have taken it keep their copy until they end; schedules that name it are refused from now on.',
    params: IdentityId,
    missing: MISSING,
    responses: { 204: raw('Deleted', []) },
    problems: ['domain_not_found', 'identity_not_found'],
  }),
  testIdentity: endpoint({
    method: 'POST',
    path: '/v1/domains/{id}/identities/{identity_id}/test',
    tag: 'Domains',
    scope: 'domains:write',
    summary: 'Test an identity',
    description:
      'A worker signs in and looks for the proof, or fetches the page of a cookie or header with and without it, under the rules of every ' +
      'scan. It counts as no run. What it came to stands with the identity. While one test waits or goes on, asking again answers that one.',
    params: IdentityId,
    missing: MISSING,
    responses: { 202: json('LoginTest', LoginTest, 'Asked', loginTest) },
    problems: ['domain_not_found', 'domain_not_verified', 'domain_behind_agent', 'identity_not_found'],
  }),
  readIdentityPicture: endpoint({
    method: 'GET',
    path: '/v1/domains/{id}/identities/{identity_id}/test/pictures/{step}',
    tag: 'Domains',
    scope: 'domains:read',
    summary: 'Read the picture of a step',
    description:
      'The page after a step of the last test, where `steps` says that there is one. What was typed, passwords and codes are painted over.',
    params: IdentityId.extend({
      step: z
        .string()
        .regex(/^(?:0|[1-9]\d?)$/)
        .describe('Place of the step in the test, from 0'),
    }),
    missing: { ...MISSING, step: 'picture_not_found' },
    responses: { 200: raw('The picture', ['image/jpeg']) },
    problems: ['domain_not_found', 'identity_not_found', 'picture_not_found'],
  }),
} as const
