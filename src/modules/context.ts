/**
 * How the kind of site shifts severities: one row a group of checks, one column a context.
 * An operator sells, informs, serves accounts, or keeps it inside; the same flaw weighs differently.
 */

import { SEVERITIES, type Severity } from '../contract/finding.ts'
import type { SiteContext } from '../contract/run.ts'
import type { PageKind } from '../page/page.ts'

export type ContextGroup =
  | 'browser-policy' // CSP, framing, CORS, cookies
  | 'third-party-script' // SRI and scripts of others
  | 'tls-hygiene' // TLS 1.0/1.1, domain-validated hygiene
  | 'transport' // expired certificate, missing redirect
  | 'rate-limit'
  | 'waf'
  | 'mail-authentication' // SPF, DMARC absent
  | 'good-practice' // CAA, DNSSEC, security.txt, BIMI, HSTS preload
  | 'admin-port'
  | 'disclosure' // banner, robots, comments
  | 'privacy'
  | 'version-cve'

export interface Shift {
  readonly to: Severity
  readonly reason: string
}

type Rule = (severity: Severity, page: PageKind) => Severity

const SENSITIVE: readonly PageKind[] = ['checkout', 'payment', 'login']
const same: Rule = (severity) => severity
const raised = (severity: Severity): Severity => SEVERITIES[Math.max(0, SEVERITIES.indexOf(severity) - 1)] ?? severity
const lowered = (severity: Severity): Severity => SEVERITIES[SEVERITIES.indexOf(severity) + 1] ?? 'info'
/** A cap never raises: it bounds from above. */
const atMost =
  (cap: Severity): Rule =>
  (severity) =>
    SEVERITIES.indexOf(severity) < SEVERITIES.indexOf(cap) ? cap : severity
/** Sets the level of a real problem; what is only information stays information. */
const exactly =
  (to: Severity): Rule =>
  (severity) =>
    severity === 'info' ? 'info' : to

const RULES: Readonly<Record<ContextGroup, Readonly<Record<SiteContext, Rule>>>> = {
  'browser-policy': {
    shop: (severity, page) => (SENSITIVE.includes(page) && severity !== 'info' ? raised(severity) : severity),
    brochure: (severity, page) => (page === 'plain' ? lowered(severity) : severity),
    saas: (severity, page) => (page === 'authenticated' && severity !== 'info' ? raised(severity) : severity),
    internal: same,
  },
  'third-party-script': {
    shop: (severity, page) =>
      page === 'payment' || page === 'checkout' ? exactly('medium')(severity, page) : severity,
    brochure: lowered,
    saas: atMost('low'),
    internal: exactly('info'),
  },
  'tls-hygiene': { shop: exactly('medium'), brochure: atMost('low'), saas: exactly('medium'), internal: atMost('low') },
  transport: { shop: same, brochure: same, saas: same, internal: atMost('medium') },
  'rate-limit': { shop: exactly('high'), brochure: same, saas: exactly('high'), internal: same },
  waf: { shop: () => 'low', brochure: () => 'info', saas: () => 'low', internal: () => 'info' },
  'mail-authentication': {
    shop: (s) => (s === 'medium' ? 'high' : s),
    brochure: same,
    saas: same,
    internal: exactly('info'),
  },
  'good-practice': { shop: same, brochure: exactly('info'), saas: same, internal: exactly('info') },
  'admin-port': { shop: exactly('high'), brochure: exactly('high'), saas: exactly('high'), internal: atMost('medium') },
  disclosure: { shop: same, brochure: exactly('info'), saas: same, internal: exactly('info') },
  privacy: { shop: same, brochure: same, saas: same, internal: same },
  'version-cve': {
    shop: atMost('medium'),
    brochure: atMost('low'),
    saas: atMost('medium'),
    internal: atMost('medium'),
  },
}

const WHY: Readonly<Record<SiteContext, string>> = {
  shop: 'a shop handles payments and customer accounts',
  brochure: 'a brochure site has no accounts and no transactions',
  saas: 'the service is used by people who are signed in',
  internal: 'the site is reached from inside the organisation only',
}

/**
 * The severity in this context, or null where it stays as it is. A critical one is never lowered.
 * Source: section E of the check catalogue.
 */
export const shiftSeverity = (
  group: ContextGroup,
  context: SiteContext,
  severity: Severity,
  page: PageKind = 'plain',
): Shift | null => {
  if (severity === 'critical') return null
  const to = RULES[group][context](severity, page)
  return to === severity ? null : { to, reason: WHY[context] }
}
