import type { FactTable } from '../../../contract/findings-file.ts'
import { textsOf } from '../../../protocols/dns/ask.ts'
import { defineModule } from '../../module.ts'
import { certificateAuthority } from './certificate-authority.ts'
import { collectNames } from './collect.ts'
import { dane } from './dane.ts'
import type { NamesFacts } from './facts.ts'
import { ipv6 } from './ipv6.ts'
import { subdomains } from './subdomains.ts'
import { takeover } from './takeover.ts'

const table = ({ own, domain }: NamesFacts): readonly FactTable[] => [
  {
    id: 'names-seen',
    module: 'names',
    title: `Names of ${domain}`,
    columns: ['Name', 'Seen in', 'Answer'],
    rows: own.map(({ name, sources, lookup }) => [
      name,
      sources.join(', '),
      [...lookup.aliases, ...textsOf(lookup)].join(' → ') || (lookup.rcode ?? 'no answer'),
    ]),
  },
]

/** Where the names lead that the site shows, and whether a stranger could stand at the end. */
export const names = defineModule({
  id: 'names',
  title: 'Names and where they lead',
  conduct: 'passive',
  needs: ['site', 'tls', 'dns'],
  budget: { requests: 400, seconds: 110 },
  collect: (ctx, known) => collectNames(ctx, known),
  checks: [takeover, subdomains, dane, certificateAuthority, ipv6],
  tables: table,
})
