import { expect, it } from 'vitest'
import type { DhFacts } from '../../../protocols/tls/endpoint.ts'
import { caseTls } from '../../passive/tls/testing/tls-facts.ts'
import { caseContext, judgeCases } from '../../testing/judge-cases.ts'
import { caseSite } from '../../testing/site-facts.ts'
import { clients, downgrade, renegotiation, sessions, tolerance, zeroRoundTrip } from './behaviour.ts'
import { clientCertificate } from './client-certificate.ts'
import type { TlsDeepFacts } from './facts.ts'
import { keyExchange, signatures } from './key-exchange.ts'
import { knownAttacks } from './known-attacks.ts'
import { ccsInjection, heartbleed, padding, robot, starttlsInjection, ticketbleed } from './oracles.ts'
import { preference } from './preference.ts'
import { protocol } from './protocol.ts'
import type { DeepCheck } from './report.ts'
import { breach, clearText, opossum, revocation } from './site-wide.ts'
import { suites } from './suites.ts'
import { caseDeep, caseEndpoint, caseOracle, caseProtocols, MODERN_ALONE } from './testing/deep-facts.ts'

const known = { site: caseSite(), tls: caseTls() }

interface Case {
  readonly name: string
  readonly facts: TlsDeepFacts
  readonly expect: readonly string[]
  readonly unjudged?: 'not_applicable' | 'not_tested' | 'inconclusive'
}

/** Ids without the module's prefix; every table begins with a sound endpoint and ends with none at all. */
const cases = (check: DeepCheck, list: readonly Case[]): void =>
  judgeCases(check, [
    { name: 'sound', facts: caseDeep(), known, expect: [] },
    ...list.map((one) => ({ ...one, known, expect: one.expect.map((id) => `tls-deep/${id}`) })),
  ])

const NOTHING: Case = {
  name: 'no TLS at all',
  facts: caseDeep({}, { endpoints: [] }),
  expect: [],
  unjudged: 'not_applicable',
}
const old = { TLSv1: [0xc014, 0x2f], 'TLSv1.2': [0xc02f, 0xc014, 0x2f] } as const

cases(protocol, [
  {
    name: 'SSL 2.0',
    facts: caseDeep({
      protocols: caseProtocols({ SSLv2: [] }),
      sslv2: { ciphers: ['SSL_CK_RC4_128_WITH_MD5'], certificate: null },
    }),
    expect: ['protocol-sslv2'],
  },
  {
    name: 'SSL 3.0',
    facts: caseDeep({ protocols: caseProtocols({ SSLv3: [0x2f], 'TLSv1.2': [0xc02f] }) }),
    expect: ['protocol-sslv3'],
  },
  { name: 'TLS 1.0 of the site is judged elsewhere', facts: caseDeep({ protocols: caseProtocols(old) }), expect: [] },
  {
    name: 'TLS 1.0 of the mail server',
    facts: caseDeep({ protocols: caseProtocols(old), service: 'smtp', port: 25 }),
    expect: ['protocol-legacy'],
  },
  {
    name: 'a version nobody offered',
    facts: caseDeep({ protocols: caseProtocols(undefined, { wrongVersion: 0x0303 }) }),
    expect: ['protocol-wrong-version'],
  },
  {
    name: 'silence leaves it open',
    facts: caseDeep({ protocols: caseProtocols(undefined, { complete: false }) }),
    expect: [],
    unjudged: 'inconclusive',
  },
  {
    name: 'two addresses are one finding',
    facts: caseDeep(
      {},
      {
        endpoints: ['192.0.2.10', '192.0.2.11'].map((address) =>
          caseEndpoint({ address, protocols: caseProtocols({ SSLv3: [0x2f] }) }),
        ),
      },
    ),
    expect: ['protocol-sslv3'],
  },
  NOTHING,
])

const offering = (...codes: readonly number[]): TlsDeepFacts =>
  caseDeep({ protocols: caseProtocols({ 'TLSv1.2': [0xc02f, ...codes] }) })

cases(suites, [
  { name: 'NULL', facts: offering(0xc010), expect: ['suite-null'] },
  { name: 'anonymous ECDH', facts: offering(0xc018), expect: ['suite-anonymous', 'suite-cbc'] },
  { name: 'export', facts: offering(0x03), expect: ['suite-export'] },
  { name: 'single DES', facts: offering(0x09), expect: ['suite-short-key'] },
  { name: 'RC4 with MD5', facts: offering(0x04), expect: ['suite-rc4', 'suite-md5', 'suite-no-forward-secrecy'] },
  { name: '3DES', facts: offering(0xc012), expect: ['suite-small-block', 'suite-cbc'] },
  { name: 'CBC with forward secrecy', facts: offering(0xc014), expect: ['suite-cbc'] },
  { name: 'GCM without forward secrecy', facts: offering(0x9c), expect: ['suite-no-forward-secrecy'] },
  {
    name: 'nothing but CBC',
    facts: caseDeep({ protocols: caseProtocols({ 'TLSv1.2': [0xc014] }) }),
    expect: ['suite-cbc', 'suite-no-aead'],
  },
  { name: 'CCM is an AEAD', facts: caseDeep({ protocols: caseProtocols({ 'TLSv1.2': [0xc0ac] }) }), expect: [] },
  NOTHING,
])

