import { caaDomainsOf } from '../../../knowledge/dns/authorities.ts'
import { showLookup } from '../../../protocols/dns/ask.ts'
import { readCaa, readIssuer } from '../../../protocols/dns/caa.ts'
import type { Check, FindingDefinition, Judgement } from '../../module.ts'
import { gapOf, ofAddresses } from '../tls/facts-addresses.ts'
import { placeOf, servedChains } from '../tls/facts-served.ts'

const issuer: FindingDefinition = {
  id: 'names/caa-issuer',
  title: 'CAA violation: the certificate in use is from an authority that CAA does not allow',
  severity: 'info',
  cwe: 295,
  why: 'The record was made after the certificate, or names the wrong authority: then the next renewal is refused.',
  remediation: 'Add `CAA 0 issue` for the authority in use, or change to an authority that the record names.',
  references: ['https://www.rfc-editor.org/rfc/rfc8659#section-4.2'],
}

export const certificateAuthority: Check<'names', 'site' | 'tls' | 'dns'> = {
  findings: [issuer],
  judge: (_facts, { tls, dns }): Judgement => {
    const step = dns.caa.at(-1)
    const records = (step?.records ?? []).flatMap(({ data }) => readCaa(data) ?? [])
    const issue = records.filter(({ tag }) => tag === 'issue')
    const wild = records.filter(({ tag }) => tag === 'issuewild')
    if (!step || issue.length + wild.length === 0)
      return { state: 'not_applicable', reason: 'No CAA record limits the authorities.' }
    const chains = servedChains(tls).filter(({ trust }) => trust.state === 'public')
    if (chains.length === 0) return { state: 'not_applicable', reason: 'No publicly trusted certificate is in use.' }
    const unknown = chains.filter(({ leaf }) => caaDomainsOf(leaf.issuer) === null)
    const findings = chains.flatMap(({ leaf }) => {
      const onlyWild = leaf.dnsNames?.every((name) => name.startsWith('*.')) ?? false
      const applied = onlyWild && wild.length > 0 ? wild : issue
      const allowed = applied.map(({ value }) => readIssuer(value) ?? '')
      const domains = caaDomainsOf(leaf.issuer)
      if (applied.length === 0 || domains === null || domains.some((domain) => allowed.includes(domain))) return []
      const names = allowed.map((domain) => domain || 'nobody').join(', ')
      return [
        {
          definition: issuer,
          confidence: 'firm' as const,
          at: placeOf(tls),
          subject: leaf.issuer,
          detail: `CAA of ${step.name} allows ${names}; the certificate was issued by ${leaf.issuer}.`,
          proof: {
            excerpt: `${showLookup(step)}\nIssuer: ${leaf.issuer}`,
            mark: leaf.issuer,
            replay: `dig CAA ${step.name}`,
          },
        },
      ]
    })
    const reason = `It is not known here by which domain CAA names ${unknown[0]?.leaf.issuer}.`
    return ofAddresses(gapOf(tls), unknown.length === 0 ? findings : { state: 'inconclusive', reason, findings })
  },
}
