/** How long problems of a severity may stay open, by the policy of the organisation. */
import { z } from 'zod'

const Days = z.int().min(0).max(3650).nullable().default(null).describe('Null: without a due day')

/** Days from the day on which a problem is seen first, or again after it was fixed. */
export const DueDays = z.strictObject({ critical: Days, high: Days, medium: Days, low: Days, info: Days })
export type DueDays = z.infer<typeof DueDays>
