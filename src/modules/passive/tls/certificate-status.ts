import type { Staple } from '../../../protocols/tls/certificate/facts.ts'
import type { Check, Finding, FindingDefinition, Judgement } from '../../module.ts'
import { judgeServed } from './facts-addresses.ts'
import { certificateProof, day, placeOf } from './facts-served.ts'

const revoked: FindingDefinition = {
  id: 'tls/certificate-revoked',
  title: 'TLS certificate revoked',
  severity: 'critical',
  cwe: 299,
  why: 'Its authority has withdrawn it, as a rule because the key is no longer secret; clients that look refuse the site.',
  remediation: 'Find out why it was revoked, make a new key, request a new certificate and install both.',
  references: ['https://www.rfc-editor.org/rfc/rfc6960', 'https://cwe.mitre.org/data/definitions/299.html'],
}

const notStapled: FindingDefinition = {
  ...revoked,
  id: 'tls/must-staple-missing',
  title: 'OCSP must-staple without staple: the server does not send the status that its certificate demands',
  severity: 'high',
  why: 'With the must-staple extension a client is to refuse the connection when no OCSP answer comes with the handshake; Firefox does.',
  remediation:
    'Switch stapling on (nginx: `ssl_stapling on;` with a `resolver`; Apache: `SSLUseStapling On`), or have the certificate issued again without the extension.',
  references: ['https://www.rfc-editor.org/rfc/rfc7633'],
}

const unusable: FindingDefinition = {
  ...revoked,
  id: 'tls/staple-unusable',
  title: 'OCSP staple unusable: the stapled status of the certificate is not valid',
  severity: 'low',
  why: 'Clients that look at it refuse the connection or ask the authority themselves, which is slow and tells it who visits the site.',
  remediation:
    'Let the server fetch a fresh answer: restart it, check its clock and its way to the responder (nginx: `resolver`, `ssl_trusted_certificate`; Apache: `SSLStaplingCache`).',
  references: [
    'https://www.rfc-editor.org/rfc/rfc6960#section-3.2',
    'https://www.rfc-editor.org/rfc/rfc6066#section-8',
  ],
}

/** Judges the stapled answer only: asking the authority would tell it which site is being scanned. */
export const certificateStatus: Check<'tls', 'site'> = {
  findings: [revoked, notStapled, unusable],
  judge: (facts) =>
    judgeServed(facts, (served): Judgement => {
      const findings = served.flatMap((one): Finding[] => {
        const { staple, leaf } = one
        const at = placeOf(facts)
        const flaw = flawOf(staple)
        if (flaw !== null) {
          const line = `stapled OCSP answer: ${flaw}`
          const proof = certificateProof(facts, one, [line], line)
          const detail = `${one.addresses.join(', ')} staples an answer that clients do not accept: ${flaw}.`
          return [{ definition: unusable, confidence: 'confirmed', at, detail, proof }]
        }
        if (staple?.status === 'revoked') {
          const line = `OCSP status: revoked${staple.revokedAt === null ? '' : ` on ${day(staple.revokedAt)}`}`
          const detail = `The server itself staples an answer of the authority that says so (${line}).`
          const confidence = staple.checked?.state === 'valid' ? 'confirmed' : 'firm'
          return [{ definition: revoked, confidence, at, detail, proof: certificateProof(facts, one, [line], line) }]
        }
        if (!leaf.mustStaple || staple !== null) return []
        const line = 'TLS feature: status_request; stapled answer: none'
        const detail = `${one.addresses.join(', ')} sent no OCSP answer although it was asked for and the certificate demands it.`
        return [
          { definition: notStapled, confidence: 'firm', at, detail, proof: certificateProof(facts, one, [line], line) },
        ]
      })
      if (
        served.every((one) => one.staple !== null && one.staple.status !== 'unreadable' && flawOf(one.staple) === null)
      )
        return findings
      return {
        state: 'not_tested',
        reason: 'The server staples no status that counts, and the authority is not asked during a scan.',
        only: [revoked.id],
        findings,
      }
    }),
}

/** Why no client would believe the answer; null for one that is sound, or that could not be checked. */
const flawOf = (staple: Staple | null): string | null => {
  const state = staple?.checked?.state
  return state === 'forged' || state === 'other' || state === 'stale' ? (staple?.checked?.why ?? null) : null
}
