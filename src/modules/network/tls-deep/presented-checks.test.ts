import { issue } from '../../passive/tls/testing/authority.ts'
import { caseTls } from '../../passive/tls/testing/tls-facts.ts'
import { CASE_TIME, judgeCases } from '../../testing/judge-cases.ts'
import { caseSite } from '../../testing/site-facts.ts'
import type { TlsDeepFacts } from './facts.ts'
import { applicationProtocols } from './http2.ts'
import type { DeepCheck } from './report.ts'
import { serverName } from './server-name.ts'
import { serviceCertificate } from './service-certificate.ts'
import { caseDeep, caseEndpoint, MODERN_ALONE } from './testing/deep-facts.ts'
import { transparency } from './transparency.ts'

const known = { site: caseSite(), tls: caseTls() }

interface Case {
  readonly name: string
  readonly facts: TlsDeepFacts
  readonly expect: readonly string[]
  readonly unjudged?: 'not_applicable' | 'inconclusive'
}

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

cases(serverName, [
  { name: 'another certificate without a name', facts: caseDeep({ withoutName: 'other' }), expect: ['server-name'] },
  { name: 'refused without a name', facts: caseDeep({ withoutName: 'refused' }), expect: ['server-name'] },
  {
    name: 'no answer without a name',
    facts: caseDeep({ withoutName: 'unknown' }),
    expect: [],
    unjudged: 'inconclusive',
  },
  NOTHING,
])

const alpn = (list: readonly string[], service: 'https' | 'smtp' = 'https') => {
  const { extensions } = caseEndpoint()
  return caseDeep({ service, extensions: extensions && { ...extensions, alpn: list } })
}
cases(applicationProtocols, [
  { name: 'HTTP/1.1 alone', facts: alpn(['http/1.1']), expect: ['http2-absent'] },
  { name: 'none at all', facts: alpn([]), expect: ['http2-absent'] },
  { name: 'none at a mail server', facts: alpn([], 'smtp'), expect: [] },
  { name: 'behind TLS 1.3 alone', facts: caseDeep(MODERN_ALONE), expect: [] },
  {
    name: 'none behind TLS 1.3 alone',
    facts: caseDeep({ ...MODERN_ALONE, modernExtensions: { alpn: [], clientCertificate: false, staple: false } }),
    expect: ['http2-absent'],
  },
  {
    name: 'TLS 1.3 alone, where no handshake came far enough',
    facts: caseDeep({ ...MODERN_ALONE, modernExtensions: null }),
    expect: [],
    unjudged: 'inconclusive',
  },
  NOTHING,
])

const timestamp = (operator: string, state: 'valid' | 'invalid') => ({
  source: 'handshake' as const,
  log: operator,
  time: CASE_TIME,
  name: operator,
  operator,
  state,
})
const bare = { site: caseSite(), tls: caseTls({ leaf: { timestamps: [] } }) }
judgeCases(transparency, [
  { name: 'embedded ones', facts: caseDeep(), known, expect: [], unjudged: 'not_applicable' },
  {
    name: 'two in the handshake',
    facts: caseDeep({}, { timestamps: [timestamp('A', 'valid'), timestamp('B', 'valid')] }),
    known: bare,
    expect: [],
  },
  {
    name: 'two in the handshake, one not of its log',
    facts: caseDeep({}, { timestamps: [timestamp('A', 'valid'), timestamp('B', 'invalid')] }),
    known: bare,
    expect: ['tls-deep/certificate-transparency'],
  },
  { name: 'none anywhere', facts: caseDeep(), known: bare, expect: ['tls-deep/certificate-transparency'] },
])

const DAY = 86_400_000
const authority = await issue({ subject: 'CN=Authority', issuer: null, authority: true })
const times = { notBefore: CASE_TIME - DAY, notAfter: CASE_TIME + DAY }
const sound = await issue({ subject: 'CN=shop.test', issuer: authority, names: ['shop.test'], ...times })
const over = { notBefore: CASE_TIME - 9 * DAY, notAfter: CASE_TIME - DAY }
const old = await issue({ subject: 'CN=shop.test', issuer: authority, names: ['shop.test'], ...over })
const alone = await issue({ subject: 'CN=shop.test', issuer: null, names: ['shop.test'], ...times })
const other = await issue({ subject: 'CN=snakeoil', issuer: authority, names: ['snakeoil.test'], ...times })
const shows = (der: Buffer, service: 'smtp' | 'https' = 'smtp') => {
  const [first] = caseEndpoint().certificates
  return caseDeep({ service, port: 2525, certificates: first ? [{ ...first, der: der.toString('base64') }] : [] })
}
const listed = ({ endpoints }: TlsDeepFacts): Readonly<Record<string, string>> =>
  Object.fromEntries(endpoints.flatMap(({ certificates }) => certificates.map(({ sha256 }) => [sha256, 'firmware'])))
judgeCases(serviceCertificate, [
  { name: 'the site alone', facts: caseDeep(), known, expect: [], unjudged: 'not_applicable' },
  { name: 'sound', facts: shows(sound.der), known, expect: [] },
  { name: 'expired', facts: shows(old.der), known, expect: ['tls-deep/service-certificate-expired'] },
  { name: 'vouches for itself', facts: shows(alone.der), known, expect: ['tls-deep/service-certificate-unproven'] },
  { name: 'for another name', facts: shows(other.der), known, expect: ['tls-deep/service-certificate-unproven'] },
  { name: 'cannot be read', facts: shows(Buffer.from('00', 'hex')), known, expect: [] },
  {
    name: 'a published key',
    facts: { ...shows(sound.der), knownKeys: listed(shows(sound.der)) },
    known,
    expect: ['tls-deep/service-key-known'],
  },
  {
    name: 'no list of published keys',
    facts: { ...shows(old.der), knownKeys: null },
    known,
    expect: ['tls-deep/service-certificate-expired'],
    unjudged: 'not_tested',
  },
])
