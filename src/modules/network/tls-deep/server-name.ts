import type { FindingDefinition } from '../../module.ts'
import { type DeepCheck, eachEndpoint, report } from './report.ts'

const nameRequired: FindingDefinition = {
  id: 'tls-deep/server-name',
  title: 'SNI required: clients that send no name get another certificate, or none',
  severity: 'info',
  cwe: null,
  why: 'Usual where many sites share an address. Clients without server name indication, some monitors and old devices, cannot use the site.',
  remediation:
    'Nothing, where every client sends the name. Otherwise make this certificate the default of the address.',
  references: ['https://www.rfc-editor.org/rfc/rfc6066#section-3'],
}

export const serverName: DeepCheck = {
  findings: [nameRequired],
  judge: (facts) =>
    eachEndpoint(
      facts,
      (endpoint) => {
        const { withoutName, certificates } = endpoint
        if (withoutName !== 'other' && withoutName !== 'refused') return []
        const lines = certificates.map(
          ({ servername, key, sha256 }) => `${servername ?? 'no name'}: ${key}, SHA-256 ${sha256}`,
        )
        const detail =
          withoutName === 'other'
            ? 'a hello without a name gets another certificate.'
            : 'a hello without a name is refused.'
        return [report(endpoint, nameRequired, { detail, lines, openssl: '-noservername' })]
      },
      (endpoint) =>
        endpoint.withoutName === 'unknown' ? { reason: 'The hello without a name was not answered.' } : null,
    ),
}
