import { textsOf } from '../../../protocols/dns/ask.ts'
import type { Check, FindingDefinition, Judgement } from '../../module.ts'

const inventory: FindingDefinition = {
  id: 'names/subdomains',
  title: 'Subdomains: further names of the domain can be seen from outside',
  severity: 'info',
  cwe: null,
  why: 'Each of them is a door to the same house, and an attacker’s list begins with exactly these.',
  remediation: 'Go through the list: switch off what is no longer used and have the rest scanned too.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/01-Information_Gathering/04-Enumerate_Applications_on_Webserver',
  ],
}

/** Names that certificate, policies, pages and records show; nothing is guessed. */
export const subdomains: Check<'names', 'site' | 'tls' | 'dns'> = {
  findings: [inventory],
  judge: ({ own, host, domain }): Judgement => {
    const usual = [host, domain, `www.${domain}`]
    const found = own.filter(
      ({ name, lookup, sources }) =>
        // Name and mail servers stand in tables of their own.
        !usual.includes(name) &&
        lookup.rcode === 'NOERROR' &&
        sources.some((source) => source !== 'ns' && source !== 'mx'),
    )
    if (found.length === 0) return []
    const lines = found.map(
      ({ name, lookup, sources }) =>
        `${name} (${sources.join(', ')}) ${[...lookup.aliases, ...textsOf(lookup)].join(' ')}`,
    )
    return [
      {
        definition: inventory,
        confidence: 'confirmed',
        at: { host: domain },
        detail: `${found.length} further names are in use: ${found
          .slice(0, 20)
          .map(({ name }) => name)
          .join(', ')}.`,
        proof: { excerpt: lines.join('\n').slice(0, 7_000), mark: null, replay: null },
      },
    ]
  },
}
