/** Examples of hosts of a domain; see examples.ts. */
import type { DomainHostPage } from './domain-host.ts'
import { ids } from './examples.ts'

export const domainHostPage: DomainHostPage = {
  ...{ proposed: 1, registered: 1, looked_for: true, left: [] },
  items: [
    {
      ...{ host: 'shop.example.com', sources: ['host', 'certificate'], seen_at: 'shop.example.com' },
      ...{ answer: ['192.0.2.10'], domain_id: ids.domain, run_id: ids.run },
    },
    {
      ...{ host: 'staging.example.com', sources: ['guess'], seen_at: null },
      ...{ answer: ['192.0.2.11'], domain_id: null, run_id: ids.run },
    },
  ],
  next_cursor: null,
}
