import { lifetimeOf, MAX_LIFETIME } from '../../../page/cookies/set-cookie.ts'
import type { Check, FindingDefinition } from '../../module.ts'
import { seenCookies } from './facts-seen.ts'
import { perCookie, withoutCookies } from './observed.ts'

const REFERENCES = [
  'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#name-the-max-age-attribute',
  'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html#session-expiration',
  'https://cwe.mitre.org/data/definitions/613.html',
] as const

const session: FindingDefinition = {
  id: 'cookies/session-lifetime',
  title: 'Session cookie lifetime: it lives longer than 30 days',
  severity: 'low',
  cwe: 613,
  group: 'browser-policy',
  why: 'Who gets hold of it, on a shared or sold device or out of a backup, is signed in for as long as it lives.',
  remediation:
    'Leave out Max-Age and Expires for a session, or set at most `Max-Age=2592000` (30 days), renew it while it is used, ' +
    'and end it on the server as well.',
  references: REFERENCES,
}

const capped: FindingDefinition = {
  id: 'cookies/lifetime-capped',
  title: 'Cookie lifetime capped: more than the 400 days that browsers allow',
  severity: 'info',
  cwe: 613,
  group: 'browser-policy',
  why: 'Browsers shorten it to 400 days, so what is stored does not last as long as the site may rely on.',
  remediation: 'Set a Max-Age that fits the purpose, at most 34560000.',
  references: REFERENCES,
}

const THIRTY_DAYS = 2_592_000

/** How long cookies live; Max-Age takes precedence over Expires. */
export const lifetime: Check<'cookies', 'site'> = {
  findings: [session, capped],
  judge: (facts, _known, about) => {
    const none = withoutCookies(facts, about)
    if (none) return none
    const seen = seenCookies(facts, about.now)
    const days = (seconds: number): number => Math.round(seconds / 86_400)
    return [
      ...perCookie(session, seen, (one) => {
        const seconds = lifetimeOf(one.cookie, about.now)
        return one.session && seconds !== null && seconds > THIRTY_DAYS ? `lives for ${days(seconds)} days` : null
      }),
      ...perCookie(capped, seen, ({ cookie }) => {
        const seconds = lifetimeOf(cookie, about.now)
        // A date of 400 days from now was computed by the server's clock, a little off ours.
        return seconds !== null && seconds > MAX_LIFETIME + 86_400 ? `asks for ${days(seconds)} days` : null
      }),
    ]
  },
}
