/** Rows of the endpoint table about who is signed in, the organisation, and readings over several runs. */
import { z } from 'zod'
import {
  Activity,
  CreateKey,
  KeyCreated,
  KeyList,
  ListActivity,
  Member,
  MemberList,
  OrganisationView,
  SetLogo,
  UpdateMember,
} from '../account.ts'
import * as example from '../account-examples.ts'
import { DueDays } from '../due-days.ts'
import { endpoint, json, raw } from '../endpoint.ts'
import { HoldState, StopRuns } from '../hold.ts'
import { JudgingAgain } from '../judging-again.ts'
import { InLanguage } from '../language.ts'
import { ApiKey } from '../organisation.ts'
import { FindingHistory, Overview, RunCoverage } from '../overview.ts'
import { page, Uuid } from '../run.ts'
import { CreateSession, Session, SignIn } from '../session.ts'

const KeyId = z.strictObject({ id: Uuid.describe('Id of the key') })
const MemberId = z.strictObject({ id: Uuid.describe('Id of the member') })
const ScanId = z.strictObject({ id: Uuid.describe('Id of the run') })
const KEY_MISSING = { id: 'key_not_found' } as const
const MEMBER_MISSING = { id: 'member_not_found' } as const
const SCAN_MISSING = { id: 'scan_not_found' } as const

export const ActivityPage = page(Activity)

