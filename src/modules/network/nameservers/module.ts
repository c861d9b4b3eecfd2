import { defineModule } from '../../module.ts'
import { collectNameservers } from './collect.ts'
import { recursion } from './recursion.ts'
import { zoneTransfer } from './zone-transfer.ts'

/** What the zone's own servers do for a stranger who asks more than a resolver would. */
export const nameservers = defineModule({
  id: 'nameservers',
  title: 'Name servers, actively',
  conduct: 'active',
  needs: ['dns'],
  budget: { requests: 60, seconds: 40 },
  collect: (ctx, { dns }) => collectNameservers(ctx, dns),
  checks: [zoneTransfer, recursion],
})
