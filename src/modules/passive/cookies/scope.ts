import { getPublicSuffix } from 'tldts'
import type { Check, FindingDefinition } from '../../module.ts'
import { type Seen, seenCookies } from './facts-seen.ts'
import { perCookie, withoutCookies } from './observed.ts'

const REFERENCES = [
  'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#name-cookie-name-prefixes',
  'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Set-Cookie',
] as const
const common = { group: 'browser-policy' } as const

const prefix: FindingDefinition = {
  ...common,
  id: 'cookies/prefix-broken',
  title: 'Cookie prefix rule broken: browsers refuse the cookie',
  severity: 'medium',
  cwe: 1275,
  why: 'Browsers refuse __Secure- without Secure, and __Host- without Secure, with Domain or with a Path other than "/".',
  remediation:
    'Write `Set-Cookie: __Host-name=…; Path=/; Secure; HttpOnly; SameSite=Lax` without Domain, or drop the prefix.',
  references: [...REFERENCES, 'https://cwe.mitre.org/data/definitions/1275.html'],
}

const publicSuffix: FindingDefinition = {
  ...common,
  id: 'cookies/domain-public-suffix',
  title: 'Cookie domain is a public suffix: it is shared with strangers',
  severity: 'medium',
  cwe: 565,
  why:
    'The Domain is a public suffix, below which anyone can have a name. Present browsers refuse the cookie; one without ' +
    'the current list gives it to every site below.',
  remediation: 'Remove Domain, so that the cookie belongs to the host that set it.',
  references: [...REFERENCES, 'https://publicsuffix.org/', 'https://cwe.mitre.org/data/definitions/565.html'],
}

const foreign: FindingDefinition = {
  ...common,
  id: 'cookies/domain-mismatch',
  title: 'Cookie domain mismatch: its host does not belong to it',
  severity: 'low',
  cwe: 565,
  why: 'Browsers refuse it, so whatever rests on it does not work; often a trace of another environment’s configuration.',
  remediation: 'Remove Domain, or set it to the host or a parent of it.',
  references: [...REFERENCES, 'https://cwe.mitre.org/data/definitions/565.html'],
}

const wide: FindingDefinition = {
  ...common,
  id: 'cookies/session-domain-wide',
  title: 'Session cookie domain too wide: it is sent to every host of the domain',
  severity: 'low',
  cwe: 565,
  why:
    'Each host below the Domain receives the session: a forgotten or outsourced one that is taken over gives it away. ' +
    'And each of them can replace the cookie.',
  remediation:
    'Remove Domain, and use the prefix __Host-: `Set-Cookie: __Host-session=…; Path=/; Secure; HttpOnly; SameSite=Lax`.',
  references: [...REFERENCES, 'https://cwe.mitre.org/data/definitions/565.html'],
}

/** Prefix and Domain: who receives a cookie and who may replace it. */
export const scope: Check<'cookies', 'site'> = {
  findings: [prefix, publicSuffix, foreign, wide],
  judge: (facts, _known, about) => {
    const none = withoutCookies(facts, about)
    if (none) return none
    const seen = seenCookies(facts, about.now)
    return [
      ...perCookie(prefix, seen, brokenPrefix),
      ...perCookie(publicSuffix, seen, (one) =>
        isSuffix(one) ? `has Domain=${one.cookie.domain}, a public suffix` : null,
      ),
      ...perCookie(foreign, seen, (one) =>
        isSuffix(one) || belongs(one) ? null : `has Domain=${one.cookie.domain}, which does not cover its host`,
      ),
      ...perCookie(wide, seen, (one) =>
        one.session && one.cookie.domain !== null && belongs(one) && !isSuffix(one)
          ? `has Domain=${one.cookie.domain}`
          : null,
      ),
    ]
  },
}

/** Section 5.7: prefixes are compared without case, and hold for a nameless cookie whose value imitates one. */
const brokenPrefix = ({ cookie, secureOrigin }: Seen): string | null => {
  const name = cookie.name === '' ? cookie.value : cookie.name
  const host = /^__host-/i.test(name)
  if (!host && !/^__secure-/i.test(name)) return null
  const faults = [
    ...(cookie.name === '' ? ['has no name and imitates a prefix in its value'] : []),
    ...(cookie.secure ? [] : ['lacks Secure']),
    ...(secureOrigin ? [] : ['is set over http']),
    ...(host && cookie.domain !== null ? [`has Domain=${cookie.domain}`] : []),
    ...(host && cookie.path !== '/' ? [cookie.path === null ? 'lacks Path=/' : `has Path=${cookie.path}`] : []),
  ]
  return faults.length === 0 ? null : faults.join(' and ')
}

const hostOf = ({ observation }: Seen): string => URL.parse(observation.url)?.hostname ?? ''

/** A host that is itself a public suffix may set a cookie for itself: it becomes one of the host alone. */
const isSuffix = (seen: Seen): boolean => {
  const { domain } = seen.cookie
  if (domain === null || domain === hostOf(seen)) return false
  return getPublicSuffix(domain, { allowPrivateDomains: true }) === domain
}

/** Domain-match of section 5.1.3; an IP address covers itself alone. */
const belongs = (seen: Seen): boolean => {
  const { domain } = seen.cookie
  const host = hostOf(seen)
  return domain === null || host === domain || (host.endsWith(`.${domain}`) && !/^[\d.]+$|^\[/.test(host))
}
