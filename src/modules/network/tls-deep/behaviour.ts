/** How the server handles sessions, versions and what it does not know. */
import { BROWSERS, CLIENTS } from '../../../knowledge/tls/clients.ts'
import type { EndpointFacts, ToleranceFacts } from '../../../protocols/tls/endpoint.ts'
import type { Finding, FindingDefinition } from '../../module.ts'
import {
  type DeepCheck,
  eachEndpoint,
  extensionsUnsure,
  offers,
  offersClassic,
  report,
  UPDATE,
  unseenBehind,
  WIKI,
} from './report.ts'

const DAY = 86_400

const insecure: FindingDefinition = {
  id: 'tls-deep/renegotiation-insecure',
  title: 'Insecure renegotiation: without the protection of RFC 5746',
  severity: 'critical',
  cwe: 310,
  why: 'Somebody on the path puts a request of their own in front of the victim’s, and the server takes both as one (CVE-2009-3555).',
  remediation: `${UPDATE}; every library since 2010 knows RFC 5746.`,
  references: ['https://www.rfc-editor.org/rfc/rfc5746', 'https://nvd.nist.gov/vuln/detail/CVE-2009-3555'],
}

const unprotected: FindingDefinition = {
  ...insecure,
  id: 'tls-deep/renegotiation-unprotected',
  title: 'Secure renegotiation missing: the server does not know RFC 5746',
  severity: 'medium',
  why: 'It refuses to renegotiate at the wish of a client, but clients cannot see that and newer ones refuse the connection.',
}

const byClient: FindingDefinition = {
  ...insecure,
  id: 'tls-deep/renegotiation-client',
  title: 'Client-initiated renegotiation: clients may renegotiate within a connection',
  severity: 'medium',
  cwe: 400,
  why: 'A handshake costs the server many times what it costs the client, so one connection can keep a core busy.',
  remediation:
    'Switch it off: Apache 2.4 and nginx refuse it; elsewhere `SSL_OP_NO_RENEGOTIATION`, or the setting of the appliance.',
}

export const renegotiation: DeepCheck = {
  findings: [insecure, unprotected, byClient],
  judge: (facts) =>
    eachEndpoint(facts, judgeRenegotiation, (endpoint) => {
      const { accepted, unanswered } = endpoint.renegotiation
      if (unanswered) return UNANSWERED
      const unsure = extensionsUnsure(endpoint)
      if (unsure) return unsure
      return accepted === null && offersClassic(endpoint) ? { ...unseenBehind(endpoint), only: UNANSWERED.only } : null
    }),
}

const UNANSWERED = {
  reason: 'The server answered neither the wish for a second handshake nor the question behind it.',
  only: [insecure.id, byClient.id],
}

const judgeRenegotiation = (endpoint: EndpointFacts): readonly Finding[] => {
  const { secure, accepted, legacyAccepted, unanswered } = endpoint.renegotiation
  const lines = [
    `RFC 5746 in the server's hello: ${secure ? 'yes' : 'no'}`,
    `renegotiation asked for by the client: ${accepted === null ? (unanswered ? 'no answer' : 'not tried') : accepted > 0 ? 'accepted' : 'refused'}`,
  ]
  if (legacyAccepted)
    return [report(endpoint, insecure, { detail: 'a client renegotiated without protection.', lines })]
  if (!secure) return [report(endpoint, unprotected, { detail: 'the hello lacks renegotiation_info.', lines })]
  return accepted
    ? [report(endpoint, byClient, { detail: 'a second handshake in one connection was accepted.', lines })]
    : []
}

const ignored: FindingDefinition = {
  id: 'tls-deep/fallback-ignored',
  title: 'TLS_FALLBACK_SCSV ignored: the server does not notice a downgrade',
  severity: 'medium',
  cwe: 757,
  why: 'A client that was brought to try a lower version is given it, although both sides could do better.',
  remediation: `${UPDATE}, or offer TLS 1.2 and 1.3 alone.`,
  references: ['https://www.rfc-editor.org/rfc/rfc7507'],
}

const ignoredSsl3: FindingDefinition = {
  ...ignored,
  id: 'tls-deep/fallback-ignored-ssl3',
  title: 'TLS_FALLBACK_SCSV ignored: the server does not notice a downgrade to SSL 3.0',
  severity: 'high',
  why: 'With SSL 3.0 on offer this is what POODLE needs.',
}

