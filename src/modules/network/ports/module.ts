import { defineModule } from '../../module.ts'
import { addressesDiffer } from './addresses.ts'
import { amplification } from './amplification.ts'
import { everything } from './everything.ts'
import { inventory } from './inventory.ts'
import { management } from './management.ts'
import { portsTables } from './tables.ts'

/** Which TCP ports accept connections and which UDP services answer. Nothing is sent to a TCP port. */
export const ports = defineModule({
  id: 'ports',
  title: 'Ports',
  conduct: 'active',
  needs: [],
  // Every attempt counts: all ports with every repeat on a bad line.
  budget: { requests: 400_000, seconds: 600 },
  collect: async (ctx) => (await import('./collect.ts')).collectPorts(ctx),
  checks: [everything, inventory, addressesDiffer, amplification, management],
  tables: portsTables,
})
