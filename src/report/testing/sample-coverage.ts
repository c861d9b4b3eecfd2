import type { Coverage, CoverageState } from '../../contract/finding.ts'

type Row = readonly [check: string, title: string, state?: CoverageState, reason?: string]

const ROWS: readonly Row[] = [
  ['site/unreachable', 'The site does not answer over https'],
  ['site/http-redirect', 'Requests over http are not redirected to https'],
  ['dns/caa', 'Any authority may issue certificates for the domain'],
  ['dns/dnssec', 'The zone is not signed'],
  ['dns/spf', 'No SPF record'],
  ['dns/dmarc', 'No DMARC policy'],
  ['tls/certificate-expiry', 'TLS certificate expired', 'fail'],
  ['tls/certificate-name', 'The certificate is for another name'],
  ['tls/certificate-chain', 'The certificate chain is incomplete'],
  ['tls/old-protocols', 'TLS 1.0 and 1.1 are accepted', 'fail'],
  ['tls/weak-ciphers', 'Weak cipher suites are accepted'],
  ['tls/revocation', 'The certificate is revoked', 'not_tested', 'the responder of the issuer could not be reached'],
  ['headers/content-security-policy', 'No content security policy', 'fail'],
  ['headers/strict-transport-security', 'Browsers are not told to use https only', 'fail'],
  ['headers/x-content-type-options', 'Browsers may guess the type of a file'],
  ['headers/x-frame-options', 'Other sites can frame the pages'],
  ['headers/referrer-policy', 'Full addresses are passed on to other sites', 'fail'],
  ['headers/cors', "Any site may read answers with the visitor's session"],
  ['cookies/session-without-httponly', 'Scripts can read the session cookie', 'fail'],
  ['cookies/session-without-secure', 'The session cookie is sent over http'],
  ['cookies/prefix', 'A cookie breaks the rules of its name prefix', 'not_applicable', 'no cookie has a prefix'],
  ['disclosure/banner', 'The server tells its exact version', 'fail'],
  ['disclosure/error-trace', 'Error pages show the inside of the application', 'fail'],
  ['disclosure/security-txt', 'No security.txt', 'fail'],
  ['disclosure/source-maps', 'Source maps are public'],
  ['cve/vulnerable-component', 'A component has known vulnerabilities', 'fail'],
  ['ports/database', 'A database port is open to everyone'],
  ['ports/admin', 'An administration port is open to everyone'],
  [
    'waf/absent',
    'No web application firewall',
    'inconclusive',
    'two of three probes were answered differently each time',
  ],
  [
    'rate-limit/login',
    'Passwords can be tried without limit',
    'blocked',
    'the site answered 429 to the first request of the test',
  ],
  ['xss/reflected', 'A request parameter runs as script in the page', 'fail'],
  [
    'xss/stored',
    'Stored text runs as script in a page',
    'not_tested',
    'no form accepted a text that a later page shows',
  ],
  ['sqli/boolean', 'SQL injection in a request parameter', 'fail'],
  ['sqli/time', 'SQL injection shown by a delay', 'not_applicable', 'already proven by a quicker test'],
  ['privacy/before-consent', 'Trackers load before consent'],
  ['privacy/reject-ignored', 'Trackers load after consent was refused', 'not_tested', 'no consent dialog was found'],
]

/** Every check of the sample: `fail` turns to `pass` where the file has no such finding. */
export const SAMPLE_COVERAGE: readonly Coverage[] = ROWS.map(([check_id, title, state = 'pass', reason = null]) => ({
  module: check_id.split('/')[0] ?? '',
  check_id,
  title,
  state,
  reason,
}))
