import { createHash, X509Certificate } from 'node:crypto'
import type { HandshakeResult } from '../../../protocols/tls/certificate/facts.ts'
import { judgeCases } from '../../testing/judge-cases.ts'
import { caseSite } from '../../testing/site-facts.ts'
import { caseDns, caseLookup, caseNoAnswer, caseSet } from '../dns/testing/dns-facts.ts'
import { issue } from '../tls/testing/authority.ts'
import { caseNoTls, caseTls, failure } from '../tls/testing/tls-facts.ts'
import { certificateAuthority } from './certificate-authority.ts'
import { dane } from './dane.ts'
import type { Candidate, NamesFacts } from './facts.ts'
import { ipv6 } from './ipv6.ts'
import { subdomains } from './subdomains.ts'
import { takeover } from './takeover.ts'

const known = { site: caseSite(), tls: caseTls(), dns: caseDns() }
const caseNames = (change: Partial<NamesFacts> = {}): NamesFacts => ({
  host: 'shop.test',
  domain: 'shop.test',
  own: [
    { name: 'shop.test', sources: ['host'], seenAt: 'shop.test', lookup: caseLookup('shop.test', 'A', ['192.0.2.10']) },
  ],
  others: { seen: 3, asked: 3 },
  passedOver: 0,
  candidates: [],
  tlsa: caseLookup('_443._tcp.shop.test', 'TLSA', []),
  tlsaSecurity: caseSet({ type: 'TLSA' }),
  ...change,
})

const free = (change: Partial<Candidate> = {}): NamesFacts =>
  caseNames({
    candidates: [
      {
        name: 'old.shop.test',
        sources: ['certificate'],
        seenAt: 'certificate 00',
        kind: 'registrable',
        aliases: ['x.free.test'],
        target: 'free.test',
        service: null,
        guarded: false,
        looks: [look(0), look(60_000)],
        ...change,
      },
    ],
  })
const look = (after: number, unclaimed = true, control = true) => ({
  after,
  unclaimed,
  control,
  evidence: 'free.test NS: NXDOMAIN',
})

judgeCases(takeover, [
  { name: 'nothing free', facts: caseNames(), known, expect: [] },
  { name: 'alias to a free domain', facts: free(), known, expect: ['names/takeover-host'] },
  { name: 'held again at the second look', facts: free({ looks: [look(0), look(60_000, false)] }), known, expect: [] },
  { name: 'one look only', facts: free({ looks: [look(0)] }), known, expect: [] },
  {
    name: 'counter-question failed',
    facts: free({ looks: [look(0, true, false), look(60_000)] }),
    known,
    expect: [],
    unjudged: 'inconclusive',
  },
  {
    name: 'mail server',
    facts: free({ name: 'mx.free.test', sources: ['mx', 'link'], aliases: [] }),
    known,
    expect: ['names/takeover-mail'],
  },
  {
    name: 'name server',
    facts: free({ name: 'ns.free.test', sources: ['ns', 'mx'], aliases: [] }),
    known,
    expect: ['names/takeover-nameserver'],
  },
  {
    name: 'script',
    facts: free({ name: 'cdn.free.test', sources: ['link', 'script'], aliases: [] }),
    known,
    expect: ['names/takeover-third-party'],
  },
  {
    name: 'policy',
    facts: free({ name: 'cdn.free.test', sources: ['policy'], aliases: [] }),
    known,
    expect: ['names/takeover-third-party'],
  },
  {
    name: 'link',
    facts: free({ name: 'www.free.test', sources: ['link'], aliases: [] }),
    known,
    expect: ['names/takeover-link'],
  },
  { name: 'own name that a page links to', facts: free({ sources: ['link'] }), known, expect: ['names/takeover-host'] },
  {
    name: 'guarded service',
    facts: free({ kind: 'page', service: 'Heroku', guarded: true }),
    known,
    expect: ['names/takeover-host'],
  },
  {
    name: 'vanished target',
    facts: free({ kind: 'vanished', service: 'Azure App Service' }),
    known,
    expect: ['names/takeover-host'],
  },
  {
    name: 'too many others',
    facts: caseNames({ others: { seen: 90, asked: 60 } }),
    known,
    expect: [],
    unjudged: 'inconclusive',
  },
  { name: 'too many suspects', facts: caseNames({ passedOver: 3 }), known, expect: [], unjudged: 'inconclusive' },
])

const seen = (name: string, change: Partial<NamesFacts['own'][number]> = {}) =>
  caseNames({
    own: [
      ...caseNames().own,
      { name, sources: ['certificate'], seenAt: '', lookup: caseLookup(name, 'A', ['192.0.2.11']), ...change },
    ],
  })

judgeCases(subdomains, [
  { name: 'host alone', facts: caseNames(), known, expect: [] },
  { name: 'a name of the certificate', facts: seen('intranet.shop.test'), known, expect: ['names/subdomains'] },
  { name: 'www is expected', facts: seen('www.shop.test'), known, expect: [] },
  {
    name: 'a name that is gone',
    facts: seen('old.shop.test', { lookup: caseLookup('old.shop.test', 'A', [], { rcode: 'NXDOMAIN' }) }),
    known,
    expect: [],
  },
  { name: 'a mail server alone', facts: seen('mx.shop.test', { sources: ['mx'] }), known, expect: [] },
])

