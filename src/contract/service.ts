/** Bodies of the endpoints about the service itself. */
import { z } from 'zod'
import { Timestamp, Uuid } from './run.ts'

export const Health = z.strictObject({ status: z.literal('ok'), version: z.string() })
export type Health = z.infer<typeof Health>

export const Readiness = z.strictObject({
  status: z.literal('ready'),
  checks: z.strictObject({
    database: z.literal('ok'),
    storage: z.literal('ok').optional().describe('Files of runs can be written and read'),
  }),
})
export type Readiness = z.infer<typeof Readiness>

export const VerifyTrafficQuery = z.strictObject({
  sonde_run: z.string().min(1).max(512).describe('Value of the Sonde-Run header that a request to your site carried'),
})

/** Says nothing about the run but what the header itself claims. */
export const TrafficVerdict = z.strictObject({
  ours: z.boolean().describe('True when this installation signed the header'),
  run_id: Uuid.nullable(),
  sent_at: Timestamp.nullable(),
})
export type TrafficVerdict = z.infer<typeof TrafficVerdict>
