import { judgeCases } from '../../testing/judge-cases.ts'
import { caseAbsent, caseLookup, caseNoAnswer } from '../dns/testing/dns-facts.ts'
import { spf } from './spf.ts'
import { spfLimits } from './spf-limits.ts'
import { spfPolicy } from './spf-policy.ts'
import { caseMail, caseNode, caseSpf, caseTxt } from './testing/mail-facts.ts'

const several = (...records: readonly string[]) =>
  caseMail({ txt: caseTxt('shop.test', ...records), spf: [caseNode(records)] })

judgeCases(spf, [
  { name: 'sound', facts: caseMail(), expect: [] },
  { name: 'none', facts: several(), expect: ['mail/spf-absent'] },
  { name: 'two', facts: several('v=spf1 -all', 'v=spf1 mx -all'), expect: ['mail/spf-multiple'] },
  {
    name: 'no answer',
    facts: caseMail({ txt: caseNoAnswer('shop.test', 'TXT') }),
    expect: [],
    unjudged: 'inconclusive',
  },
  {
    name: 'every kind of term',
    facts: caseSpf(
      'v=spf1 +a:%{d}.x.test/24//64 mx/28 ip4:192.0.2.0/24 ip6:2001:db8::/32 ?exists:%{ir}.rbl.test ptr:shop.test exp=why.shop.test x-y=%{l} -ALL',
    ),
    expect: [],
  },
  { name: 'unknown mechanism', facts: caseSpf('v=spf1 ipv4:192.0.2.1 -all'), expect: ['mail/spf-syntax'] },
  { name: 'prefix over 32', facts: caseSpf('v=spf1 ip4:192.0.2.1/33 -all'), expect: ['mail/spf-syntax'] },
  { name: 'a blank after the colon', facts: caseSpf('v=spf1 include: mail.test -all'), expect: ['mail/spf-syntax'] },
  { name: 'all with a domain', facts: caseSpf('v=spf1 -all:shop.test'), expect: ['mail/spf-syntax'] },
  { name: 'IPv6 in ip4', facts: caseSpf('v=spf1 ip4:2001:db8::1 -all'), expect: ['mail/spf-syntax'] },
  { name: 'redirect twice', facts: caseSpf('v=spf1 redirect=a.test redirect=b.test'), expect: ['mail/spf-syntax'] },
  { name: 'unknown macro letter', facts: caseSpf('v=spf1 exists:%{q}.test -all'), expect: ['mail/spf-syntax'] },
  {
    name: 'fault in an include',
    facts: caseSpf(
      'v=spf1 include:b.test -all',
      caseNode('v=spf1 foo', { domain: 'b.test', via: 'include:b.test', parent: 0 }),
    ),
    expect: ['mail/spf-syntax'],
  },
])

const include = (domain: string, record: string | readonly string[], change: Parameters<typeof caseNode>[1] = {}) =>
  caseNode(record, { domain, via: `include:${domain}`, parent: 0, ...change })
const six = 'v=spf1 a:a.test a:b.test a:c.test a:d.test a:e.test -all'
const absentDomain = (registered: ReturnType<typeof caseAbsent> | null) =>
  include('gone.test', [], { rcode: 'NXDOMAIN', registered })
const found = (text: string, count: number, macro = false) => ({
  text,
  rcode: macro ? null : 'NOERROR',
  found: count,
  macro,
})

