import { judgeCases } from '../../testing/judge-cases.ts'
import { addresses, wildcardNames } from './addresses.ts'
import { caa } from './caa.ts'
import { dnssec } from './dnssec.ts'
import { dnssecStrength } from './dnssec-strength.ts'
import { nameservers } from './nameservers.ts'
import {
  caseAbsent,
  caseAnswer,
  caseDns,
  caseDnssec,
  caseLink,
  caseLookup,
  caseNoAnswer,
  caseServer,
  caseSet,
  caseSignature,
} from './testing/dns-facts.ts'

const two = (second: Parameters<typeof caseServer>[2]) =>
  caseDns({
    nameservers: [caseServer('ns1.shop.test', '192.0.2.53'), caseServer('ns2.other.test', '198.51.100.53', second)],
  })
const timedOut = {
  rcode: null,
  authoritative: false,
  serial: null,
  ns: null,
  error: { code: 'timeout', message: 'timed out' },
}
const failed = (code: string) => ({ ...timedOut, error: { code, message: code } })

judgeCases(nameservers, [
  { name: 'healthy', facts: caseDns(), expect: [] },
  {
    name: 'one server',
    facts: caseDns({
      ns: caseLookup('shop.test', 'NS', ['ns1.shop.test']),
      nameservers: [caseServer('ns1.shop.test', '192.0.2.53', { ns: ['ns1.shop.test'] })],
      delegation: { parent: 'test', server: 'ns.test', ns: ['ns1.shop.test'] },
    }),
    expect: ['dns/nameserver-single'],
  },
  {
    name: 'refuses the zone',
    facts: two({ rcode: 'REFUSED', authoritative: false, serial: null, ns: null }),
    expect: ['dns/nameserver-lame'],
  },
  { name: 'answers from a cache', facts: two({ authoritative: false, ns: null }), expect: ['dns/nameserver-lame'] },
  { name: 'is silent', facts: two(timedOut), expect: ['dns/nameserver-lame'] },
  {
    name: 'has no address',
    facts: caseDns({
      nameservers: [
        caseServer('ns1.shop.test', '192.0.2.53'),
        { name: 'ns2.other.test', addresses: [], error: 'NXDOMAIN', absent: true, answers: [] },
      ],
    }),
    expect: ['dns/nameserver-lame'],
  },
  { name: 'may not be asked', facts: two(failed('refused_by_guard')), expect: [], unjudged: 'inconclusive' },
  {
    name: 'IPv6 without a way to it',
    facts: caseDns({
      nameservers: [
        caseServer('ns1.shop.test', '192.0.2.53'),
        {
          ...caseServer('ns2.other.test', '198.51.100.53'),
          addresses: ['198.51.100.53', '2001:db8::53'],
          answers: [caseAnswer('198.51.100.53'), caseAnswer('2001:db8::53', failed('no_route'))],
        },
      ],
    }),
    expect: [],
    unjudged: 'inconclusive',
  },
  {
    name: 'IPv6 that refuses is lame as IPv4 is',
    facts: caseDns({
      nameservers: [
        caseServer('ns1.shop.test', '192.0.2.53'),
        {
          ...caseServer('ns2.other.test', '198.51.100.53'),
          addresses: ['198.51.100.53', '2001:db8::53'],
          answers: [caseAnswer('198.51.100.53'), caseAnswer('2001:db8::53', failed('unreachable'))],
        },
      ],
    }),
    expect: ['dns/nameserver-lame'],
  },
  {
    name: 'nobody answers: port 53 may be closed for us',
    facts: caseDns({
      nameservers: [
        caseServer('ns1.shop.test', '192.0.2.53', timedOut),
        caseServer('ns2.other.test', '198.51.100.53', timedOut),
      ],
    }),
    expect: [],
    unjudged: 'inconclusive',
  },
  {
    name: 'one /24',
    facts: caseDns({
      nameservers: [caseServer('ns1.shop.test', '192.0.2.53'), caseServer('ns2.other.test', '192.0.2.54')],
    }),
    expect: ['dns/nameserver-network'],
  },
  {
    name: 'one address under two names is not a network statement',
    facts: caseDns({
      nameservers: [caseServer('ns1.shop.test', '192.0.2.53'), caseServer('ns2.other.test', '192.0.2.53')],
    }),
    expect: [],
  },
  {
    name: 'the registrar lists a third server',
    facts: caseDns({
      delegation: { parent: 'test', server: 'ns.test', ns: ['ns1.shop.test', 'ns2.other.test', 'old.test'] },
    }),
    expect: ['dns/nameserver-delegation-mismatch'],
  },
  {
    name: 'order does not matter',
    facts: caseDns({ delegation: { parent: 'test', server: 'ns.test', ns: ['ns2.other.test', 'ns1.shop.test'] } }),
    expect: [],
  },
  { name: 'parent not asked', facts: caseDns({ delegation: null }), expect: [], unjudged: 'inconclusive' },
  { name: 'older serial', facts: two({ serial: 6 }), expect: ['dns/nameserver-serial-mismatch'] },
  {
    name: 'no NS answer',
    facts: caseDns({ ns: caseNoAnswer('shop.test', 'NS') }),
    expect: [],
    unjudged: 'inconclusive',
  },
])

