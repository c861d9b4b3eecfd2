import type { FactTable } from '../../../contract/findings-file.ts'
import { defineModule } from '../../module.ts'
import type { NameserversFacts } from './facts.ts'
import { recursion } from './recursion.ts'
import { zoneTransfer } from './zone-transfer.ts'

const SOURCES = {
  guess: 'a usual name',
  nsec: 'the zone’s chain of names (NSEC)',
  transfer: 'the zone transfer',
} as const

const hostsTable = ({ zone, hosts }: NameserversFacts): readonly FactTable[] =>
  hosts === undefined || hosts.found.length === 0
    ? []
    : [
        {
          id: 'hosts-found',
          module: 'nameservers',
          title: `Hosts of ${zone} that were looked for`,
          columns: ['Name', 'Found by', 'Answer'],
          rows: hosts.found.map(({ name, source, answer }) => [name, SOURCES[source], answer.join(' → ')]),
        },
      ]

/** What the zone's own servers do for a stranger who asks more than a resolver would. */
export const nameservers = defineModule({
  id: 'nameservers',
  title: 'Name servers, actively',
  conduct: 'active',
  needs: ['dns'],
  budget: { requests: 1_600, seconds: 90 },
  collect: async (ctx, { dns }) => (await import('./collect.ts')).collectNameservers(ctx, dns),
  checks: [zoneTransfer, recursion],
  tables: hostsTable,
})
