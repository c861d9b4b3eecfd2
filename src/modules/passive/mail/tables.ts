import type { FactTable } from '../../../contract/findings-file.ts'
import { textsOf } from '../../../protocols/dns/ask.ts'
import type { MailFacts } from './facts.ts'
import { countLookups } from './spf-view.ts'

export const mailTables = (facts: MailFacts): readonly FactTable[] => [servers(facts), spfTree(facts)]

const servers = ({ domain, hosts }: MailFacts): FactTable => ({
  id: 'mail-servers',
  module: 'mail',
  title: `Mail servers of ${domain}`,
  columns: ['Preference', 'Name', 'Addresses', 'TLSA', 'DNSSEC of TLSA'],
  rows: hosts.map(({ preference, name, a, aaaa, tlsa, tlsaSecurity }) => [
    String(preference),
    name,
    [...textsOf(a), ...textsOf(aaaa)].join(', '),
    String(tlsa.records.length),
    tlsa.records.length === 0 ? '' : tlsaSecurity.state,
  ]),
})

const spfTree = ({ spf }: MailFacts): FactTable => ({
  id: 'mail-spf',
  module: 'mail',
  title: `SPF, ${countLookups(spf)} lookups`,
  columns: ['Term', 'Domain', 'Record'],
  rows: spf.map(({ via, domain, records, skipped, rcode }) => [
    via,
    domain,
    records.join(' | ').slice(0, 1_000) || (skipped ?? rcode ?? 'no answer'),
  ]),
})
