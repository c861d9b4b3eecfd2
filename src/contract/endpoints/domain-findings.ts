/** Problems of domains over all their runs: the list that people work through. */
import { z } from 'zod'
import {
  ChangeDomainFinding,
  ChangeDomainFindings,
  CountDomainFindings,
  DomainFinding,
  DomainFindingEvent,
  DomainFindingGroups,
  Fingerprint,
  ListDomainFindingEvents,
  ListDomainFindings,
  MOST_AT_ONCE,
  PROBLEM_LISTS,
} from '../domain-finding.ts'
import * as example from '../domain-finding-examples.ts'
import { endpoint, json, raw } from '../endpoint.ts'
import { InLanguage } from '../language.ts'
import { page } from '../run.ts'
import { MOST_VIEWS, SavedView, SaveView, ViewName } from '../saved-view.ts'
import { DOMAIN_MISSING, DomainId } from './ids.ts'

const FindingOfDomain = DomainId.extend({ fingerprint: Fingerprint.describe('Fingerprint, also an earlier one') })
const MISSING = { ...DOMAIN_MISSING, fingerprint: 'finding_not_found' } as const
const DomainFindingPage = page(DomainFinding)
const EventPage = page(DomainFindingEvent)
const NamedView = z.strictObject({ name: ViewName.describe('Name of the view') })

export const DOMAIN_FINDINGS = {
  listDomainFindings: endpoint({
    method: 'GET',
    path: '/v1/findings',
    tag: 'Findings',
    scope: 'scans:read',
    summary: 'List findings over runs and domains',
    description:
      'One row a problem of a domain, known by its fingerprint, however many runs saw it. Done runs keep the list; a run that ' +
      'failed or was cancelled, and a dry run, changes nothing. A problem is `fixed` only where a later run asked the same ' +
      'place again and its check came to an answer; a retest speaks of its finding alone.',
    query: ListDomainFindings,
    lists: PROBLEM_LISTS,
    responses: {
      200: json('DomainFindingPage', DomainFindingPage, 'Findings', { items: [example.finding], next_cursor: null }),
    },
    problems: [],
  }),
  countDomainFindings: endpoint({
    method: 'GET',
    path: '/v1/findings/groups',
    tag: 'Findings',
    scope: 'scans:read',
    summary: 'Count findings by their cause',
    description: 'Those that the same filters list, by check: what one remedy ends.',
    query: CountDomainFindings,
    lists: PROBLEM_LISTS,
    responses: { 200: json('DomainFindingGroups', DomainFindingGroups, 'Groups', example.groups) },
    problems: [],
  }),
  changeDomainFindings: endpoint({
    method: 'PATCH',
    path: '/v1/findings',
    tag: 'Findings',
    scope: 'scans:write',
    summary: 'Change several findings alike',
    description: `Up to ${MOST_AT_ONCE} at once, in one transaction: where one of them is not there, none is changed.`,
    query: InLanguage,
    body: ChangeDomainFindings,
    bodyName: 'ChangeDomainFindings',
    bodyExample: example.changeAll,
    bodyLimit: 128 * 1024,
    responses: {
      200: json('DomainFindingList', z.strictObject({ items: z.array(DomainFinding) }), 'As they are now', {
        items: [example.finding],
      }),
    },
    problems: ['finding_not_found'],
  }),
  readDomainFinding: endpoint({
    method: 'GET',
    path: '/v1/domains/{id}/findings/{fingerprint}',
    tag: 'Findings',
    scope: 'scans:read',
    summary: 'Read one finding of a domain',
    description: 'Where it stands over all runs. Its proof is in `finding_id` of `last_run`.',
    params: FindingOfDomain,
    missing: MISSING,
    query: InLanguage,
    responses: { 200: json('DomainFinding', DomainFinding, 'Finding', example.finding) },
    problems: ['domain_not_found', 'finding_not_found'],
  }),
  changeDomainFinding: endpoint({
    method: 'PATCH',
    path: '/v1/domains/{id}/findings/{fingerprint}',
    tag: 'Findings',
    scope: 'scans:write',
    summary: 'Change one finding of a domain',
    description:
      'Decision, severity, assignee, due day, comment; what is left out stays. A decision is the same as with ' +
      '`PUT /v1/scans/{id}/findings/{finding_id}/triage`. A severity that a person puts orders and filters this list; runs, ' +
      'grades and reports keep the judged one.',
    params: FindingOfDomain,
    missing: MISSING,
    query: InLanguage,
    body: ChangeDomainFinding,
    bodyName: 'ChangeDomainFinding',
    bodyExample: example.change,
    responses: { 200: json('DomainFinding', DomainFinding, 'As it is now', example.finding) },
    problems: ['domain_not_found', 'finding_not_found'],
  }),
  listDomainFindingEvents: endpoint({
    method: 'GET',
    path: '/v1/domains/{id}/findings/{fingerprint}/history',
    tag: 'Findings',
    scope: 'scans:read',
    summary: 'List what happened to a finding',
    description: 'What runs came to, decisions and comments, the latest first, also under an earlier fingerprint.',
    params: FindingOfDomain,
    missing: MISSING,
    query: ListDomainFindingEvents,
    responses: {
      200: json('DomainFindingEventPage', EventPage, 'History', { items: [example.event], next_cursor: null }),
    },
    problems: ['domain_not_found', 'finding_not_found'],
  }),
  listViews: endpoint({
    method: 'GET',
    path: '/v1/findings/views',
    tag: 'Findings',
    scope: 'scans:read',
    summary: 'List named views',
    description: `Filters of the list that the caller has named, by name; at most ${MOST_VIEWS}.`,
    responses: {
      200: json('SavedViewList', z.strictObject({ items: z.array(SavedView) }), 'Views', { items: [example.view] }),
    },
    problems: [],
  }),
  saveView: endpoint({
    method: 'PUT',
    path: '/v1/findings/views/{name}',
    tag: 'Findings',
    scope: 'scans:read',
    summary: 'Name a view',
    description: 'Of the caller alone: nobody else sees it. The same name again replaces it.',
    params: NamedView,
    missing: { name: 'view_not_found' },
    body: SaveView,
    bodyName: 'SaveView',
    bodyExample: { query: example.view.query },
    responses: { 200: json('SavedView', SavedView, 'Kept', example.view) },
    problems: ['view_not_found', 'too_many_views'],
  }),
  deleteView: endpoint({
    method: 'DELETE',
    path: '/v1/findings/views/{name}',
    tag: 'Findings',
    scope: 'scans:read',
    summary: 'Forget a named view',
    description: 'The findings stay.',
    params: NamedView,
    missing: { name: 'view_not_found' },
    responses: { 204: raw('Deleted', []) },
    problems: ['view_not_found'],
  }),
} as const