const zone = (change: Parameters<typeof caseDnssec>[0]) => caseDns({ dnssec: caseDnssec(change) })
const unsigned = {
  own: { state: 'insecure', reason: 'test has no DS records for it', ds: [], keys: [], signature: null },
} as const
const broken = { own: { state: 'bogus', reason: 'none of its keys fits' } } as const

judgeCases(dnssec, [
  { name: 'secure', facts: caseDns(), expect: [] },
  { name: 'unsigned', facts: zone({ ...unsigned, published: [] }), expect: ['dns/dnssec-absent'] },
  { name: 'keys without DS', facts: zone(unsigned), expect: ['dns/dnssec-island'] },
  {
    name: 'the parent itself is unsigned',
    facts: zone({
      state: 'insecure',
      reason: 'no DS',
      links: [caseLink(''), caseLink('test', { state: 'insecure', reason: 'no DS' })],
      published: [],
    }),
    expect: ['dns/dnssec-absent'],
  },
  {
    name: 'wrong DS',
    facts: zone({ ...broken, resolver: { plain: 'SERVFAIL', unchecked: 'NOERROR', authenticated: false } }),
    expect: ['dns/dnssec-bogus'],
  },
  { name: 'wrong DS, resolver does not validate', facts: zone(broken), expect: ['dns/dnssec-bogus'] },
  {
    name: 'one forged set',
    facts: zone({ sets: [caseSet(), caseSet({ type: 'MX', state: 'bogus', reason: 'does not fit' })] }),
    expect: ['dns/dnssec-bogus'],
  },
  {
    name: 'one set without answer',
    facts: zone({ sets: [caseSet({ state: 'indeterminate', reason: 'SERVFAIL' })] }),
    expect: [],
    unjudged: 'inconclusive',
  },
  {
    name: 'a resolver without signatures',
    facts: zone({ state: 'indeterminate', reason: 'no signatures' }),
    expect: [],
    unjudged: 'inconclusive',
  },
  {
    name: 'an alias into an unsigned zone',
    facts: zone({ sets: [caseSet({ state: 'insecure', reason: 'cdn.test' })] }),
    expect: [],
  },
])

const keys = (algorithm: number) => zone({ published: [{ tag: 1, algorithm, flags: 257, bits: 2048 }] })

judgeCases(dnssecStrength, [
  { name: 'today’s practice', facts: caseDns(), expect: [] },
  { name: 'unsigned', facts: zone({ published: [] }), expect: [], unjudged: 'not_applicable' },
  { name: 'RSA/SHA-1', facts: keys(5), expect: ['dns/dnssec-algorithm'] },
  { name: 'RSA/SHA-1 for NSEC3', facts: keys(7), expect: ['dns/dnssec-algorithm'] },
  { name: 'RSA/SHA-256', facts: keys(8), expect: [] },
  {
    name: 'DS by SHA-1 alone',
    facts: zone({ own: { ds: [{ tag: 1, algorithm: 13, digestType: 1 }] } }),
    expect: ['dns/dnssec-digest'],
  },
  {
    name: 'DS by SHA-1 beside SHA-256',
    facts: zone({
      own: {
        ds: [
          { tag: 1, algorithm: 13, digestType: 1 },
          { tag: 1, algorithm: 13, digestType: 2 },
        ],
      },
    }),
    expect: [],
  },
  {
    name: 'ten iterations',
    facts: zone({ denial: { kind: 'NSEC3', iterations: 10, salt: 4, optOut: false } }),
    expect: ['dns/dnssec-iterations'],
  },
  {
    name: 'NSEC3 without iterations',
    facts: zone({ denial: { kind: 'NSEC3', iterations: 0, salt: 0, optOut: true } }),
    expect: [],
  },
  {
    name: 'two of fourteen days left',
    facts: zone({ sets: [caseSet({ signature: caseSignature(2) })] }),
    expect: ['dns/dnssec-signature-expiry'],
  },
  {
    name: 'signed on the fly for two days',
    facts: zone({ sets: [caseSet({ signature: caseSignature(1, 2) })] }),
    expect: [],
  },
])

