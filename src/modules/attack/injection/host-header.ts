import type { FindingDefinition } from '../../module.ts'
import { provenCheck } from './proven.ts'

const definition: FindingDefinition = {
  id: 'injection/host-header',
  title: 'Host header injection: addresses of the page lead to a host that the request names',
  severity: 'medium',
  cwe: 644,
  why:
    'The site takes its own name from a header that any visitor may send. An attacker who asks for a new password of somebody else ' +
    'has the link in the mail lead to their own server, and a cache that keeps such a page sends its visitors there.',
  remediation:
    'Build addresses from the configured name of the site, and answer no other (Django `ALLOWED_HOSTS`, Rails `config.hosts`, nginx a default server that ' +
    'refuses). Trust `X-Forwarded-Host` from the proxy alone (Django `USE_X_FORWARDED_HOST = False`, Symfony and Laravel trusted proxies and hosts, Express ' +
    '`trust proxy`), and let the proxy overwrite it.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/17-Testing_for_Host_Header_Injection',
    'https://portswigger.net/web-security/host-header',
    'https://cwe.mitre.org/data/definitions/644.html',
  ],
}

export const hostHeader = provenCheck('host', definition)
