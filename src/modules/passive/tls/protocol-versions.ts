import { VERSIONS, type Version } from '../../../protocols/tls/certificate/facts.ts'
import type { Check, Finding, FindingDefinition } from '../../module.ts'
import type { TlsFacts } from './facts.ts'
import { judgeServed } from './facts-addresses.ts'
import { isOrdinary, placeOf } from './facts-served.ts'

const CONFIGURE =
  'Allow TLS 1.2 and 1.3 only: nginx `ssl_protocols TLSv1.2 TLSv1.3;`, Apache `SSLProtocol -all +TLSv1.2 +TLSv1.3`, then reload.'

const legacy: FindingDefinition = {
  id: 'tls/protocol-legacy',
  title: 'TLS 1.0 or TLS 1.1 is still offered',
  severity: 'low',
  cwe: 327,
  group: 'tls-hygiene',
  why: 'Both versions have been withdrawn (RFC 8996): they rest on MD5 and SHA-1 and know no modern ciphers. Browsers have dropped them, and PCI DSS forbids them.',
  remediation: CONFIGURE,
  references: ['https://www.rfc-editor.org/rfc/rfc8996', 'https://wiki.mozilla.org/Security/Server_Side_TLS'],
}

const obsoleteOnly: FindingDefinition = {
  ...legacy,
  id: 'tls/protocol-obsolete-only',
  title: 'TLS 1.2 and 1.3 missing: only obsolete versions are offered',
  severity: 'high',
  group: 'transport',
  why: 'No browser of today can connect, and who still can is left with versions that have been withdrawn.',
}

const modernAbsent: FindingDefinition = {
  id: 'tls/protocol-1-3-absent',
  title: 'TLS 1.3 is not offered',
  severity: 'low',
  cwe: 327,
  why: 'TLS 1.3 drops every weak choice of the older versions and saves a round trip with each connection.',
  remediation: CONFIGURE,
  references: ['https://www.rfc-editor.org/rfc/rfc8446', 'https://wiki.mozilla.org/Security/Server_Side_TLS'],
}

export const LABELS: Readonly<Record<Version, string>> = {
  TLSv1: 'TLS 1.0',
  'TLSv1.1': 'TLS 1.1',
  'TLSv1.2': 'TLS 1.2',
  'TLSv1.3': 'TLS 1.3',
}

export type Offer = 'offered' | 'refused' | 'unknown'

export const protocolVersions: Check<'tls', 'site'> = {
  findings: [legacy, obsoleteOnly, modernAbsent],
  judge: (facts) =>
    judgeServed(facts, () => {
      const answering = facts.handshakes.filter((one) => isOrdinary(one) && one.result.ok)
      const byAddress = answering.map(({ address }) => ({ address, offers: offersOf(facts, address) }))
      const findings = byAddress
        .filter(({ offers }) => VERSIONS.some((version) => offers[version] === 'offered'))
        .flatMap(({ address, offers }) =>
          definitionsFor(offers).map((definition) => report(facts, address, offers, definition)),
        )
      const unsure = byAddress.some(({ offers }) => VERSIONS.some((version) => offers[version] === 'unknown'))
      if (!unsure) return merge(findings)
      return {
        state: 'inconclusive',
        reason: 'A handshake with one version alone got no answer in time.',
        findings: merge(findings),
      }
    }),
}

/** A refusal is an alert, a reset or a closed connection; silence proves nothing. */
export const offersOf = (facts: TlsFacts, address: string): Readonly<Record<Version, Offer>> => {
  const offerOf = (version: Version): Offer => {
    const tried = facts.handshakes.find((one) => one.address === address && one.offered === version)
    if (tried === undefined) return 'unknown'
    if (tried.result.ok) return 'offered'
    return tried.result.code === 'timeout' ? 'unknown' : 'refused'
  }
  return Object.fromEntries(VERSIONS.map((version) => [version, offerOf(version)])) as Record<Version, Offer>
}

const definitionsFor = (offers: Readonly<Record<Version, Offer>>): readonly FindingDefinition[] => {
  const old = offers.TLSv1 === 'offered' || offers['TLSv1.1'] === 'offered'
  const none = offers['TLSv1.2'] === 'refused' && offers['TLSv1.3'] === 'refused'
  if (old && none) return [legacy, obsoleteOnly]
  const modern = offers['TLSv1.2'] === 'offered' && offers['TLSv1.3'] === 'refused' ? [modernAbsent] : []
  return old ? [legacy, ...modern] : modern
}

const report = (
  facts: TlsFacts,
  address: string,
  offers: Readonly<Record<Version, Offer>>,
  definition: FindingDefinition,
): Finding => {
  const lines = VERSIONS.map((version) => `${LABELS[version]}: ${offers[version]}`)
  const flag = definition === modernAbsent ? '-tls1_3' : offers.TLSv1 === 'offered' ? '-tls1' : '-tls1_1'
  return {
    definition,
    confidence: 'confirmed',
    at: placeOf(facts),
    detail: `${address} answers the versions asked for one by one as follows: ${lines.join(', ')}.`,
    proof: {
      excerpt: lines.join('\n'),
      mark: null,
      replay: `openssl s_client -connect ${address}:${facts.port} -servername ${facts.host} ${flag} -cipher ALL:@SECLEVEL=0 </dev/null`,
    },
  }
}

/** The addresses of one host are one place; the first that shows the problem speaks for them. */
const merge = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter((one, index) => findings.findIndex((other) => other.definition === one.definition) === index)
