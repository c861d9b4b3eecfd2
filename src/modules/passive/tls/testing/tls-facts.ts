/** TLS facts for tables of cases: a healthy server, changed where the case says so. */

import type {
  CertificateFacts,
  Handshake,
  HandshakeResult,
  Version,
} from '../../../../protocols/tls/certificate/facts.ts'
import { VERSIONS } from '../../../../protocols/tls/certificate/facts.ts'
import { CASE_TIME } from '../../../testing/judge-cases.ts'
import type { Redirected, TlsFacts } from '../facts.ts'

const DAY = 86_400_000
export const ADDRESS = '192.0.2.10'

export const caseCertificate = (change: Partial<CertificateFacts> = {}): CertificateFacts => ({
  der: '',
  sha256: 'a'.repeat(64),
  subject: 'CN=shop.test',
  issuer: 'C=XX, O=Sound Trust, CN=Issuing 7',
  serial: '01',
  notBefore: CASE_TIME - 20 * DAY,
  notAfter: CASE_TIME + 70 * DAY,
  commonName: 'shop.test',
  dnsNames: ['shop.test', 'www.shop.test'],
  ipAddresses: [],
  key: { type: 'ec', bits: 256, curve: 'prime256v1', exponent: null, modulus: null },
  signatureAlgorithm: 'ecdsa-with-SHA256',
  isAuthority: false,
  selfSigned: false,
  timestamps: [
    { log: '01', time: CASE_TIME },
    { log: '02', time: CASE_TIME },
  ],
  mustStaple: false,
  issuerUrls: ['http://ca.example/7.der'],
  ...change,
})

export const caseIntermediate = (change: Partial<CertificateFacts> = {}): CertificateFacts =>
  caseCertificate({
    sha256: 'b'.repeat(64),
    subject: 'C=XX, O=Sound Trust, CN=Issuing 7',
    issuer: 'C=XX, O=Sound Trust, CN=Root',
    dnsNames: null,
    isAuthority: true,
    notAfter: CASE_TIME + 2000 * DAY,
    ...change,
  })

type Success = Extract<HandshakeResult, { ok: true }>

export interface CaseTls {
  /** Changes the leaf. */
  readonly leaf?: Partial<CertificateFacts>
  /** Replaces all certificates; the leaf is the first. */
  readonly certificates?: readonly CertificateFacts[]
  /** Changes the ordinary handshake. */
  readonly result?: Partial<Success>
  /** What becomes of a handshake with one version alone: absent ones are refused. */
  readonly versions?: Partial<Record<Version, 'offered' | 'timeout'>>
  readonly sibling?: Handshake
  readonly redirected?: Redirected
  readonly knownKeys?: TlsFacts['knownKeys']
}

export const caseTls = (change: CaseTls = {}): TlsFacts => {
  const certificates = change.certificates ?? [caseCertificate(change.leaf), caseIntermediate()]
  const chain = certificates.map((_, index) => index)
  const result: Success = {
    ok: true,
    protocol: 'TLSv1.3',
    cipher: 'TLS_AES_128_GCM_SHA256',
    chain,
    staple: null,
    trust: { state: 'public', path: chain, anchor: 'C=XX, O=Sound Trust, CN=Root' },
    ...change.result,
  }
  const versions = change.versions ?? { 'TLSv1.2': 'offered', 'TLSv1.3': 'offered' }
  return {
    host: 'shop.test',
    port: 443,
    roots: 'Mozilla store of a test',
    addresses: [ADDRESS],
    asked: [ADDRESS],
    handshakes: [
      { address: ADDRESS, servername: 'shop.test', offered: null, result },
      ...VERSIONS.map((version): Handshake => {
        const offer = versions[version]
        return {
          address: ADDRESS,
          servername: 'shop.test',
          offered: version,
          result: offer === 'offered' ? { ...result, protocol: version } : failure(offer ?? 'protocol'),
        }
      }),
    ],
    certificates,
    sibling: change.sibling ?? null,
    knownKeys: change.knownKeys === undefined ? {} : change.knownKeys,
    ...(change.redirected ? { redirected: change.redirected } : {}),
  }
}

export const caseNoTls = (code: string): TlsFacts => ({
  ...caseTls(),
  handshakes: [{ address: ADDRESS, servername: 'shop.test', offered: null, result: failure(code) }],
  certificates: [],
})

export const failure = (code: string): HandshakeResult => ({ ok: false, code, message: `no handshake: ${code}` })
