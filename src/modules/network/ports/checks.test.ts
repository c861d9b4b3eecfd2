import { ber, berText } from '../../../knowledge/ports/datagrams/ber.ts'
import { judgeCases } from '../../testing/judge-cases.ts'
import { addressesDiffer } from './addresses.ts'
import { amplification } from './amplification.ts'
import { everything } from './everything.ts'
import type { OtherAddress } from './facts.ts'
import { inventory } from './inventory.ts'
import { management } from './management.ts'
import { casePorts, caseUdp } from './testing/ports-facts.ts'

judgeCases(everything, [
  {
    name: 'every decoy open',
    facts: casePorts({ decoys: { tried: 12, open: 12 }, openCount: 1000 }),
    expect: ['ports/accepts-everything'],
  },
  { name: 'two decoys open by chance', facts: casePorts({ decoys: { tried: 12, open: 2 } }), expect: [] },
])

judgeCases(inventory, [
  { name: 'a database beside the web', facts: casePorts({ open: [80, 443, 5432] }), expect: ['ports/beside-web'] },
  {
    name: 'a hundred ports are one finding',
    facts: casePorts({ open: Array.from({ length: 300 }, (_, n) => n + 1000) }),
    expect: ['ports/beside-web'],
  },
  { name: 'the web alone', facts: casePorts(), expect: [] },
  {
    name: 'the registered port is the website',
    facts: casePorts({ open: [8443] }),
    expect: [],
    about: { target: { host: 'shop.test', port: 8443, context: null, tier: 'active' } },
  },
  {
    name: 'time ran out',
    facts: casePorts({ left: '30000-65535', open: [22] }),
    expect: ['ports/beside-web'],
    unjudged: 'inconclusive',
  },
  {
    name: 'a tarpit has no inventory',
    facts: casePorts({ decoys: { tried: 12, open: 12 } }),
    expect: [],
    unjudged: 'inconclusive',
  },
])

const snmpAnswer = (text: string): Buffer =>
  ber(
    0x30,
    ber(0x02, Buffer.of(0)),
    berText(0x04, 'public'),
    ber(
      0xa2,
      ber(0x02, Buffer.of(0x5e, 0x0d)),
      ber(0x02, Buffer.of(0)),
      ber(0x02, Buffer.of(0)),
      ber(0x30, ber(0x30, ber(0x06, Buffer.of(0x2b, 6, 1, 2, 1, 1, 1, 0)), berText(0x04, text))),
    ),
  )
const memcachedStats = Buffer.concat([
  Buffer.from([0, 1, 0, 0, 0, 1, 0, 0]),
  Buffer.from(`STAT pid 1\r\nSTAT version 1.6.18\r\n${'STAT some_counter 0\r\n'.repeat(50)}END\r\n`),
])
const monlistAnswer = Buffer.concat([Buffer.from([0xd7, 0, 3, 0x2a, 0, 6, 0, 72]), Buffer.alloc(432)])
const ntpAnswer = (size: number): Buffer =>
  Buffer.concat([
    Buffer.from([0x16, 0x82, 0, 1, 0, 0, 0, 0, 0, 0, 0, size]),
    Buffer.from('version="ntpd 4.2.8p15@1.3728-o"'.padEnd(size, ' ')),
  ])

judgeCases(amplification, [
  {
    name: 'memcached sends its counters',
    facts: casePorts({ udp: [caseUdp('memcached-udp', [memcachedStats])] }),
    expect: ['ports/amplification-strong'],
  },
  {
    name: 'monlist',
    facts: casePorts({ udp: [caseUdp('ntp-monlist', [monlistAnswer])] }),
    expect: ['ports/amplification-strong'],
  },
  {
    name: 'ntp readvar',
    facts: casePorts({ udp: [caseUdp('ntp', [ntpAnswer(200)])] }),
    expect: ['ports/amplification'],
  },
  {
    name: 'snmp public, short description',
    facts: casePorts({ udp: [caseUdp('snmp', [snmpAnswer('Linux')])] }),
    expect: ['ports/snmp-public'],
  },
  {
    name: 'snmp public, long description',
    facts: casePorts({ udp: [caseUdp('snmp', [snmpAnswer('Linux '.repeat(60))])] }),
    expect: ['ports/snmp-public', 'ports/amplification'],
  },
  {
    name: 'a large reply of another protocol',
    facts: casePorts({ udp: [caseUdp('ntp', [Buffer.alloc(1_000, 'x')])] }),
    expect: [],
  },
  { name: 'ntp refuses mode 6 in few bytes', facts: casePorts({ udp: [caseUdp('ntp', [ntpAnswer(20)])] }), expect: [] },
  { name: 'all silent', facts: casePorts(), expect: [] },
])

const ipmiAnswer = (types: number, status: number): Buffer =>
  Buffer.concat([
    Buffer.from('0600ff07000000000000000000108120', 'hex').subarray(0, 14),
    Buffer.from([0x81, 0x1c, 0x63, 0x20, 0x00, 0x38, 0x00, 0x01, types, status, 0, 0, 0, 0, 0, 0x10]),
  ])

judgeCases(management, [
  {
    name: 'a controller answers',
    facts: casePorts({ udp: [caseUdp('ipmi', [ipmiAnswer(0x14, 1)])] }),
    expect: ['ports/ipmi-exposed'],
  },
  { name: 'another protocol on 623', facts: casePorts({ udp: [caseUdp('ipmi', [Buffer.alloc(40, 6)])] }), expect: [] },
  { name: 'silent', facts: casePorts(), expect: [] },
])

const other = (open: readonly number[], change: Partial<OtherAddress> = {}): OtherAddress => ({
  address: '192.0.2.11',
  tried: 1000,
  open,
  filtered: 0,
  everything: false,
  ...change,
})

judgeCases(addressesDiffer, [
  { name: 'one address', facts: casePorts(), expect: [], unjudged: 'not_applicable' },
  { name: 'two alike', facts: casePorts({ others: [other([80, 443])] }), expect: [] },
  {
    name: 'SSH at the second',
    facts: casePorts({ others: [other([22, 80, 443])] }),
    expect: ['ports/addresses-differ'],
  },
  {
    name: 'a rare port of the first, which was not tried at the second',
    facts: casePorts({ open: [80, 443, 47_111], triedCount: 65_535, others: [other([80, 443])] }),
    expect: [],
  },
  {
    name: 'a second that has no way from here',
    facts: casePorts({ others: [other([], { filtered: 1000 })] }),
    expect: [],
    unjudged: 'not_applicable',
  },
  {
    name: 'a second that accepts everything',
    facts: casePorts({ others: [other([1, 2, 3], { everything: true })] }),
    expect: [],
    unjudged: 'not_applicable',
  },
])
