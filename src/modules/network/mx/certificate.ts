import { isFailure, textsOf } from '../../../protocols/dns/ask.ts'
import { readTlsa, showTlsa, tlsaFlaw, tlsaMatches } from '../../../protocols/dns/tlsa.ts'
import { isStsRecord, mxMatches, parseStsPolicy } from '../../../protocols/mail/mta-sts.ts'
import type { Check, Finding, FindingDefinition, Judgement } from '../../module.ts'
import type { MailFacts, MxHost } from '../../passive/mail/facts.ts'
import type { MxServer } from './facts.ts'
import { encrypted, replayOf } from './starttls.ts'

const dane: FindingDefinition = {
  id: 'mx/dane-mismatch',
  title: 'DANE mismatch: none of a mail server’s TLSA records fits its certificate',
  severity: 'medium',
  cwe: 295,
  group: 'transport',
  why: 'Servers that follow DANE do not deliver to it: mail is lost. Mostly a certificate was renewed with a new key and the record forgotten.',
  remediation:
    'Publish `_25._tcp.<server> TLSA 3 1 1 <SHA-256 of the public key>` for the key in use, and keep that key when renewing.',
  references: ['https://www.rfc-editor.org/rfc/rfc7672#section-3', 'https://www.rfc-editor.org/rfc/rfc7671#section-8'],
}

const policy: FindingDefinition = {
  ...dane,
  id: 'mx/mta-sts-certificate',
  title: 'MTA-STS certificate mismatch: a mail server’s certificate does not fulfil the policy',
  why: 'Servers that follow the policy refuse to deliver to it: mail is lost.',
  remediation: 'Install a certificate of a public authority that holds the name of the MX record and is not expired.',
  references: ['https://www.rfc-editor.org/rfc/rfc8461#section-4.2'],
}

const unproven: FindingDefinition = {
  ...dane,
  id: 'mx/certificate-unproven',
  title: 'Mail server certificate untrusted: it proves nothing to others',
  severity: 'info',
  group: 'good-practice',
  why: 'Without MTA-STS and DANE nobody checks it, so mail arrives; but whoever sits on the line can put himself in between.',
  remediation:
    'Install a certificate of a public authority for the name of the MX record, then publish an MTA-STS policy.',
  references: ['https://www.rfc-editor.org/rfc/rfc8461', 'https://www.rfc-editor.org/rfc/rfc7672'],
}

export const certificate: Check<'mx', 'mail'> = {
  findings: [dane, policy, unproven],
  judge: (facts, { mail }, { now }): Judgement => {
    const servers = encrypted(facts)
    if (servers.length === 0) return { state: 'not_applicable', reason: 'No mail server showed a certificate.' }
    return servers.flatMap((server) => {
      const host = mail.hosts.find(({ name }) => name === server.name)
      const mismatch = host ? daneMismatch(server, host) : []
      const fault = faultOf(server, now)
      if (fault === null) return mismatch
      const mode = policyFor(mail, server.name)
      if (mode !== null) {
        const detail = `${server.name}: the policy has mode ${mode}, and ${fault}.`
        return [...mismatch, found(server, policy, detail, [fault])]
      }
      // With DANE the record vouches for the certificate, whoever issued it.
      if (host && usable(host).length > 0) return mismatch
      return [found(server, unproven, `${server.name}: ${fault}.`, [fault])]
    })
  },
}

/** Records that a sender may use: signed, and of usage 2 or 3 (RFC 7672, 3.1). */
const usable = ({ tlsa, tlsaSecurity }: MxHost) =>
  isFailure(tlsa) || tlsaSecurity.state !== 'secure'
    ? []
    : tlsa.records
        .flatMap(({ data }) => readTlsa(data) ?? [])
        .filter((record) => record.usage >= 2 && tlsaFlaw(record) === null)

const daneMismatch = (server: MxServer, host: MxHost): Finding[] => {
  const records = usable(host)
  const chain = server.chain.map((der) => Buffer.from(der, 'base64'))
  if (records.length === 0 || records.some((record) => tlsaMatches(record, chain))) return []
  const detail = `${server.name}: the certificate (SHA-256 ${server.certificate?.sha256 ?? 'unknown'}) fits none of ${records.length} TLSA records.`
  return [
    found(
      server,
      dane,
      detail,
      records.map((record) => `${host.tlsa.name} TLSA ${showTlsa(record)}`),
    ),
  ]
}

/** What a client that checks would say against the certificate, null for nothing. */
const faultOf = ({ name, certificate: shown }: MxServer, now: number): string | null => {
  if (shown === null) return 'the certificate cannot be read'
  if (shown.notAfter < now) return `the certificate expired on ${new Date(shown.notAfter).toISOString().slice(0, 10)}`
  if (shown.notBefore > now) return 'the certificate is not valid yet'
  if (!shown.isNamed) return `the certificate (${shown.subject.slice(0, 120)}) is not for ${name}`
  return shown.trust === 'public' ? null : `the certificate comes from nobody that is trusted (${shown.trust})`
}

/** The mode of a policy that is in force for the server; null where none is. */
const policyFor = ({ sts }: MailFacts, name: string): string | null => {
  const body = sts.policy?.status === 200 ? sts.policy.body : ''
  if (body === '' || !textsOf(sts.record).some(isStsRecord)) return null
  const { mode, mx, errors } = parseStsPolicy(body)
  const named = mx.some((pattern) => mxMatches(pattern, name))
  return errors.length === 0 && named && (mode === 'enforce' || mode === 'testing') ? mode : null
}

const found = (server: MxServer, definition: FindingDefinition, detail: string, lines: readonly string[]): Finding => ({
  definition,
  confidence: 'confirmed',
  at: { host: server.name, port: 25 },
  detail,
  proof: {
    excerpt: [
      `${server.name} [${server.address}] port 25`,
      `Subject: ${server.certificate?.subject ?? 'unknown'}`,
      ...lines,
    ].join('\n'),
    mark: null,
    replay: replayOf(server),
  },
})