const markMissing: FindingDefinition = {
  ...ignored,
  id: 'tls-deep/downgrade-mark-missing',
  title: 'TLS 1.3 downgrade mark missing: a TLS 1.2 answer does not say that it is a step down',
  severity: 'low',
  why: 'RFC 8446 has servers put a mark into their random, by which clients notice that somebody took TLS 1.3 out of their hello.',
  references: ['https://www.rfc-editor.org/rfc/rfc8446#section-4.1.3'],
}

export const downgrade: DeepCheck = {
  findings: [ignored, ignoredSsl3, markMissing],
  judge: (facts) =>
    eachEndpoint(
      facts,
      (endpoint) => {
        const definition = offers(endpoint, 'SSLv3') ? ignoredSsl3 : ignored
        return [
          ...(endpoint.fallbackScsv === 'ignored'
            ? [
                report(endpoint, definition, {
                  detail: 'a hello of a lower version with the fallback signal was answered with a server hello.',
                  lines: [
                    'offered: the second highest version and 0x5600',
                    'due: alert inappropriate_fallback',
                    'received: server hello',
                  ],
                  openssl: '-fallback_scsv -no_tls1_3',
                }),
              ]
            : []),
          ...(endpoint.extensions?.downgradeMark === false
            ? [
                report(endpoint, markMissing, {
                  detail: 'TLS 1.3 is offered, and the random of a TLS 1.2 hello does not end with the mark.',
                  lines: ['due at the end of the random: 44 4f 57 4e 47 52 44 01'],
                }),
              ]
            : []),
        ]
      },
      (endpoint) => {
        if (endpoint.fallbackScsv === 'unknown')
          return {
            reason: 'The hello with the fallback signal was refused in another way.',
            only: [ignored.id, ignoredSsl3.id],
          }
        const unsure = offers(endpoint, 'TLSv1.3') ? extensionsUnsure(endpoint) : null
        return unsure && { ...unsure, only: [markMissing.id] }
      },
    ),
}

const noEms: FindingDefinition = {
  id: 'tls-deep/extended-master-secret',
  title: 'Extended master secret is not offered (RFC 7627)',
  severity: 'medium',
  cwe: 310,
  group: 'tls-hygiene',
  why: 'Without it the keys of a TLS 1.2 connection are not bound to its handshake, on which the triple handshake attack rests (RFC 7627); FIPS forbids such connections.',
  remediation: `${UPDATE} (OpenSSL 1.1.0 or later).`,
  references: ['https://www.rfc-editor.org/rfc/rfc7627', WIKI],
}

const longTicket: FindingDefinition = {
  ...noEms,
  id: 'tls-deep/ticket-lifetime',
  title: 'TLS session tickets live longer than a day',
  severity: 'low',
  why: 'Up to TLS 1.2 whoever gets the ticket key reads all connections of its lifetime, forward secrecy or not.',
  remediation: 'Shorten it: nginx `ssl_session_timeout 1d;`, and renew the ticket key at least daily.',
  references: ['https://www.rfc-editor.org/rfc/rfc5077#section-5.5', WIKI],
}

export const sessions: DeepCheck = {
  findings: [noEms, longTicket],
  judge: (facts) => eachEndpoint(facts, judgeSessions, sessionsUnsure),
}

const judgeSessions = (endpoint: EndpointFacts): readonly Finding[] => {
  const { extensions, resumption } = endpoint
  const lifetime = resumption.ticketLifetime ?? 0
  return [
    ...(extensions && !extensions.extendedMasterSecret
      ? [
          report(endpoint, noEms, {
            detail: 'the extension was offered and not returned.',
            lines: [`extensions of the server's hello: ${extensions.types.join(', ')}`],
          }),
        ]
      : []),
    ...(lifetime > DAY
      ? [
          report(endpoint, longTicket, {
            detail: `tickets live ${Math.round(lifetime / 3_600)} hours.`,
            lines: [`ticket lifetime: ${lifetime} s`],
          }),
        ]
      : []),
  ]
}

const sessionsUnsure = (endpoint: EndpointFacts) => {
  const { ticket, earlyData, ticketLifetime } = endpoint.resumption
  const unsure = extensionsUnsure(endpoint)
  if (unsure) return unsure
  const isOpen = ticketLifetime === null && ticket === null && earlyData === null
  return isOpen ? { ...unseenBehind(endpoint), only: [longTicket.id] } : null
}

