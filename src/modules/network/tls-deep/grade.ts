/**
 * The grade by the SSL Labs rating guide 2009r: three scores, their weighted sum, and caps that each have a reason.
 * https://github.com/ssllabs/research/wiki/SSL-Server-Rating-Guide
 */
import { groupOf } from '../../../knowledge/tls/groups.ts'
import { suiteOf } from '../../../knowledge/tls/suites.ts'
import {
  MIN_MAX_AGE,
  type TransportSecurity,
  transportSecurityOf,
} from '../../../page/headers/strict-transport-value.ts'
import { nameMatches } from '../../../protocols/tls/certificate/names.ts'
import type { EndpointFacts, Protocol } from '../../../protocols/tls/endpoint.ts'
import type { SiteFacts } from '../../passive/site/facts.ts'
import type { TlsFacts } from '../../passive/tls/facts.ts'
import { servedChains } from '../../passive/tls/facts-served.ts'
import type { TlsDeepFacts } from './facts.ts'
import { offers } from './report.ts'

export type Letter = 'A+' | 'A' | 'A-' | 'B' | 'C' | 'D' | 'E' | 'F' | 'T' | 'M'

export interface Cap {
  readonly letter: Letter
  readonly reason: string
}

export interface Rating {
  readonly protocol: number
  readonly keyExchange: number
  readonly cipher: number
  readonly score: number
  readonly caps: readonly Cap[]
  readonly warnings: readonly string[]
  /** What the endpoint gets whatever its certificate. */
  readonly grade: Letter
}

const PROTOCOL_SCORES: Readonly<Record<Protocol, number>> = {
  SSLv2: 0,
  SSLv3: 80,
  TLSv1: 90,
  'TLSv1.1': 95,
  'TLSv1.2': 100,
  'TLSv1.3': 100,
}
const WORST_FIRST: readonly Letter[] = ['M', 'T', 'F', 'E', 'D', 'C', 'B', 'A-', 'A', 'A+']

/** Of one endpoint, by its handshakes alone. @param chainComplete false where an intermediate is missing */
export const rate = (endpoint: EndpointFacts, chainComplete = true): Rating => {
  const protocols = endpoint.protocols
    .filter((one) => one.state === 'offered')
    .map((one) => PROTOCOL_SCORES[one.protocol])
  const strengths = endpoint.protocols.flatMap((one) => one.suites.map((code) => cipherScore(suiteOf(code).bits)))
  const protocol = mean(protocols)
  const keyExchange = keyExchangeScore(endpoint)
  const cipher = strengths.length > 0 ? mean(strengths) : 0
  const isZero = protocol === 0 || keyExchange === 0 || cipher === 0
  const score = isZero ? 0 : Math.floor(protocol * 0.3 + keyExchange * 0.3 + cipher * 0.4)
  const caps = capsOf(endpoint, keyExchange, chainComplete)
  const warnings = warningsOf(endpoint)
  const plain = letterOf(score)
  const capped = worst([plain, ...caps.map((cap) => cap.letter)])
  const grade = capped !== 'A' ? capped : warnings.length > 0 ? 'A-' : 'A'
  return { protocol, keyExchange, cipher, score, caps, warnings, grade }
}

/** Of the site: the worst of its https endpoints, with what the certificate and HSTS add. Null without https. */
export const gradeSite = (
  facts: TlsDeepFacts,
  known: { readonly site: SiteFacts; readonly tls: TlsFacts },
): {
  readonly id: string
  readonly title: string
  readonly grade: Letter
  readonly score: number
  readonly reasons: string[]
} | null => {
  const endpoints = facts.endpoints.filter((one) => one.service === 'https')
  if (endpoints.length === 0) return null
  const served = servedChains(known.tls)
  const complete = served.every((one) => one.trust.state !== 'incomplete')
  const ratings = endpoints.map((one) => rate(one, complete))
  const trust = trustCaps(facts, known.tls)
  const grade = worst([...ratings.map((one) => one.grade), ...trust.map((cap) => cap.letter)])
  const hsts = transportSecurity(known.site)
  const final = grade === 'A' ? withHsts(hsts) : grade
  return {
    id: 'tls',
    title: 'TLS (SSL Labs rating guide 2009r)',
    grade: final,
    score: Math.min(...ratings.map((one) => one.score)),
    reasons: reasonsOf(final, ratings, [...trust, ...ratings.flatMap((one) => one.caps)]),
  }
}