judgeCases(spfLimits, [
  { name: 'one lookup', facts: caseMail(), expect: [] },
  { name: 'none', facts: several(), expect: [], unjudged: 'not_applicable' },
  {
    name: 'ten, the last allowed',
    facts: caseSpf('v=spf1 a a:x.test mx ptr include:b.test -all', include('b.test', six)),
    expect: [],
  },
  {
    name: 'eleven, a:host counted too',
    facts: caseSpf('v=spf1 a a:x.test mx ptr exists:y.test include:b.test -all', include('b.test', six)),
    expect: ['mail/spf-lookup-limit'],
  },
  { name: 'terms after all do not count', facts: caseSpf('v=spf1 -all a a a a a a a a a a a'), expect: [] },
  {
    name: 'three that find nothing',
    facts: caseMail({
      spf: [
        caseNode('v=spf1 a:x.test a:y.test a:z.test -all', {
          terms: [found('a:x.test', 0), found('a:y.test', 0), found('a:z.test', 0)],
        }),
      ],
    }),
    expect: ['mail/spf-lookup-limit'],
  },
  {
    name: 'eleven mail servers',
    facts: caseMail({ spf: [caseNode('v=spf1 mx -all', { terms: [found('mx', 11)] })] }),
    expect: ['mail/spf-lookup-limit'],
  },
  {
    name: 'include without record',
    facts: caseSpf('v=spf1 include:b.test -all', include('b.test', [])),
    expect: ['mail/spf-include-broken'],
  },
  {
    name: 'include in a ring',
    facts: caseSpf('v=spf1 include:shop.test -all', include('shop.test', [], { rcode: null, skipped: 'loop' })),
    expect: ['mail/spf-include-broken'],
  },
  {
    name: 'name gone, domain there',
    facts: caseSpf('v=spf1 include:gone.test -all', absentDomain(caseLookup('gone.test', 'NS', ['ns.test']))),
    expect: ['mail/spf-include-broken'],
  },
  {
    name: 'domain free to register',
    facts: caseSpf('v=spf1 include:gone.test -all', absentDomain(caseAbsent('gone.test', 'NS'))),
    expect: ['mail/spf-include-registrable'],
  },
  {
    name: 'include of a macro',
    facts: caseSpf('v=spf1 include:%{d}.x.test -all', include('%{d}.x.test', [], { rcode: null, skipped: 'macro' })),
    expect: [],
    unjudged: 'inconclusive',
  },
  {
    name: 'include unanswered',
    facts: caseSpf('v=spf1 include:b.test -all', include('b.test', [], { rcode: null })),
    expect: [],
    unjudged: 'inconclusive',
  },
])

const policy = (record: string, dmarcText = 'v=DMARC1; p=none') => ({
  ...caseSpf(record),
  dmarc: [caseTxt('_dmarc.shop.test', dmarcText)],
})

judgeCases(spfPolicy, [
  { name: '-all', facts: policy('v=spf1 -all'), expect: [] },
  { name: '+all', facts: policy('v=spf1 +all'), expect: ['mail/spf-all-pass'] },
  { name: 'all without a sign', facts: policy('v=spf1 a all'), expect: ['mail/spf-all-pass'] },
  { name: '?all', facts: policy('v=spf1 ?all'), expect: ['mail/spf-all-neutral'] },
  { name: 'no all', facts: policy('v=spf1 mx'), expect: ['mail/spf-all-neutral'] },
  { name: '~all without enforcement', facts: policy('v=spf1 ~all'), expect: ['mail/spf-all-soft'] },
  { name: '~all with p=quarantine', facts: policy('v=spf1 ~all', 'v=DMARC1; p=quarantine'), expect: [] },
  {
    name: '~all with a quarantine that is a test',
    facts: policy('v=spf1 ~all', 'v=DMARC1; p=quarantine; t=y'),
    expect: ['mail/spf-all-soft'],
  },
  {
    name: 'all behind a redirect',
    facts: caseSpf(
      'v=spf1 redirect=b.test',
      caseNode('v=spf1 -all', { domain: 'b.test', via: 'redirect=b.test', parent: 0 }),
    ),
    expect: [],
  },
  {
    name: 'all of an include does not end',
    facts: caseSpf('v=spf1 include:b.test', include('b.test', 'v=spf1 -all')),
    expect: ['mail/spf-all-neutral'],
  },
  { name: 'a /15', facts: policy('v=spf1 ip4:192.0.0.0/15 -all'), expect: ['mail/spf-broad'] },
  { name: 'a /16', facts: policy('v=spf1 ip4:192.0.0.0/16 -all'), expect: [] },
  { name: 'a range that fails', facts: policy('v=spf1 -ip4:192.0.0.0/8 -all'), expect: [] },
  {
    name: 'a service’s own ranges',
    facts: caseSpf('v=spf1 include:_spf.google.com -all', include('_spf.google.com', 'v=spf1 ip4:35.0.0.0/8 -all')),
    expect: [],
  },
  {
    name: 'a stranger’s ranges',
    facts: caseSpf('v=spf1 include:b.test -all', include('b.test', 'v=spf1 ip4:35.0.0.0/8 -all')),
    expect: ['mail/spf-broad'],
  },
  { name: 'none', facts: several(), expect: [], unjudged: 'not_applicable' },
])
