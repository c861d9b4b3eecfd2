/** Times and days as they stand in requests and answers. */
import { z } from 'zod'

/**
 * Whether the database has it: the calendar of its times begins with the year 1, and ISO 8601 ends with 9999. What is no time
 * at all is named as such already.
 */
const isOfCalendar = (text: string): boolean => {
  const year = new Date(text).getUTCFullYear()
  return !(year < 1 || year > 9999)
}
const OUTSIDE = { error: 'must be between the years 0001 and 9999, in UTC' }

export const Timestamp = z.iso
  .datetime({ offset: true })
  .refine(isOfCalendar, OUTSIDE)
  .describe('RFC 3339 date-time in UTC')

export const Day = z.iso.date().refine(isOfCalendar, OUTSIDE).describe('A day, e.g. 2026-12-24, in UTC')
