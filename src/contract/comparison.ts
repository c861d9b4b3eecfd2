import { z } from 'zod'
import { Confidence, ResolvedFinding, Severity } from './finding.ts'
import { AskLanguage } from './language.ts'
import { Tier, Uuid } from './run.ts'
import { Timestamp } from './time.ts'

export const CompareQuery = z.strictObject({
  base: Uuid.optional().describe('Run to compare with; it has to be of the same domain'),
  language: AskLanguage,
})

const Side = z.strictObject({ id: Uuid, tier: Tier, grade: z.string().nullable(), finished_at: Timestamp.nullable() })

const Listed = ResolvedFinding.extend({ id: Uuid.describe('In the run that has it; of the later one where both do') })
export type Listed = z.infer<typeof Listed>

const Seen = z.strictObject({ severity: Severity, confidence: Confidence, detail: z.string(), places: z.int().min(0) })

/** What changed from `base` to `run`. */
export const Comparison = z.strictObject({
  run: Side,
  base: Side.nullable().describe('Null when there is no earlier run to compare with'),
  new: z.array(Listed).describe('The base had looked for it and not found it'),
  gone: z.array(Listed).describe('This run looked for it and did not find it'),
  changed: z
    .array(Listed.extend({ before: Seen, after: Seen }))
    .describe('Both have it, with another severity, certainty or proof'),
  not_comparable: z
    .array(Listed.extend({ in: z.enum(['run', 'base']), reason: z.string() }))
    .describe('Only one has it, and the other could not look'),
  unchanged: z.int().min(0),
})
export type Comparison = z.infer<typeof Comparison>
