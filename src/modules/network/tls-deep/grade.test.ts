import { describe, expect, it } from 'vitest'
import type { EndpointFacts } from '../../../protocols/tls/endpoint.ts'
import { caseTls } from '../../passive/tls/testing/tls-facts.ts'
import { CASE_TIME } from '../../testing/judge-cases.ts'
import { casePage, caseSite } from '../../testing/site-facts.ts'
import { gradeSite, rate } from './grade.ts'
import { caseDeep, caseEndpoint, caseOracle, caseProtocols } from './testing/deep-facts.ts'

const strong = { groups: [29, 23], certificates: [{ ...(caseEndpoint().certificates[0] ?? fail()), bits: 4096 }] }

function fail(): never {
  throw new Error('a sound endpoint has a certificate')
}

/** Numbers worked out by hand from the guide. */
const RATINGS: readonly { readonly name: string; readonly change: Partial<EndpointFacts>; readonly expect: object }[] =
  [
    {
      name: 'modern with a 2048 bit key',
      change: {},
      expect: { protocol: 100, keyExchange: 90, cipher: 90, score: 93, grade: 'A', caps: [] },
    },
    { name: 'modern with a 4096 bit key', change: strong, expect: { keyExchange: 100, score: 96, grade: 'A' } },
    {
      name: 'TLS 1.2 alone',
      change: { protocols: caseProtocols({ 'TLSv1.2': [0xc02f] }) },
      expect: { cipher: 80, score: 89, grade: 'A-' },
    },
    {
      name: 'TLS 1.0 as well',
      change: { protocols: caseProtocols({ TLSv1: [0xc014], 'TLSv1.2': [0xc02f], 'TLSv1.3': [0x1301] }) },
      expect: { protocol: 95, grade: 'B' },
    },
    {
      name: '3DES with TLS 1.2',
      change: { protocols: caseProtocols({ 'TLSv1.2': [0xc02f, 0xc012], 'TLSv1.3': [0x1301] }) },
      expect: { cipher: 50, grade: 'C' },
    },
    {
      name: 'SSL 3.0 alone',
      change: { protocols: caseProtocols({ SSLv3: [0x2f] }) },
      expect: { protocol: 80, grade: 'F' },
    },
    {
      name: 'SSL 2.0',
      change: { protocols: caseProtocols({ SSLv2: [], 'TLSv1.2': [0xc02f] }) },
      expect: { protocol: 50, grade: 'F' },
    },
    {
      name: 'anonymous suites',
      change: { protocols: caseProtocols({ 'TLSv1.2': [0xc02f, 0xc018] }) },
      expect: { keyExchange: 0, score: 0, grade: 'F' },
    },
    {
      name: 'DH of 1024 bits',
      change: {
        dh: [
          {
            suite: 0x9e,
            bits: 1024,
            prime: 'ff',
            generator: '02',
            knownPrime: null,
            unexplained: false,
            reused: false,
          },
        ],
      },
      expect: { keyExchange: 80, grade: 'B' },
    },
    { name: 'Heartbleed', change: { heartbleed: caseOracle('vulnerable') }, expect: { score: 93, grade: 'F' } },
    { name: 'no forward secrecy', change: { protocols: caseProtocols({ 'TLSv1.2': [0x9c] }) }, expect: { grade: 'B' } },
  ]

describe('rating of an endpoint', () => {
  it.each(RATINGS.map((one) => [one.name, one] as const))('%s', (_name, one) => {
    expect(rate(caseEndpoint(one.change))).toMatchObject(one.expect)
  })

  it('gives a reason for every cap', () => {
    const { caps } = rate(caseEndpoint({ protocols: caseProtocols({ SSLv3: [0x05, 0x2f], 'TLSv1.2': [0x04] }) }))
    expect(caps.length).toBeGreaterThan(3)
    for (const cap of caps) expect(cap.reason.trim()).not.toBe('')
  })

  it('caps an incomplete chain', () => {
    expect(rate(caseEndpoint(), false).grade).toBe('B')
  })
})

describe('grade of a site', () => {
  const hsts = (seconds: number) =>
    caseSite({
      pages: [casePage({ url: 'https://shop.test/', headers: [['Strict-Transport-Security', `max-age=${seconds}`]] })],
    })
  const sound = { tls: caseTls(), site: caseSite() }

  it('needs long HSTS for A+, and falls to A- for a short one', () => {
    expect(gradeSite(caseDeep(), { ...sound, site: hsts(31_536_000) })).toMatchObject({ grade: 'A+', reasons: [] })
    expect(gradeSite(caseDeep(), { ...sound, site: hsts(86_400) })?.grade).toBe('A-')
    expect(gradeSite(caseDeep(), sound)).toMatchObject({
      grade: 'A',
      reasons: ['Strict-Transport-Security of half a year is missing'],
    })
  })

  it('shows T for a certificate that is expired, M for one of another name', () => {
    const expired = caseTls({ leaf: { notAfter: CASE_TIME - 1 } })
    expect(gradeSite(caseDeep(), { ...sound, tls: expired })).toMatchObject({
      grade: 'T',
      reasons: ['the certificate is not valid now'],
    })
    const other = caseTls({ leaf: { dnsNames: ['other.test'] } })
    expect(gradeSite(caseDeep(), { ...sound, tls: other })?.grade).toBe('M')
  })

  it('says nothing where no https was seen', () => {
    expect(gradeSite(caseDeep({}, { endpoints: [] }), sound)).toBeNull()
  })
})
