/** DNS facts for tables of cases: a healthy signed zone, changed where the case says so. */
import type { DnsType } from '../../../../egress/door/egress.ts'
import type { Lookup } from '../../../../protocols/dns/ask.ts'
import type { KeyOfZone, Link, SetCheck } from '../../../../protocols/dns/security.ts'
import { CASE_TIME } from '../../../testing/judge-cases.ts'
import type { DnsFacts, DnssecFacts, Nameserver, ServerAnswer } from '../facts.ts'

const DAY = 86_400_000

export const caseLookup = (
  name: string,
  type: DnsType,
  data: readonly unknown[],
  change: Partial<Lookup> = {},
): Lookup => ({
  name,
  type,
  rcode: 'NOERROR',
  error: null,
  aliases: [],
  listed: false,
  records: data.map((one) => ({ ttl: 300, data: one })),
  authenticated: true,
  ...change,
})

export const caseNoAnswer = (name: string, type: DnsType): Lookup =>
  caseLookup(name, type, [], { rcode: null, error: 'timed out', authenticated: false })

export const caseAbsent = (name: string, type: DnsType): Lookup => caseLookup(name, type, [], { rcode: 'NXDOMAIN' })

export const caseAnswer = (address: string, change: Partial<ServerAnswer> = {}): ServerAnswer => ({
  address,
  rcode: 'NOERROR',
  authoritative: true,
  serial: 7,
  ns: ['ns1.shop.test', 'ns2.other.test'],
  error: null,
  ...change,
})

export const caseServer = (name: string, address: string, change: Partial<ServerAnswer> = {}): Nameserver => ({
  name,
  addresses: [address],
  error: null,
  absent: false,
  answers: [caseAnswer(address, change)],
})

const KEY: KeyOfZone = { tag: 4711, algorithm: 13, flags: 257, bits: 256 }
const DS = { tag: 4711, algorithm: 13, digestType: 2 }

export const caseSignature = (daysLeft: number, lifetime = 14) => ({
  tag: 4711,
  algorithm: 13,
  inception: CASE_TIME + (daysLeft - lifetime) * DAY,
  expiration: CASE_TIME + daysLeft * DAY,
})

export const caseLink = (zone: string, change: Partial<Link> = {}): Link => ({
  zone,
  state: 'secure',
  reason: '',
  ds: [DS],
  keys: [KEY],
  signature: caseSignature(10),
  ...change,
})

export const caseSet = (change: Partial<SetCheck> = {}): SetCheck => ({
  name: 'shop.test',
  type: 'A',
  state: 'secure',
  reason: '',
  zone: 'shop.test',
  present: true,
  signature: caseSignature(10),
  ...change,
})

/** `own` changes the last link, that of the zone itself. */
export const caseDnssec = (change: Partial<DnssecFacts> & { readonly own?: Partial<Link> } = {}): DnssecFacts => {
  const { own, ...rest } = change
  const link = caseLink('shop.test', own)
  return {
    state: link.state,
    reason: link.reason,
    links: [caseLink(''), caseLink('test'), link],
    sets: [caseSet()],
    denial: { kind: 'NSEC', iterations: 0, salt: 0, optOut: false },
    published: [KEY],
    resolver: { plain: 'NOERROR', unchecked: 'NOERROR', authenticated: true },
    ...rest,
  }
}

export const caseDns = (change: Partial<DnsFacts> = {}): DnsFacts => ({
  host: 'shop.test',
  zone: 'shop.test',
  domain: 'shop.test',
  soa: caseLookup('shop.test', 'SOA', []),
  ns: caseLookup('shop.test', 'NS', ['ns1.shop.test', 'ns2.other.test']),
  addresses: [caseLookup('shop.test', 'A', ['192.0.2.10']), caseLookup('shop.test', 'AAAA', ['2001:db8::10'])],
  nameservers: [caseServer('ns1.shop.test', '192.0.2.53'), caseServer('ns2.other.test', '198.51.100.53')],
  delegation: { parent: 'test', server: 'ns.test', ns: ['ns1.shop.test', 'ns2.other.test'] },
  caa: [caseLookup('shop.test', 'CAA', [{ flags: 0, tag: 'issue', value: 'ca.example' }])],
  wildcard: [caseAbsent('x1.shop.test', 'A'), caseAbsent('x2.shop.test', 'A')],
  dnssec: caseDnssec(),
  ...change,
})
