import type { Check, FindingDefinition } from '../../module.ts'
import { nameOf } from './report.ts'

const definition: FindingDefinition = {
  id: 'services/version-shown',
  title: 'Version disclosure: services name their versions',
  severity: 'info',
  cwe: 200,
  group: 'disclosure',
  why: 'Whoever looks for a program with a known flaw finds this host by its greeting. A current version needs no hiding.',
  remediation:
    'Keep the services current. Where a greeting can be shortened, do: Postfix `smtpd_banner = $myhostname ESMTP`, vsftpd `ftpd_banner=`, BIND `version "none";`, nginx `server_tokens off;`, OpenSSH on Debian `DebianBanner no`.',
  references: ['https://cwe.mitre.org/data/definitions/200.html'],
}

/** Web servers have their own finding in the disclosure module. */
export const versions: Check<'services', 'ports'> = {
  findings: [definition],
  judge: (facts) => {
    const named = facts.services.filter(
      ({ by, version, service }) => by === 'protocol' && version !== null && service !== 'http',
    )
    if (named.length === 0) return []
    const { host } = facts
    return [
      {
        definition,
        confidence: 'confirmed',
        at: { host },
        places: named.map(({ port }) => ({ host, port })),
        detail: `${named.map(nameOf).join('; ')}.`.slice(0, 1_000),
        proof: {
          excerpt: named
            .map((one) => `${one.port}  ${one.product ?? one.title} ${one.version}  ${one.cpe ?? ''}`.trim())
            .join('\n')
            .slice(0, 8_000),
          mark: null,
          replay: `nmap -Pn -sV -p ${named
            .map(({ port }) => port)
            .slice(0, 50)
            .join(',')} ${host}`,
        },
      },
    ]
  },
}