const ordered = (order: 'server' | 'client', ...list: readonly number[]) =>
  caseDeep({ protocols: caseProtocols({ 'TLSv1.2': list }, { order }) })

cases(preference, [
  { name: 'the client decides among strong ones', facts: ordered('client', 0xc02f, 0xc030), expect: [] },
  {
    name: 'the client decides and 3DES is there',
    facts: ordered('client', 0xc02f, 0x0a),
    expect: ['preference-client'],
  },
  { name: 'RC4 before GCM', facts: ordered('server', 0x05, 0xc02f), expect: ['preference-weak'] },
  { name: 'GCM before RC4', facts: ordered('server', 0xc02f, 0x05), expect: [] },
  { name: 'nothing but weak ones has no order to blame', facts: ordered('client', 0x05, 0x0a), expect: [] },
  NOTHING,
])

const dh = (change: Partial<DhFacts>) =>
  caseDeep({
    dh: [
      {
        suite: 0x9e,
        bits: 2048,
        prime: 'ff',
        generator: '02',
        knownPrime: null,
        unexplained: false,
        reused: false,
        ...change,
      },
    ],
  })

cases(keyExchange, [
  { name: '2048 bits', facts: dh({}), expect: [] },
  { name: '512 bits', facts: dh({ bits: 512 }), expect: ['dh-broken'] },
  { name: '1024 bits', facts: dh({ bits: 1024 }), expect: ['dh-weak'] },
  { name: '1536 bits', facts: dh({ bits: 1536 }), expect: ['dh-short'] },
  { name: 'value used again', facts: dh({ reused: true }), expect: ['dh-reused'] },
  { name: 'elliptic value used again', facts: caseDeep({ ecdhReused: true }), expect: ['dh-reused'] },
  { name: 'prime of RFC 5114', facts: dh({ unexplained: true }), expect: ['dh-unexplained-prime'] },
  { name: 'secp192r1', facts: caseDeep({ groups: [4588, 19] }), expect: ['curve-weak'] },
  { name: 'no hybrid', facts: caseDeep({ groups: [29, 23] }), expect: ['group-post-quantum'] },
  {
    name: 'no hybrid without TLS 1.3',
    facts: caseDeep({ groups: [29], protocols: caseProtocols({ 'TLSv1.2': [0xc02f] }) }),
    expect: [],
  },
  NOTHING,
])

cases(signatures, [
  { name: 'MD5', facts: caseDeep({ schemes: [0x0101] }), expect: ['signature-md5'] },
  { name: 'SHA-1', facts: caseDeep({ schemes: [0x0201, 0x0401] }), expect: ['signature-sha1'] },
  NOTHING,
])

cases(knownAttacks, [
  { name: 'RSA export', facts: offering(0x03), expect: ['freak'] },
  { name: 'DHE export is Logjam, not FREAK', facts: offering(0x14), expect: [] },
  {
    name: 'SSL 3.0 with CBC',
    facts: caseDeep({ protocols: caseProtocols({ SSLv3: [0x2f] }) }),
    expect: ['poodle', 'beast'],
  },
  { name: 'SSL 3.0 with RC4 alone', facts: caseDeep({ protocols: caseProtocols({ SSLv3: [0x05] }) }), expect: [] },
  { name: 'TLS 1.0 with CBC', facts: caseDeep({ protocols: caseProtocols(old) }), expect: ['beast'] },
  {
    name: 'compression',
    facts: caseDeep({ extensions: { ...(caseEndpoint().extensions ?? fail()), compression: true } }),
    expect: ['crime'],
  },
  {
    name: 'SSL 2.0 here',
    facts: caseDeep({ protocols: caseProtocols({ SSLv2: [] }), sslv2: { ciphers: ['x'], certificate: null } }),
    expect: ['drown'],
  },
  {
    name: 'SSL 2.0 at another port with the same certificate',
    facts: caseDeep(
      {},
      {
        endpoints: [
          caseEndpoint(),
          caseEndpoint({
            port: 25,
            service: 'smtp',
            certificates: [],
            protocols: caseProtocols({ SSLv2: [] }),
            sslv2: { ciphers: ['x'], certificate: 'AA==' },
          }),
        ],
      },
    ),
    expect: ['drown', 'drown'],
  },
  { name: 'SSL 2.0 without cipher kinds', facts: caseDeep({ protocols: caseProtocols({ SSLv2: [] }) }), expect: [] },
  NOTHING,
])

