/** What is asked once for the host: the clear-text port, a compressed page, the authority's word on the certificate. */

import type { Oracle } from '../../../protocols/tls/endpoint.ts'
import type { FindingDefinition, Judgement } from '../../module.ts'
import type { TlsDeepFacts } from './facts.ts'
import type { DeepCheck } from './report.ts'

const opossumFound: FindingDefinition = {
  id: 'tls-deep/opossum',
  title: 'Opossum: TLS on request on port 80 beside https (CVE-2025-49812)',
  severity: 'high',
  cwe: 287,
  why: 'Somebody on the path leads a client of https to the port that switches on request, and the answers get out of step with the requests (CVE-2025-49812).',
  remediation: 'Switch it off: Apache `SSLEngine optional` becomes `off`, or update to 2.4.64, which no longer has it.',
  references: ['https://opossum-attack.com/', 'https://nvd.nist.gov/vuln/detail/CVE-2025-49812'],
}

export const opossum: DeepCheck = {
  findings: [opossumFound],
  judge: (facts) =>
    once(facts.opossum, [
      {
        verdict: 'vulnerable',
        definition: opossumFound,
        detail: 'Port 80 answers a request for TLS with 101.',
        at: { host: facts.host, port: 80 },
      },
    ]),
}

const breachFound: FindingDefinition = {
  id: 'tls-deep/breach',
  title: 'BREACH: a compressed page repeats input beside a secret',
  severity: 'medium',
  cwe: 310,
  why: 'The length of the page tells whether a guess in the input was part of the secret (CVE-2013-3587).',
  remediation:
    'Mask the secret with a new random value in each answer, as current frameworks do, or send pages with secrets uncompressed.',
  references: ['https://www.breachattack.com/', 'https://nvd.nist.gov/vuln/detail/CVE-2013-3587'],
}

const compressed: FindingDefinition = {
  ...breachFound,
  id: 'tls-deep/compressed-pages',
  title: 'HTTP compression: pages are compressed, as BREACH needs',
  severity: 'info',
  why: 'Compression is what BREACH rests on; it harms only a page that repeats input beside a secret, and none was seen.',
}

export const breach: DeepCheck = {
  findings: [breachFound, compressed],
  judge: (facts) => {
    const at = { host: facts.host }
    return once(facts.breach, [
      {
        verdict: 'vulnerable',
        definition: breachFound,
        detail: 'The start page is compressed, repeats its input and holds a secret.',
        at,
      },
      { verdict: 'compressed', definition: compressed, detail: 'The start page comes compressed.', at },
    ])
  },
}

interface Outcome {
  readonly verdict: string
  readonly definition: FindingDefinition
  readonly detail: string
  readonly at: { readonly host: string; readonly port?: number }
}

const once = (oracle: Oracle<string>, outcomes: readonly Outcome[]): Judgement => {
  const { verdict, notes } = oracle
  if (verdict === 'inconclusive' || verdict === 'not_applicable') {
    return { state: verdict, reason: notes.join('; ') || 'there was no answer' }
  }
  return outcomes
    .filter((one) => one.verdict === verdict)
    .map(({ definition, detail, at }) => ({
      definition,
      confidence: 'firm',
      at,
      detail,
      proof: { excerpt: notes.join('\n').slice(0, 8_000) || detail, mark: null, replay: null },
    }))
}

const revoked: FindingDefinition = {
  id: 'tls-deep/certificate-revoked',
  title: 'TLS certificate revoked: the authority says so',
  severity: 'critical',
  cwe: 299,
  why: 'Its authority has withdrawn it, as a rule because the key is no longer secret; clients that look refuse the site.',
  remediation: 'Find out why it was revoked, make a new key, request a new certificate and install both.',
  references: ['https://www.rfc-editor.org/rfc/rfc6960', 'https://www.rfc-editor.org/rfc/rfc5280#section-5'],
}

export const revocation: DeepCheck = {
  findings: [revoked],
  judge: (facts: TlsDeepFacts) => {
    if (facts.revocation.length === 0) {
      return {
        state: 'not_applicable',
        reason: 'The certificate names neither an OCSP responder nor a revocation list.',
      }
    }
    const lines = facts.revocation.map(
      ({ source, url, status, detail, checked }) =>
        `${source} ${url}: ${status} (${[detail, ...(checked ? [checked.why] : [])].join('; ')})`,
    )
    const hits = facts.revocation.filter((one) => one.status === 'revoked')
    const hit = hits.find((one) => one.checked?.state === 'valid') ?? hits[0]
    if (hit) {
      return [
        {
          definition: revoked,
          confidence: hit.checked?.state === 'valid' ? 'confirmed' : 'firm',
          at: { host: facts.host },
          detail: `${hit.source === 'ocsp' ? 'The OCSP responder' : 'The revocation list'} of the authority says so (${hit.detail}).`,
          proof: { excerpt: lines.join('\n').slice(0, 8_000), mark: null, replay: null },
        },
      ]
    }
    if (facts.revocation.some((one) => one.status === 'good')) return []
    return { state: 'inconclusive', reason: lines.join('; ').slice(0, 500) }
  },
}

const clear: FindingDefinition = {
  id: 'tls-deep/starttls-absent',
  title: 'Cleartext sign-in: a service takes passwords or mail without TLS',
  severity: 'medium',
  cwe: 319,
  why: 'What is sent to this port goes over the network in clear, logins included.',
  remediation:
    'Switch TLS on (Postfix `smtpd_tls_security_level = may`, Dovecot `ssl = required`, vsftpd `ssl_enable=YES`), or close the port.',
  references: ['https://www.rfc-editor.org/rfc/rfc8314', 'https://www.rfc-editor.org/rfc/rfc3207'],
}

export const clearText: DeepCheck = {
  findings: [clear],
  judge: (facts) =>
    facts.silent
      .filter(({ reason }) => /not announced|was refused/.test(reason))
      .map(({ address, port, service, reason }) => ({
        definition: clear,
        confidence: 'confirmed' as const,
        at: { host: facts.host, port },
        subject: `${service} ${port}`,
        detail: `${address} port ${port} speaks ${service}, but ${reason}.`,
        proof: { excerpt: `${service}: ${reason}`, mark: null, replay: null },
      })),
}
