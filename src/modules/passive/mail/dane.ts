import { dig, isFailure, showLookup } from '../../../protocols/dns/ask.ts'
import { readTlsa, showTlsa, type Tlsa, tlsaFlaw } from '../../../protocols/dns/tlsa.ts'
import type { Check, Finding, FindingDefinition, Judgement } from '../../module.ts'
import type { MxHost } from './facts.ts'

const absent: FindingDefinition = {
  id: 'mail/dane-absent',
  title: 'DANE missing: the mail servers have no TLSA records',
  severity: 'info',
  cwe: 295,
  group: 'good-practice',
  why: 'With DANE sending servers insist on TLS and on the right certificate, without trust in any authority.',
  remediation:
    'Sign the zone of the mail server and publish `_25._tcp.<server> TLSA 3 1 1 <SHA-256 of the public key>`.',
  references: ['https://www.rfc-editor.org/rfc/rfc7672', 'https://cwe.mitre.org/data/definitions/295.html'],
}

const unsigned: FindingDefinition = {
  ...absent,
  id: 'mail/dane-unsigned',
  title: 'DANE without DNSSEC: TLSA records of a mail server stand in an unsigned zone',
  severity: 'medium',
  group: 'transport',
  why: 'Without DNSSEC nobody may use them: the protection that they promise is not there.',
  remediation: 'Sign the zone of the mail server and hand its DS record to the registrar, or remove the TLSA records.',
  references: ['https://www.rfc-editor.org/rfc/rfc7672#section-2.2'],
}

const invalid: FindingDefinition = {
  ...unsigned,
  id: 'mail/dane-invalid',
  title: 'DANE records invalid: none of a mail server’s TLSA records can be used',
  why: 'Sending servers find DANE but nothing usable, and encrypt without checking whom they talk to.',
  remediation: 'Publish `3 1 1` (or `2 1 1`) with the SHA-256 digest of the key; usages 0 and 1 do not count for mail.',
  references: ['https://www.rfc-editor.org/rfc/rfc7672#section-3.1.3'],
}

export const dane: Check<'mail'> = {
  findings: [absent, unsigned, invalid],
  judge: ({ domain, hosts }): Judgement => {
    if (hosts.length === 0) return { state: 'not_applicable', reason: `${domain} takes no mail.` }
    const findings = hosts.flatMap((host) => judgeHost(host))
    const without = hosts.filter(({ tlsa }) => !isFailure(tlsa) && tlsa.records.length === 0)
    const all: Finding[] = without.length === hosts.length ? [judgeAbsent(domain, hosts)] : findings
    const open = hosts.filter(
      ({ tlsa, tlsaSecurity }) =>
        isFailure(tlsa) || (tlsa.records.length > 0 && tlsaSecurity.state === 'indeterminate'),
    )
    if (open.length === 0) return all
    const reason = `The TLSA records of ${open.map(({ name }) => name).join(', ')} were not answered or could not be validated.`
    return { state: 'inconclusive', reason, findings: all }
  },
}

const judgeAbsent = (domain: string, hosts: readonly MxHost[]): Finding => ({
  definition: absent,
  confidence: 'confirmed',
  at: { host: domain },
  detail: `None of the mail servers of ${domain} has TLSA records: ${hosts.map(({ name }) => name).join(', ')}.`,
  proof: {
    excerpt: hosts.map(({ tlsa }) => showLookup(tlsa)).join('\n'),
    mark: null,
    replay: dig(`_25._tcp.${hosts[0]?.name}`, 'TLSA'),
  },
})

const judgeHost = ({ name, tlsa, tlsaSecurity }: MxHost): Finding[] => {
  const records = tlsa.records.flatMap(({ data }) => readTlsa(data) ?? [])
  if (tlsa.records.length === 0) return []
  const { state, reason } = tlsaSecurity
  const found = (definition: FindingDefinition, detail: string): Finding => ({
    definition,
    confidence: 'confirmed',
    at: { host: name, port: 25 },
    detail,
    proof: {
      excerpt: `${records.map(showTlsa).join('\n')}\nDNSSEC: ${state} ${reason}`.trim(),
      mark: null,
      replay: dig(tlsa.name, 'TLSA', '+dnssec'),
    },
  })
  const faults = records.map(faultOf)
  return [
    ...(state === 'insecure' || state === 'bogus'
      ? [found(unsigned, `${tlsa.name} has ${records.length} TLSA records, but is ${state}: ${reason}.`)]
      : []),
    ...(faults.every((fault) => fault !== null)
      ? [found(invalid, `${tlsa.name}: ${faults.slice(0, 4).join('; ')}.`)]
      : []),
  ]
}

const faultOf = (record: Tlsa): string | null =>
  record.usage < 2 ? `certificate usage ${record.usage} does not count for mail` : tlsaFlaw(record)