function fail(): never {
  throw new Error('a sound endpoint has extensions')
}

const INCONCLUSIVE = { expect: [], unjudged: 'inconclusive' } as const
cases(heartbleed, [
  { name: 'bleeds', facts: caseDeep({ heartbleed: caseOracle('vulnerable') }), expect: ['heartbleed'] },
  { name: 'once in two', facts: caseDeep({ heartbleed: caseOracle('inconclusive') }), ...INCONCLUSIVE },
])
cases(ccsInjection, [
  { name: 'taken', facts: caseDeep({ ccs: caseOracle('vulnerable') }), expect: ['ccs-injection'] },
  { name: 'silence', facts: caseDeep({ ccs: caseOracle('inconclusive') }), ...INCONCLUSIVE },
])
cases(robot, [
  { name: 'strong', facts: caseDeep({ robot: caseOracle('strong') }), expect: ['robot'] },
  { name: 'weak', facts: caseDeep({ robot: caseOracle('weak') }), expect: ['robot-weak'] },
  { name: 'no RSA', facts: caseDeep({ robot: caseOracle('not_applicable') }), expect: [] },
  { name: 'never the same', facts: caseDeep({ robot: caseOracle('inconclusive') }), ...INCONCLUSIVE },
])
cases(ticketbleed, [
  { name: 'bleeds', facts: caseDeep({ ticketbleed: caseOracle('vulnerable') }), expect: ['ticketbleed'] },
])
cases(padding, [
  { name: 'not looked at', facts: caseDeep({ padding: caseOracle('poodle') }), expect: ['poodle-tls'] },
  { name: 'told apart', facts: caseDeep({ padding: caseOracle('oracle') }), expect: ['padding-oracle'] },
])
cases(starttlsInjection, [
  { name: 'obeyed', facts: caseDeep({ starttlsInjection: caseOracle('vulnerable') }), expect: ['starttls-injection'] },
])

cases(renegotiation, [
  {
    name: 'insecure',
    facts: caseDeep({ renegotiation: { secure: false, accepted: 1, legacyAccepted: true } }),
    expect: ['renegotiation-insecure'],
  },
  {
    name: 'unknown but refused',
    facts: caseDeep({ renegotiation: { secure: false, accepted: 0, legacyAccepted: false } }),
    expect: ['renegotiation-unprotected'],
  },
  {
    name: 'by the client',
    facts: caseDeep({ renegotiation: { secure: true, accepted: 1, legacyAccepted: false } }),
    expect: ['renegotiation-client'],
  },
])

