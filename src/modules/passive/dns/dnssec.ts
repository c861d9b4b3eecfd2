import type { Link, SetCheck } from '../../../protocols/dns/security.ts'
import type { Check, Finding, FindingDefinition, Judgement } from '../../module.ts'
import type { DnsFacts } from './facts.ts'

const absent: FindingDefinition = {
  id: 'dns/dnssec-absent',
  title: 'DNSSEC missing: the zone is not signed',
  severity: 'low',
  cwe: 345,
  group: 'good-practice',
  why: 'A resolver cannot tell a forged answer from a true one, so visitors and mail can be sent elsewhere unnoticed.',
  remediation: 'Switch DNSSEC on at the DNS provider (algorithm 13), then hand its DS record to the registrar.',
  references: ['https://www.rfc-editor.org/rfc/rfc9364', 'https://cwe.mitre.org/data/definitions/345.html'],
}

const island: FindingDefinition = {
  ...absent,
  id: 'dns/dnssec-island',
  title: 'DNSSEC without DS record: the zone is signed, but its parent does not vouch for it',
  why: 'Without a DS record in the parent zone no resolver uses the signatures: all of the work, none of the protection.',
  remediation: 'Hand the DS record of the key-signing key to the registrar (`dnssec-dsfromkey -2`).',
  references: ['https://www.rfc-editor.org/rfc/rfc4035#section-2.4'],
}

const bogus: FindingDefinition = {
  ...absent,
  id: 'dns/dnssec-bogus',
  title: 'DNSSEC validation fails: validating resolvers refuse the domain',
  severity: 'high',
  why: 'Every validating resolver answers with an error: for a large part of the visitors the domain does not exist.',
  remediation:
    'Repair the link named here: sign the zone anew, or replace the DS record at the registrar; to get online at once, remove the DS record.',
  references: ['https://www.rfc-editor.org/rfc/rfc4035#section-5', 'https://www.rfc-editor.org/rfc/rfc6781#section-4'],
}

/** Of each chain the last link names the trouble; sets are looked at only below a secure zone. */
export const dnssec: Check<'dns'> = {
  findings: [absent, island, bogus],
  judge: (facts): Judgement => {
    const { state, reason } = facts.dnssec
    if (state === 'indeterminate')
      return { state: 'inconclusive', reason: `The chain of trust could not be followed: ${reason}.` }
    if (state === 'insecure') return [judgeUnsigned(facts)]
    if (state === 'bogus') return [judgeBrokenZone(facts)]
    const findings = facts.dnssec.sets.filter((set) => set.state === 'bogus').map((set) => judgeBrokenSet(facts, set))
    const open = facts.dnssec.sets.filter((set) => set.state === 'indeterminate')
    if (open.length === 0) return findings
    const names = open.map(({ name, type, reason: why }) => `${type} of ${name} (${why})`).join(', ')
    return {
      state: 'inconclusive',
      reason: `Not all could be validated: ${names.slice(0, 500)}.`,
      only: [bogus.id],
      findings,
    }
  },
}

const judgeUnsigned = (facts: DnsFacts): Finding => {
  const { published, links, reason } = facts.dnssec
  const link = links.at(-1)
  const above = link !== undefined && link.zone !== facts.zone
  const signed = published.length > 0
  return {
    definition: signed ? island : absent,
    confidence: 'confirmed',
    at: { host: facts.zone },
    detail: above
      ? `${link.zone} above ${facts.zone} is not signed: ${reason}.`
      : `${facts.zone}${signed ? ` publishes ${published.length} keys, yet` : ' is not signed:'} ${reason}.`,
    proof: {
      excerpt: describeChain(facts),
      mark: null,
      replay: `dig +dnssec DS ${facts.zone}; dig +dnssec DNSKEY ${facts.zone}`,
    },
  }
}

const judgeBrokenZone = (facts: DnsFacts): Finding => {
  const { reason, links, resolver } = facts.dnssec
  const link = links.at(-1)
  return {
    definition: bogus,
    confidence: confirmedBy(resolver) ? 'confirmed' : 'firm',
    at: { host: facts.zone },
    detail: `${link?.zone ?? facts.zone}: ${reason}. ${sayResolver(facts)}`,
    proof: {
      excerpt: describeChain(facts),
      mark: reason,
      replay: `delv ${facts.zone} SOA; dig +dnssec +cd DNSKEY ${facts.zone}`,
    },
  }
}

const judgeBrokenSet = (facts: DnsFacts, set: SetCheck): Finding => ({
  definition: bogus,
  confidence: 'firm',
  at: { host: set.name },
  subject: set.type,
  detail: `The ${set.type} records of ${set.name} do not validate: ${set.reason}.`,
  proof: {
    excerpt: `${describeChain(facts)}\n${set.type} ${set.name}: bogus, ${set.reason}`,
    mark: set.reason,
    replay: `delv ${set.name} ${set.type}; dig +dnssec +cd ${set.type} ${set.name}`,
  },
})

/** A second validator, the resolver's own, saw the same. */
const confirmedBy = ({ plain, unchecked }: DnsFacts['dnssec']['resolver']): boolean =>
  plain === 'SERVFAIL' && unchecked === 'NOERROR'

const sayResolver = ({ dnssec: { resolver } }: DnsFacts): string =>
  confirmedBy(resolver)
    ? 'The resolver answers SERVFAIL too, and gives the records with checking disabled.'
    : `The resolver answers ${resolver.plain ?? 'nothing'}, so it does not seem to validate.`

export const describeChain = ({ dnssec: { links } }: DnsFacts): string =>
  links
    .map((link) => `${link.zone || '.'}: ${link.state}${link.reason === '' ? '' : `, ${link.reason}`}${showLink(link)}`)
    .join('\n')

const showLink = ({ ds, keys }: Link): string =>
  `${ds.length > 0 ? `; DS ${ds.map(({ tag, algorithm, digestType }) => `${tag}/${algorithm}/${digestType}`).join(' ')}` : ''}${keys.length > 0 ? `; DNSKEY ${keys.map(({ tag, algorithm }) => `${tag}/${algorithm}`).join(' ')}` : ''}`
