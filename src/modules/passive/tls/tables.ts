import type { FactTable } from '../../../contract/findings-file.ts'
import { VERSIONS } from '../../../protocols/tls/certificate/facts.ts'
import { describeKey } from './certificate-key.ts'
import type { TlsFacts } from './facts.ts'
import { day, isOrdinary } from './facts-served.ts'
import { LABELS, offersOf } from './protocol-versions.ts'

const MARKS = { offered: 'yes', refused: 'no', unknown: 'not known' } as const

export const tlsTables = (facts: TlsFacts): readonly FactTable[] => {
  if (!facts.handshakes.some(({ result }) => result.ok)) return []
  return [protocols(facts), certificates(facts)]
}

const protocols = (facts: TlsFacts): FactTable => ({
  id: 'tls-protocols',
  module: 'tls',
  title: 'TLS versions by address',
  columns: ['Address', ...VERSIONS.map((version) => LABELS[version]), 'Agreed on by default'],
  rows: facts.asked.map((address) => {
    const offers = offersOf(facts, address)
    const usual = facts.handshakes.find((one) => one.address === address && isOrdinary(one))?.result
    const agreed = usual?.ok ? `${usual.protocol}, ${usual.cipher}` : 'no connection'
    return [address, ...VERSIONS.map((version) => MARKS[offers[version]]), agreed]
  }),
})

const certificates = (facts: TlsFacts): FactTable => ({
  id: 'tls-certificates',
  module: 'tls',
  title: 'Certificates',
  columns: ['Subject', 'Names', 'Issuer', 'Valid from', 'Valid until', 'Key', 'Signature', 'SHA-256'],
  rows: facts.certificates.map((certificate) => [
    certificate.subject,
    (certificate.dnsNames ?? []).slice(0, 10).join(', '),
    certificate.issuer,
    day(certificate.notBefore),
    day(certificate.notAfter),
    describeKey(certificate),
    certificate.signatureAlgorithm,
    certificate.sha256,
  ]),
})