const extensions = caseEndpoint().extensions ?? fail()
const UNSEEN = { sessionId: null, ticket: null, ticketLifetime: null, earlyData: null, earlyDataReplayed: null }
cases(clientCertificate, [
  {
    name: 'asked for',
    facts: caseDeep({ extensions: { ...extensions, clientCertificate: true } }),
    expect: ['client-certificate'],
  },
  {
    name: 'asked for behind TLS 1.3 alone',
    facts: caseDeep({ ...MODERN_ALONE, modernExtensions: { alpn: [], clientCertificate: true, staple: false } }),
    expect: ['client-certificate'],
  },
  { name: 'not seen', facts: caseDeep({ ...MODERN_ALONE, modernExtensions: null }), ...INCONCLUSIVE },
  NOTHING,
])
cases(downgrade, [
  { name: 'ignored', facts: caseDeep({ fallbackScsv: 'ignored' }), expect: ['fallback-ignored'] },
  {
    name: 'ignored with SSL 3.0',
    facts: caseDeep({ fallbackScsv: 'ignored', protocols: caseProtocols({ SSLv3: [0x2f], TLSv1: [0x2f] }) }),
    expect: ['fallback-ignored-ssl3'],
  },
  {
    name: 'no mark',
    facts: caseDeep({ extensions: { ...extensions, downgradeMark: false } }),
    expect: ['downgrade-mark-missing'],
  },
  { name: 'refused in another way', facts: caseDeep({ fallbackScsv: 'unknown' }), ...INCONCLUSIVE },
])
cases(sessions, [
  {
    name: 'no extended master secret',
    facts: caseDeep({ extensions: { ...extensions, extendedMasterSecret: false } }),
    expect: ['extended-master-secret'],
  },
  { name: 'TLS 1.3 alone needs none', facts: caseDeep(MODERN_ALONE), expect: [] },
  { name: 'no hello with extensions was answered', facts: caseDeep({ extensions: null }), ...INCONCLUSIVE },
  {
    name: 'no handshake without a certificate of the client',
    facts: caseDeep({ resumption: UNSEEN, extensions: { ...extensions, clientCertificate: true } }),
    ...INCONCLUSIVE,
  },
  {
    name: 'tickets for two days',
    facts: caseDeep({ resumption: { ...caseEndpoint().resumption, ticketLifetime: 172_800 } }),
    expect: ['ticket-lifetime'],
  },
])
cases(zeroRoundTrip, [
  {
    name: 'once',
    facts: caseDeep({ resumption: { ...caseEndpoint().resumption, earlyData: 16_384, earlyDataReplayed: false } }),
    expect: ['early-data'],
  },
  {
    name: 'twice',
    facts: caseDeep({ resumption: { ...caseEndpoint().resumption, earlyData: 16_384, earlyDataReplayed: true } }),
    expect: ['early-data-replay'],
  },
  { name: 'no handshake to see it by', facts: caseDeep({ resumption: UNSEEN }), ...INCONCLUSIVE },
])
cases(tolerance, [
  {
    name: 'what no client sends',
    facts: caseDeep({
      tolerance: [
        { probe: 'many-suites', what: 'more than 128 suites', ok: false, answer: 'connection closed' },
        { probe: 'future-version', what: 'a version of the future', ok: false, answer: 'connection closed' },
      ],
    }),
    expect: [],
  },
  {
    name: 'a version to come breaks TLS 1.2',
    facts: caseDeep({
      protocols: caseProtocols({ 'TLSv1.2': [0xc02f] }),
      tolerance: [{ probe: 'future-version', what: 'a version of the future', ok: false, answer: 'connection closed' }],
    }),
    expect: ['intolerance'],
  },
  {
    name: 'GREASE breaks it',
    facts: caseDeep({
      tolerance: [{ probe: 'grease', what: 'reserved values', ok: false, answer: 'connection closed' }],
    }),
    expect: ['intolerance'],
  },
])
const client = (name: string, current: boolean) =>
  caseDeep({
    clients: [{ client: name, current, protocol: null, suite: null, group: null, reason: 'alert handshake_failure' }],
  })
cases(clients, [
  { name: 'Firefox', facts: client('Firefox 140', true), expect: ['client-shut-out'] },
  { name: 'Windows XP may stay outside', facts: client('Internet Explorer 8, Windows XP', false), expect: [] },
])

it('a profile that was not captured gives a hint at most', () => {
  const confidence = (name: string) => {
    const judgement = clients.judge(client(name, true), known, caseContext())
    return Array.isArray(judgement) ? judgement.map((one) => one.confidence) : []
  }
  expect(confidence('Chromium 156')).toEqual(['firm'])
  expect(confidence('Firefox 140')).toEqual(['tentative'])
})

cases(opossum, [
  { name: 'switches', facts: caseDeep({}, { opossum: caseOracle('vulnerable') }), expect: ['opossum'] },
  {
    name: 'port closed',
    facts: caseDeep({}, { opossum: caseOracle('not_applicable') }),
    expect: [],
    unjudged: 'not_applicable',
  },
])
cases(breach, [
  { name: 'reflected beside a secret', facts: caseDeep({}, { breach: caseOracle('vulnerable') }), expect: ['breach'] },
  { name: 'compressed', facts: caseDeep({}, { breach: caseOracle('compressed') }), expect: ['compressed-pages'] },
])

const said = (status: 'good' | 'revoked' | 'unreachable') =>
  caseDeep({}, { revocation: [{ source: 'ocsp', url: 'http://ocsp.test/', status, detail: '500 octets' }] })
judgeCases(revocation, [
  { name: 'good', facts: said('good'), known, expect: [] },
  { name: 'revoked', facts: said('revoked'), known, expect: ['tls-deep/certificate-revoked'] },
  { name: 'nobody answers', facts: said('unreachable'), known, expect: [], unjudged: 'inconclusive' },
  { name: 'nowhere to ask', facts: caseDeep(), known, expect: [], unjudged: 'not_applicable' },
])
const silent = (reason: string) =>
  caseDeep({}, { silent: [{ address: '192.0.2.10', port: 143, service: 'imap', reason }] })
cases(clearText, [
  { name: 'STARTTLS refused', facts: silent('STARTTLS was refused'), expect: ['starttls-absent'] },
  { name: 'not IMAP at all', facts: silent('no IMAP greeting'), expect: [] },
])
