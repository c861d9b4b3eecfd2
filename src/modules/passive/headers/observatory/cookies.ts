import { type Cookie, parseSetCookie } from '../../../../page/cookies/set-cookie.ts'
import type { Page } from '../../../../page/page.ts'
import { valuesOf } from '../../../../page/pages.ts'
import type { SiteFacts } from '../../site/facts.ts'
import type { Modifier } from './grade.ts'
import { isTransportSecured } from './transport.ts'

/** The Observatory's own recognition by name; the checks of the cookies module look closer. */
const isSession = ({ name }: Cookie): boolean => /login|sess/i.test(name)
const isCsrf = ({ name }: Cookie): boolean => /csrf/i.test(name)
/** Set by a platform and out of the site's hands. */
const LEFT_OUT = ['heroku-session-affinity']

/** The worst row that any cookie earns. */
export const scoreCookies = (page: Page, site: SiteFacts): Modifier => {
  const lines = [page.headers, ...(page === site.pages[0] ? site.https.hops.map(({ headers }) => headers) : [])]
  const cookies = [...new Set(lines.flatMap((headers) => valuesOf(headers, 'set-cookie')))]
    .flatMap((line) => parseSetCookie(line) ?? [])
    .filter(({ name }) => name !== '' && !LEFT_OUT.includes(name))
  if (cookies.length === 0) return { id: 'cookies-not-found', points: 0 }
  const secured = isTransportSecured(page)
  const rows = cookies.flatMap((cookie) => rowsOf(cookie, secured))
  const [worst] = rows.toSorted((one, other) => one.points - other.points)
  if (worst) return worst
  return cookies.every(({ sameSite }) => sameSite.kind !== 'absent')
    ? { id: 'cookies-secure-with-httponly-sessions-and-samesite', points: 5 }
    : { id: 'cookies-secure-with-httponly-sessions', points: 0 }
}

const rowsOf = (cookie: Cookie, secured: boolean): readonly Modifier[] => {
  const rows: Modifier[] = []
  const { sameSite } = cookie
  if (sameSite.kind === 'unknown' || (sameSite.kind === 'none' && !cookie.secure)) {
    rows.push({ id: 'cookies-samesite-flag-invalid', points: -20 })
  }
  if (!cookie.secure) {
    rows.push(
      secured
        ? { id: 'cookies-without-secure-flag-but-protected-by-hsts', points: -5 }
        : { id: 'cookies-without-secure-flag', points: -20 },
    )
  }
  if (isCsrf(cookie) && sameSite.kind === 'absent') {
    rows.push({ id: 'cookies-anticsrf-without-samesite-flag', points: -20 })
  }
  if (isSession(cookie) && !cookie.secure) {
    rows.push(
      secured
        ? { id: 'cookies-session-without-secure-flag-but-protected-by-hsts', points: -10 }
        : { id: 'cookies-session-without-secure-flag', points: -40 },
    )
  }
  if (isSession(cookie) && !cookie.httpOnly) rows.push({ id: 'cookies-session-without-httponly-flag', points: -30 })
  return rows
}
