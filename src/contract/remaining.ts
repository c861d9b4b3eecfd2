/** How long a run under way is likely to go on. */
import { z } from 'zod'

export const REMAINING_BASES = ['domain', 'organisation', 'usual'] as const

export const Remaining = z
  .strictObject({
    least_ms: z.int().min(0),
    most_ms: z.int().min(0),
    basis: z
      .enum(REMAINING_BASES)
      .describe(
        'domain: earlier runs of the domain with the same options; organisation: those of its other domains; usual: what runs of ' +
          'this kind mostly take',
      ),
    runs: z.int().min(0).describe('How many earlier runs it rests on'),
  })
  .describe(
    'Milliseconds until the run is done, between the two in most cases; null before it has begun, of a retest and of a hypothesis',
  )
export type Remaining = z.infer<typeof Remaining>
