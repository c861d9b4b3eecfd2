import { defineModule } from '../../module.ts'
import { access } from './access.ts'
import { exposedServices } from './exposed.ts'
import { openProxies } from './open-proxy.ts'
import { overPorts } from './over-ports.ts'
import { sshAlgorithms } from './ssh-algorithms.ts'
import { sshKnownKey } from './ssh-known-key.ts'
import { servicesTables } from './tables.ts'
import { versions } from './version.ts'

/** What runs at each open port, and what of it answers without a login. */
export const services = defineModule({
  id: 'services',
  title: 'Services',
  conduct: 'active',
  needs: ['ports'],
  budget: { requests: 20_000, seconds: 300 },
  collect: async (ctx, { ports }) => (await import('./collect.ts')).collectServices(ctx, ports),
  checks: [
    overPorts(access),
    openProxies,
    overPorts(exposedServices),
    overPorts(sshAlgorithms),
    sshKnownKey,
    overPorts(versions),
  ],
  tables: servicesTables,
  knowledge: ({ recog }): Readonly<Record<string, string>> => (recog === null ? {} : { recog }),
})