export const ACCOUNT = {
  readSignIn: endpoint({
    method: 'GET',
    path: '/v1/sign-in',
    tag: 'Organisation',
    scope: null,
    summary: 'Ways to sign in',
    description: 'Public: what the sign-in page of the web application offers beside an API key.',
    responses: { 200: json('SignIn', SignIn, 'Ways', example.signIn) },
    problems: [],
  }),
  createSession: endpoint({
    method: 'POST',
    path: '/v1/session',
    tag: 'Organisation',
    scope: null,
    summary: 'Sign in with an API key',
    description:
      'For browsers: exchanges the key for a cookie (HttpOnly, SameSite=Strict) that stands for it until it expires, ' +
      'is ended, or the key is revoked. Programs send the key with every request instead.',
    body: CreateSession,
    bodyName: 'CreateSession',
    bodyExample: example.createSession,
    responses: { 200: json('Session', Session, 'Signed in; Set-Cookie carries the session', example.session) },
    problems: ['unauthenticated'],
  }),
  readSession: endpoint({
    method: 'GET',
    path: '/v1/session',
    tag: 'Organisation',
    scope: 'any',
    summary: 'Who am I',
    description: 'The key or member behind the request, with its scopes.',
    responses: { 200: json('Session', Session, 'Signed in', example.session) },
    problems: [],
  }),
  deleteSession: endpoint({
    method: 'DELETE',
    path: '/v1/session',
    tag: 'Organisation',
    scope: 'any',
    summary: 'Sign out',
    description: 'Ends the session of the cookie. With a key itself there is nothing to end.',
    responses: { 204: raw('Signed out', []) },
    problems: [],
  }),
  readOrganisation: endpoint({
    method: 'GET',
    path: '/v1/organisation',
    tag: 'Organisation',
    scope: 'any',
    summary: 'Read the organisation',
    description: 'Plan, what is used of it this month, and the logo on reports.',
    responses: { 200: json('OrganisationView', OrganisationView, 'Organisation', example.organisation) },
    problems: [],
  }),
  readLogo: endpoint({
    method: 'GET',
    path: '/v1/organisation/logo',
    tag: 'Organisation',
    scope: 'organisation:read',
    summary: 'Fetch the logo',
    description: 'The file as reports use it.',
    responses: { 200: raw('The logo', ['image/png', 'application/pdf']) },
    problems: ['logo_not_found'],
  }),
  readDueDays: endpoint({
    method: 'GET',
    path: '/v1/organisation/due-days',
    tag: 'Organisation',
    scope: 'organisation:read',
    summary: 'Read by when findings are due',
    description: 'Days by severity; null: findings of that severity get no day by themselves.',
    responses: { 200: json('DueDays', DueDays, 'Days', example.dueDays) },
    problems: [],
  }),
  setDueDays: endpoint({
    method: 'PUT',
    path: '/v1/organisation/due-days',
    tag: 'Organisation',
    scope: 'organisation:write',
    summary: 'Set by when findings are due',
    description:
      'Of findings that runs open from now on, or see again after they were fixed, counted from the day of the run in UTC. Days that ' +
      'people set stay.',
    body: DueDays,
    bodyName: 'SetDueDays',
    bodyExample: example.dueDays,
    responses: { 200: json('DueDays', DueDays, 'Set', example.dueDays) },
    problems: [],
  }),
  readJudgingAgain: endpoint({
    method: 'GET',
    path: '/v1/organisation/judging-again',
    tag: 'Organisation',
    scope: 'organisation:read',
    summary: 'Read whether stored runs are judged again',
    description: 'See setJudgingAgain.',
    responses: { 200: json('JudgingAgain', JudgingAgain, 'Whether', example.judgingAgain) },
    problems: [],
  }),
  setJudgingAgain: endpoint({
    method: 'PUT',
    path: '/v1/organisation/judging-again',
    tag: 'Organisation',
    scope: 'organisation:write',
    summary: 'Set whether stored runs are judged again',
    description:
      'When an update of a feed (known exploited vulnerabilities, CVE records, EPSS, retire.js, end of life …) changes what is known of ' +
      'something that the latest run of a domain has seen, that run is judged again from its stored facts: a new version of its results, ' +
      'without a request to the target. Switched off, it waits; switched on, what came meanwhile is caught up with.',
    body: JudgingAgain,
    bodyName: 'SetJudgingAgain',
    bodyExample: example.judgingAgain,
    responses: { 200: json('JudgingAgain', JudgingAgain, 'Set', example.judgingAgain) },
    problems: [],
  }),
  setLogo: endpoint({
    method: 'POST',
    path: '/v1/organisation/logo',
    tag: 'Organisation',
    scope: 'organisation:write',
    summary: 'Set the logo',
    description: 'Used on the cover of reports from now on. SVG becomes PNG; nothing in it may point elsewhere.',
    body: SetLogo,
    bodyName: 'SetLogo',
    bodyExample: example.setLogo,
    bodyLimit: 1_600_000,
    responses: { 200: json('OrganisationView', OrganisationView, 'Set', example.organisation) },
    problems: [],
  }),
  deleteLogo: endpoint({
    method: 'DELETE',
    path: '/v1/organisation/logo',
    tag: 'Organisation',
    scope: 'organisation:write',
    summary: 'Take the logo away',
    description: 'Reports to come have none.',
    responses: { 204: raw('Taken away', []) },
    problems: [],
  }),
  readHold: endpoint({
    method: 'GET',
    path: '/v1/organisation/hold',
    tag: 'Organisation',
    scope: 'organisation:read',
    summary: 'Read the emergency stop',
    description: 'Whether one holds the queue, how many runs go on and how many wait.',
    responses: { 200: json('HoldState', HoldState, 'State', example.released) },
    problems: [],
  }),
  stopRuns: endpoint({
    method: 'POST',
    path: '/v1/organisation/hold',
    tag: 'Organisation',
    scope: 'organisation:write',
    summary: 'Stop all runs',
    description:
      'The emergency stop: every run that goes on ends `canceled` within a heartbeat (5 s) and the grace of its scanner, ' +
      'tests of logins end too, and no other starts until the queue is released. Runs may still be asked for, and ' +
      'schedules start theirs: they wait. Asking again changes nothing but ends what might still go on. ' +
      'A run that had begun counts against the month, as every cancelled one does; messages go out as ever.',
    body: StopRuns,
    bodyName: 'StopRuns',
    bodyExample: example.stopRuns,
    responses: { 200: json('HoldState', HoldState, 'Held', example.held) },
    problems: [],
  }),
  releaseRuns: endpoint({
    method: 'DELETE',
    path: '/v1/organisation/hold',
    tag: 'Organisation',
    scope: 'organisation:write',
    summary: 'Release the queue',
    description:
      'Ends the emergency stop of the organisation: what waits is taken up, in its order. Without one nothing happens. ' +
      'A hold of the operator stays, and the answer shows it.',
    responses: { 200: json('HoldState', HoldState, 'Released', example.released) },
    problems: [],
  }),
  readCover: endpoint({
    method: 'GET',
    path: '/v1/organisation/cover',
    tag: 'Organisation',
    scope: 'organisation:read',
    summary: 'See the cover of reports',
    description:
      'The first page of a report with example figures, typeset as reports are, with the present name, logo and mark. ' +
      'Takes some seconds when something of these has changed. 503 where the programs for reports are missing.',
    responses: { 200: raw('The page', ['image/png']) },
    problems: [],
  }),
  listKeys: endpoint({
    method: 'GET',
    path: '/v1/keys',
    tag: 'Organisation',
    scope: 'organisation:read',
    summary: 'List API keys',
    description: 'Oldest first, revoked ones included; never their secrets.',
    responses: { 200: json('KeyList', KeyList, 'Keys', { items: [example.apiKey] }) },
    problems: [],
  }),
  createKey: endpoint({
    method: 'POST',
    path: '/v1/keys',
    tag: 'Organisation',
    scope: 'organisation:write',
    summary: 'Make an API key',
    description: 'The secret is in this answer and nowhere else. A key gives no scope that it does not have itself.',
    body: CreateKey,
    bodyName: 'CreateKey',
    bodyExample: example.createKey,
    responses: { 201: json('KeyCreated', KeyCreated, 'Made', example.keyCreated) },
    problems: [],
  }),
  revokeKey: endpoint({
    method: 'DELETE',
    path: '/v1/keys/{id}',
    tag: 'Organisation',
    scope: 'organisation:write',
    summary: 'Revoke an API key',
    description: 'At once and for good; its sessions and streams end with it.',
    params: KeyId,
    missing: KEY_MISSING,
    responses: { 200: json('ApiKey', ApiKey, 'Revoked', example.revokedKey) },
    problems: ['key_not_found'],
  }),
  listMembers: endpoint({
    method: 'GET',
    path: '/v1/members',
    tag: 'Organisation',
    scope: 'organisation:read',
    summary: 'List members',
    description: 'People who have signed in by OpenID Connect.',
    responses: { 200: json('MemberList', MemberList, 'Members', { items: [example.member] }) },
    problems: [],
  }),
  updateMember: endpoint({
    method: 'PATCH',
    path: '/v1/members/{id}',
    tag: 'Organisation',
    scope: 'organisation:write',
    summary: 'Change the role of a member',
    description: 'Holds from the next request on.',
    params: MemberId,
    missing: MEMBER_MISSING,
    body: UpdateMember,
    bodyName: 'UpdateMember',
    bodyExample: { role: 'reader' },
    responses: { 200: json('Member', Member, 'Changed', { ...example.member, role: 'reader' }) },
    problems: ['member_not_found', 'last_owner'],
  }),
  removeMember: endpoint({
    method: 'DELETE',
    path: '/v1/members/{id}',
    tag: 'Organisation',
    scope: 'organisation:write',
    summary: 'Remove a member',
    description: 'Ends their sessions. Who may sign in again is up to the provider.',
    params: MemberId,
    missing: MEMBER_MISSING,
    responses: { 204: raw('Removed', []) },
    problems: ['member_not_found', 'last_owner'],
  }),
  listActivity: endpoint({
    method: 'GET',
    path: '/v1/activity',
    tag: 'Organisation',
    scope: 'organisation:read',
    summary: 'List who did what',
    description: 'Every change that was made through this interface, newest first.',
    query: ListActivity,
    responses: {
      200: json('ActivityPage', ActivityPage, 'Activity', { items: [example.activity], next_cursor: null }),
    },
    problems: [],
  }),
  readOverview: endpoint({
    method: 'GET',
    path: '/v1/overview',
    tag: 'Scans',
    scope: 'scans:read',
    summary: 'What each domain came to',
    description: 'The last done runs of each domain, and the last one against the one before.',
    responses: { 200: json('Overview', Overview, 'Overview', example.overview) },
    problems: [],
  }),
  readCoverage: endpoint({
    method: 'GET',
    path: '/v1/scans/{id}/coverage',
    tag: 'Findings',
    scope: 'scans:read',
    summary: 'Read what a run looked at',
    description:
      'What became of every check, so that "clean" and "could not look" are two things; readable while the run goes on.',
    params: ScanId,
    missing: SCAN_MISSING,
    query: InLanguage,
    responses: { 200: json('RunCoverage', RunCoverage, 'Coverage', example.coverage) },
    problems: ['scan_not_found'],
  }),
  readHistory: endpoint({
    method: 'GET',
    path: '/v1/scans/{id}/findings/{finding_id}/history',
    tag: 'Findings',
    scope: 'scans:read',
    summary: 'Read the history of a finding',
    description: 'Where the same problem (by fingerprint) was found, was gone, or was not looked for.',
    params: ScanId.extend({ finding_id: Uuid.describe('Id of the finding') }),
    missing: { ...SCAN_MISSING, finding_id: 'finding_not_found' },
    responses: { 200: json('FindingHistory', FindingHistory, 'History', { items: [example.appearance] }) },
    problems: ['scan_not_found', 'finding_not_found'],
  }),
} as const
