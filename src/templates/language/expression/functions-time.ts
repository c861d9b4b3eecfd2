/** Functions over time. */
import { on } from './define.ts'
import type { DslFunction } from './functions.ts'
import { DslError, numberOf, textOf } from './value.ts'

export const TIME: Readonly<Record<string, DslFunction>> = {
  unix_time: on(0, 1, ([offset = 0]) => Math.floor(Date.now() / 1000) + numberOf(offset, 'the offset')),
  date_time: on(1, 2, ([format = '', time]) =>
    formatted(
      textOf(format),
      time === undefined ? new Date() : new Date(numberOf(time, 'the time of date_time') * 1000),
    ),
  ),
  to_unix_time: on(1, 2, ([text = '']) => unixOf(textOf(text))),
  wait_for: on(1, 1, ([seconds = 0], { wait }) => {
    const asked = numberOf(seconds, 'the seconds of wait_for')
    if (asked > 60) throw new DslError('wait_for may wait a minute at most')
    wait?.(asked)
    return true
  }),
}

const unixOf = (text: string): number => {
  if (/^-?\d+$/.test(text)) return Number(text)
  const time = Date.parse(/\d$/.test(text) && text.includes(':') ? `${text.replace(' ', 'T')}Z` : text)
  if (Number.isNaN(time)) throw new DslError(`to_unix_time cannot read "${text}"`)
  return Math.floor(time / 1000)
}

/** `%Y-%M-%D %H:%m:%S` as the format documents it, or Go's reference time (`2006-01-02`). All in UTC. */
const formatted = (format: string, time: Date): string => {
  if (Number.isNaN(time.getTime())) throw new DslError('date_time has no such time')
  const two = (number: number): string => String(number).padStart(2, '0')
  const parts: Readonly<Record<string, string>> = {
    '%Y': String(time.getUTCFullYear()),
    '%M': two(time.getUTCMonth() + 1),
    '%D': two(time.getUTCDate()),
    '%H': two(time.getUTCHours()),
    '%m': two(time.getUTCMinutes()),
    '%S': two(time.getUTCSeconds()),
    '2006': String(time.getUTCFullYear()),
    '01': two(time.getUTCMonth() + 1),
    '02': two(time.getUTCDate()),
    '15': two(time.getUTCHours()),
    '04': two(time.getUTCMinutes()),
    '05': two(time.getUTCSeconds()),
  }
  const pattern = format.includes('%') ? /%[YMDHmS]/g : /2006|01|02|15|04|05/g
  return format.replace(pattern, (part) => parts[part] ?? part)
}
