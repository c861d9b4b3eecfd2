/**
 * How the kind of site shifts severities: one row a group of checks, one column a context.
 * An operator sells, informs, serves accounts, or keeps it inside; the same flaw weighs differently.
 */
import { SEVERITIES, type Severity } from '../contract/finding.ts'
import type { SiteContext } from '../contract/run.ts'

export type PageKind = 'checkout' | 'payment' | 'login' | 'authenticated' | 'form' | 'plain'

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

interface Shift {
  readonly to: Severity
  readonly reason: string
}

const raise = (severity: Severity): Severity => SEVERITIES[Math.max(0, SEVERITIES.indexOf(severity) - 1)] ?? severity
const lower = (severity: Severity): Severity => SEVERITIES[Math.min(4, SEVERITIES.indexOf(severity) + 1)] ?? severity
export { lower as oneLower, raise as oneHigher, type Shift }
