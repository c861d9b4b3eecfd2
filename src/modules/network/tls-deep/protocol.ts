import type { EndpointFacts, Protocol } from '../../../protocols/tls/endpoint.ts'
import { versionName } from '../../../protocols/tls/probe/clients.ts'
import type { FindingDefinition } from '../../module.ts'
import { type DeepCheck, eachEndpoint, offers, protocolOf, protocolsUnsure, report, WIKI } from './report.ts'

const CONFIGURE =
  'Allow TLS 1.2 and 1.3 only: nginx `ssl_protocols TLSv1.2 TLSv1.3;`, Apache `SSLProtocol -all +TLSv1.2 +TLSv1.3`, Postfix `smtpd_tls_protocols = >=TLSv1.2`, then reload.'

const sslv2: FindingDefinition = {
  id: 'tls-deep/protocol-sslv2',
  title: 'SSL 2.0 is offered',
  severity: 'critical',
  cwe: 327,
  why: 'SSL 2.0 has been broken since 1995: connections can be read and changed, and through DROWN it opens newer versions that use the same key.',
  remediation: CONFIGURE,
  references: ['https://www.rfc-editor.org/rfc/rfc6176', 'https://drownattack.com/'],
}

const sslv3: FindingDefinition = {
  ...sslv2,
  id: 'tls-deep/protocol-sslv3',
  title: 'SSL 3.0 is offered',
  severity: 'high',
  why: 'SSL 3.0 does not protect its padding, so that session cookies can be read octet by octet (POODLE), and it must no longer be used (RFC 7568).',
  references: ['https://www.rfc-editor.org/rfc/rfc7568', WIKI],
}

const legacy: FindingDefinition = {
  ...sslv2,
  id: 'tls-deep/protocol-legacy',
  title: 'TLS 1.0 or TLS 1.1 on a service beside the web site',
  severity: 'low',
  group: 'tls-hygiene',
  why: 'Both versions have been withdrawn (RFC 8996): they rest on MD5 and SHA-1 and know no modern ciphers.',
  references: ['https://www.rfc-editor.org/rfc/rfc8996', WIKI],
}

const wrongVersion: FindingDefinition = {
  ...sslv2,
  id: 'tls-deep/protocol-wrong-version',
  title: 'TLS version error: the server answers with a version that was not offered',
  severity: 'medium',
  cwe: 358,
  why: 'A server that does not keep to the negotiation of versions breaks clients, and its protection against downgrades cannot be relied upon.',
  remediation:
    'Update the TLS library or the appliance in front of it; if neither helps, take the old versions out of its configuration.',
  references: ['https://www.rfc-editor.org/rfc/rfc8446#appendix-D'],
}

/** The web site's own TLS 1.0 and 1.1 are judged by the passive module. */
export const protocol: DeepCheck = {
  findings: [sslv2, sslv3, legacy, wrongVersion],
  judge: (facts) =>
    eachEndpoint(
      facts,
      (endpoint) => {
        const lines = endpoint.protocols.map((one) => `${one.protocol}: ${one.state}`)
        const old = (['TLSv1', 'TLSv1.1'] as const).filter((one) => offers(endpoint, one))
        const wrong = endpoint.protocols.find((one) => one.wrongVersion !== null)
        return [
          ...(offers(endpoint, 'SSLv2')
            ? [
                report(endpoint, sslv2, {
                  detail: `an SSL 2.0 hello is answered with ${endpoint.sslv2.ciphers.length || 'no'} cipher kinds.`,
                  lines: [...lines, ...endpoint.sslv2.ciphers],
                  mark: 'SSLv2: offered',
                }),
              ]
            : []),
          ...(offers(endpoint, 'SSLv3')
            ? [
                report(endpoint, sslv3, {
                  detail: 'a hello of SSL 3.0 is answered in SSL 3.0.',
                  lines: [...lines, `server hello: ${protocolOf(endpoint, 'SSLv3')?.hello ?? ''}`],
                  mark: 'SSLv3: offered',
                }),
              ]
            : []),
          ...(old.length > 0 && endpoint.service !== 'https'
            ? [
                report(endpoint, legacy, {
                  detail: `${old.join(' and ')} can still be negotiated.`,
                  lines,
                  openssl: `${old[0] === 'TLSv1' ? '-tls1' : '-tls1_1'} -cipher ALL:@SECLEVEL=0`,
                }),
              ]
            : []),
          ...(wrong
            ? [
                report(endpoint, wrongVersion, {
                  detail: `offered ${wrong.protocol}, the server chose ${versionName(wrong.wrongVersion ?? 0)}.`,
                  lines,
                }),
              ]
            : []),
        ]
      },
      unsure,
    ),
}

/** An unanswered question voids the verdict on its version, and no other. */
const unsure = (endpoint: EndpointFacts) => {
  const open = [...RESTS].filter(([, protocols]) => protocolsUnsure(endpoint, protocols) !== null)
  const reason = protocolsUnsure(
    endpoint,
    open.flatMap(([, protocols]) => protocols),
  )
  return reason && { ...reason, only: open.map(([id]) => id) }
}

const RESTS: ReadonlyMap<string, readonly Protocol[]> = new Map([
  [sslv2.id, ['SSLv2']],
  [sslv3.id, ['SSLv3']],
  [legacy.id, ['TLSv1', 'TLSv1.1']],
])
