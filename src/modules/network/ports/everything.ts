import type { Check, FindingDefinition } from '../../module.ts'
import { acceptsEverything } from './facts-decoys.ts'

const definition: FindingDefinition = {
  id: 'ports/accepts-everything',
  title: 'All ports open: the host accepts connections on every port',
  severity: 'info',
  cwe: null,
  why:
    'A tarpit, a proxy or a protection service in front of the host completes every connection. Which services run behind it ' +
    'cannot be told from connections; only those that speak their protocol are reported.',
  remediation:
    'Nothing has to change where this is meant. To have the services behind it looked at, add the scanner’s address to the ' +
    'allow list of the protection service, or scan the origin’s own address.',
  references: ['https://nmap.org/book/man-port-scanning-basics.html'],
}

export const everything: Check<'ports'> = {
  findings: [definition],
  judge: (facts) => {
    if (!acceptsEverything(facts)) return []
    const { decoys, host, address } = facts
    return [
      {
        definition,
        confidence: 'confirmed',
        at: { host },
        detail: `${address} accepted connections on ${decoys.open} of ${decoys.tried} randomly chosen ports that no software uses, and on ${facts.openCount} of ${facts.triedCount} ports in all.`,
      },
    ]
  },
}
