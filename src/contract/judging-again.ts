/** Stored runs in the light of new knowledge: judged again from their facts, without asking the target. */
import { z } from 'zod'
import { Timestamp } from './time.ts'

const FeedVersions = z.record(z.string(), z.string())

/** Of a run: the last time. */
export const JudgedAgain = z
  .strictObject({
    at: Timestamp,
    version: z.int().min(1).nullable().describe('Version of the results that came of it; null where none did'),
    feeds: FeedVersions.describe('The feeds that brought news, each with its version'),
    reason: z.string().nullable().describe('Why it was not judged again, a sentence; null where it was'),
  })
  .describe('The last time that feeds brought news for the run, from its stored facts; absent where none did')
export type JudgedAgain = z.infer<typeof JudgedAgain>

/** In findings.json and in histories. */
export const JudgedBecause = z
  .strictObject({ at: Timestamp, feeds: FeedVersions.describe('The feeds that brought news, each with its version') })
  .describe('The version was made from the stored facts when feeds brought news; the target was not asked')
export type JudgedBecause = z.infer<typeof JudgedBecause>

/** What the organisation wants. */
export const JudgingAgain = z.strictObject({
  enabled: z.boolean().describe('The latest run of each domain is judged again when feeds bring news that touch it'),
})
export type JudgingAgain = z.infer<typeof JudgingAgain>
