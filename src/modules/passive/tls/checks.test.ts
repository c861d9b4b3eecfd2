import { describe, expect, it } from 'vitest'
import type { Handshake, HandshakeResult, KeyFacts, Trust } from '../../../protocols/tls/certificate/facts.ts'
import type { Check } from '../../module.ts'
import { CASE_TIME, caseContext, judgeCases } from '../../testing/judge-cases.ts'
import { caseEntry, caseSite, redirect } from '../../testing/site-facts.ts'
import { certificateChain } from './certificate-chain.ts'
import { certificateKey } from './certificate-key.ts'
import { certificateLifetime } from './certificate-lifetime.ts'
import { certificateName } from './certificate-name.ts'
import { certificateSignature } from './certificate-signature.ts'
import { certificateStatus } from './certificate-status.ts'
import { certificateTransparency } from './certificate-transparency.ts'
import { certificateTrust } from './certificate-trust.ts'
import { certificateValidity } from './certificate-validity.ts'
import { certificateVariants } from './certificate-variants.ts'
import type { TlsFacts } from './facts.ts'
import { httpsAbsent } from './https-absent.ts'
import { httpsRedirect } from './https-redirect.ts'
import { protocolVersions } from './protocol-versions.ts'
import { ADDRESS, caseCertificate, caseIntermediate, caseNoTls, caseTls } from './testing/tls-facts.ts'

const DAY = 86_400_000
const known = { site: caseSite() }
const NOT_APPLICABLE = { expect: [], unjudged: 'not_applicable' } as const
const refusedSite = caseSite({
  https: caseEntry('https://shop.test/', { error: { code: 'unreachable', message: 'refused' }, finalUrl: null }),
})

judgeCases(httpsAbsent, [
  { name: 'healthy', facts: caseTls(), known, expect: [] },
  { name: 'port closed', facts: caseNoTls('unreachable'), known: { site: refusedSite }, expect: ['tls/https-absent'] },
  {
    name: 'plain http on 443',
    facts: caseNoTls('protocol'),
    known: { site: refusedSite },
    expect: ['tls/https-absent'],
  },
  { name: 'silence', facts: caseNoTls('timeout'), known: { site: refusedSite }, expect: ['tls/https-absent'] },
  { name: 'pages came, handshake failed', facts: caseNoTls('protocol'), known, expect: [], unjudged: 'inconclusive' },
])

const valid = (from: number, until: number) =>
  caseTls({ leaf: { notBefore: CASE_TIME + from * DAY, notAfter: CASE_TIME + until * DAY } })

judgeCases(certificateValidity, [
  { name: 'a third left', facts: valid(-60, 30), known, expect: [] },
  { name: 'expired yesterday', facts: valid(-91, -1), known, expect: ['tls/certificate-expired'] },
  { name: 'begins tomorrow', facts: valid(1, 90), known, expect: ['tls/certificate-not-yet-valid'] },
  { name: 'six of 90 days left', facts: valid(-84, 6), known, expect: ['tls/certificate-near-expiry'] },
  { name: 'under a tenth of a year left', facts: valid(-335, 30), known, expect: ['tls/certificate-near-expiry'] },
  { name: 'a sixth of 90 days left', facts: valid(-75, 15), known, expect: ['tls/certificate-renewal-late'] },
  {
    name: 'an intermediate expired yesterday',
    facts: caseTls({ certificates: [caseCertificate(), caseIntermediate({ notAfter: CASE_TIME - DAY })] }),
    known,
    expect: ['tls/issuer-certificate-expired'],
  },
  {
    name: 'an expired one that is sent and not needed',
    facts: caseTls({
      certificates: [caseCertificate(), caseIntermediate(), caseIntermediate({ notAfter: CASE_TIME - DAY })],
      result: { trust: { state: 'public', path: [0, 1], anchor: 'CN=Root' } },
    }),
    known,
    expect: [],
  },
  { name: 'six-day certificate with three days left', facts: valid(-3, 3), known, expect: [] },
  { name: 'no TLS at all', facts: caseNoTls('unreachable'), known, ...NOT_APPLICABLE },
])

const named = (dnsNames: readonly string[] | null, commonName: string | null = null) =>
  caseTls({ leaf: { dnsNames, commonName } })
const siblingWith = (dnsNames: readonly string[]) => {
  const facts = caseTls({ certificates: [caseCertificate(), caseIntermediate(), caseCertificate({ dnsNames })] })
  const ordinary = facts.handshakes[0] as Handshake
  const result = ordinary.result.ok ? { ...ordinary.result, chain: [2] } : ordinary.result
  return { ...facts, sibling: { ...ordinary, servername: 'www.shop.test', result } }
}

