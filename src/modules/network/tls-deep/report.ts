/** What the checks share: findings at an endpoint, their proof, and what to say where nothing could be judged. */
import { suiteOf } from '../../../knowledge/tls/suites.ts'
import type { EndpointFacts, Oracle, Protocol, ProtocolFacts } from '../../../protocols/tls/endpoint.ts'
import type { Check, Finding, FindingDefinition, Judgement, Unjudged } from '../../module.ts'
import { ofAddresses } from '../../passive/tls/facts-addresses.ts'
import type { TlsDeepFacts } from './facts.ts'

export type DeepCheck = Check<'tls-deep', 'site' | 'tls'>

export const NO_ENDPOINT: Unjudged = {
  state: 'not_applicable',
  reason: 'No service of the host speaks TLS, so there is nothing to look into.',
}

export const WIKI = 'https://wiki.mozilla.org/Security/Server_Side_TLS'
export const SUITES_LINE =
  'nginx: `ssl_ciphers ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305;`, Apache: the same list after `SSLCipherSuite`'
export const UPDATE = 'Update the TLS library and restart every service that has it loaded'

export interface Seen {
  readonly detail: string
  readonly lines: readonly string[]
  readonly mark?: string
  /** Options of openssl s_client that show the same again. */
  readonly openssl?: string
  readonly confidence?: Finding['confidence']
}

export const report = (endpoint: EndpointFacts, definition: FindingDefinition, seen: Seen): Finding => {
  const { host, port, address, service } = endpoint
  const isWeb = service === 'https'
  const starttls = isWeb || service === 'tls' ? '' : ` -starttls ${service === 'postgresql' ? 'postgres' : service}`
  const where = isWeb ? address : `${address} port ${port} (${service})`
  return {
    definition,
    confidence: seen.confidence ?? 'confirmed',
    at: { host, port },
    detail: `${where}: ${seen.detail}`.slice(0, 2_000),
    proof: {
      excerpt: seen.lines.join('\n').slice(0, 8_000) || seen.detail.slice(0, 8_000),
      mark: seen.mark ?? null,
      replay:
        seen.openssl === undefined
          ? null
          : `openssl s_client -connect ${address}:${port} -servername ${host}${starttls} ${seen.openssl} </dev/null`,
    },
    ...(isWeb ? {} : { subject: `${service} ${port}` }),
  }
}

/** Judges each endpoint; the addresses of one place are one finding, and the first that shows it speaks. */
export const eachEndpoint = (
  facts: TlsDeepFacts,
  judge: (endpoint: EndpointFacts) => readonly Finding[],
  unsure: (endpoint: EndpointFacts) => Doubt | null = () => null,
): Judgement => {
  if (facts.endpoints.length === 0) return NO_ENDPOINT
  const all = facts.endpoints.flatMap(judge)
  const key = (one: Finding) => JSON.stringify([one.definition.id, one.at.port, one.subject])
  const findings = all.filter((one, index) => all.findIndex((other) => key(other) === key(one)) === index)
  const left = missed(facts)
  const doubts = [...facts.endpoints.flatMap((one) => unsure(one) ?? []), ...(left ? [left] : [])]
  const judged: Judgement = doubts.length === 0 ? findings : { state: 'inconclusive', findings, ...together(doubts) }
  return ofAddresses(facts.gap ?? null, judged)
}

interface Doubt {
  readonly reason: string
  readonly only?: readonly string[]
}

const MOST_REASONS = 3

/** What is open at one endpoint is open for the host. */
const together = (doubts: readonly Doubt[]): Doubt => {
  const reasons = [...new Set(doubts.map(({ reason }) => reason))]
  const more = reasons.length > MOST_REASONS ? ` And ${reasons.length - MOST_REASONS} more.` : ''
  const reason = `${reasons.slice(0, MOST_REASONS).join(' ')}${more}`.slice(0, 1_000)
  const isWhole = doubts.some(({ only }) => only === undefined)
  return isWhole ? { reason } : { reason, only: [...new Set(doubts.flatMap(({ only = [] }) => only))] }
}

const missed = ({ leftOut = [] }: TlsDeepFacts): { readonly reason: string } | null =>
  leftOut.length === 0
    ? null
    : { reason: `TLS at ${leftOut.length} more ports was not looked at: ${leftOut.slice(0, 20).join(', ')}.` }

