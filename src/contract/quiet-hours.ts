/** Hours of each day in which nothing is to be asked, and the clock that they go by. */
import { z } from 'zod'

export const AtTime = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 03:30')
  .describe('Time of day, HH:MM, in the time zone beside it')

export const TimeZone = z
  .string()
  .max(64)
  .refine((name) => isTimeZone(name), 'is no time zone of the IANA database')
  .describe('IANA name, such as Europe/Berlin')

const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const WHOLE_DAY = 'must not be the whole day'

/** Of a schedule, whose time zone they have. They may go over midnight. */
export const Hours = z.strictObject({ from: AtTime, to: AtTime }).refine(({ from, to }) => from !== to, WHOLE_DAY)

/** Of a domain. */
export const QuietHours = z
  .strictObject({ from: AtTime, to: AtTime, time_zone: TimeZone })
  .refine(({ from, to }) => from !== to, WHOLE_DAY)
export type QuietHours = z.infer<typeof QuietHours>

/** Minutes; a week. */
export const LONGEST_COOLDOWN = 10_080
