/** Hypotheses: what somebody supposes of one place of a site, proven or refuted by a run of its own. */
import { endpoint, json } from '../endpoint.ts'
import { Hypothesis, HypothesisPage, ListHypotheses, StartHypothesis } from '../hypothesis.ts'
import * as example from '../hypothesis-examples.ts'
import { DOMAIN_MISSING, DomainId, SCAN_MISSING, ScanId } from './ids.ts'

export const HYPOTHESES = {
  startHypothesis: endpoint({
    method: 'POST',
    path: '/v1/domains/{id}/hypotheses',
    tag: 'Findings',
    scope: 'scans:write',
    summary: 'Suppose a weakness at one place',
    description:
      'Starts an active run that asks the named place of the named request for one weakness, with the probes of every run and within the ' +
      'same policy, and nothing else of the site but what they need. Only for verified domains, and only for addresses of the domain. It ' +
      'counts as a run, and never as the last one that others are compared with. What is proven joins the findings of the domain.',
    params: DomainId,
    missing: DOMAIN_MISSING,
    body: StartHypothesis,
    bodyName: 'StartHypothesis',
    bodyExample: example.startHypothesis,
    responses: { 202: json('Hypothesis', Hypothesis, 'Queued', example.hypothesis) },
    problems: [
      'domain_not_found',
      'domain_not_verified',
      'login_not_found',
      'identity_not_found',
      'quota_exceeded',
      'organization_throttled',
      'organization_blocked',
    ],
  }),
  listHypotheses: endpoint({
    method: 'GET',
    path: '/v1/hypotheses',
    tag: 'Findings',
    scope: 'scans:read',
    summary: 'List hypotheses',
    description:
      'What was supposed of the domains of the organisation and what each came to, newest first: proven, refuted, or why neither. ' +
      'Findings have their texts in English.',
    query: ListHypotheses,
    responses: {
      200: json('HypothesisPage', HypothesisPage, 'Hypotheses', { items: [example.refuted], next_cursor: null }),
    },
    problems: [],
  }),
  readHypothesis: endpoint({
    method: 'GET',
    path: '/v1/scans/{id}/hypothesis',
    tag: 'Findings',
    scope: 'scans:read',
    summary: 'Read what a hypothesis came to',
    description:
      'The verdict stands when the run has ended: with the proof, or with what it rests on. What the policy forbids is `not_asked`, with the reason.',
    params: ScanId,
    missing: SCAN_MISSING,
    responses: { 200: json('Hypothesis', Hypothesis, 'The hypothesis', example.refuted) },
    problems: ['scan_not_found', 'hypothesis_not_found'],
  }),
} as const
