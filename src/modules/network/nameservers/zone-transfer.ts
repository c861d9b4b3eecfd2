import type { Check, FindingDefinition, Judgement } from '../../module.ts'
import { notAsked } from './recursion.ts'

const transfer: FindingDefinition = {
  id: 'nameservers/zone-transfer',
  title: 'DNS zone transfer (AXFR): a name server hands the whole zone to anybody',
  severity: 'medium',
  cwe: 200,
  why: 'An attacker gets the list of all names and machines in one question, without guessing.',
  remediation:
    'Allow transfers to the secondary servers only: `allow-transfer { key transfer-key; };` (BIND), `acl`/`allow-axfr-ips` elsewhere.',
  references: ['https://www.rfc-editor.org/rfc/rfc5936#section-5', 'https://cwe.mitre.org/data/definitions/200.html'],
}

const internal: FindingDefinition = {
  ...transfer,
  id: 'nameservers/zone-transfer-internal',
  title: 'DNS zone transfer (AXFR), internal names: a name server hands out the inner network',
  severity: 'high',
  why: 'The list shows how the inner network is built: addresses, administration, databases, test systems.',
}

export const zoneTransfer: Check<'nameservers', 'dns'> = {
  findings: [internal, transfer],
  judge: ({ zone, transfers }): Judgement => {
    if (transfers.length === 0)
      return { state: 'not_tested', reason: `No address of a name server of ${zone} is known.` }
    const findings = transfers.flatMap(({ server, address, outcome, records, sample, internal: inner }) => {
      if (outcome !== 'transferred') return []
      const names = inner.length > 0 ? ` Among them: ${inner.slice(0, 5).join('; ')}.` : ''
      return [
        {
          definition: inner.length > 0 ? internal : transfer,
          confidence: 'confirmed' as const,
          at: { host: server, port: 53 },
          subject: address,
          detail: `${server} (${address}) gave ${records} records of ${zone} in answer to AXFR.${names}`,
          proof: {
            excerpt: [...inner, ...sample].join('\n').slice(0, 7_000),
            mark: inner[0] ?? null,
            replay: `dig AXFR ${zone} @${address}`,
          },
        },
      ]
    })
    const failed = transfers.filter(({ outcome }) => outcome === 'failed')
    if (failed.length === 0) return findings
    const tried = failed.filter(({ left }) => left === undefined)
    const named = tried.slice(0, 3).map(({ address, detail }) => `${address} (${detail})`)
    const reasons = [
      notAsked(transfers),
      tried.length === 0 ? null : `Not all could be asked over TCP: ${named.join(', ')}.`,
    ]
    const reason = reasons.filter((one) => one !== null).join(' ')
    return { state: failed.length === transfers.length ? 'not_tested' : 'inconclusive', reason, findings }
  },
}
