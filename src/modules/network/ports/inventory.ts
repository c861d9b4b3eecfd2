import type { Check, FindingDefinition } from '../../module.ts'
import { acceptsEverything } from './facts-decoys.ts'
import { shortOf } from './facts-swept.ts'

const definition: FindingDefinition = {
  id: 'ports/beside-web',
  title: 'Open ports: more than the website is reachable',
  severity: 'info',
  cwe: null,
  why: 'Every open port is one more program that strangers can talk to, that needs updates and that may have flaws of its own.',
  remediation:
    'Close what visitors do not need: let the program listen on 127.0.0.1 only, or drop the port in the firewall ' +
    '(nftables: `tcp dport { 80, 443 } accept` and a policy of `drop`). What has to stay open belongs behind a VPN or a list of allowed addresses.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Attack_Surface_Analysis_Cheat_Sheet.html',
    'https://www.iana.org/assignments/service-names-port-numbers/service-names-port-numbers.xhtml',
  ],
}

const WEB: readonly number[] = [80, 443]

/** The inventory in one finding; what is wrong with a service is said by the services module. */
export const inventory: Check<'ports'> = {
  findings: [definition],
  judge: (facts, _known, { target }) => {
    if (acceptsEverything(facts)) {
      return {
        state: 'inconclusive',
        reason: 'the host accepts connections on every port, so no list of ports means anything',
      }
    }
    const { host } = facts
    const beside = facts.open.filter((port) => !WEB.includes(port) && port !== target.port)
    const findings =
      beside.length === 0
        ? []
        : [
            {
              definition,
              confidence: 'confirmed' as const,
              at: { host },
              places: beside.slice(0, 100).map((port) => ({ host, port })),
              detail: `${facts.address} accepted two connections in a row on ${beside.length === 1 ? 'port' : 'ports'} ${beside.slice(0, 50).join(', ')}${beside.length > 50 ? ' and more' : ''}.`,
              proof: {
                excerpt: beside
                  .slice(0, 200)
                  .map((port) => `${facts.address}:${port} open`)
                  .join('\n'),
                mark: null,
                replay: `nmap -Pn -sT -p ${beside.slice(0, 50).join(',')} ${host}`,
              },
            },
          ]
    const reason = shortOf(facts)
    return reason === null ? findings : { state: 'inconclusive', reason, findings }
  },
}
