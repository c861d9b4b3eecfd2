/** What an active run would send, and what it may have left behind. */
import { z } from 'zod'

export const PlannedRequest = z
  .strictObject({
    method: z.string(),
    url: z.string(),
    places: z.int().min(0).describe('Insertion points that probes would ask'),
    decision: z
      .enum(['send', 'once', 'bounded', 'never'])
      .describe(
        'send: it only reads. once: sent with its own values to learn what it does, and probed freely if that shows that it reads; else at most `most` times, or left alone where that is null. bounded: it may write, so at most `most` times. never: left alone',
      ),
    most: z.int().min(1).nullable().describe('How often in all, where that is bounded'),
    reason: z.string().nullable().describe('Why it is not simply sent'),
  })
  .describe('A request that the crawl of a dry run has learned of')
export type PlannedRequest = z.infer<typeof PlannedRequest>

export const WrittenRequest = z
  .strictObject({
    method: z.string(),
    url: z.string(),
    fields: z.array(z.string()).describe('What was filled in'),
    values: z
      .array(z.strictObject({ field: z.string(), value: z.string().describe('Its first 100 characters') }))
      .optional()
      .describe('Such as do not hold the marker, by which the others are found. Absent in results of earlier versions'),
    times: z.int().min(1).describe('How often it was sent'),
    put_back: z
      .boolean()
      .optional()
      .describe('Its page shows again what it held before. Absent in results of earlier versions'),
  })
  .describe('A request that may have stored something')
export type WrittenRequest = z.infer<typeof WrittenRequest>

export const Sending = z.strictObject({
  planned: z.array(PlannedRequest).optional().describe('Of a dry run'),
  marker: z.string().nullable().describe('Stands in the values that the run has written wherever a field took text'),
  written: z.array(WrittenRequest).describe('For cleaning up'),
})
export type Sending = z.infer<typeof Sending>