/** What keeps it from a better letter: the caps at it, the warnings that take an A off, or the points. */
const reasonsOf = (grade: Letter, ratings: readonly Rating[], caps: readonly Cap[]): string[] => {
  if (grade === 'A+') return []
  const named = grade === 'A-' ? ratings.flatMap(({ warnings }) => warnings) : []
  const limits = [...new Set([...caps.filter(({ letter }) => letter === grade).map(({ reason }) => reason), ...named])]
  if (limits.length > 0) return limits
  return grade === 'A' || grade === 'A-'
    ? ['Strict-Transport-Security of half a year is missing']
    : [`versions, keys and ciphers come to ${Math.min(...ratings.map(({ score }) => score))} of 100 points`]
}

/** An A is an A+ with HSTS of 180 days or more, and an A- where what is sent does not work. */
const withHsts = (hsts: TransportSecurity): Letter => {
  if (hsts.kind === 'missing') return 'A'
  return hsts.kind === 'valid' && hsts.maxAge >= MIN_MAX_AGE ? 'A+' : 'A-'
}

/** Caps of the certificate: the guide shows T and M in place of a letter. */
export const trustCaps = (facts: TlsDeepFacts, tls: TlsFacts): readonly Cap[] =>
  servedChains(tls).flatMap(({ leaf, trust, vouching }): Cap[] => [
    ...(trust.state === 'public' || trust.state === 'private' || trust.state === 'incomplete'
      ? []
      : [{ letter: 'T' as const, reason: 'the certificate is not trusted' }]),
    ...(leaf.notAfter < facts.now || leaf.notBefore > facts.now
      ? [{ letter: 'T' as const, reason: 'the certificate is not valid now' }]
      : []),
    ...(facts.revocation.some((one) => one.status === 'revoked')
      ? [{ letter: 'T' as const, reason: 'the certificate is revoked' }]
      : []),
    ...(vouching.some((one) => !one.selfSigned && /sha-?1|md5/i.test(one.signatureAlgorithm))
      ? [{ letter: 'T' as const, reason: 'a signature of the chain rests on SHA-1 or MD5' }]
      : []),
    ...((leaf.dnsNames ?? []).some((name) => nameMatches(name, tls.host))
      ? []
      : [{ letter: 'M' as const, reason: 'the certificate is for another name' }]),
  ])

const mean = (scores: readonly number[]): number =>
  scores.length === 0 ? 0 : (Math.max(...scores) + Math.min(...scores)) / 2

const cipherScore = (bits: number): number => (bits === 0 ? 0 : bits < 128 ? 20 : bits < 256 ? 80 : 100)

/** The weakest of what takes part: the key of the certificate, DHE parameters, curves. */
const keyExchangeScore = (endpoint: EndpointFacts): number => {
  const codes = endpoint.protocols.flatMap((one) => one.suites).map(suiteOf)
  if (codes.some((suite) => suite.authentication === 'anon')) return 0
  const rsa = endpoint.certificates.flatMap(({ key, bits }) =>
    bits === null ? [] : [key.startsWith('rsa') ? finite(bits) : curve(bits)],
  )
  const dh = endpoint.dh.map(({ bits }) => finite(bits))
  const ec = endpoint.groups
    .map(groupOf)
    .filter((group) => group.kind === 'ec' && group.bits > 0)
    .map((group) => curve(group.bits))
  const exported = codes.some((suite) => suite.isExport) ? [40] : []
  const all = [...rsa, ...dh, ...ec, ...exported]
  return all.length === 0 ? 100 : Math.min(...all)
}

const finite = (bits: number): number =>
  bits < 512 ? 20 : bits < 1024 ? 40 : bits < 2048 ? 80 : bits < 4096 ? 90 : 100
const curve = (bits: number): number => (bits < 110 ? 20 : bits < 123 ? 40 : bits < 163 ? 80 : bits < 225 ? 90 : 100)

const letterOf = (score: number): Letter =>
  score >= 80 ? 'A' : score >= 65 ? 'B' : score >= 50 ? 'C' : score >= 35 ? 'D' : score >= 20 ? 'E' : 'F'

