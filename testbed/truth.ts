/** What a passive scan of the two shops must find, and what it must not. A new flaw adds its row here or in flaws.ts. */
import { FLAWS } from './flaws.ts'

/** A flaw that is really there. */
export interface Truth {
  /** Id of the definition. */
  readonly check: string
  /** Path of the page, or null where the place is the host and port. */
  readonly path: string | null
  /** Words that the sentence about it has to hold, where one definition is found several times. */
  readonly says?: string
}

const of = (path: string | null, ...checks: readonly string[]): readonly Truth[] =>
  checks.map((check) => ({ check, path }))

/** Flaws of the flawed shop as a whole. Those of single pages are in flaws.ts. */
const OF_THE_SHOP: readonly Truth[] = [
  ...of(
    null,
    'tls/certificate-expired',
    'tls/certificate-untrusted',
    'tls/chain-extra',
    'tls/key-weak',
    'tls/signature-sha1',
    'tls/protocol-legacy',
    'tls/protocol-1-3-absent',
  ),
  ...of(
    '/',
    'tls/redirect-missing',
    'cookies/session-httponly-missing',
    'cookies/session-secure-missing',
    'cookies/session-samesite-missing',
    'headers/cors-any-origin-credentials',
    'headers/cors-vary-missing',
    'headers/cache-control-session-cookie-public',
    'headers/content-security-policy-missing',
    'headers/framing-missing',
    'headers/strict-transport-security-missing',
    'headers/x-content-type-options-missing',
    'headers/referrer-policy-missing',
    'headers/permissions-policy-missing',
    'headers/cross-origin-opener-policy-missing',
    'headers/cross-origin-resource-policy-missing',
    'markup/sri-missing',
    'disclosure/comment-credentials',
    'disclosure/private-address',
    'disclosure/email-in-code',
  ),
  { check: 'disclosure/banner-version', path: '/', says: 'Apache/2.4.41' },
  { check: 'disclosure/banner-version', path: '/', says: 'PHP/7.4.3' },
  { check: 'disclosure/banner-version', path: '/', says: 'Trailcart 3.2.1' },
  { check: 'technology/end-of-life', path: '/', says: 'PHP 7.4.3' },
  ...of('/checkout', 'markup/form-csrf'),
  ...of('/stores', 'disclosure/error-trace', 'disclosure/sql-error'),
  ...of('/%c0%ae%c0%ae', 'disclosure/error-trace'),
  ...of('/static/', 'disclosure/directory-listing'),
  ...of('/static/shop.js', 'disclosure/secret-critical', 'disclosure/public-key'),
  ...of('/static/shop.js.map', 'disclosure/source-map'),
  ...of('/robots.txt', 'disclosure/robots-paths'),
  ...of('/.well-known/security.txt', 'disclosure/security-txt-absent'),
]

/** Flaws of the flawed shop's domain; its zone and that of the twin are in zones.ts. */
const OF_THE_DOMAIN: readonly Truth[] = of(
  null,
  'dns/caa-absent',
  'dns/dnssec-absent',
  'dns/nameserver-single',
  'dns/wildcard',
  'mail/dane-absent',
  'mail/dkim-key-short',
  'mail/dmarc-policy-none',
  'mail/dmarc-report-absent',
  'mail/mta-sts-absent',
  'mail/mx-alias',
  'mail/spf-all-pass',
  'mail/spf-lookup-limit',
  'mail/tls-rpt-absent',
  // The wildcard makes www answer too.
  'tls/certificate-name-sibling',
)

export const PLANTED: readonly Truth[] = [
  ...OF_THE_SHOP,
  ...OF_THE_DOMAIN,
  ...FLAWS.flatMap(({ path, finds }) => of(path, ...finds)),
]

/** True of the flawed shop as well, as a consequence of what was planted; found or not, neither counts. */
export const CONSEQUENCES: readonly string[] = [
  'cookies/httponly-missing',
  'cookies/secure-missing',
  'headers/content-security-policy-error-pages',
  'headers/content-security-policy-form-unrestricted',
  'headers/content-security-policy-no-reporting',
  'headers/content-security-policy-no-trusted-types',
]
