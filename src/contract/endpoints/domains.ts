/** The organisation's domains, and the proof that they are its own. */
import * as bulk from '../batch-examples.ts'
import { CreateDomain, Domain, ListDomains, UpdateDomain, VerifyAnswer } from '../domain.ts'
import { DomainHostPage, ListDomainHosts } from '../domain-host.ts'
import { domainHostPage } from '../domain-host-examples.ts'
import { ImportAnswer, ImportDomains } from '../domain-import.ts'
import { LoginTest, SetLogin } from '../domain-login.ts'
import { domainTable, MAX_DOMAINS } from '../domain-table.ts'
import { endpoint, json, raw } from '../endpoint.ts'
import * as example from '../examples.ts'
import { page } from '../run.ts'
import { LIST_BYTES } from './batches.ts'
import { DOMAIN_MISSING, DomainId } from './ids.ts'

const DomainPage = page(Domain)

const NO_BODY = raw('Deleted', [])

export const DOMAINS = {
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
  importDomains: endpoint({
    method: 'POST',
    path: '/v1/domains/import',
    tag: 'Domains',
    scope: 'domains:write',
    summary: 'Register domains in bulk',
    description:
      `Up to ${MAX_DOMAINS.toLocaleString('en')} of them, as a list or as a table (text/csv) with a column \`domain\` and, where ` +
      'wanted, `context` and `environment`; other columns are left out. Each row is answered: a name that cannot be registered ' +
      'costs no other, and one that is registered stays as it is. Repeating the request is harmless.',
    body: ImportDomains,
    bodyName: 'ImportDomains',
    bodyExample: bulk.importDomains,
    bodyLimit: LIST_BYTES,
    table: (text) => ({ domains: domainTable(text) }),
    tableExample: bulk.importTable,
    responses: { 200: json('ImportAnswer', ImportAnswer, 'What became of each row', bulk.importAnswer) },
    problems: [],
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
  listDomainHosts: endpoint({
    method: 'GET',
    path: '/v1/domains/{id}/hosts',
    tag: 'Domains',
    scope: 'domains:read',
    summary: 'List the hosts of a domain',
    description:
      'Hosts below the registrable domain that its newest runs saw: in certificates, pages and DNS records, and those that an active run ' +
      'looked for (usual names, NSEC, zone transfer). What is not registered is proposed; register it with `POST /v1/domains/import`.',
    params: DomainId,
    query: ListDomainHosts,
    missing: DOMAIN_MISSING,
    responses: { 200: json('DomainHostPage', DomainHostPage, 'Hosts', domainHostPage) },
    problems: ['domain_not_found'],
  }),
  updateDomain: endpoint({
    method: 'PATCH',
    path: '/v1/domains/{id}',
    tag: 'Domains',
    scope: 'domains:write',
    summary: 'Change a domain',
    description:
      'Sets what runs of this domain take over: context, exclusions, pace. With `agent_id` it is asked through that agent alone from now on, ' +
      'or with null by the service itself; what was proven before proves nothing then.',
    params: DomainId,
    missing: DOMAIN_MISSING,
    body: UpdateDomain,
    bodyName: 'UpdateDomain',
    bodyExample: { context: 'saas' },
    responses: { 200: json('Domain', Domain, 'Changed', { ...example.domain, context: 'saas' }) },
    problems: ['domain_not_found', 'domain_in_use'],
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
      'each of the three showed. A proof holds for 90 days and is renewed while a check still holds. A domain that names an agent is asked by ' +
      'that agent, and what it sees verifies the domain for runs through it alone.',
    params: DomainId,
    missing: DOMAIN_MISSING,
    responses: { 200: json('VerifyAnswer', VerifyAnswer, 'What was seen', example.verifyAnswer) },
    problems: ['domain_not_found'],
  }),
  setLogin: endpoint({
    method: 'PUT',
    path: '/v1/domains/{id}/login',
    tag: 'Domains',
    scope: 'domains:write',
    summary: 'Store a login',
    description:
      'For runs that ask for it with `auth_stored`: a cookie, a header line, or both. It replaces the one before, is kept ' +
      'encrypted, and is never given back. Only for verified domains.',
    params: DomainId,
    missing: DOMAIN_MISSING,
    body: SetLogin,
    bodyName: 'SetLogin',
    bodyExample: { auth_cookie: 'session=0f8b5c', page: '/account' },
    responses: { 200: json('Domain', Domain, 'Stored', { ...example.domain, login: example.login }) },
    problems: ['domain_not_found', 'domain_not_verified'],
  }),
  deleteLogin: endpoint({
    method: 'DELETE',
    path: '/v1/domains/{id}/login',
    tag: 'Domains',
    scope: 'domains:write',
    summary: 'Delete the stored login',
    description:
      'Runs that have taken it keep their copy until they end; schedules that ask for it are refused from now on.',
    params: DomainId,
    missing: DOMAIN_MISSING,
    responses: { 204: NO_BODY },
    problems: ['domain_not_found', 'login_not_found'],
  }),
  testLogin: endpoint({
    method: 'POST',
    path: '/v1/domains/{id}/login/test',
    tag: 'Domains',
    scope: 'domains:write',
    summary: 'Test the stored login',
    description:
      'A worker fetches the page of the login twice without it and once with it, under the rules of every scan, and says ' +
      'whether they differ. It counts as no run. While one test waits or goes on, asking again answers that one.',
    params: DomainId,
    missing: DOMAIN_MISSING,
    responses: { 202: json('LoginTest', LoginTest, 'Asked', example.loginTest) },
    problems: ['domain_not_found', 'domain_not_verified', 'domain_behind_agent', 'login_not_found'],
  }),
  readLoginTest: endpoint({
    method: 'GET',
    path: '/v1/domains/{id}/login/test',
    tag: 'Domains',
    scope: 'domains:read',
    summary: 'Read what the last test of the login came to',
    description: 'Of the login that is stored now.',
    params: DomainId,
    missing: DOMAIN_MISSING,
    responses: { 200: json('LoginTest', LoginTest, 'The last test', example.loginTested) },
    problems: ['domain_not_found', 'login_test_not_found'],
  }),
} as const