judgeCases(certificateName, [
  { name: 'listed', facts: named(['other.test', 'shop.test']), known, expect: [] },
  { name: 'listed in capitals', facts: named(['SHOP.TEST']), known, expect: [] },
  { name: 'another name', facts: named(['other.test']), known, expect: ['tls/certificate-name-mismatch'] },
  { name: 'common name only', facts: named(null, 'shop.test'), known, expect: ['tls/certificate-common-name-only'] },
  {
    name: 'right common name beside a wrong SAN',
    facts: named(['other.test'], 'shop.test'),
    known,
    expect: ['tls/certificate-name-mismatch'],
  },
  { name: 'wildcard over a public suffix', facts: named(['*.test']), known, expect: ['tls/certificate-name-mismatch'] },
  {
    name: 'wildcard does not cover the bare name',
    facts: named(['*.shop.test']),
    known,
    expect: ['tls/certificate-name-mismatch'],
  },
  { name: 'an address where a name is due', facts: named([]), known, expect: ['tls/certificate-name-mismatch'] },
  { name: 'www has a certificate of its own', facts: siblingWith(['www.shop.test']), known, expect: [] },
  { name: 'www is not covered', facts: siblingWith(['shop.test']), known, expect: ['tls/certificate-name-sibling'] },
  { name: 'no TLS at all', facts: caseNoTls('unreachable'), known, ...NOT_APPLICABLE },
])

const trusted = (state: Trust['state'], path: readonly number[] = [0, 1]) =>
  caseTls({ result: { trust: { state, path, anchor: 'CN=Anchor' } } })

judgeCases(certificateTrust, [
  { name: 'public root', facts: trusted('public'), known, expect: [] },
  { name: 'authority added by the operator', facts: trusted('private'), known, expect: [] },
  { name: 'self-signed', facts: trusted('self-signed', [0]), known, expect: ['tls/certificate-self-signed'] },
  { name: 'unknown authority', facts: trusted('untrusted'), known, expect: ['tls/certificate-untrusted'] },
  {
    name: 'unknown authority inside an organisation',
    facts: trusted('untrusted'),
    known,
    about: { target: { host: 'shop.test', port: null, context: 'internal', tier: 'passive' } },
    expect: ['tls/certificate-private-authority'],
  },
  { name: 'intermediate missing', facts: trusted('incomplete', [0]), known, expect: [], unjudged: 'inconclusive' },
])

judgeCases(certificateChain, [
  { name: 'leaf and intermediate', facts: trusted('public'), known, expect: [] },
  {
    name: 'leaf alone, issuer published',
    facts: caseTls({
      certificates: [caseCertificate()],
      result: { trust: { state: 'incomplete', path: [0], anchor: 'CN=Issuing 7' } },
    }),
    known,
    expect: ['tls/chain-incomplete'],
  },
  {
    name: 'intermediates reversed',
    facts: caseTls({
      certificates: [caseCertificate(), caseIntermediate({ subject: 'CN=Upper' }), caseIntermediate()],
      result: { trust: { state: 'public', path: [0, 2, 1], anchor: 'CN=Root' } },
    }),
    known,
    expect: ['tls/chain-order'],
  },
  {
    name: 'root sent as well',
    facts: caseTls({
      certificates: [caseCertificate(), caseIntermediate(), caseIntermediate({ subject: 'CN=Root', selfSigned: true })],
      result: { trust: { state: 'public', path: [0, 1], anchor: 'CN=Root' } },
    }),
    known,
    expect: ['tls/chain-extra'],
  },
  {
    name: 'leaf sent twice',
    facts: caseTls({ result: { chain: [0, 0, 1], trust: { state: 'public', path: [0, 2], anchor: 'CN=Root' } } }),
    known,
    expect: ['tls/chain-order', 'tls/chain-extra'],
  },
])

const keyed = (key: Partial<KeyFacts>) =>
  caseTls({ leaf: { key: { type: 'rsa', bits: 2048, curve: null, exponent: '65537', modulus: null, ...key } } })
/** 65537 is congruent to a power of itself modulo every prime: the smallest number with the fingerprint. */
const ROCA_MODULUS = (65537n ** 31n).toString(16)

judgeCases(certificateKey, [
  {
    name: 'on a list of known keys',
    facts: caseTls({ knownKeys: { [caseCertificate().sha256]: 'keys of examples' } }),
    known,
    expect: ['tls/key-known'],
  },
  {
    name: 'no list of known keys',
    facts: caseTls({ knownKeys: null }),
    known,
    expect: [],
    unjudged: 'not_tested',
  },
  { name: 'RSA 2048', facts: keyed({}), known, expect: [] },
  { name: 'P-256', facts: caseTls(), known, expect: [] },
  { name: 'RSA 2047', facts: keyed({ bits: 2047 }), known, expect: ['tls/key-weak'] },
  { name: 'RSA 512', facts: keyed({ bits: 512 }), known, expect: ['tls/key-broken'] },
  { name: 'exponent 1', facts: keyed({ exponent: '1' }), known, expect: ['tls/key-broken'] },
  { name: 'ROCA fingerprint', facts: keyed({ modulus: ROCA_MODULUS }), known, expect: ['tls/key-roca'] },
  {
    name: 'P-192',
    facts: keyed({ type: 'ec', bits: 192, curve: 'prime192v1', exponent: null }),
    known,
    expect: ['tls/key-weak'],
  },
  {
    name: 'Ed25519 has no size to judge',
    facts: keyed({ type: 'ed25519', bits: null, exponent: null }),
    known,
    expect: [],
  },
])

