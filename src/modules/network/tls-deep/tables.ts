import type { FactTable } from '../../../contract/findings-file.ts'
import { groupOf } from '../../../knowledge/tls/groups.ts'
import { schemeOf } from '../../../knowledge/tls/schemes.ts'
import { suiteOf } from '../../../knowledge/tls/suites.ts'
import type { EndpointFacts } from '../../../protocols/tls/endpoint.ts'
import type { TlsDeepFacts } from './facts.ts'
import { rate } from './grade.ts'
import { alpnOf, asksForCertificate } from './report.ts'

export const deepTables = (facts: TlsDeepFacts): readonly FactTable[] => {
  const { endpoints } = facts
  const { quic } = facts
  if (endpoints.length === 0) return []
  const table = (id: string, title: string, columns: string[], rows: string[][]): FactTable => ({
    id,
    module: 'tls-deep',
    title,
    columns,
    rows,
  })
  return [
    ...(quic?.state === 'handshake'
      ? [
          table(
            'tls-deep-quic',
            'HTTP/3 over QUIC',
            ['Endpoint', 'Protocol', 'Certificates'],
            [
              [
                `${quic.address} UDP ${quic.port}`,
                quic.alpn ?? 'none',
                `${quic.certificates.length}${quic.announced ? '; announced by Alt-Svc' : ''}`,
              ],
            ],
          ),
        ]
      : []),
    table(
      'tls-deep-rating',
      'Rating by the SSL Labs guide 2009r, whatever the certificate',
      ['Endpoint', 'Protocols (30 %)', 'Key exchange (30 %)', 'Ciphers (40 %)', 'Score', 'Grade', 'Caps and warnings'],
      endpoints.map((one) => {
        const { protocol, keyExchange, cipher, score, grade, caps, warnings } = rate(one)
        const reasons = [...caps.map((cap) => `${cap.letter}: ${cap.reason}`), ...warnings]
        return [
          endpointText(one),
          ...[protocol, keyExchange, cipher, score].map(String),
          grade,
          reasons.join('; ') || 'none',
        ]
      }),
    ),
    table(
      'tls-deep-suites',
      'Cipher suites',
      ['Endpoint', 'Version', 'Code', 'Suite', 'Bits', 'Order'],
      endpoints.flatMap((one) =>
        one.protocols.flatMap(({ protocol, suites, order }) =>
          suites.map((code) => [
            endpointText(one),
            protocol,
            `0x${code.toString(16).padStart(4, '0')}`,
            suiteOf(code).name,
            String(suiteOf(code).bits),
            order ?? '',
          ]),
        ),
      ),
    ),
    table(
      'tls-deep-keys',
      'Groups, signatures and extensions',
      [
        'Endpoint',
        'Groups',
        'Signature schemes',
        'Protocols by ALPN',
        'Resumption',
        'Stapled status',
        'Client certificate',
      ],
      endpoints.map((one) => [
        endpointText(one),
        one.groups.map((code) => groupOf(code).name).join(', '),
        one.schemes.map((code) => schemeOf(code).name).join(', '),
        alpnOf(one)?.join(', ') ?? 'not seen',
        resumption(one),
        (one.extensions ?? one.modernExtensions)?.staple ? 'yes' : 'no',
        asksForCertificate(one) ? 'asked for' : 'not asked for',
      ]),
    ),
    table(
      'tls-deep-clients',
      'What clients would agree on',
      ['Endpoint', 'Client', 'Version', 'Suite', 'Group', 'Otherwise'],
      endpoints.flatMap((one) =>
        one.clients.map(({ client, protocol, suite, group, reason }) => [
          endpointText(one),
          client,
          protocol ?? '',
          suite === null ? '' : suiteOf(suite).name,
          group ?? '',
          reason ?? '',
        ]),
      ),
    ),
  ]
}

const endpointText = ({ address, port, service }: EndpointFacts): string => `${address} ${port} ${service}`

const resumption = ({ resumption: { sessionId, ticket, ticketLifetime } }: EndpointFacts): string =>
  [
    sessionId ? 'by session id' : '',
    ticket ? 'by ticket' : '',
    ticketLifetime === null ? '' : `tickets live ${ticketLifetime} s`,
  ]
    .filter((part) => part !== '')
    .join(', ') || 'none'
