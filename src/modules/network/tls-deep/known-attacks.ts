/** Attacks that follow from what is offered: no probe of their own is needed to prove them. */
import { suiteOf } from '../../../knowledge/tls/suites.ts'
import type { EndpointFacts, Protocol } from '../../../protocols/tls/endpoint.ts'
import type { Finding, FindingDefinition } from '../../module.ts'
import {
  type DeepCheck,
  eachEndpoint,
  extensionsUnsure,
  offers,
  protocolOf,
  protocolsUnsure,
  report,
  SUITES_LINE,
  suiteLine,
} from './report.ts'

const freak: FindingDefinition = {
  id: 'tls-deep/freak',
  title: 'FREAK: RSA export suites open every connection',
  severity: 'critical',
  cwe: 327,
  why: 'Somebody on the path asks the server for its export key of 512 bits, breaks it, and stands in for the server towards clients with the flaw (CVE-2015-0204).',
  remediation: `Take the export suites out. ${SUITES_LINE}.`,
  references: ['https://nvd.nist.gov/vuln/detail/CVE-2015-0204', 'https://mitls.org/pages/attacks/SMACK'],
}

const drown: FindingDefinition = {
  ...freak,
  id: 'tls-deep/drown',
  title: 'DROWN: SSL 2.0 gives away connections of newer versions',
  why: 'The server answers questions about its RSA key in SSL 2.0, and with some ten thousand answers a recorded TLS connection under the same key is read (CVE-2016-0800).',
  remediation: 'Switch SSL 2.0 off on every service that uses this key, mail included, and update the TLS library.',
  references: ['https://drownattack.com/', 'https://nvd.nist.gov/vuln/detail/CVE-2016-0800'],
}

const poodle: FindingDefinition = {
  ...freak,
  id: 'tls-deep/poodle',
  title: 'POODLE: SSL 3.0 with CBC suites lets cookies be read',
  severity: 'high',
  cwe: 310,
  why: 'Somebody on the path brings a browser down to SSL 3.0 and reads a cookie in some 256 requests an octet (CVE-2014-3566).',
  remediation:
    'Switch SSL 3.0 off: nginx `ssl_protocols TLSv1.2 TLSv1.3;`, Apache `SSLProtocol -all +TLSv1.2 +TLSv1.3`.',
  references: ['https://nvd.nist.gov/vuln/detail/CVE-2014-3566', 'https://www.rfc-editor.org/rfc/rfc7568'],
}

const beast: FindingDefinition = {
  ...freak,
  id: 'tls-deep/beast',
  title: 'BEAST: TLS 1.0 or SSL 3.0 with CBC suites',
  severity: 'low',
  group: 'tls-hygiene',
  why: 'The next record begins with what the last one ended with, so an old client without a countermeasure of its own gives its cookies away (CVE-2011-3389).',
  remediation: 'Switch TLS 1.0 off; it is no longer needed by any browser in use.',
  references: ['https://nvd.nist.gov/vuln/detail/CVE-2011-3389'],
}

const crime: FindingDefinition = {
  ...freak,
  id: 'tls-deep/crime',
  title: 'CRIME: TLS compression is on',
  severity: 'high',
  cwe: 310,
  why: 'The length of compressed records tells whether a guess at a cookie was right (CVE-2012-4929).',
  remediation: 'Switch compression off: Apache `SSLCompression off`; current versions of OpenSSL and nginx have none.',
  references: ['https://nvd.nist.gov/vuln/detail/CVE-2012-4929'],
}

export const knownAttacks: DeepCheck = {
  findings: [freak, drown, poodle, beast, crime],
  judge: (facts) => {
    const rsa2 = facts.endpoints.filter((one) => offers(one, 'SSLv2'))
    return eachEndpoint(
      facts,
      (endpoint) => [...judgeSuites(endpoint), ...judgeDrown(endpoint, rsa2), ...judgeCompression(endpoint)],
      unsure,
    )
  },
}

/** An unanswered question voids the verdicts that rest on it, and no others. */
const unsure = (endpoint: EndpointFacts) => {
  const rests: readonly (readonly [readonly Protocol[], string])[] = [
    [['SSLv2'], drown.id],
    [['SSLv3'], poodle.id],
    [['SSLv3', 'TLSv1'], beast.id],
    [['SSLv3', 'TLSv1', 'TLSv1.1'], freak.id],
  ]
  const open = rests.filter(([protocols]) => protocolsUnsure(endpoint, protocols) !== null)
  const reason = protocolsUnsure(
    endpoint,
    open.flatMap(([protocols]) => protocols),
  )
  const compression = extensionsUnsure(endpoint)
  const only = [...open.map(([, id]) => id), ...(compression ? [crime.id] : [])]
  const why = reason ?? compression
  return why && { ...why, only }
}

const judgeSuites = (endpoint: EndpointFacts): Finding[] => {
  const exported = endpoint.protocols.flatMap(({ protocol, suites }) =>
    suites
      .filter((code) => suiteOf(code).isExport && suiteOf(code).exchange === 'RSA')
      .map((code) => suiteLine(code, [protocol])),
  )
  const cbcIn = (protocol: 'SSLv3' | 'TLSv1') =>
    (protocolOf(endpoint, protocol)?.suites ?? [])
      .filter((code) => suiteOf(code).mode === 'cbc')
      .map((code) => suiteLine(code, [protocol]))
  const [ssl3, tls1] = [cbcIn('SSLv3'), cbcIn('TLSv1')]
  return [
    ...(exported.length > 0
      ? [report(endpoint, freak, { detail: `${exported.length} RSA export suites are offered.`, lines: exported })]
      : []),
    ...(ssl3.length > 0
      ? [report(endpoint, poodle, { detail: `${ssl3.length} CBC suites are offered in SSL 3.0.`, lines: ssl3 })]
      : []),
    ...(ssl3.length + tls1.length > 0
      ? [
          report(endpoint, beast, {
            detail: `${ssl3.length + tls1.length} CBC suites are offered in SSL 3.0 or TLS 1.0.`,
            lines: [...ssl3, ...tls1],
          }),
        ]
      : []),
  ]
}

/** The key that SSL 2.0 gives away may serve another port of the same host. */
const judgeDrown = (endpoint: EndpointFacts, withSslv2: readonly EndpointFacts[]): Finding[] => {
  const mine = new Set(endpoint.certificates.map((one) => one.der))
  const source = withSslv2.find(
    (one) => one === endpoint || (one.sslv2.certificate !== null && mine.has(one.sslv2.certificate)),
  )
  // Without a cipher kind no question about the key is answered, unless the library is one that forgets to look.
  if (source === undefined || source.sslv2.ciphers.length === 0) return []
  const lines = [`SSL 2.0 at ${source.address} port ${source.port}`, ...source.sslv2.ciphers]
  const detail =
    source === endpoint
      ? 'SSL 2.0 is offered here with the same key.'
      : `the certificate is also used with SSL 2.0 at port ${source.port}.`
  return [report(endpoint, drown, { detail, lines, confidence: 'firm' })]
}

const judgeCompression = (endpoint: EndpointFacts): Finding[] =>
  endpoint.extensions?.compression
    ? [
        report(endpoint, crime, {
          detail: 'the server chose a compression method.',
          lines: ['compression offered: DEFLATE, LZS, null', 'chosen: not null'],
        }),
      ]
    : []