const withCaa = (...records: readonly { flags: number; tag: string; value: string }[]) =>
  caseDns({ caa: [caseLookup('shop.test', 'CAA', records)] })

judgeCases(caa, [
  { name: 'one authority', facts: caseDns(), expect: [] },
  { name: 'nobody', facts: withCaa({ flags: 0, tag: 'issue', value: ';' }), expect: [] },
  {
    name: 'parameters',
    facts: withCaa({
      flags: 0,
      tag: 'issue',
      value: 'ca.example; accounturi=https://ca.example/1; validationmethods=dns-01',
    }),
    expect: [],
  },
  { name: 'tag in capitals', facts: withCaa({ flags: 128, tag: 'ISSUE', value: 'ca.example' }), expect: [] },
  {
    name: 'none on the way up',
    facts: caseDns({ caa: [caseAbsent('www.shop.test', 'CAA'), caseLookup('shop.test', 'CAA', [])] }),
    expect: ['dns/caa-absent'],
  },
  { name: 'unknown and critical', facts: withCaa({ flags: 128, tag: 'tbs', value: 'x' }), expect: ['dns/caa-invalid'] },
  { name: 'unknown and not critical', facts: withCaa({ flags: 0, tag: 'tbs', value: 'x' }), expect: [] },
  {
    name: 'an address as authority',
    facts: withCaa({ flags: 0, tag: 'issue', value: 'https://ca.example/' }),
    expect: ['dns/caa-invalid'],
  },
  {
    name: 'iodef without scheme',
    facts: withCaa({ flags: 0, tag: 'iodef', value: 'ops@shop.test' }),
    expect: ['dns/caa-invalid'],
  },
  {
    name: 'SERVFAIL',
    facts: caseDns({ caa: [caseNoAnswer('shop.test', 'CAA')] }),
    expect: [],
    unjudged: 'inconclusive',
  },
])

const at = (...data: readonly string[]) =>
  caseDns({ addresses: [caseLookup('shop.test', 'A', data), caseLookup('shop.test', 'AAAA', ['2001:db8::10'])] })

judgeCases(addresses, [
  { name: 'public', facts: caseDns(), expect: [] },
  { name: 'RFC 1918', facts: at('10.1.2.3'), expect: ['dns/private-address'] },
  { name: 'shared address space', facts: at('100.64.1.1'), expect: ['dns/private-address'] },
  {
    name: 'unique local',
    facts: caseDns({
      addresses: [caseLookup('shop.test', 'A', ['192.0.2.1']), caseLookup('shop.test', 'AAAA', ['fd00::1'])],
    }),
    expect: ['dns/private-address'],
  },
  {
    name: 'inside is where an internal site belongs',
    facts: at('10.1.2.3'),
    expect: [],
    about: { target: { host: 'shop.test', port: null, context: 'internal', tier: 'passive' } },
  },
  {
    name: 'from the static name table',
    facts: caseDns({
      addresses: [
        caseLookup('shop.test', 'A', ['127.0.0.1'], { listed: true }),
        caseLookup('shop.test', 'AAAA', [], { listed: true }),
      ],
    }),
    expect: [],
    unjudged: 'not_applicable',
  },
  {
    name: 'no AAAA',
    facts: caseDns({ addresses: [caseLookup('shop.test', 'A', ['192.0.2.1']), caseLookup('shop.test', 'AAAA', [])] }),
    expect: ['dns/ipv6-absent'],
  },
  {
    name: 'no answer',
    facts: caseDns({ addresses: [caseNoAnswer('shop.test', 'A'), caseNoAnswer('shop.test', 'AAAA')] }),
    expect: [],
    unjudged: 'inconclusive',
  },
])

judgeCases(wildcardNames, [
  { name: 'none', facts: caseDns(), expect: [] },
  {
    name: 'both names answer',
    facts: caseDns({
      wildcard: [caseLookup('x1.shop.test', 'A', ['192.0.2.1']), caseLookup('x2.shop.test', 'A', ['192.0.2.1'])],
    }),
    expect: ['dns/wildcard'],
  },
  {
    name: 'only one answers',
    facts: caseDns({ wildcard: [caseLookup('x1.shop.test', 'A', ['192.0.2.1']), caseAbsent('x2.shop.test', 'A')] }),
    expect: [],
  },
  {
    name: 'silence',
    facts: caseDns({ wildcard: [caseNoAnswer('x1.shop.test', 'A')] }),
    expect: [],
    unjudged: 'inconclusive',
  },
])
