import { groupOf } from '../../../knowledge/tls/groups.ts'
import { schemeOf } from '../../../knowledge/tls/schemes.ts'
import { suiteOf } from '../../../knowledge/tls/suites.ts'
import type { DhFacts, EndpointFacts } from '../../../protocols/tls/endpoint.ts'
import type { Finding, FindingDefinition } from '../../module.ts'
import { type DeepCheck, eachEndpoint, offers, report, WIKI } from './report.ts'

const DH_REMEDY =
  'Offer elliptic curves in place of finite fields, or use a group of RFC 7919: `openssl dhparam` files of 2048 bits or more (nginx `ssl_dhparam`), never one that came with an old package.'
const LOGJAM = ['https://weakdh.org/', 'https://nvd.nist.gov/vuln/detail/CVE-2015-4000'] as const

const dhBroken: FindingDefinition = {
  id: 'tls-deep/dh-broken',
  title: 'Logjam: Diffie-Hellman parameters of at most 800 bits',
  severity: 'critical',
  cwe: 326,
  why: 'Discrete logarithms of this size are computed with rented machines, and the connection is read.',
  remediation: DH_REMEDY,
  references: LOGJAM,
}

const dhWeak: FindingDefinition = {
  ...dhBroken,
  id: 'tls-deep/dh-weak',
  title: 'Weak Diffie-Hellman: parameters of at most 1024 bits',
  severity: 'high',
  why: 'States can compute discrete logarithms of 1024 bits, once for each prime, and the same primes are used by millions of servers.',
}

const dhShort: FindingDefinition = {
  ...dhBroken,
  id: 'tls-deep/dh-short',
  title: 'Short Diffie-Hellman: parameters of less than 2048 bits',
  severity: 'medium',
  why: 'Less than 2048 bits is below what every recommendation of today asks for.',
}

const dhReused: FindingDefinition = {
  ...dhBroken,
  id: 'tls-deep/dh-reused',
  title: 'Diffie-Hellman reuse: the server uses its value again',
  severity: 'low',
  why: 'What is used again can be lost again: forward secrecy is only as short-lived as the value.',
  remediation: 'Update the TLS library (OpenSSL 1.0.2f and later never reuse the value), and restart the service.',
  references: ['https://nvd.nist.gov/vuln/detail/CVE-2016-0701'],
}

const dhUnexplained: FindingDefinition = {
  ...dhBroken,
  id: 'tls-deep/dh-unexplained-prime',
  title: 'Diffie-Hellman prime of RFC 5114: how it was made is not said',
  severity: 'low',
  why: 'A prime may be built so that its maker can compute logarithms with it; nobody can show that these were not.',
  references: ['https://www.rfc-editor.org/rfc/rfc5114', 'https://eprint.iacr.org/2016/961'],
}

const curveWeak: FindingDefinition = {
  ...dhBroken,
  id: 'tls-deep/curve-weak',
  title: 'Weak elliptic curves of less than 224 bits are offered',
  severity: 'medium',
  why: 'A client can be given a curve that is too small for today.',
  remediation:
    'List the curves to use: nginx `ssl_ecdh_curve X25519:prime256v1:secp384r1;`, Apache `SSLOpenSSLConfCmd Curves X25519:prime256v1:secp384r1`.',
  references: [WIKI],
}

const noHybrid: FindingDefinition = {
  ...dhBroken,
  id: 'tls-deep/group-post-quantum',
  title: 'Post-quantum key exchange is not offered',
  severity: 'info',
  why: 'Connections that are recorded today can be read once quantum computers are large enough; browsers already offer X25519MLKEM768.',
  remediation:
    'Use a TLS library that knows it (OpenSSL 3.5, BoringSSL, Go 1.24) and put `X25519MLKEM768` first in the list of groups.',
  references: ['https://datatracker.ietf.org/doc/draft-ietf-tls-ecdhe-mlkem/'],
}

