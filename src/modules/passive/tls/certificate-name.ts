import type { CertificateFacts } from '../../../protocols/tls/certificate/facts.ts'
import { nameMatches } from '../../../protocols/tls/certificate/names.ts'
import type { Check, Finding, FindingDefinition, Judgement } from '../../module.ts'
import type { TlsFacts } from './facts.ts'
import { judgeServed } from './facts-addresses.ts'
import { certificateProof, describeServed, placeOf, type Served } from './facts-served.ts'

const MOST_NAMES_SHOWN = 20

const mismatch: FindingDefinition = {
  id: 'tls/certificate-name-mismatch',
  title: 'TLS certificate name mismatch: it is not made out to this name',
  severity: 'high',
  cwe: 297,
  group: 'transport',
  why: 'Browsers refuse the site with a full-page warning, and nobody can tell it from an impostor.',
  remediation:
    'Request a certificate whose subjectAltName lists this host name (`certbot --nginx -d NAME`), and install it in the server block of that name.',
  references: ['https://www.rfc-editor.org/rfc/rfc9525#section-6.3', 'https://cwe.mitre.org/data/definitions/297.html'],
}

const commonNameOnly: FindingDefinition = {
  ...mismatch,
  id: 'tls/certificate-common-name-only',
  title: 'TLS certificate without subject alternative name: only the common name carries it',
  why: 'Clients have stopped reading the common name (RFC 9525); without a subjectAltName they refuse the certificate.',
  remediation: 'Request the certificate again with a subjectAltName extension that lists every name of the site.',
}

const sibling: FindingDefinition = {
  ...mismatch,
  id: 'tls/certificate-name-sibling',
  title: 'TLS certificate name mismatch with or without “www”',
  severity: 'medium',
  why: 'Visitors type both forms; one of them meets a full-page warning before any redirect can help.',
  remediation:
    'Add the other form of the name to the certificate (`certbot -d example.org -d www.example.org`), or take its address record out of the DNS.',
}

export const certificateName: Check<'tls', 'site'> = {
  findings: [mismatch, commonNameOnly, sibling],
  judge: (facts) =>
    judgeServed(facts, (served): Judgement => {
      return [...served.flatMap((one) => judgeOwn(facts, one)), ...judgeSibling(facts)]
    }),
}

const judgeOwn = (facts: TlsFacts, one: Served): Finding[] => {
  if (isNamed(one.leaf, facts.host)) return []
  const onlyCommon = one.leaf.dnsNames === null && nameMatches(one.leaf.commonName ?? '', facts.host)
  const names = listNames(one.leaf)
  return [
    {
      definition: onlyCommon ? commonNameOnly : mismatch,
      confidence: 'confirmed',
      at: placeOf(facts),
      detail: `The certificate given by ${one.addresses.join(', ')} for ${facts.host} is made out to: ${names}.`,
      proof: certificateProof(facts, one, [`Names: ${names}`], names),
    },
  ]
}

const judgeSibling = (facts: TlsFacts): Finding[] => {
  const { sibling: handshake } = facts
  const name = handshake?.servername ?? null
  const served = handshake === null ? null : describeServed(facts, handshake)
  if (name === null || served === null || isNamed(served.leaf, name)) return []
  const names = listNames(served.leaf)
  return [
    {
      definition: sibling,
      confidence: 'confirmed',
      at: { host: name, port: facts.port },
      detail: `${name} answers on port ${facts.port} with a certificate made out to: ${names}.`,
      proof: certificateProof({ ...facts, host: name }, served, [`Names: ${names}`], names),
    },
  ]
}

export const isNamed = (leaf: CertificateFacts, host: string): boolean =>
  (leaf.dnsNames ?? []).some((pattern) => nameMatches(pattern, host))

const listNames = ({ dnsNames, ipAddresses, commonName }: CertificateFacts): string => {
  const names = dnsNames === null ? [] : [...dnsNames, ...ipAddresses]
  if (dnsNames === null) return `no subjectAltName, common name “${(commonName ?? '').slice(0, 100)}”`
  const shown = names.slice(0, MOST_NAMES_SHOWN).map((name) => name.slice(0, 100))
  const more = names.length - shown.length
  return `${shown.join(', ') || 'no name at all'}${more > 0 ? ` and ${more} more` : ''}`.slice(0, 1000)
}
