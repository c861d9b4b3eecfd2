import type { Check, Finding, FindingDefinition, Judgement } from '../../module.ts'
import type { MxFacts, MxServer } from './facts.ts'

const absent: FindingDefinition = {
  id: 'mx/starttls-absent',
  title: 'STARTTLS missing: a mail server takes mail without TLS alone',
  severity: 'medium',
  cwe: 319,
  group: 'transport',
  why: 'Every mail to this domain crosses the network in clear, readable and changeable for everybody on the way.',
  remediation:
    'Give the server a certificate and switch STARTTLS on (Postfix: `smtpd_tls_security_level = may`, `smtpd_tls_chain_files = …`).',
  references: ['https://www.rfc-editor.org/rfc/rfc3207', 'https://www.rfc-editor.org/rfc/rfc7435'],
}

const refused: FindingDefinition = {
  ...absent,
  id: 'mx/starttls-broken',
  title: 'STARTTLS broken: a mail server announces it, and TLS does not come about',
  why: 'Sending servers fall back to clear text, or where a policy asks for TLS the mail does not arrive at all.',
  remediation: 'Look into the log of the mail server: mostly its certificate or key cannot be read.',
}

const old: FindingDefinition = {
  ...absent,
  id: 'mx/protocol-old',
  title: 'TLS too old on a mail server: no version from 1.2 on',
  why: 'RFC 8996 forbids the older versions: current mail servers do not speak them, and send in clear or not at all.',
  remediation:
    'Update the TLS library of the mail server, and allow TLS 1.2 and 1.3 (Postfix: `smtpd_tls_protocols = >=TLSv1.2`).',
  references: ['https://www.rfc-editor.org/rfc/rfc8996'],
}

const legacy: FindingDefinition = {
  ...old,
  id: 'mx/protocol-legacy',
  title: 'SSL 3.0, TLS 1.0 or 1.1 on a mail server: old versions are still offered',
  severity: 'info',
  why: 'RFC 8996 forbids these versions. Between mail servers they are better than clear text, which is what an old sender would use instead.',
}

export const starttls: Check<'mx', 'mail'> = {
  findings: [absent, refused, old, legacy],
  judge: (facts): Judgement => {
    const { servers, leftOut, domain } = facts
    if (servers.length === 0 && leftOut.length === 0) {
      return { state: 'not_applicable', reason: `${domain} has no mail servers.` }
    }
    const findings = servers.flatMap(judgeServer)
    const open = [...servers.filter(isOpen).map(({ name, detail }) => `${name} (${detail})`), ...leftOut]
    if (open.length === 0) return findings
    const reason = `Not every mail server could be asked at port 25: ${open.join(', ')}.`.slice(0, 500)
    return { state: open.length === servers.length + leftOut.length ? 'not_tested' : 'inconclusive', reason, findings }
  },
}

const isOpen = ({ starttls }: MxServer): boolean => starttls === 'unreachable' || starttls === 'silent'

const judgeServer = (server: MxServer): readonly Finding[] => {
  const { name, starttls: state, versions, detail } = server
  if (state === 'absent') return [found(server, absent, `${name} answers EHLO without STARTTLS.`, [detail])]
  if (state === 'refused') return [found(server, refused, `${name} announces STARTTLS and refuses it.`, [detail])]
  if (state !== 'offered') return []
  const lines = versions.map((one) => `${one.version}: ${one.state}`)
  const offered = versions.filter((one) => one.state === 'offered').map((one) => one.version)
  if (versions.every((one) => one.state === 'refused')) {
    return [found(server, refused, `${name} takes STARTTLS, and agrees on no version of TLS.`, lines)]
  }
  const before = offered.filter((version) => version !== 'TLSv1.2' && version !== 'TLSv1.3')
  if (before.length === 0) return []
  const definition = before.length === offered.length ? old : legacy
  return [found(server, definition, `${name} agrees on ${offered.join(', ')}.`, lines)]
}

const found = (server: MxServer, definition: FindingDefinition, detail: string, lines: readonly string[]): Finding => ({
  definition,
  confidence: 'confirmed',
  at: { host: server.name, port: 25 },
  detail,
  proof: {
    excerpt: [`${server.name} [${server.address}] port 25`, ...lines].join('\n'),
    mark: null,
    replay: replayOf(server),
  },
})

export const replayOf = ({ name, address }: MxServer): string =>
  `openssl s_client -starttls smtp -connect ${address}:25 -servername ${name} -showcerts </dev/null`

/** Servers with which TLS came about, so that their certificates can be judged. */
export const encrypted = ({ servers }: MxFacts): readonly MxServer[] => servers.filter(({ chain }) => chain.length > 0)
