/**
 * Set-Cookie as browsers read it: draft-ietf-httpbis-rfc6265bis, sections 5.6 (parsing) and 5.7 (storage).
 * https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis
 */

export type SameSite =
  | { readonly kind: 'absent' | 'lax' | 'strict' | 'none' }
  /** Browsers treat it as absent. */
  | { readonly kind: 'unknown'; readonly value: string }

export interface Cookie {
  readonly name: string
  readonly value: string
  readonly secure: boolean
  readonly httpOnly: boolean
  readonly partitioned: boolean
  readonly sameSite: SameSite
  /** Lower case without a leading dot; null for a cookie of the one host. */
  readonly domain: string | null
  /** As set; null where the browser takes the default of the address. */
  readonly path: string | null
  /** Seconds, of which 0 or less expires at once; null where absent or no number. Takes precedence over `expires`. */
  readonly maxAge: number | null
  /** Milliseconds since the epoch; null where absent or unreadable. */
  readonly expires: number | null
  /** What makes browsers drop the cookie before any attribute is looked at, or null. */
  readonly rejected: 'control-character' | 'too-large' | null
}

/** Octets of name and value together, and of one attribute's value (section 5.6). */
export const MAX_PAIR = 4_096
const MAX_ATTRIBUTE = 1_024
/** Seconds: 400 days, the longest that a browser keeps a cookie. */
export const MAX_LIFETIME = 34_560_000

/** Null for a line that names nothing and holds nothing. Never throws. */
export const parseSetCookie = (line: string): Cookie | null => {
  const [pair = '', ...parts] = line.slice(0, 65_536).split(';')
  const equals = pair.indexOf('=')
  const name = trim(equals < 0 ? '' : pair.slice(0, equals))
  const value = trim(pair.slice(equals + 1))
  if (name === '' && value === '') return null
  const attributes = new Map(parts.map(attributeOf).filter(([, text]) => text.length <= MAX_ATTRIBUTE))
  // The last attribute of a name counts; a later value that cannot be read does not undo an earlier one.
  const readable = (key: string, ok: (text: string) => boolean): string | null =>
    parts.map(attributeOf).findLast(([one, text]) => one === key && text.length <= MAX_ATTRIBUTE && ok(text))?.[1] ??
    null
  const maxAge = readable('max-age', (text) => /^-?\d+$/.test(text))
  const expires = readable('expires', (text) => parseCookieDate(text) !== null)
  const domain = attributes.get('domain')?.toLowerCase().replace(/^\./, '') ?? ''
  const path = attributes.get('path') ?? ''
  return {
    name,
    value,
    secure: attributes.has('secure'),
    httpOnly: attributes.has('httponly'),
    partitioned: attributes.has('partitioned'),
    sameSite: sameSiteOf(attributes.get('samesite')),
    domain: domain === '' ? null : domain,
    path: path.startsWith('/') ? path : null,
    maxAge: maxAge === null ? null : Number(maxAge),
    expires: expires === null ? null : parseCookieDate(expires),
    rejected: CONTROL.test(line) ? 'control-character' : name.length + value.length > MAX_PAIR ? 'too-large' : null,
  }
}

/** Seconds from `now` (milliseconds) as sent, uncapped; null for a cookie that ends with the browser session. */
export const lifetimeOf = ({ maxAge, expires }: Cookie, now: number): number | null => {
  if (maxAge !== null) return maxAge
  return expires === null ? null : Math.round((expires - now) / 1_000)
}

/** Sent to delete: nothing is stored, so its flags protect nothing. */
export const isRemoval = (cookie: Cookie, now: number): boolean => (lifetimeOf(cookie, now) ?? 1) <= 0

const attributeOf = (part: string): readonly [string, string] => {
  const equals = part.indexOf('=')
  return equals < 0
    ? [trim(part).toLowerCase(), '']
    : [trim(part.slice(0, equals)).toLowerCase(), trim(part.slice(equals + 1))]
}

const sameSiteOf = (text: string | undefined): SameSite => {
  if (text === undefined) return { kind: 'absent' }
  const value = text.toLowerCase()
  return value === 'lax' || value === 'strict' || value === 'none' ? { kind: value } : { kind: 'unknown', value: text }
}

/** White space of the grammar is space and tab alone. */
const trim = (text: string): string => text.replace(/^[ \t]+/, '').replace(/[ \t]+$/, '')
// biome-ignore lint/suspicious/noControlCharactersInRegex: section 5.6 names these characters
const CONTROL = /[\x00-\x08\x0a-\x1f\x7f]/

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