const earlyData: FindingDefinition = {
  id: 'tls-deep/early-data',
  title: 'TLS early data (0-RTT) is accepted',
  severity: 'low',
  cwe: 294,
  why: 'Early data can be sent again by anybody on the path, so nothing that changes something may be done on its word.',
  remediation:
    'Switch it off (nginx `ssl_early_data off;`) unless the application looks at the `Early-Data` header (RFC 8470).',
  references: ['https://www.rfc-editor.org/rfc/rfc8446#section-8', 'https://www.rfc-editor.org/rfc/rfc8470'],
}

const replayed: FindingDefinition = {
  ...earlyData,
  id: 'tls-deep/early-data-replay',
  title: 'TLS early data replay: the same early data is accepted twice',
  severity: 'medium',
  why: 'The server keeps no record of what it has seen: a recorded request is carried out again as often as somebody sends it.',
}

export const zeroRoundTrip: DeepCheck = {
  findings: [earlyData, replayed],
  judge: (facts) =>
    eachEndpoint(
      facts,
      (endpoint): Finding[] => {
        const { earlyData: octets, earlyDataReplayed } = endpoint.resumption
        if (!octets) return []
        const lines = [`max_early_data_size in the ticket: ${octets}`]
        if (!earlyDataReplayed)
          return [report(endpoint, earlyData, { detail: `tickets allow ${octets} octets of early data.`, lines })]
        const detail = 'one recorded GET / was taken as early data in two connections.'
        return [
          report(endpoint, replayed, { detail, lines: [...lines, 'first time: accepted', 'second time: accepted'] }),
        ]
      },
      (endpoint) =>
        endpoint.resumption.earlyData === null && offers(endpoint, 'TLSv1.3') ? unseenBehind(endpoint) : null,
    ),
}

const intolerant: FindingDefinition = {
  id: 'tls-deep/intolerance',
  title: 'TLS intolerance: the server breaks on hellos that it does not know in full',
  severity: 'medium',
  cwe: 358,
  why: 'Clients put reserved values into their hellos, and new versions and keys make them longer; such a client cannot connect.',
  remediation: 'Update the TLS library, or the firewall or load balancer in front of it, which is as often to blame.',
  references: ['https://www.rfc-editor.org/rfc/rfc8701', 'https://www.rfc-editor.org/rfc/rfc8446#section-9.3'],
}

export const tolerance: DeepCheck = {
  findings: [intolerant],
  judge: (facts) =>
    eachEndpoint(facts, (endpoint) => {
      const broken = endpoint.tolerance.filter((one) => !one.ok && !isNobodys(endpoint, one))
      if (broken.length === 0) return []
      const lines = endpoint.tolerance.map((one) => `${one.what}: ${one.answer}`)
      const detail = `it refuses, twice each, ${broken.map((one) => one.what).join('; ')}, and takes the same hello without.`
      return [report(endpoint, intolerant, { detail, lines, confidence: 'firm' })]
    }),
}

/**
 * No client has ever sent that many suites; and since TLS 1.3 none names its version in the field that servers of that version
 * have to pass over (RFC 8446, 4.1.2). Both are shown where something else is broken, and are nothing by themselves.
 */
const isNobodys = (endpoint: EndpointFacts, { probe }: ToleranceFacts): boolean =>
  probe === 'many-suites' || (probe === 'future-version' && offers(endpoint, 'TLSv1.3'))

const shutOut: FindingDefinition = {
  id: 'tls-deep/client-shut-out',
  title: 'TLS compatibility: current clients cannot connect',
  severity: 'high',
  cwe: null,
  why: 'Visitors with a browser or program of today get an error in place of the site.',
  remediation:
    'Offer TLS 1.2 and 1.3 with the suites of the intermediate configuration of Mozilla, and a certificate with an RSA or P-256 key.',
  references: [WIKI],
}

/** Of these we have the hello itself; the others' profiles are unverified and accuse nobody. */
const CAPTURED: ReadonlySet<string> = new Set(CLIENTS.filter((one) => one.source === 'captured').map((one) => one.name))

export const clients: DeepCheck = {
  findings: [shutOut],
  judge: (facts) =>
    eachEndpoint(facts, (endpoint) => {
      if (endpoint.service !== 'https') return []
      const out = endpoint.clients.filter((one) => one.current && one.reason !== null && BROWSERS.has(one.client))
      if (out.length === 0) return []
      const lines = endpoint.clients.map((one) => `${one.client}: ${one.reason ?? one.protocol ?? ''}`)
      return [
        report(endpoint, shutOut, {
          detail: `shut out: ${out.map((one) => one.client).join(', ')}.`,
          lines,
          confidence: out.some((one) => CAPTURED.has(one.client)) ? 'firm' : 'tentative',
        }),
      ]
    }),
}
