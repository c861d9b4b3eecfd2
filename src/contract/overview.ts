/** Readings over more than one run: what each domain came to, one finding's history, and what one run looked at. */
import { z } from 'zod'
import { Coverage, CoverageState, ResolvedFinding, Severity } from './finding.ts'
import { Grade } from './findings-file.ts'
import { ReachSummary } from './reach.ts'
import { Counts, RunStatus, Tier, Uuid } from './run.ts'
import { Sending } from './sending.ts'
import { Timestamp } from './time.ts'

/** Done runs of a domain that the overview shows at most. */
export const OVERVIEW_RUNS = 12

export const OverviewRun = z.strictObject({
  id: Uuid,
  tier: Tier,
  grade: z.string().nullable(),
  counts: Counts,
  finished_at: Timestamp,
})
export type OverviewRun = z.infer<typeof OverviewRun>

export const DomainOverview = z.strictObject({
  id: Uuid,
  domain: z.string(),
  verified_until: Timestamp.nullable(),
  runs: z.array(OverviewRun).describe(`The last ${OVERVIEW_RUNS} done runs, oldest first`),
  latest: z
    .strictObject({
      added: Counts.describe('Findings that the run before did not have'),
      gone: z.int().min(0).describe('Findings of the run before whose check ran again and found nothing'),
      not_comparable: z.int().min(0).describe('Findings of the run before whose check could not look this time'),
      checks: z.record(CoverageState, z.int().min(0)).describe('Checks of the last done run by what became of them'),
    })
    .nullable()
    .describe('The last done run against the one before; null without a done run'),
})
export type DomainOverview = z.infer<typeof DomainOverview>

export const Overview = z.strictObject({
  domains: z.array(DomainOverview).describe('The hundred that were scanned last, the newest after them'),
  total: z.int().min(0).describe('Domains of the organisation, those that are not among the hundred too'),
})
export type Overview = z.infer<typeof Overview>

export const FindingAppearance = z.strictObject({
  run_id: Uuid,
  finding_id: Uuid.nullable(),
  state: z
    .enum(['found', 'not_found', 'not_tested'])
    .describe('not_found only where the check ran to an answer; not_tested where it could not look'),
  severity: Severity.nullable(),
  finished_at: Timestamp,
})
export type FindingAppearance = z.infer<typeof FindingAppearance>
export const FindingHistory = z.strictObject({
  items: z.array(FindingAppearance).describe('Done runs of the same domain, newest first, at most 50'),
})

export const ModuleEnd = z.strictObject({
  module: z.string(),
  state: z.enum(['completed', 'failed', 'skipped', 'blocked']),
  reason: z.string().nullable(),
  duration_ms: z.number().min(0),
  requests: z.int().min(0),
})
export type ModuleEnd = z.infer<typeof ModuleEnd>

export const RunCoverage = z.strictObject({
  status: RunStatus,
  modules: z.array(ModuleEnd).describe('Those that have ended, in that order'),
  items: z.array(Coverage).describe('Every check so far; of a done run also those that its options left out'),
  grade: Grade.nullable().describe('How the grade came about; null until the run is done'),
  resolved: z.array(ResolvedFinding).describe('Findings of the run before that are gone'),
  reach: ReachSummary.nullable().optional().describe('Null until an active run is done, and of a passive one'),
  sending: Sending.optional().describe('Of an active run that is done'),
})
export type RunCoverage = z.infer<typeof RunCoverage>