export const protocolOf = (endpoint: EndpointFacts, protocol: Protocol): ProtocolFacts | undefined =>
  endpoint.protocols.find((one) => one.protocol === protocol)

export const offers = (endpoint: EndpointFacts, protocol: Protocol): boolean =>
  protocolOf(endpoint, protocol)?.state === 'offered'

/** Up to TLS 1.2 the hello comes in clear, and more can go wrong. */
export const offersClassic = (endpoint: EndpointFacts): boolean =>
  endpoint.protocols.some(
    ({ protocol, state }) => protocol !== 'SSLv2' && protocol !== 'TLSv1.3' && state === 'offered',
  )

/** Null where no answer says it. */
export const alpnOf = ({ extensions, modernExtensions }: EndpointFacts): readonly string[] | null =>
  extensions?.alpn ?? modernExtensions?.alpn ?? null

/** It wants a certificate of who connects: what stands behind a handshake is not seen by strangers. */
export const asksForCertificate = ({ extensions, modernExtensions }: EndpointFacts): boolean =>
  extensions?.clientCertificate ?? modernExtensions?.clientCertificate ?? false

/** Why extensions are not known although they come in clear. */
export const extensionsUnsure = (endpoint: EndpointFacts): { readonly reason: string } | null =>
  endpoint.extensions === null && offersClassic(endpoint)
    ? { reason: `${endpoint.address} port ${endpoint.port} answered no hello with the extensions asked about.` }
    : null

/** Why what stands behind a handshake was not seen. */
export const unseenBehind = (endpoint: EndpointFacts): { readonly reason: string } => ({
  reason: `${endpoint.address} port ${endpoint.port}: ${
    asksForCertificate(endpoint)
      ? 'the server asks for a client certificate, and no handshake without one came to its end'
      : 'no handshake came to its end'
  }.`,
})

/**
 * A silence where an answer was due: what is offered may be more than what was seen.
 * @param only versions that the verdict rests on; all where it is left out
 */
export const protocolsUnsure = (
  endpoint: EndpointFacts,
  only?: readonly Protocol[],
): { readonly reason: string } | null => {
  const open = endpoint.protocols
    .filter((one) => one.state === 'unknown' || !one.complete)
    .map((one) => one.protocol)
    .filter((one) => only?.includes(one) ?? true)
  return open.length === 0
    ? null
    : { reason: `${endpoint.address} port ${endpoint.port} left questions about ${open.join(', ')} without an answer.` }
}

/** Suites with the versions they are offered in. */
export const offeredSuites = (endpoint: EndpointFacts): ReadonlyMap<number, readonly Protocol[]> => {
  const found = new Map<number, Protocol[]>()
  for (const { protocol, suites } of endpoint.protocols) {
    for (const suite of suites) found.set(suite, [...(found.get(suite) ?? []), protocol])
  }
  return found
}

export const suiteLine = (code: number, protocols: readonly Protocol[]): string =>
  `0x${code.toString(16).padStart(4, '0')} ${suiteOf(code).name} (${protocols.join(', ')})`

interface OracleFinding {
  readonly definition: FindingDefinition
  readonly verdict: string
  readonly detail: string
  readonly confidence?: Finding['confidence']
}

/** A check over one oracle: what it found, or why it could not tell. */
export const oracleCheck = (
  outcomes: readonly OracleFinding[],
  oracle: (endpoint: EndpointFacts) => Oracle<string>,
): DeepCheck => ({
  // Two verdicts may be one finding, of different confidence.
  findings: [...new Set(outcomes.map((one) => one.definition))],
  judge: (facts) =>
    eachEndpoint(
      facts,
      (endpoint) => {
        const { verdict, notes } = oracle(endpoint)
        return outcomes
          .filter((one) => one.verdict === verdict)
          .map(({ definition, detail, confidence }) =>
            report(endpoint, definition, { detail, lines: notes, ...(confidence ? { confidence } : {}) }),
          )
      },
      (endpoint) => {
        const { verdict, notes } = oracle(endpoint)
        if (verdict !== 'inconclusive') return null
        return {
          reason: `${endpoint.address} port ${endpoint.port}: ${notes.join('; ') || 'no stable answer'}`.slice(0, 500),
        }
      },
    ),
})
