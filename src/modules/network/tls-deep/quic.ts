/** HTTP/3: whether QUIC answers at the site's port, and whose certificate it shows there. */
import { targetFailure } from '../../../egress/door/target-failure.ts'
import { parseCertificate } from '../../../protocols/tls/certificate/certificate.ts'
import { nameMatches } from '../../../protocols/tls/certificate/names.ts'
import { askFirstFlight } from '../../../protocols/tls/quic/first-flight.ts'
import type { CollectContext, Finding, FindingDefinition, Judgement } from '../../module.ts'
import type { SiteFacts } from '../../passive/site/facts.ts'
import type { QuicFacts, TlsDeepFacts } from './facts.ts'
import type { DeepCheck } from './report.ts'

const unreachable: FindingDefinition = {
  id: 'tls-deep/http3-unreachable',
  title: 'HTTP/3 announced and not reachable: Alt-Svc leads to a port that does not speak QUIC',
  severity: 'info',
  cwe: null,
  why: 'No flaw: browsers try the announced port first and come back after a while, so visits begin more slowly.',
  remediation:
    'Let UDP through to the port (nftables: `udp dport 443 accept`, the load balancer and security group too), or take `h3` out of Alt-Svc.',
  references: ['https://www.rfc-editor.org/rfc/rfc9114#section-3.1.1', 'https://www.rfc-editor.org/rfc/rfc7838'],
}

const certificate: FindingDefinition = {
  id: 'tls-deep/quic-certificate',
  title: 'TLS certificate over QUIC not valid: HTTP/3 shows another one than the site',
  severity: 'medium',
  cwe: 295,
  why: 'Clients of HTTP/3 refuse it or accept anybody in its place; it is often what a renewal has left behind.',
  remediation:
    'Have the QUIC listener read the same certificate as the https one, and reload both by the hook of the renewal (nginx: one `server` block with both `listen` lines).',
  references: ['https://www.rfc-editor.org/rfc/rfc9001#section-4.4', 'https://www.rfc-editor.org/rfc/rfc9525'],
}

/** Milliseconds in which the first flight comes. */
const WAIT = 1_500

export const collectQuic = async (
  ctx: CollectContext,
  address: string,
  port: number,
  site: SiteFacts,
): Promise<QuicFacts> => {
  const announced = announcedPort(site)
  const at = announced ?? port
  const asked = { address, port: at, announced: announced !== null }
  const nothing = { versions: [], alpn: null, certificates: [] }
  for (let round = 0; round < 2; round += 1) {
    const question = askFirstFlight(ctx.target.host)
    try {
      const replies = await ctx.egress.datagram({ host: address, port: at, payload: question.payload, wait: WAIT })
      const answer = question.read(replies)
      if (answer !== null) {
        const { state, versions, alpn, certificates, code, reason } = answer
        const detail = code === null ? reason : `${reason || 'closed'} (code 0x${code.toString(16)})`
        return {
          ...asked,
          state,
          versions,
          alpn,
          detail,
          certificates: certificates.map((der) => der.toString('base64')),
        }
      }
      if (replies.length > 0) return { ...asked, ...nothing, state: 'other', detail: 'an answer that is not QUIC' }
    } catch (error) {
      const failure = targetFailure(error)
      if (failure === null) throw error
      return { ...asked, ...nothing, state: 'closed', detail: failure.message.slice(0, 200) }
    }
  }
  return { ...asked, ...nothing, state: 'silent', detail: 'no answer' }
}

/** Of Alt-Svc of the start page, where it names h3 at the host itself (RFC 7838, 3). */
const announcedPort = ({ pages }: SiteFacts): number | null => {
  const values = (pages[0]?.headers ?? [])
    .filter(([name]) => name.toLowerCase() === 'alt-svc')
    .map(([, value]) => value)
  const port = /(?:^|[,\s])h3="?:(\d{1,5})"?/.exec(values.join(', ').slice(0, 4_096))?.[1]
  return port === undefined || Number(port) < 1 || Number(port) > 65_535 ? null : Number(port)
}