const leaf = await issue({ subject: 'CN=shop.test', issuer: null, names: ['shop.test'] })
const certificate = new X509Certificate(leaf.pem)
const withLeaf = { ...known, tls: caseTls({ leaf: { der: certificate.raw.toString('base64') } }) }
const spki = certificate.publicKey.export({ type: 'spki', format: 'der' })
const sha256 = (data: Buffer) => createHash('sha256').update(data).digest().toString('base64')
const tlsa = (
  usage: number,
  selector: number,
  matchingType: number,
  digest: string,
  change: Partial<NamesFacts> = {},
) =>
  caseNames({
    tlsa: caseLookup('_443._tcp.shop.test', 'TLSA', [{ usage, selector, matchingType, certificate: digest }]),
    ...change,
  })
const insecure = caseSet({ type: 'TLSA', state: 'insecure', reason: 'test has no DS records for it' })

judgeCases(dane, [
  { name: 'no record', facts: caseNames(), known: withLeaf, expect: [], unjudged: 'not_applicable' },
  { name: '3 1 1', facts: tlsa(3, 1, 1, sha256(spki)), known: withLeaf, expect: [] },
  { name: '3 0 1', facts: tlsa(3, 0, 1, sha256(certificate.raw)), known: withLeaf, expect: [] },
  { name: '3 1 0, the key itself', facts: tlsa(3, 1, 0, spki.toString('base64')), known: withLeaf, expect: [] },
  {
    name: 'digest of the whole under the selector of the key',
    facts: tlsa(3, 1, 1, sha256(certificate.raw)),
    known: withLeaf,
    expect: ['names/dane-mismatch'],
  },
  {
    name: 'another key',
    facts: tlsa(3, 1, 1, sha256(Buffer.from('other'))),
    known: withLeaf,
    expect: ['names/dane-mismatch'],
  },
  {
    name: 'undefined matching type',
    facts: tlsa(3, 1, 7, sha256(spki)),
    known: withLeaf,
    expect: ['names/dane-mismatch'],
  },
  {
    name: 'right but unsigned',
    facts: tlsa(3, 1, 1, sha256(spki), { tlsaSecurity: insecure }),
    known: withLeaf,
    expect: ['names/dane-unsigned'],
  },
  {
    name: 'usage 0 may mean an unsent root',
    facts: tlsa(0, 1, 1, sha256(Buffer.from('root'))),
    known: withLeaf,
    expect: [],
    unjudged: 'inconclusive',
  },
  {
    name: 'no certificate',
    facts: tlsa(3, 1, 1, sha256(spki)),
    known: { ...known, tls: caseNoTls('timeout') },
    expect: [],
    unjudged: 'not_applicable',
  },
  {
    name: 'no answer',
    facts: caseNames({ tlsa: caseNoAnswer('_443._tcp.shop.test', 'TLSA') }),
    known: withLeaf,
    expect: [],
    unjudged: 'inconclusive',
  },
])

const caa = (issuer: string, ...values: readonly string[]) => ({
  site: caseSite(),
  tls: caseTls({ leaf: { issuer } }),
  dns: caseDns({
    caa: [
      caseLookup(
        'shop.test',
        'CAA',
        values.map((value) => ({ flags: 0, tag: 'issue', value })),
      ),
    ],
  }),
})
const R11 = "C=US, O=Let's Encrypt, CN=R11"

judgeCases(certificateAuthority, [
  { name: 'allowed', facts: caseNames(), known: caa(R11, 'letsencrypt.org; validationmethods=dns-01'), expect: [] },
  { name: 'one of two', facts: caseNames(), known: caa(R11, 'digicert.com', 'letsencrypt.org'), expect: [] },
  { name: 'another', facts: caseNames(), known: caa(R11, 'digicert.com'), expect: ['names/caa-issuer'] },
  { name: 'nobody', facts: caseNames(), known: caa(R11, ';'), expect: ['names/caa-issuer'] },
  {
    name: 'unknown authority',
    facts: caseNames(),
    known: caa('O=Small Authority', 'small.example'),
    expect: [],
    unjudged: 'inconclusive',
  },
  { name: 'no record', facts: caseNames(), known: caa(R11), expect: [], unjudged: 'not_applicable' },
  {
    name: 'no certificate',
    facts: caseNames(),
    known: { ...caa(R11, 'digicert.com'), tls: caseNoTls('timeout') },
    expect: [],
    unjudged: 'not_applicable',
  },
])

const SIX = '2001:db8::10'
const both = (result: HandshakeResult) => {
  const tls = caseTls()
  const [first] = tls.handshakes
  if (!first) throw new Error('no handshake to copy')
  return {
    ...known,
    tls: {
      ...tls,
      addresses: [...tls.addresses, SIX],
      handshakes: [...tls.handshakes, { ...first, address: SIX, result }],
    },
  }
}
const same = caseTls().handshakes[0]?.result ?? failure('none')
const untrusted = same.ok ? { ...same, trust: { ...same.trust, state: 'self-signed' as const } } : same
const refused: HandshakeResult = { ok: false, code: 'unreachable', message: `${SIX} port 443: connection refused` }
const noRoute: HandshakeResult = { ok: false, code: 'unreachable', message: `${SIX} port 443: network unreachable` }

judgeCases(ipv6, [
  { name: 'the same over both', facts: caseNames(), known: both(same), expect: [] },
  { name: 'refused', facts: caseNames(), known: both(refused), expect: ['names/ipv6-broken'] },
  { name: 'no TLS', facts: caseNames(), known: both(failure('protocol')), expect: ['names/ipv6-broken'] },
  { name: 'another certificate', facts: caseNames(), known: both(untrusted), expect: ['names/ipv6-broken'] },
  { name: 'no route from here', facts: caseNames(), known: both(noRoute), expect: [], unjudged: 'not_tested' },
  { name: 'silence', facts: caseNames(), known: both(failure('timeout')), expect: [], unjudged: 'not_tested' },
  { name: 'IPv4 alone', facts: caseNames(), known, expect: [], unjudged: 'not_applicable' },
])
