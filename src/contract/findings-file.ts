import { z } from 'zod'
import { Coverage, Finding, ResolvedFinding } from './finding.ts'
import { JudgedBecause } from './judging-again.ts'
import { Reach } from './reach.ts'
import { Counts, Environment, RunOptions, SiteContext, Tier, Uuid } from './run.ts'
import { Sending } from './sending.ts'
import { Timestamp } from './time.ts'

/** Version of the file's shape: a new field raises the minor number, a break the major one. */
export const FINDINGS_SCHEMA_VERSION = '1.10.0'

export const Grade = z.strictObject({
  grade: z.string().describe('A+ to F'),
  score: z.number().min(0).max(100),
  provisional: z.boolean().describe('True when under 70 % of the checks could look, and of a survey'),
  caps: z.array(z.string()).describe('What limits the grade, in words'),
  parts: z
    .array(
      z.strictObject({
        id: z.string(),
        title: z.string(),
        grade: z.string(),
        score: z.number().nullable(),
        reasons: z.array(z.string()).optional().describe('Why it is no better; absent in files of older versions'),
      }),
    )
    .describe('Grades of single areas: headers and TLS by their published scales, the others like the whole'),
})
export type Grade = z.infer<typeof Grade>

/** A table that a module wants printed in the appendix and kept in the file (TLS protocols, response headers …). */
export const FactTable = z.strictObject({
  id: z.string(),
  module: z.string(),
  title: z.string(),
  columns: z.array(z.string()),
  rows: z.array(z.array(z.string())),
})
export type FactTable = z.infer<typeof FactTable>

/** findings.json: the whole result of a run for a machine. API, counts, PDF and SARIF show exactly these findings. */
export const FindingsFile = z.strictObject({
  schema_version: z.string(),
  version: z
    .int()
    .min(1)
    .optional()
    .describe('Rendering of the report that the file belongs to; absent in files of older versions'),
  run: z.strictObject({
    id: Uuid,
    tier: Tier,
    context: SiteContext.nullable(),
    environment: Environment.optional().describe(
      "The domain's, when the run was made; absent in files of older versions",
    ),
    options: RunOptions,
    scanner: z.string().describe('Product and version'),
    created_at: Timestamp,
    started_at: Timestamp.nullable(),
    finished_at: Timestamp,
    requests: z.int().min(0).describe('Requests sent to the target'),
  }),
  target: z.strictObject({ domain: z.string(), url: z.string().nullable(), addresses: z.array(z.string()) }),
  grade: Grade,
  counts: Counts,
  open_counts: Counts.describe('Without what the owners had accepted or called a false positive when the run ended'),
  findings: z.array(Finding),
  coverage: z.array(Coverage),
  resolved: z.array(ResolvedFinding),
  tables: z.array(FactTable),
  reach: Reach.optional(),
  sending: Sending.optional().describe('Of an active run'),
  knowledge: z.record(z.string(), z.string()).describe('Version of each knowledge feed used'),
  judged_again: JudgedBecause.optional(),
})
export type FindingsFile = z.infer<typeof FindingsFile>