const signed = (signatureAlgorithm: string, selfSigned = false) => caseTls({ leaf: { signatureAlgorithm, selfSigned } })

judgeCases(certificateSignature, [
  { name: 'SHA-256', facts: signed('sha256WithRSAEncryption'), known, expect: [] },
  { name: 'SHA-1', facts: signed('sha1WithRSAEncryption'), known, expect: ['tls/signature-sha1'] },
  { name: 'SHA-1 with ECDSA', facts: signed('ecdsa-with-SHA1'), known, expect: ['tls/signature-sha1'] },
  { name: 'MD5', facts: signed('md5WithRSAEncryption'), known, expect: ['tls/signature-broken'] },
  { name: 'SHA-1 on what signs itself', facts: signed('sha1WithRSAEncryption', true), known, expect: [] },
  {
    name: 'SHA-1 on the intermediate',
    facts: caseTls({
      certificates: [caseCertificate(), caseIntermediate({ signatureAlgorithm: 'sha1WithRSAEncryption' })],
    }),
    known,
    expect: ['tls/signature-sha1'],
  },
])

const issued = (year: number, month: number, dayOfMonth: number, days: number, state: Trust['state'] = 'public') => {
  const notBefore = Date.UTC(year, month - 1, dayOfMonth)
  return caseTls({
    leaf: { notBefore, notAfter: notBefore + days * DAY },
    result: { trust: { state, path: [0, 1], anchor: 'CN=Anchor' } },
  })
}

judgeCases(certificateLifetime, [
  { name: '398 days, last day of the old limit', facts: issued(2026, 3, 14, 398), known, expect: [] },
  {
    name: '398 days, first day of the new limit',
    facts: issued(2026, 3, 15, 398),
    known,
    expect: ['tls/certificate-lifetime'],
  },
  { name: '200 days', facts: issued(2026, 3, 15, 200), known, expect: [] },
  { name: 'ten years from a private authority', facts: issued(2026, 3, 15, 3650, 'private'), known, ...NOT_APPLICABLE },
])

const twoAddresses = (second: number) => {
  const facts = caseTls({
    certificates: [caseCertificate(), caseIntermediate(), caseCertificate({ sha256: 'c'.repeat(64) })],
  })
  const ordinary = facts.handshakes[0] as Handshake
  const result = ordinary.result.ok ? { ...ordinary.result, chain: [second, 1] } : ordinary.result
  return { ...facts, handshakes: [...facts.handshakes, { ...ordinary, address: '192.0.2.11', result }] }
}

judgeCases(certificateVariants, [
  { name: 'the same everywhere', facts: twoAddresses(0), known, expect: [] },
  { name: 'one machine forgotten', facts: twoAddresses(2), known, expect: ['tls/certificate-variants'] },
  { name: 'one address', facts: caseTls(), known, ...NOT_APPLICABLE },
])

const ALL = { TLSv1: 'offered', 'TLSv1.1': 'offered', 'TLSv1.2': 'offered', 'TLSv1.3': 'offered' } as const

judgeCases(protocolVersions, [
  { name: '1.2 and 1.3', facts: caseTls(), known, expect: [] },
  { name: '1.3 alone', facts: caseTls({ versions: { 'TLSv1.3': 'offered' } }), known, expect: [] },
  { name: 'everything', facts: caseTls({ versions: ALL }), known, expect: ['tls/protocol-legacy'] },
  {
    name: '1.2 alone',
    facts: caseTls({ versions: { 'TLSv1.2': 'offered' } }),
    known,
    expect: ['tls/protocol-1-3-absent'],
  },
  {
    name: '1.0 alone',
    facts: caseTls({ versions: { TLSv1: 'offered' } }),
    known,
    expect: ['tls/protocol-legacy', 'tls/protocol-obsolete-only'],
  },
  {
    name: 'silence for 1.1 proves nothing',
    facts: caseTls({ versions: { 'TLSv1.1': 'timeout', 'TLSv1.2': 'offered', 'TLSv1.3': 'offered' } }),
    known,
    expect: [],
    unjudged: 'inconclusive',
  },
])

