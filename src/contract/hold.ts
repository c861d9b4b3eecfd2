/** The emergency stop: every run ends, and the queue waits until somebody releases it. */
import { z } from 'zod'
import { Timestamp } from './time.ts'

export const Hold = z
  .strictObject({
    by: z.enum(['organisation', 'operator']).describe('Who may release it; a hold of the operator is over all'),
    held_by: z.string().describe('Name of the key, member or operator that stopped the runs'),
    reason: z.string().nullable(),
    held_at: Timestamp,
  })
  .describe('While it lasts no run starts; runs that are asked for wait')
export type Hold = z.infer<typeof Hold>

/** Where an organisation stands: `ending` falls to 0 within a heartbeat and the grace of the scanner. */
export const HoldState = z.strictObject({
  hold: Hold.nullable().describe('Null: the queue runs'),
  ending: z.int().min(0).describe('Runs that go on right now; with a hold, those that are about to end'),
  waiting: z.int().min(0).describe('Runs in the queue'),
})
export type HoldState = z.infer<typeof HoldState>

export const StopRuns = z.strictObject({
  reason: z.string().trim().min(1).max(200).optional().describe('Shown to everybody in the organisation'),
})
export type StopRuns = z.infer<typeof StopRuns>
