import { parseCertificate } from '../../../protocols/tls/certificate/certificate.ts'
import type { CertificateFacts } from '../../../protocols/tls/certificate/facts.ts'
import { nameMatches } from '../../../protocols/tls/certificate/names.ts'
import type { EndpointFacts } from '../../../protocols/tls/endpoint.ts'
import type { Finding, FindingDefinition, Unjudged } from '../../module.ts'
import type { TlsDeepFacts } from './facts.ts'
import { type DeepCheck, eachEndpoint, NO_ENDPOINT, report } from './report.ts'

const expired: FindingDefinition = {
  id: 'tls-deep/service-certificate-expired',
  title: 'TLS certificate expired on a service beside the site',
  severity: 'medium',
  cwe: 298,
  why: 'Clients that check it refuse the service; those that were told not to check accept anybody in its place.',
  remediation:
    'Renew the certificate and have the service read it again; renew it by a timer (certbot, acme.sh) with a reload hook.',
  references: [
    'https://www.rfc-editor.org/rfc/rfc5280#section-4.1.2.5',
    'https://cwe.mitre.org/data/definitions/298.html',
  ],
}

const unproven: FindingDefinition = {
  ...expired,
  id: 'tls-deep/service-certificate-unproven',
  title: 'TLS certificate untrusted on a service beside the site',
  severity: 'info',
  cwe: 295,
  why: 'It vouches for itself or names another host, so clients cannot tell the service from somebody on the line.',
  remediation: 'Install a certificate for the name that clients use, of an authority that they know.',
  references: ['https://www.rfc-editor.org/rfc/rfc9525', 'https://cwe.mitre.org/data/definitions/295.html'],
}

const known: FindingDefinition = {
  ...expired,
  id: 'tls-deep/service-key-known',
  title: 'TLS certificate key known on a service beside the site: its private half is public',
  severity: 'high',
  cwe: 321,
  why: 'The private key stands in a list of published ones: it comes with a product, an example or a library, or a faulty generator made it (CVE-2008-0166). Whoever has it poses as the service and reads what is sent to it.',
  remediation:
    'Make a new key (`openssl ecparam -genkey -name prime256v1 -out key.pem`), request a new certificate with it, install both and have the old certificate revoked.',
  references: ['https://nvd.nist.gov/vuln/detail/CVE-2008-0166', 'https://cwe.mitre.org/data/definitions/321.html'],
}

const UNLISTED: Unjudged = {
  state: 'not_tested',
  reason: 'No list of keys whose private half is known is imported (feed “known-keys”).',
  only: [known.id],
}

/** The site's own certificate is judged by the `tls` module, from its whole chain. */
export const serviceCertificate: DeepCheck = {
  findings: [expired, unproven, known],
  judge: (facts) => {
    if (!facts.endpoints.some(({ service }) => service !== 'https')) return NO_ENDPOINT
    const judged = eachEndpoint(facts, (endpoint): Finding[] => [
      ...published(facts, endpoint),
      ...certificateOf(facts, endpoint),
    ])
    return facts.knownKeys || 'state' in judged ? judged : { ...UNLISTED, findings: judged }
  },
}

const certificateOf = (facts: TlsDeepFacts, endpoint: EndpointFacts): Finding[] => {
  const leaf = endpoint.service === 'https' ? null : leafOf(endpoint)
  if (leaf === null) return []
  const until = new Date(leaf.notAfter).toISOString().slice(0, 10)
  const lines = [
    `Subject: ${leaf.subject}`,
    `Names: ${(leaf.dnsNames ?? []).slice(0, 20).join(', ')}`,
    `Until: ${until}`,
  ]
  const seen = { lines, openssl: '-showcerts' }
  if (leaf.notAfter < facts.now) return [report(endpoint, expired, { ...seen, detail: `expired on ${until}.` })]
  const named = (leaf.dnsNames ?? []).some((name) => nameMatches(name, endpoint.host))
  if (named && !leaf.selfSigned) return []
  const detail = named ? 'it vouches for itself.' : `it is for ${leaf.subject.slice(0, 200)}, not ${endpoint.host}.`
  return [report(endpoint, unproven, { ...seen, detail })]
}

const published = ({ knownKeys }: TlsDeepFacts, endpoint: EndpointFacts): Finding[] =>
  endpoint.service === 'https'
    ? []
    : endpoint.certificates.flatMap(({ sha256 }) => {
        const list = knownKeys?.[sha256]
        if (list === undefined) return []
        const lines = [`Certificate (SHA-256): ${sha256}`, `List: ${list}`]
        const seen = { lines, openssl: '-showcerts', confidence: 'firm' as const }
        return [report(endpoint, known, { ...seen, detail: `the list “${list}” has its private key.` })]
      })

/** Null for what OpenSSL cannot read. */
const leafOf = ({ certificates }: EndpointFacts): CertificateFacts | null => {
  const shown = certificates.find(({ servername }) => servername !== null) ?? certificates[0]
  if (shown === undefined) return null
  const der = Buffer.from(shown.der, 'base64')
  try {
    return parseCertificate(der)
  } catch {
    return null
  }
}
