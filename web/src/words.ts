/** Lists of the contract's words, in the order in which they are shown. Types hold them equal to the contract's. */
import type { ArtifactKind } from '../../src/contract/artifact.ts'
import type { ProblemState } from '../../src/contract/domain-finding.ts'
import type { Confidence, CoverageState, Severity } from '../../src/contract/finding.ts'
import type { IdentityKind } from '../../src/contract/identity.ts'
import type { Access } from '../../src/contract/matrix.ts'
import type { Role, Scope } from '../../src/contract/organisation.ts'
import type { Phase, RunStatus, SiteContext, Tier } from '../../src/contract/run.ts'

/** Fails to compile when a word of the union is missing from the list. */
const whole =
  <Word extends string>() =>
  <const List extends readonly Word[]>(
    list: List & ([Word] extends [List[number]] ? unknown : never),
  ): readonly Word[] =>
    list

export const SEVERITIES = whole<Severity>()(['critical', 'high', 'medium', 'low', 'info'])
export const STATUSES = whole<RunStatus>()(['queued', 'leased', 'running', 'done', 'failed', 'canceled'])
export const TIERS = whole<Tier>()(['passive', 'active'])
export const CONTEXTS = whole<SiteContext>()(['shop', 'brochure', 'saas', 'internal'])
export const PROBLEM_STATES = whole<ProblemState>()(['open', 'reopened', 'accepted', 'false_positive', 'fixed'])
export const CONFIDENCES = whole<Confidence>()(['confirmed', 'firm', 'tentative'])
export const PHASES = whole<Phase>()([
  'queued',
  'prepare',
  'discover',
  'passive',
  'active',
  'privacy',
  'judge',
  'report',
  'finished',
])
export const COVERAGE_STATES = whole<CoverageState>()([
  'fail',
  'pass',
  'not_applicable',
  'not_tested',
  'blocked',
  'inconclusive',
])
export const KINDS = whole<ArtifactKind>()([
  'report_pdf',
  'report_html',
  'report_md',
  'findings_json',
  'audit_log',
  'signature',
  'report_tex',
  'evidence',
  'branding_logo',
])
export const ROLES = whole<Role>()(['reader', 'member', 'owner'])
export const SCOPES = whole<Scope>()([
  'scans:read',
  'scans:write',
  'artifacts:read',
  'domains:read',
  'domains:write',
  'webhooks:write',
  'organisation:read',
  'organisation:write',
])

export const IDENTITY_KINDS = whole<IdentityKind>()(['steps', 'request', 'oauth2', 'cookie', 'header'])
export const ACCESSES = whole<Access>()(['may', 'could', 'should_not', 'empty', 'refused', 'unclear', 'not_asked'])

export const hasEnded = (status: RunStatus): boolean =>
  status === 'done' || status === 'failed' || status === 'canceled'