export const keyExchange: DeepCheck = {
  findings: [dhBroken, dhWeak, dhShort, dhReused, dhUnexplained, curveWeak, noHybrid],
  judge: (facts) =>
    eachEndpoint(facts, (endpoint) => [
      ...endpoint.dh.flatMap((dh) => judgeDh(endpoint, dh)),
      ...(endpoint.ecdhReused
        ? [
            report(endpoint, dhReused, {
              detail: 'two handshakes over elliptic curves showed the same public value.',
              lines: ['ECDHE public value: the same twice'],
            }),
          ]
        : []),
      ...judgeGroups(endpoint),
    ]),
}

const judgeDh = (endpoint: EndpointFacts, dh: DhFacts): Finding[] => {
  const lines = [
    `suite: ${suiteOf(dh.suite).name}`,
    `prime: ${dh.bits} bits, ${dh.prime.slice(0, 64)}…`,
    `known as: ${dh.knownPrime ?? 'no common prime'}`,
  ]
  const size = dh.bits <= 800 ? dhBroken : dh.bits <= 1024 ? dhWeak : dh.bits < 2048 ? dhShort : null
  const detail = `the server gives a prime of ${dh.bits} bits${dh.knownPrime ? ` (${dh.knownPrime})` : ''}.`
  return [
    ...(size ? [report(endpoint, size, { detail, lines, openssl: '-cipher DHE:@SECLEVEL=0 -tls1_2' })] : []),
    ...(dh.reused
      ? [report(endpoint, dhReused, { detail: 'two handshakes showed the same public value.', lines })]
      : []),
    ...(dh.unexplained ? [report(endpoint, dhUnexplained, { detail, lines })] : []),
  ]
}

const judgeGroups = (endpoint: EndpointFacts): Finding[] => {
  const groups = endpoint.groups.map(groupOf)
  const lines = [`groups: ${groups.map(({ name }) => name).join(', ') || 'none'}`]
  const small = groups.filter((group) => group.kind === 'ec' && group.bits > 0 && group.bits < 224)
  const hybrid = groups.some((group) => group.kind === 'kem')
  const [first] = small
  return [
    ...(first
      ? [
          report(endpoint, curveWeak, {
            detail: `offered: ${small.map(({ name }) => name).join(', ')}.`,
            lines,
            mark: first.name,
          }),
        ]
      : []),
    ...(offers(endpoint, 'TLSv1.3') && !hybrid
      ? [report(endpoint, noHybrid, { detail: 'TLS 1.3 is offered without any hybrid group.', lines })]
      : []),
  ]
}

const md5: FindingDefinition = {
  id: 'tls-deep/signature-md5',
  title: 'MD5 signatures in TLS: the server signs its key exchange with MD5',
  severity: 'critical',
  cwe: 328,
  why: 'Collisions of MD5 are made in seconds, and with them the signature of a handshake can be carried over to another (SLOTH).',
  remediation:
    'Update the TLS library; list the algorithms where it allows to (`SignatureAlgorithms` in openssl.cnf, without MD5 and SHA1).',
  references: ['https://www.rfc-editor.org/rfc/rfc9155', 'https://nvd.nist.gov/vuln/detail/CVE-2015-7575'],
}

const sha1: FindingDefinition = {
  ...md5,
  id: 'tls-deep/signature-sha1',
  title: 'SHA-1 signatures in TLS: the server signs its key exchange with it when asked to',
  severity: 'low',
  group: 'tls-hygiene',
  why: 'Collisions of SHA-1 are within reach, and RFC 9155 forbids it in the signatures of TLS 1.2.',
}

export const signatures: DeepCheck = {
  findings: [md5, sha1],
  judge: (facts) =>
    eachEndpoint(facts, (endpoint) => {
      const schemes = endpoint.schemes.map(schemeOf)
      const lines = [`signature schemes: ${schemes.map(({ name }) => name).join(', ')}`]
      return (
        [
          [md5, 'md5'],
          [sha1, 'sha1'],
        ] as const
      ).flatMap(([definition, hash]) => {
        const found = schemes.filter((scheme) => scheme.hash === hash)
        const [first] = found
        if (first === undefined) return []
        const detail = `it signs with ${found.map(({ name }) => name).join(', ')}.`
        return [report(endpoint, definition, { detail, lines, mark: first.name })]
      })
    }),
}
