/** Problems as a real scan words them; `sample.ts` builds findings from them. */
import type { Finding } from '../../contract/finding.ts'

export type Template = Pick<
  Finding,
  'check_id' | 'title' | 'severity' | 'confidence' | 'detail' | 'description' | 'remediation' | 'references' | 'cwe'
> &
  Partial<Pick<Finding, 'shift' | 'owasp' | 'cvss' | 'cve' | 'proof' | 'location' | 'status'>>

const MDN = 'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers'

export const TEMPLATES: readonly Template[] = [
  {
    check_id: 'sqli/boolean',
    title: 'SQL injection in a request parameter',
    severity: 'critical',
    confidence: 'confirmed',
    detail:
      'The parameter `q` of the search page is put into a query unescaped: a true condition returned 12 products, a false one none, five times in a row.',
    description:
      'Anyone can read, change or delete the whole database without signing in: customers, orders and password hashes. Automated tools find and empty such a page within minutes.',
    remediation:
      "Pass the value as a parameter of a prepared statement instead of joining it into the query text:\n\n```\nconst rows = await db.query(\n  'select * from products where name like $1', [q])\n```\n\nThen look for the same pattern in every other query, and give the database account of the shop only the rights it needs.",
    references: [
      'https://cheatsheetseries.owasp.org/cheatsheets/SQL_Injection_Prevention_Cheat_Sheet.html',
      'https://owasp.org/www-community/attacks/SQL_Injection',
    ],
    cwe: 89,
    owasp: ['A05:2025'],
    cvss: {
      v3_1: { vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', score: 9.8 },
      v4_0: { vector: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', score: 9.3 },
    },
    location: { url: 'https://shop.test/search?q=tea', method: 'GET', parameter: 'q' },
    proof: {
      excerpt:
        'GET /search?q=tea%27%20AND%201%3D1--%20 HTTP/1.1\nHost: shop.test\nUser-Agent: Sonde/0.1.0\n\nHTTP/1.1 200 OK\nContent-Type: text/html; charset=utf-8\nContent-Length: 18342\n\n<p class="count">12 products for &quot;tea\' AND 1=1-- &quot;</p>',
      mark: '12 products',
      replay:
        "curl -s 'https://shop.test/search?q=tea%27%20AND%201%3D1--%20' | grep -c 'class=\"product\"'\ncurl -s 'https://shop.test/search?q=tea%27%20AND%201%3D2--%20' | grep -c 'class=\"product\"'",
    },
  },
  {
    check_id: 'xss/reflected',
    title: 'A request parameter runs as script in the page',
    severity: 'high',
    confidence: 'confirmed',
    detail: 'The value of `next` arrived unescaped inside a script block and ran in a real browser.',
    description:
      'A link prepared by an attacker runs their script in the session of whoever opens it: it can order goods, read personal data and change the password.',
    remediation:
      'Encode the value for the place it is written to; inside a script block use JSON with `<` written as `\\u003c`. Prefer not to write request values into scripts at all: put them into a `data-` attribute and read them from there.',
    references: ['https://cheatsheetseries.owasp.org/cheatsheets/Cross_Site_Scripting_Prevention_Cheat_Sheet.html'],
    cwe: 79,
    owasp: ['A05:2025'],
    cvss: {
      v3_1: { vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', score: 6.1 },
      v4_0: { vector: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:A/VC:N/VI:N/VA:N/SC:L/SI:L/SA:N', score: 5.1 },
    },
    location: { url: 'https://shop.test/login?next=%2Faccount', method: 'GET', parameter: 'next' },
    proof: {
      excerpt: '<script>\n  const next = "</script><svg onload=sonde(7431)>";\n  form.dataset.next = next;\n</script>',
      mark: '</script><svg onload=sonde(7431)>',
      replay: "curl -s 'https://shop.test/login?next=%3C/script%3E%3Csvg%20onload=alert(1)%3E' | grep -n 'svg onload'",
    },
  },
  {
    check_id: 'cve/vulnerable-component',
    title: 'jQuery 1.12.4 has known vulnerabilities',
    severity: 'high',
    confidence: 'firm',
    detail: 'The file /static/jquery-1.12.4.min.js is the unmodified release 1.12.4, by its SHA-256.',
    description:
      'The flaws of this release are public together with working attacks. HTML from an untrusted source that passes through its functions can run script.',
    remediation:
      'Replace the file by jQuery 3.7.1 or later, and have dependencies updated by a tool that runs every week.',
    references: [
      'https://nvd.nist.gov/vuln/detail/CVE-2020-11022',
      'https://github.com/advisories/GHSA-gxr4-xjj5-5px2',
    ],
    cwe: 1395,
    owasp: ['A03:2025'],
    cve: [
      {
        id: 'CVE-2020-11022',
        match: 'certain',
        epss: { score: 0.1342, percentile: 0.954 },
        kev: null,
      },
      {
        id: 'CVE-2020-11023',
        match: 'certain',
        epss: { score: 0.3381, percentile: 0.969 },
        kev: { date_added: '2025-01-23', ransomware: false },
      },
    ],
    location: { url: 'https://shop.test/static/jquery-1.12.4.min.js' },
    proof: {
      excerpt: '/*! jQuery v1.12.4 | (c) jQuery Foundation | jquery.org/license */',
      mark: 'v1.12.4',
      replay: null,
    },
  },
  {
    check_id: 'tls/certificate-expiry',
    title: 'TLS certificate expired',
    severity: 'high',
    confidence: 'confirmed',
    detail: 'The certificate of shop.test was valid until 9 November 2026, 12 days before the scan.',
    description:
      'Browsers show a full-page warning. Visitors who learn to click it away cannot tell a real attack from yours.',
    remediation:
      'Renew the certificate now, then automate it: `certbot renew --deploy-hook "systemctl reload nginx"` from a timer.',
    references: ['https://letsencrypt.org/docs/'],
    cwe: 298,
    owasp: ['A04:2025'],
    location: { host: 'shop.test', port: 443 },
    proof: {
      excerpt:
        "subject: CN=shop.test\nissuer: CN=R11, O=Let's Encrypt, C=US\nnotBefore: Aug 11 08:12:44 2026 GMT\nnotAfter: Nov  9 08:12:43 2026 GMT",
      mark: 'notAfter: Nov  9 08:12:43 2026 GMT',
      replay: 'openssl s_client -connect shop.test:443 -servername shop.test </dev/null | openssl x509 -noout -dates',
    },
  },
  {
    check_id: 'cookies/session-without-httponly',
    title: 'Scripts can read the session cookie',
    severity: 'high',
    confidence: 'firm',
    shift: { base: 'medium', reason: 'a shop handles payments and customer accounts' },
    detail: 'The cookie `shop_session` is set without HttpOnly on the login page.',
    description: 'A single script injection anywhere on the site is enough to take over the account of every visitor.',
    remediation:
      'Add `HttpOnly` where the cookie is set:\n\n```\nSet-Cookie: shop_session=…; Path=/; Secure; HttpOnly; SameSite=Lax\n```',
    references: [`${MDN}/Set-Cookie`],
    cwe: 1004,
    owasp: ['A02:2025'],
    location: { url: 'https://shop.test/login', method: 'GET' },
    proof: {
      excerpt: 'HTTP/1.1 200 OK\nSet-Cookie: shop_session=[redacted]; Path=/; Secure; SameSite=Lax',
      mark: 'shop_session=[redacted]; Path=/; Secure; SameSite=Lax',
      replay: "curl -sI https://shop.test/login | grep -i '^set-cookie'",
    },
  },
  {
    check_id: 'headers/content-security-policy',
    title: 'No content security policy',
    severity: 'medium',
    confidence: 'firm',
    detail: 'None of the 14 pages sends the header Content-Security-Policy or has it as a meta element.',
    description:
      'A policy is the second line of defence: it keeps injected script from running where escaping was forgotten.',
    remediation:
      "Start with a policy that only reports, then enforce it. In nginx, inside the `server` block:\n\n```\nadd_header Content-Security-Policy \"default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'self'\" always;\n```",
    references: [`${MDN}/Content-Security-Policy`, 'https://csp.withgoogle.com/docs/strict-csp.html'],
    cwe: 693,
    owasp: ['A02:2025'],
    location: { url: 'https://shop.test/' },
    proof: {
      excerpt: 'HTTP/1.1 200 OK\nServer: nginx/1.22.1\nContent-Type: text/html; charset=utf-8\nX-Powered-By: Express',
      mark: null,
      replay: "curl -sI https://shop.test/ | grep -i '^content-security-policy'",
    },
  },
  {
    check_id: 'headers/strict-transport-security',
    title: 'Browsers are not told to use https only',
    severity: 'medium',
    confidence: 'firm',
    detail: 'The answer of https://shop.test/ has no header Strict-Transport-Security.',
    description:
      'On an open network an attacker can keep the first request on http and read or change everything that follows.',
    remediation: 'Send `Strict-Transport-Security: max-age=31536000; includeSubDomains` with every https answer.',
    references: [`${MDN}/Strict-Transport-Security`, 'https://www.rfc-editor.org/rfc/rfc6797'],
    cwe: 319,
    owasp: ['A04:2025'],
    location: { url: 'https://shop.test/' },
  },
  {
    check_id: 'tls/old-protocols',
    title: 'TLS 1.0 and 1.1 are accepted',
    severity: 'medium',
    confidence: 'confirmed',
    detail: 'The server completed handshakes with TLS 1.0 and TLS 1.1.',
    description: 'Both versions were retired in 2021 (RFC 8996) and rest on SHA-1. Payment card rules forbid them.',
    remediation: 'Allow only TLS 1.2 and 1.3: `ssl_protocols TLSv1.2 TLSv1.3;` in nginx.',
    references: ['https://www.rfc-editor.org/rfc/rfc8996'],
    cwe: 326,
    owasp: ['A04:2025'],
    location: { host: 'shop.test', port: 443 },
    proof: {
      excerpt: 'ClientHello TLS 1.0 -> ServerHello 0x0301 TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA',
      mark: '0x0301',
      replay: 'openssl s_client -connect shop.test:443 -tls1 </dev/null',
    },
  },
  {
    check_id: 'disclosure/error-trace',
    title: 'Error pages show the inside of the application',
    severity: 'low',
    confidence: 'firm',
    detail: 'A malformed request is answered with a stack trace that names files and library versions.',
    description: 'It tells an attacker which software to look up and where the files lie.',
    remediation: 'Set `NODE_ENV=production` and answer errors with a page of your own.',
    references: ['https://owasp.org/www-community/Improper_Error_Handling'],
    cwe: 209,
    owasp: ['A10:2025'],
    location: { url: 'https://shop.test/product/%00', method: 'GET' },
    proof: {
      excerpt:
        "TypeError: Cannot read properties of null (reading 'price')\n    at /srv/shop/routes/product.js:41:23\n    at Layer.handle [as handle_request] (/srv/shop/node_modules/express/lib/router/layer.js:95:5)\n    at next (/srv/shop/node_modules/express/lib/router/route.js:149:13)",
      mark: '/srv/shop/routes/product.js:41:23',
      replay: "curl -s 'https://shop.test/product/%00'",
    },
  },
  {
    check_id: 'headers/referrer-policy',
    title: 'Full addresses are passed on to other sites',
    severity: 'low',
    confidence: 'firm',
    detail: 'Referrer-Policy is `unsafe-url` on 14 of 14 pages.',
    description: 'Addresses of your pages, with whatever they carry in the query, are sent to every linked site.',
    remediation: 'Send `Referrer-Policy: strict-origin-when-cross-origin`.',
    references: [`${MDN}/Referrer-Policy`],
    cwe: 200,
    owasp: ['A02:2025'],
    location: { url: 'https://shop.test/' },
  },
  {
    check_id: 'disclosure/banner',
    title: 'The server tells its exact version',
    severity: 'info',
    confidence: 'firm',
    detail: '`Server: nginx/1.22.1` and `X-Powered-By: Express` are sent with every answer.',
    description: 'Exact versions make it quicker to find a fitting attack.',
    remediation: "Set `server_tokens off;` in nginx and `app.disable('x-powered-by')` in Express.",
    references: ['https://nginx.org/en/docs/http/ngx_http_core_module.html#server_tokens'],
    cwe: 200,
    owasp: ['A02:2025'],
    location: { url: 'https://shop.test/' },
  },
  {
    check_id: 'disclosure/security-txt',
    title: 'No security.txt',
    severity: 'info',
    confidence: 'tentative',
    detail: 'https://shop.test/.well-known/security.txt answers 404.',
    description: 'Whoever finds a flaw does not know whom to tell.',
    remediation: 'Publish `/.well-known/security.txt` with Contact and Expires (RFC 9116).',
    references: ['https://www.rfc-editor.org/rfc/rfc9116'],
    cwe: null,
    location: { url: 'https://shop.test/.well-known/security.txt' },
  },
]
