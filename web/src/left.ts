/** How long something still takes, in words that somebody can plan with. Pure. */
import type { Remaining } from '../../src/contract/remaining.ts'
import type { Key } from './i18n/words.ts'

const MINUTE = 60_000
const HOUR = 3_600_000
/** From here on hours are told, by halves. */
const LONG = 100 * MINUTE

interface Said {
  readonly key: Extract<Key, `left${string}`>
  readonly values: Readonly<Record<string, number>>
}

/** `since`: milliseconds since it was estimated. */
export const leftOf = ({ least_ms, most_ms }: Pick<Remaining, 'least_ms' | 'most_ms'>, since: number): Said => {
  const least = Math.max(0, least_ms - since)
  const most = most_ms - since
  if (most <= 0) return { key: 'leftSoon', values: {} }
  if (most <= MINUTE) return { key: 'leftSeconds', values: {} }
  if (most > LONG) return { key: 'leftHours', values: { least: halves(least / HOUR), most: halves(most / HOUR) } }
  const whole = { least: Math.round(least / MINUTE), most: Math.ceil(most / MINUTE) }
  if (whole.least === 0) return { key: 'leftUpTo', values: { most: whole.most } }
  if (whole.most - whole.least <= 1) return { key: 'leftAbout', values: { most: whole.most } }
  return { key: 'leftMinutes', values: whole }
}

const halves = (hours: number): number => Math.round(hours * 2) / 2
