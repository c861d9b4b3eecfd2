import { X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { extension, issue } from '../../../modules/passive/tls/testing/authority.ts'
import { parseCertificate } from './certificate.ts'
import { DerError, readDer } from './der.ts'
import { nameMatches } from './names.ts'

const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  if (content.length < 128) return Buffer.concat([Buffer.from([tag, content.length]), content])
  return Buffer.concat([Buffer.from([tag, 0x82, content.length >> 8, content.length & 0xff]), content])
}

/** RFC 6962 list of timestamps with the given octet as log id. */
const timestampList = (...logs: readonly number[]): Buffer => {
  const entries = logs.map((log) => {
    const entry = Buffer.concat([
      Buffer.from([0]),
      Buffer.alloc(32, log),
      Buffer.alloc(8, 1),
      Buffer.from([0, 0, 4, 3, 0, 0]),
    ])
    return Buffer.concat([Buffer.from([0, entry.length]), entry])
  })
  const list = Buffer.concat(entries)
  return Buffer.concat([Buffer.from([list.length >> 8, list.length & 0xff]), list])
}

const TIMESTAMPS = '1.3.6.1.4.1.11129.2.4.2'

describe('parseCertificate', () => {
  it('reads names, dates, key and issuer', async () => {
    const root = await issue({ subject: 'CN=Root', issuer: null, authority: true })
    const leaf = await issue({ subject: 'O=Shop, CN=shop.test', issuer: root, names: ['shop.test', '*.shop.test'] })
    const facts = parseCertificate(leaf.der)
    expect(facts).toMatchObject({
      subject: 'O=Shop, CN=shop.test',
      issuer: 'CN=Root',
      commonName: 'shop.test',
      dnsNames: ['shop.test', '*.shop.test'],
      key: { type: 'ec', bits: 256, curve: 'prime256v1' },
      signatureAlgorithm: 'ecdsa-with-SHA256',
      isAuthority: false,
      selfSigned: false,
      timestamps: [],
      mustStaple: false,
      issuerUrls: [],
    })
    expect(facts.notAfter - facts.notBefore).toBe(61 * 86_400_000)
    expect(parseCertificate(root.der)).toMatchObject({ selfSigned: true, isAuthority: true, dnsNames: null })
  })

  it('reads RSA with SHA-1 and 1024 bits', async () => {
    const weak = await issue({ subject: 'CN=weak.test', issuer: null, rsa: 1024, hash: 'SHA-1' })
    expect(parseCertificate(weak.der)).toMatchObject({
      key: { type: 'rsa', bits: 1024, exponent: '65537' },
      signatureAlgorithm: 'sha1WithRSAEncryption',
    })
  })

  it('reads timestamps, must-staple and the place of the issuer', async () => {
    const uri = der(0x86, Buffer.from('http://ca.example/root.der'))
    const caIssuers = Buffer.from('06082b06010505073002', 'hex')
    const leaf = await issue({
      subject: 'CN=shop.test',
      issuer: null,
      extensions: [
        extension(TIMESTAMPS, der(0x04, timestampList(7, 9))),
        extension('1.3.6.1.5.5.7.1.24', der(0x30, Buffer.from([0x02, 1, 5]))),
        extension('1.3.6.1.5.5.7.1.1', der(0x30, der(0x30, caIssuers, uri))),
      ],
    })
    const facts = parseCertificate(leaf.der)
    expect(facts.timestamps?.map(({ log }) => log.slice(0, 2))).toEqual(['07', '09'])
    expect(facts.mustStaple).toBe(true)
    expect(facts.issuerUrls).toEqual(['http://ca.example/root.der'])
  })

  it.each([
    ['list cut short', der(0x04, timestampList(7).subarray(0, 20))],
    ['list longer than said', der(0x04, Buffer.concat([timestampList(7), Buffer.from([0])]))],
    ['no octet string', Buffer.from([0x04, 0x84, 0xff, 0xff, 0xff, 0xff])],
  ])('says that timestamps cannot be read: %s', async (_name, value) => {
    const leaf = await issue({ subject: 'CN=odd.test', issuer: null, extensions: [extension(TIMESTAMPS, value)] })
    expect(parseCertificate(leaf.der).timestamps).toBeNull()
  })

  it('agrees with OpenSSL on every root of the store', () => {
    for (const pem of rootCertificates) {
      const certificate = new X509Certificate(pem)
      const facts = parseCertificate(certificate.raw)
      expect(facts.selfSigned).toBe(true)
      expect(facts.notAfter).toBe(Date.parse(certificate.validTo))
    }
  })
})

describe('readDer', () => {
  it.each([
    ['nothing', ''],
    ['length without value', '3003'],
    ['indefinite length', '30800000'],
    ['five length octets', '30850000000001ff'],
    ['multi-byte tag', '1f8101ff'],
  ])('refuses %s', (_name, hex) => {
    expect(() => readDer(Buffer.from(hex, 'hex'))).toThrow(DerError)
  })
})

describe('nameMatches', () => {
  it.each([
    ['shop.test', 'shop.test', true],
    ['SHOP.test.', 'shop.TEST', true],
    ['*.shop.test', 'www.shop.test', true],
    ['*.shop.test', 'a.b.shop.test', false],
    ['*.shop.test', 'shop.test', false],
    ['w*.shop.test', 'www.shop.test', false],
    ['www.*.test', 'www.shop.test', false],
    ['*', 'test', false],
    ['*.test', 'shop.test', false],
    ['xn--caf-dma.test', 'xn--caf-dma.test', true],
    ['caf\u00e9.test', 'xn--caf-dma.test', false],
    ['shop.test\u0000.evil.test', 'shop.test', false],
    ['', 'shop.test', false],
  ])('%s for %s: %s', (pattern, host, expected) => {
    expect(nameMatches(pattern, host)).toBe(expected)
  })
})
