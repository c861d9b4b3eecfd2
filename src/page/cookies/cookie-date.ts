/** RFC 6265, section 5.1.1: the forgiving date of cookies. Milliseconds since the epoch, or null. */
export const parseCookieDate = (text: string): number | null => {
  const found: { time?: readonly number[]; day?: number; month?: number; year?: number } = {}
  for (const token of text.slice(0, 1_024).split(DELIMITER)) {
    const time = found.time === undefined ? TIME.exec(token) : null
    const day = found.day === undefined ? /^(\d{1,2})(?:\D|$)/.exec(token) : null
    const month = found.month === undefined ? MONTHS.indexOf(token.slice(0, 3).toLowerCase()) : -1
    const year = found.year === undefined ? /^(\d{2,4})(?:\D|$)/.exec(token) : null
    if (time) found.time = time.slice(1, 4).map(Number)
    else if (day) found.day = Number(day[1])
    else if (month >= 0) found.month = month
    else if (year) found.year = fullYear(Number(year[1]))
  }
  const { time, day, month, year } = found
  if (time === undefined || day === undefined || month === undefined || year === undefined) return null
  const [hour = 0, minute = 0, second = 0] = time
  if (day < 1 || day > 31 || year < 1601 || hour > 23 || minute > 59 || second > 59) return null
  const date = new Date(Date.UTC(year, month, day, hour, minute, second))
  return date.getUTCDate() === day ? date.getTime() : null
}

const DELIMITER = /[\t\x20-\x2f\x3b-\x40\x5b-\x60\x7b-\x7e]+/
const TIME = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\D|$)/
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const fullYear = (year: number): number => (year >= 70 && year <= 99 ? year + 1900 : year <= 69 ? year + 2000 : year)
