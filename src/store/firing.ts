/** When a schedule fires. Pure: the same moment and chance give the same answer. */
import { CronExpressionParser } from 'cron-parser'
import { type Timing, WEEKDAYS } from '../contract/schedule.ts'

/** What is wrong with a cron expression, in words; null when nothing is. */
export const cronFault = ({ rhythm, time_zone }: Pick<Timing, 'rhythm' | 'time_zone'>): string | null => {
  if (rhythm.every !== 'cron') return null
  try {
    const times = CronExpressionParser.parse(expression(rhythm), { tz: time_zone }).take(SAMPLE)
    const tooClose = times.some((time, n) => {
      const before = times[n - 1]
      return before !== undefined && time.getTime() - before.getTime() < HOUR
    })
    return tooClose ? 'fires more often than once an hour' : null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The first firing after `now`. `chance` from 0 to 1 chooses the delay within the jitter. */
export const nextFiring = (timing: Timing, now: Date, chance: number): Date => {
  const { rhythm, time_zone, jitter_minutes } = timing
  const due = CronExpressionParser.parse(expression(rhythm), { tz: time_zone, currentDate: now }).next().toDate()
  return afterQuiet(new Date(due.getTime() + chance * jitter_minutes * 60_000), timing)
}

const HOUR = 3_600_000
/** A week of hours shows every hour of every weekday. */
const SAMPLE = 169

const expression = ({ every, at = '00:00', weekday = 'monday', day = 1, cron = '' }: Timing['rhythm']): string => {
  const [hour, minute] = at.split(':').map(Number)
  switch (every) {
    case 'day':
      return `${minute} ${hour} * * *`
    case 'week':
      return `${minute} ${hour} * * ${WEEKDAYS.indexOf(weekday)}`
    case 'month':
      return `${minute} ${hour} ${day === 'last' ? 'L' : day} * *`
    case 'cron':
      return cron
  }
}

/** In quiet hours: their end. They may go over midnight. */
const afterQuiet = (moment: Date, { quiet_hours: quiet, time_zone }: Timing): Date => {
  if (quiet === null) return moment
  const time = new Intl.DateTimeFormat('en-GB', { timeZone: time_zone, hour: '2-digit', minute: '2-digit' }).format(
    moment,
  )
  const inside = quiet.from < quiet.to ? time >= quiet.from && time < quiet.to : time >= quiet.from || time < quiet.to
  if (!inside) return moment
  const [hour, minute] = quiet.to.split(':').map(Number)
  return CronExpressionParser.parse(`${minute} ${hour} * * *`, { tz: time_zone, currentDate: moment }).next().toDate()
}