const worst = (letters: readonly Letter[]): Letter =>
  letters.toSorted((a, b) => WORST_FIRST.indexOf(a) - WORST_FIRST.indexOf(b))[0] ?? 'F'

const capsOf = (endpoint: EndpointFacts, keyExchange: number, chainComplete: boolean): readonly Cap[] => {
  const all = endpoint.protocols.flatMap(({ protocol, suites }) =>
    suites.map((code) => ({ protocol, suite: suiteOf(code) })),
  )
  const any = (test: (one: (typeof all)[number]) => boolean) => all.some(test)
  const has = (protocol: Protocol) => offers(endpoint, protocol)
  const modern = has('TLSv1.2') || has('TLSv1.3')
  const newer = (protocol: Protocol) => protocol === 'TLSv1.1' || protocol === 'TLSv1.2'
  const rules: readonly (readonly [boolean, Letter, string])[] = [
    [has('SSLv2'), 'F', 'SSL 2.0 is offered'],
    [any(({ suite }) => suite.isExport), 'F', 'export suites are offered'],
    [any(({ suite }) => suite.bits < 112), 'F', 'suites of less than 112 bits are offered'],
    [keyExchange <= 40, 'F', 'the key exchange has less than 1024 bits'],
    [has('SSLv3') && !modern && !has('TLSv1') && !has('TLSv1.1'), 'F', 'nothing but SSL 3.0 is offered'],
    [
      endpoint.certificates.some((one) => /md[25]/i.test(one.signatureAlgorithm)),
      'F',
      'the certificate is signed with MD2 or MD5',
    ],
    [endpoint.heartbleed.verdict === 'vulnerable', 'F', 'Heartbleed'],
    [endpoint.ccs.verdict === 'vulnerable', 'F', 'early change_cipher_spec is taken (CVE-2014-0224)'],
    [endpoint.ticketbleed.verdict === 'vulnerable', 'F', 'Ticketbleed'],
    [endpoint.robot.verdict === 'strong' || endpoint.robot.verdict === 'weak', 'F', 'ROBOT'],
    [endpoint.padding.verdict === 'poodle' || endpoint.padding.verdict === 'oracle', 'F', 'a padding oracle'],
    [endpoint.renegotiation.legacyAccepted === true, 'F', 'insecure renegotiation'],
    [!modern, 'C', 'neither TLS 1.2 nor TLS 1.3 is offered'],
    [any(({ protocol, suite }) => protocol === 'SSLv3' && suite.mode === 'cbc'), 'C', 'POODLE'],
    [endpoint.extensions?.compression === true, 'C', 'CRIME'],
    [any(({ protocol, suite }) => suite.cipher === 'RC4' && newer(protocol)), 'C', 'RC4 with TLS 1.1 or later'],
    [
      any(({ protocol, suite }) => suite.cipher === '3DES' && newer(protocol)),
      'C',
      'blocks of 64 bits with TLS 1.1 or later',
    ],
    [has('SSLv3'), 'B', 'SSL 3.0 is offered'],
    [has('TLSv1') || has('TLSv1.1'), 'B', 'TLS 1.0 or 1.1 is offered'],
    [any(({ suite }) => suite.cipher === 'RC4'), 'B', 'RC4 cipher suites are offered'],
    [!any(({ suite }) => suite.mode === 'aead'), 'B', 'no authenticated encryption'],
    [!any(({ suite }) => suite.forwardSecret), 'B', 'no forward secrecy'],
    [any(({ protocol, suite }) => protocol === 'TLSv1' && suite.mode === 'cbc'), 'B', 'BEAST'],
    [keyExchange <= 80, 'B', 'the key exchange has less than 2048 bits'],
    [!chainComplete, 'B', 'the chain of the certificate is not complete'],
  ]
  return rules.filter(([applies]) => applies).map(([, letter, reason]) => ({ letter, reason }))
}

/** Each takes an A down to A-. */
const warningsOf = (endpoint: EndpointFacts): readonly string[] => [
  ...(offers(endpoint, 'TLSv1.3') ? [] : ['TLS 1.3 is not offered']),
  ...(endpoint.renegotiation.secure ? [] : ['secure renegotiation is not known']),
]

/** As sent over https on the start page. */
const transportSecurity = (site: SiteFacts): TransportSecurity =>
  transportSecurityOf(site.pages.find((one) => one.url.startsWith('https:'))?.headers ?? [])
