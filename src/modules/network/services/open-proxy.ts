import type { Check, FindingDefinition, Judgement } from '../../module.ts'
import type { ServicesFacts } from './facts.ts'
import { proofOf } from './report.ts'

const openProxy: FindingDefinition = {
  id: 'services/open-proxy',
  title: 'Open HTTP proxy: it passes on what strangers ask for',
  severity: 'high',
  cwe: 441,
  why: 'Through it anybody reaches services of the host and of the network behind it, and attacks others in its name.',
  remediation:
    'Let only your own networks use it: Squid `http_access allow localnet` before `http_access deny all`; Apache `ProxyRequests Off` where it is to be a reverse proxy; Tinyproxy `Allow 10.0.0.0/8`. Let it listen on an inner address.',
  references: [
    'https://cwe.mitre.org/data/definitions/441.html',
    'https://www.rfc-editor.org/rfc/rfc9110#section-17.1',
  ],
}

export const openProxies: Check<'services', 'ports'> = {
  findings: [openProxy],
  judge: (facts): Judgement => {
    const { proxies } = facts
    if (proxies === undefined || (proxies.asked.length === 0 && proxies.open.length === 0))
      return { state: 'not_applicable', reason: 'No service of the host speaks HTTP in clear.' }
    const findings = proxies.found.map((one) => findingOf(facts, one))
    return proxies.open.length === 0
      ? findings
      : {
          state: 'inconclusive',
          reason: `Nothing of the host tells whether port ${proxies.open.slice(0, 20).join(', ')} passes requests on: there is no other service to ask for.`,
          findings,
        }
  },
}

const findingOf = (
  facts: ServicesFacts,
  { port, through, method, exchange, replay }: NonNullable<ServicesFacts['proxies']>['found'][number],
) => {
  const { excerpt } = proofOf({ port, exchange, replay })
  return {
    definition: openProxy,
    confidence: 'confirmed' as const,
    at: { host: facts.host, port },
    detail: `Port ${port} was asked by ${method} for port ${through} of its own host, and what answered was the service there.`,
    proof: { excerpt, mark: null, replay },
  }
}
