import { isCsrfCookie, isOrdinaryCookie } from '../../../page/cookies/session.ts'
import type { Check, FindingDefinition } from '../../module.ts'
import { type Seen, seenCookies } from './facts-seen.ts'
import { perCookie, withoutCookies } from './observed.ts'

const REFERENCES = [
  'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis',
  'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Set-Cookie',
  'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html',
] as const
const common = { group: 'browser-policy' } as const
const EXAMPLE = '`Set-Cookie: __Host-session=…; Path=/; Secure; HttpOnly; SameSite=Lax`'
const WHERE =
  'Set it in the application’s session settings: PHP `session.cookie_secure = 1`, `session.cookie_httponly = 1`, ' +
  '`session.cookie_samesite = "Lax"`; Express `cookie: { secure: true, httpOnly: true, sameSite: "lax" }`; Django ' +
  '`SESSION_COOKIE_SECURE = True`. Where the application cannot be changed, nginx: `proxy_cookie_flags ~ secure httponly samesite=lax;`.'

const sessionSecure: FindingDefinition = {
  ...common,
  id: 'cookies/session-secure-missing',
  title: 'Session cookie without Secure: it travels over http too',
  severity: 'medium',
  cwe: 614,
  why: 'The browser sends it with any http request to the site, where everyone on the network reads it and takes over the session.',
  remediation: `Add Secure: ${EXAMPLE}. ${WHERE}`,
  references: [...REFERENCES, 'https://cwe.mitre.org/data/definitions/614.html'],
}

const sessionHttpOnly: FindingDefinition = {
  ...common,
  id: 'cookies/session-httponly-missing',
  title: 'Session cookie without HttpOnly: scripts can read it',
  severity: 'medium',
  cwe: 1004,
  why: 'One injected script, or one of a third party gone bad, sends the session away and it is used elsewhere.',
  remediation: `Add HttpOnly: ${EXAMPLE}. ${WHERE}`,
  references: [...REFERENCES, 'https://cwe.mitre.org/data/definitions/1004.html'],
}

const sessionSameSite: FindingDefinition = {
  ...common,
  id: 'cookies/session-samesite-missing',
  title: 'Session cookie without SameSite: it does not say when other sites may cause it to be sent',
  severity: 'low',
  cwe: 1275,
  why:
    'Some browsers then take Lax, with an exception for POST in the first two minutes, others None: forged requests from ' +
    'other sites carry the session.',
  remediation: `Add SameSite=Lax, or Strict where no link from outside has to find the visitor signed in: ${EXAMPLE}. ${WHERE}`,
  references: [...REFERENCES, 'https://cwe.mitre.org/data/definitions/1275.html'],
}

const noneInsecure: FindingDefinition = {
  ...common,
  id: 'cookies/samesite-none-insecure',
  title: 'Cookie with SameSite=None but without Secure',
  severity: 'medium',
  cwe: 1275,
  why: 'Present browsers refuse the cookie. Older ones send it with every request of any site, over http too.',
  remediation: `Add Secure, or use SameSite=Lax where no other site embeds yours. ${WHERE}`,
  references: [...REFERENCES, 'https://cwe.mitre.org/data/definitions/1275.html'],
}

const sameSiteUnknown: FindingDefinition = {
  ...common,
  id: 'cookies/samesite-invalid',
  title: 'Cookie with an invalid SameSite value',
  severity: 'low',
  cwe: 1275,
  why: 'Only Strict, Lax and None are known. The default of each browser holds in place of what was meant.',
  remediation: 'Write SameSite=Lax, Strict or None.',
  references: [...REFERENCES, 'https://cwe.mitre.org/data/definitions/1275.html'],
}

const secure: FindingDefinition = {
  ...common,
  id: 'cookies/secure-missing',
  title: 'Cookie without Secure: it travels over http too',
  severity: 'low',
  cwe: 614,
  why: 'Everyone on the network can read the cookie, and replace it by one of their own.',
  remediation: `Add Secure to every cookie. ${WHERE}`,
  references: [...REFERENCES, 'https://cwe.mitre.org/data/definitions/614.html'],
}

const httpOnly: FindingDefinition = {
  ...common,
  id: 'cookies/httponly-missing',
  title: 'Cookie without HttpOnly: scripts can read what the server sets',
  severity: 'low',
  cwe: 1004,
  why: 'If no script of the site needs it, the right to read it serves nobody but an injected one.',
  remediation: `Add HttpOnly unless a script of yours reads the cookie. ${WHERE}`,
  references: [...REFERENCES, 'https://cwe.mitre.org/data/definitions/1004.html'],
}

/** Secure, HttpOnly and SameSite of every cookie that the server sets. */
export const flags: Check<'cookies', 'site'> = {
  findings: [sessionSecure, sessionHttpOnly, sessionSameSite, noneInsecure, sameSiteUnknown, secure, httpOnly],
  judge: (facts, _known, about) => {
    const none = withoutCookies(facts, about)
    if (none) return none
    const seen = seenCookies(facts, about.now).filter(({ cookie }) => cookie.rejected === null)
    const sessions = seen.filter(({ session }) => session)
    const others = seen.filter(({ session }) => !session)
    return [
      ...perCookie(sessionSecure, sessions, insecure),
      ...perCookie(sessionHttpOnly, sessions, ({ cookie }) => (cookie.httpOnly ? null : 'lacks HttpOnly')),
      ...perCookie(sessionSameSite, sessions, ({ cookie }) =>
        cookie.sameSite.kind === 'absent' ? 'has no SameSite' : null,
      ),
      ...perCookie(noneInsecure, seen, ({ cookie }) =>
        cookie.sameSite.kind === 'none' && !cookie.secure ? 'has SameSite=None without Secure' : null,
      ),
      ...perCookie(sameSiteUnknown, seen, ({ cookie: { sameSite } }) =>
        sameSite.kind === 'unknown' ? `has SameSite="${sameSite.value.slice(0, 60)}"` : null,
      ),
      ...perCookie(secure, others, (one) => (one.cookie.sameSite.kind === 'none' ? null : insecure(one))),
      ...perCookie(httpOnly, others, ({ cookie }) =>
        cookie.httpOnly || isCsrfCookie(cookie) || isOrdinaryCookie(cookie) ? null : 'lacks HttpOnly',
      ),
    ]
  },
}

/** A nameless cookie, or a prefix that demands Secure, has a definition of its own elsewhere. */
const insecure = ({ cookie, secureOrigin }: Seen): string | null =>
  cookie.secure ? null : secureOrigin ? 'lacks Secure' : 'lacks Secure and is set over http'
