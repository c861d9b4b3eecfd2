import { caseDns } from '../../passive/dns/testing/dns-facts.ts'
import { judgeCases } from '../../testing/judge-cases.ts'
import type { NameserversFacts, RecursionFacts, TransferFacts } from './facts.ts'
import { recursion } from './recursion.ts'
import { zoneTransfer } from './zone-transfer.ts'

const known = { dns: caseDns() }
const transfers = (...changes: readonly Partial<TransferFacts>[]): NameserversFacts => ({
  zone: 'shop.test',
  recursion: [],
  transfers: changes.map((change) => ({
    server: 'ns1.shop.test',
    address: '192.0.2.53',
    outcome: 'refused',
    detail: 'REFUSED',
    records: 0,
    sample: [],
    internal: [],
    hosts: [],
    ...change,
  })),
})
const whole = { outcome: 'transferred', detail: 'NOERROR', records: 9, sample: ['www.shop.test A 192.0.2.1'] } as const

judgeCases(zoneTransfer, [
  { name: 'refused by all', facts: transfers({}, { address: '192.0.2.54' }), known, expect: [] },
  {
    name: 'one of two gives it',
    facts: transfers({}, { ...whole, address: '192.0.2.54' }),
    known,
    expect: ['nameservers/zone-transfer'],
  },
  {
    name: 'with inner names',
    facts: transfers({ ...whole, internal: ['db.shop.test A 10.0.0.5'] }),
    known,
    expect: ['nameservers/zone-transfer-internal'],
  },
  {
    name: 'one silent',
    facts: transfers({}, { outcome: 'failed', detail: 'timed out' }),
    known,
    expect: [],
    unjudged: 'inconclusive',
  },
  {
    name: 'TCP closed',
    facts: transfers({ outcome: 'failed', detail: 'connection refused' }),
    known,
    expect: [],
    unjudged: 'not_tested',
  },
  {
    name: 'one without a way to it',
    facts: transfers({}, { address: '2001:db8::53', outcome: 'failed', detail: 'no route', left: 'no-route' }),
    known,
    expect: [],
    unjudged: 'inconclusive',
  },
  { name: 'nobody to ask', facts: transfers(), known, expect: [], unjudged: 'not_tested' },
])

const resolving = (...changes: readonly Partial<RecursionFacts>[]): NameserversFacts => ({
  zone: 'shop.test',
  transfers: [],
  recursion: changes.map((change) => ({
    server: 'ns1.shop.test',
    address: '192.0.2.53',
    asked: 'ns.test',
    rcode: 'REFUSED',
    error: null,
    open: false,
    answer: [],
    ...change,
  })),
})

judgeCases(recursion, [
  { name: 'refused', facts: resolving({}), known, expect: [] },
  {
    name: 'resolves',
    facts: resolving({ rcode: 'NOERROR', open: true, answer: ['192.0.2.1'] }),
    known,
    expect: ['nameservers/open-recursion'],
  },
  {
    name: 'answers everything alike',
    facts: resolving({ rcode: 'NOERROR', answer: ['192.0.2.1'] }),
    known,
    expect: [],
  },
  {
    name: 'one silent',
    facts: resolving({}, { rcode: null, error: 'timed out' }),
    known,
    expect: [],
    unjudged: 'inconclusive',
  },
  {
    name: 'all silent',
    facts: resolving({ rcode: null, error: 'timed out' }),
    known,
    expect: [],
    unjudged: 'not_tested',
  },
])
