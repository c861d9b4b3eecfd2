import { writeBytes } from '../../evidence/hex-dump.ts'
import type { Check, FindingDefinition } from '../../module.ts'

const definition: FindingDefinition = {
  id: 'ports/ipmi-exposed',
  title: 'IPMI exposed: the server’s management controller is reachable from everywhere',
  severity: 'high',
  cwe: 284,
  group: 'admin-port',
  why: 'IPMI 2.0 hands the hash of any user’s password to whoever asks (CVE-2013-4786), and the controller is above the operating system: whoever is in it owns the machine.',
  remediation:
    'Put the controller into a management network, drop UDP 623 from outside, and switch cipher suite 0 and anonymous users off (`ipmitool lan set 1 access off`).',
  references: [
    'https://nvd.nist.gov/vuln/detail/CVE-2013-4786',
    'https://www.cisa.gov/news-events/alerts/2013/07/26/risks-using-intelligent-platform-management-interface-ipmi',
  ],
}

export const management: Check<'ports'> = {
  findings: [definition],
  judge: ({ host, udp }) =>
    udp
      .filter(({ id, state }) => id === 'ipmi' && state === 'answered')
      .map(({ port, says, reply, request }) => ({
        definition,
        confidence: 'confirmed',
        at: { host, port },
        detail: `A management controller answered on UDP port ${port}: ${says}.`,
        proof: {
          excerpt: `sent\n${writeBytes(request)}\nreceived\n${writeBytes(reply)}`,
          mark: null,
          replay: `ipmitool -I lanplus -H ${host} -U '' -P '' chassis status`,
        },
      })),
}
