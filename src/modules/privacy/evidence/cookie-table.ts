/** All cookies of all states as CSV (RFC 4180), one line for each cookie and state. */
import type { CookieRecord, StateName } from '../facts.ts'

const COLUMNS = [
  'state',
  'moment',
  'name',
  'domain',
  'path',
  'lifetime_days',
  'asked_days',
  'secure',
  'http_only',
  'same_site',
  'length',
  'unique_to_visitor',
  'set_by',
  'set_by_address',
  'purpose',
  'purpose_from',
]

const DAY = 86_400_000
const inDays = (lifetime: number | null): string => (lifetime === null ? 'session' : (lifetime / DAY).toFixed(2))

export const cookieTable = (
  states: readonly { readonly name: StateName; readonly cookies: readonly CookieRecord[] }[],
): string => {
  const rows = states.flatMap(({ name, cookies }) =>
    cookies.map((cookie) => [
      name,
      cookie.moment,
      cookie.name,
      cookie.domain,
      cookie.path,
      inDays(cookie.lifetime),
      cookie.asked === undefined ? '' : inDays(cookie.asked),
      String(cookie.secure),
      String(cookie.httpOnly),
      cookie.sameSite,
      String(cookie.length),
      String(cookie.unique),
      cookie.by,
      cookie.setBy ?? '',
      cookie.known?.purpose ?? 'unknown',
      cookie.known?.source ?? '',
    ]),
  )
  return [COLUMNS, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

/** Spreadsheets run what begins with = + - or @: an apostrophe keeps it text. */
const cell = (text: string): string => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