export const http3: DeepCheck = {
  findings: [unreachable, certificate],
  judge: (facts, { tls }): Judgement => {
    const { quic = null } = facts
    if (quic === null) return { state: 'not_tested', reason: 'QUIC was not asked for: the host does not speak https.' }
    const { state, announced, detail, port } = quic
    if (state === 'closed' || state === 'silent' || state === 'other') {
      if (announced) return [notReached(facts, quic)]
      return { state: 'not_applicable', reason: `Nothing speaks QUIC at UDP port ${port} (${detail}).` }
    }
    const only = [certificate.id]
    if (state !== 'handshake')
      return {
        state: 'inconclusive',
        reason: `QUIC at UDP port ${port} showed no certificate: ${WHY[state]}${detail ? `, ${detail}` : ''}.`,
        only,
        findings: [],
      }
    const [leaf] = quic.certificates
    if (leaf === undefined)
      return {
        state: 'inconclusive',
        reason: `The certificate over QUIC at UDP port ${port} did not come whole.`,
        only,
        findings: [],
      }
    const shown = read(leaf)
    if (shown === null)
      return {
        state: 'inconclusive',
        reason: `The certificate over QUIC at UDP port ${port} cannot be read.`,
        only,
        findings: [],
      }
    if (tls.certificates.some(({ sha256 }) => sha256 === shown.sha256)) return []
    const flaw = flawOf(shown, facts)
    return flaw === null ? [] : [notValid(facts, quic, shown, flaw)]
  },
}

const WHY = {
  refused: 'the handshake was refused',
  retry: 'it wants the address proven first',
  versions: 'it does not speak version 1',
} as const

const read = (der: string) => {
  try {
    return parseCertificate(Buffer.from(der, 'base64'))
  } catch {
    // What OpenSSL cannot read is no certificate.
    return null
  }
}

type Shown = NonNullable<ReturnType<typeof read>>

const flawOf = (
  { notAfter, notBefore, dnsNames, selfSigned, subject }: Shown,
  { now, host }: TlsDeepFacts,
): string | null => {
  if (notAfter < now) return `expired on ${dayOf(notAfter)}`
  if (notBefore > now) return `is not valid before ${dayOf(notBefore)}`
  if (!(dnsNames ?? []).some((name) => nameMatches(name, host)))
    return `is for ${(dnsNames ?? [])[0] ?? subject}, not ${host}`
  return selfSigned ? 'vouches for itself' : null
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

const replayOf = ({ address, port }: QuicFacts, host: string): string =>
  `curl --http3-only -sv -o /dev/null --connect-to '${host}:${port}:${address}:${port}' https://${host}:${port}/`

const notReached = ({ host }: TlsDeepFacts, quic: QuicFacts): Finding => ({
  definition: unreachable,
  confidence: quic.state === 'silent' ? 'firm' : 'confirmed',
  at: { host, port: quic.port },
  detail: `Alt-Svc of the start page names h3 at port ${quic.port}, and UDP port ${quic.port} of ${quic.address} does not speak QUIC: ${quic.detail}.`,
  proof: {
    excerpt: `QUIC Initial to ${quic.address} UDP ${quic.port}: ${quic.detail}`,
    mark: null,
    replay: replayOf(quic, host),
  },
})

const notValid = ({ host }: TlsDeepFacts, quic: QuicFacts, shown: Shown, flaw: string): Finding => ({
  definition: certificate,
  confidence: 'confirmed',
  at: { host, port: quic.port },
  detail: `The certificate that ${quic.address} shows over QUIC at UDP port ${quic.port} ${flaw}; over TCP the site shows another one.`,
  proof: {
    excerpt: [
      `Subject: ${shown.subject}`,
      `Names: ${(shown.dnsNames ?? []).slice(0, 20).join(', ')}`,
      `From: ${dayOf(shown.notBefore)}`,
      `Until: ${dayOf(shown.notAfter)}`,
      `SHA-256: ${shown.sha256}`,
    ].join('\n'),
    mark: null,
    replay: replayOf(quic, host),
  },
})