describe('a name with several addresses', () => {
  const SECOND = '2001:db8::53'
  const withSecond = (result: HandshakeResult | null): TlsFacts => {
    const base = caseTls()
    const asked = result === null ? [] : [SECOND]
    return {
      ...base,
      addresses: [ADDRESS, SECOND],
      asked: [ADDRESS, ...asked],
      handshakes: [
        ...base.handshakes,
        ...(result === null ? [] : [{ address: SECOND, servername: 'shop.test', offered: null, result }]),
      ],
    }
  }
  const CHECKS = [
    ...[certificateChain, certificateKey, certificateLifetime, certificateName, certificateSignature],
    ...[certificateTransparency, certificateTrust, certificateValidity, certificateVariants, certificateStatus],
    protocolVersions,
  ] as readonly Check<'tls', 'site'>[]
  const judged = (facts: TlsFacts) =>
    CHECKS.map((check) => [check.findings[0]?.id, check.judge(facts, known, caseContext())] as const)

  it('without a way to one from here each check says what it was judged on, and stays what it was', () => {
    const plain = judged(caseTls())
    const facts = withSecond({ ok: false, code: 'unreachable', message: 'no IPv6 route to it', noRoute: true })
    for (const [index, [id, judgement]] of judged(facts).entries()) {
      const before = plain[index]?.[1]
      const note = 'Judged on 1 of 2 addresses: no IPv6 route from this scanner to 2001:db8::53.'
      if (before && 'state' in before) expect(judgement, id).toEqual({ ...before, note })
      else expect(judgement, id).toEqual({ state: 'judged', note, findings: before })
    }
  })

  it.each<[string, HandshakeResult | null, string]>([
    ['silence', { ok: false, code: 'timeout', message: 'timed out' }, 'timed out'],
    ['a reset', { ok: false, code: 'unreachable', message: 'connection reset' }, 'connection reset'],
    ['no route behind a router', { ok: false, code: 'unreachable', message: 'no route to host' }, 'no route to host'],
    ['no TLS', { ok: false, code: 'protocol', message: 'no TLS' }, 'no TLS'],
    ['what the guard forbids', { ok: false, code: 'refused_by_guard', message: 'private' }, 'private'],
    ['no place among those of one run', null, 'more than one run looks at'],
  ])('%s leaves every check open, and names the address', (_name, result, why) => {
    for (const [id, judgement] of judged(withSecond(result)))
      expect(judgement, id).toMatchObject({
        state: 'inconclusive',
        reason: expect.stringContaining(`1 of 2 addresses: no answer that tells from ${SECOND} (${why})`),
      })
  })

  it('a refusal is an answer: nothing listens there', () => {
    const refused: HandshakeResult = { ok: false, code: 'unreachable', message: 'x port 443: connection refused' }
    expect(judged(withSecond(refused))).toEqual(judged(caseTls()))
  })
})

const way = (hops: readonly { url: string; status: number; location: string | null }[]) =>
  caseSite({ http: caseEntry('http://shop.test/', { hops: hops.map((hop) => ({ ...hop, headers: [] })) }) })
const to = (url: string, location: string) => redirect(url, location)
const page = (url: string, status = 200) => ({ url, status, location: null })
const facts = caseTls()

judgeCases(httpsRedirect, [
  { name: 'straight to https', facts, known, expect: [] },
  {
    name: 'http is closed',
    facts,
    known: {
      site: caseSite({
        http: caseEntry('http://shop.test/', { error: { code: 'unreachable', message: 'refused' }, finalUrl: null }),
      }),
    },
    expect: [],
  },
  {
    name: 'page over http',
    facts,
    known: { site: way([page('http://shop.test/')]) },
    expect: ['tls/redirect-missing'],
  },
  {
    name: '403 over http',
    facts,
    known: { site: way([page('http://shop.test/', 403)]) },
    expect: [],
    unjudged: 'inconclusive',
  },
  {
    name: 'http to http to https',
    facts,
    known: {
      site: way([
        to('http://shop.test/', '/en/'),
        to('http://shop.test/en/', 'https://shop.test/en/'),
        page('https://shop.test/en/'),
      ]),
    },
    expect: ['tls/redirect-http-first'],
  },
  {
    name: 'to https of www first',
    facts,
    known: { site: way([to('http://shop.test/', 'https://www.shop.test/'), page('https://www.shop.test/')]) },
    expect: ['tls/redirect-off-host-first'],
  },
  {
    name: 'https sends back to http',
    facts,
    known: {
      site: caseSite({
        https: caseEntry('https://shop.test/', {
          hops: [redirect('https://shop.test/', 'http://shop.test/'), { ...page('http://shop.test/'), headers: [] }],
        }),
      }),
    },
    expect: ['tls/redirect-downgrade'],
  },
  { name: 'no https to go to', facts, known: { site: refusedSite }, ...NOT_APPLICABLE },
])
