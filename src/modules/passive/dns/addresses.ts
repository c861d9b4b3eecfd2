import { isPrivate } from '../../../knowledge/dns/addresses.ts'
import { isFailure, showLookup, textsOf } from '../../../protocols/dns/ask.ts'
import type { Check, FindingDefinition, Judgement } from '../../module.ts'

const inside: FindingDefinition = {
  id: 'dns/private-address',
  title: 'Private address in DNS: a public name leads to an internal address',
  severity: 'low',
  cwe: 200,
  why: 'It tells how the inner network is numbered, and lets a web page reach into the network of whoever opens it.',
  remediation: 'Remove the record from the public zone and serve it from the inner name server only.',
  references: ['https://www.rfc-editor.org/rfc/rfc1918#section-5', 'https://cwe.mitre.org/data/definitions/200.html'],
}

const noIpv6: FindingDefinition = {
  id: 'dns/ipv6-absent',
  title: 'IPv6 missing: the site has no AAAA record',
  severity: 'info',
  cwe: null,
  group: 'good-practice',
  why: 'Visitors in networks with IPv6 alone come through shared translators, which are slower and hide who they are.',
  remediation: 'Give the server an IPv6 address and add it as AAAA record of the host.',
  references: ['https://www.rfc-editor.org/rfc/rfc6540'],
}

const wildcard: FindingDefinition = {
  id: 'dns/wildcard',
  title: 'Wildcard DNS: every name below the domain resolves',
  severity: 'info',
  cwe: null,
  why: 'Any subdomain seems to exist: links to invented names work, and whatever answers there speaks in the domain’s name.',
  remediation: 'Replace the `*` record by records for the names in use.',
  references: ['https://www.rfc-editor.org/rfc/rfc4592'],
}

export const addresses: Check<'dns'> = {
  findings: [inside, noIpv6],
  judge: (facts, _known, { target }): Judgement => {
    const own = facts.addresses.filter(({ name }) => name === facts.host)
    if (own.some(({ listed }) => listed)) {
      return { state: 'not_applicable', reason: `The addresses of ${facts.host} are from the static name table.` }
    }
    if (own.some(isFailure) || own.length === 0) {
      return { state: 'inconclusive', reason: `The addresses of ${facts.host} were not answered.` }
    }
    const found = facts.addresses.flatMap((lookup) => {
      const hidden = textsOf(lookup).filter(isPrivate)
      if (hidden.length === 0 || target.context === 'internal') return []
      const excerpt = showLookup(lookup)
      const replay = `dig ${lookup.type} ${lookup.name}`
      return [
        {
          definition: inside,
          confidence: 'confirmed' as const,
          at: { host: lookup.name },
          detail: `${lookup.name} leads to ${hidden.join(', ')}.`,
          proof: { excerpt, mark: hidden[0] ?? null, replay },
        },
      ]
    })
    const six = own.find(({ type }) => type === 'AAAA')
    if (!six || textsOf(six).length > 0) return found
    const proof = { excerpt: own.map(showLookup).join('\n'), mark: null, replay: `dig AAAA ${facts.host}` }
    const detail = `${facts.host} has no AAAA record.`
    return [...found, { definition: noIpv6, confidence: 'confirmed', at: { host: facts.host }, detail, proof }]
  },
}

export const wildcardNames: Check<'dns'> = {
  findings: [wildcard],
  judge: ({ wildcard: lookups, domain }): Judgement => {
    if (lookups.some(isFailure))
      return { state: 'inconclusive', reason: 'The questions for names that nobody chose were not answered.' }
    if (lookups.length === 0 || !lookups.every(({ records, aliases }) => records.length + aliases.length > 0)) return []
    const detail = `Names that nobody chose resolve: ${lookups.map(({ name }) => name).join(', ')}.`
    const proof = {
      excerpt: lookups.map(showLookup).join('\n'),
      mark: null,
      replay: `dig A $(openssl rand -hex 8).${domain}`,
    }
    return [{ definition: wildcard, confidence: 'confirmed', at: { host: domain }, detail, proof }]
  },
}
