import type { FindingDefinition } from '../../module.ts'
import { asksForCertificate, type DeepCheck, eachEndpoint, extensionsUnsure, report } from './report.ts'

const asked: FindingDefinition = {
  id: 'tls-deep/client-certificate',
  title: 'Client certificate: the server asks who connects for one (mutual TLS)',
  severity: 'info',
  cwe: null,
  why: 'No flaw: it lets in whom it knows. A scan without such a certificate sees what strangers see, so what lies behind is not judged.',
  remediation:
    'Nothing, where it is wanted. Where visitors without a certificate are to be served, switch it off: nginx `ssl_verify_client off;`, Apache `SSLVerifyClient none`.',
  references: ['https://www.rfc-editor.org/rfc/rfc8446#section-4.3.2'],
}

export const clientCertificate: DeepCheck = {
  findings: [asked],
  judge: (facts) =>
    eachEndpoint(
      facts,
      (endpoint) =>
        asksForCertificate(endpoint)
          ? [
              report(endpoint, asked, {
                detail: 'a certificate of the client is asked for.',
                lines: ['received in the handshake: CertificateRequest'],
              }),
            ]
          : [],
      (endpoint) =>
        endpoint.modernExtensions === null
          ? { reason: `${endpoint.address} port ${endpoint.port}: no handshake came far enough to see.` }
          : extensionsUnsure(endpoint),
    ),
}
