import type { Check, Finding, FindingDefinition, Judgement } from '../../module.ts'
import type { TlsFacts } from './facts.ts'
import { judgeServed } from './facts-addresses.ts'
import { certificateProof, placeOf, type Served } from './facts-served.ts'

const incomplete: FindingDefinition = {
  id: 'tls/chain-incomplete',
  title: 'TLS certificate chain incomplete: an intermediate certificate is missing',
  severity: 'medium',
  cwe: 295,
  why: 'Desktop browsers often repair it by themselves; telephones, command line programs, payment providers and other servers do not, and refuse the connection.',
  remediation:
    'Let the server send the full chain: with nginx point `ssl_certificate` at `fullchain.pem`, with Apache `SSLCertificateFile` at it, then reload.',
  references: [
    'https://www.rfc-editor.org/rfc/rfc8446#section-4.4.2',
    'https://www.rfc-editor.org/rfc/rfc5246#section-7.4.2',
  ],
}

const order: FindingDefinition = {
  ...incomplete,
  id: 'tls/chain-order',
  title: 'TLS certificate chain out of order',
  severity: 'low',
  why: 'Up to TLS 1.2 each certificate has to certify the one before it. Strict clients refuse another order.',
  remediation:
    'Put the certificates into the file in this order: the site’s own first, then each issuer of the one before.',
}

const extra: FindingDefinition = {
  ...incomplete,
  id: 'tls/chain-extra',
  title: 'TLS certificate chain with extra certificates that do not belong to it',
  severity: 'low',
  why: 'Duplicates, roots and foreign certificates make every handshake longer and confuse strict clients; they usually show that a file was put together by hand.',
  remediation:
    'Take everything but the site’s certificate and its intermediates out of the certificate file, the root included.',
}

export const certificateChain: Check<'tls', 'site'> = {
  findings: [incomplete, order, extra],
  judge: (facts) =>
    judgeServed(facts, (served): Judgement => {
      return served.flatMap((one) =>
        [incomplete, order, extra]
          .filter((definition) => holds(definition, one))
          .map((definition) => report(facts, one, definition)),
      )
    }),
}

const holds = (definition: FindingDefinition, { trust, sent }: Served): boolean => {
  if (definition === incomplete) return trust.state === 'incomplete'
  if (definition === order) return isDisordered(trust.path)
  return sent.length > trust.path.length
}

/** The second of the path has to come second, and so on; what is foreign may stand at the end. */
const isDisordered = (path: readonly number[]): boolean => path.some((place, index) => place !== index)

const report = (facts: TlsFacts, one: Served, definition: FindingDefinition): Finding => {
  const lines = one.sent.map((certificate, index) =>
    `${index} ${certificate.subject} (issued by ${certificate.issuer})`.slice(0, 500),
  )
  return {
    definition,
    confidence: 'confirmed',
    at: placeOf(facts),
    detail: `${one.addresses.join(', ')} sends ${one.sent.length} certificate${one.sent.length === 1 ? '' : 's'}, of which ${one.trust.path.length} form the chain up to “${one.trust.anchor.slice(0, 300)}”.`,
    proof: certificateProof(facts, one, ['Sent:', ...lines], null),
  }
}
