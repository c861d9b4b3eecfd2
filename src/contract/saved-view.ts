/** Lists of findings that somebody has given a name, for themselves. */
import { z } from 'zod'

export const ViewName = z.string().trim().min(1).max(80)
export const SaveView = z.strictObject({
  query: z
    .string()
    .max(2000)
    .regex(/^[\x21-\x7e]*$/, 'must be the query of an address, with anything special percent-encoded')
    .describe('The filters as the address of the page has them, without "?"'),
})
export const SavedView = z.strictObject({ name: z.string(), query: z.string() })
export type SavedView = z.infer<typeof SavedView>

/** Of one person or key. */
export const MOST_VIEWS = 50
