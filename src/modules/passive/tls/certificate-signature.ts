import type { Check, Finding, FindingDefinition, Judgement } from '../../module.ts'
import { judgeServed } from './facts-addresses.ts'
import { certificateProof, placeOf } from './facts-served.ts'

const broken: FindingDefinition = {
  id: 'tls/signature-broken',
  title: 'TLS certificate signed with a broken hash function',
  severity: 'critical',
  cwe: 328,
  why: 'With MD2, MD4 and MD5 a second certificate with the same signature can be made, for any name.',
  remediation:
    'Have the certificate issued again with SHA-256, and replace intermediates that are signed with an old hash.',
  references: ['https://www.rfc-editor.org/rfc/rfc6151', 'https://cwe.mitre.org/data/definitions/328.html'],
}

const sha1: FindingDefinition = {
  ...broken,
  id: 'tls/signature-sha1',
  title: 'TLS certificate signed with SHA-1',
  severity: 'high',
  why: 'Collisions of SHA-1 are practical, so a signature with it no longer proves who issued the certificate; browsers refuse it.',
  references: ['https://www.rfc-editor.org/rfc/rfc9155', 'https://sha-mbles.github.io/'],
}

export const certificateSignature: Check<'tls', 'site'> = {
  findings: [broken, sha1],
  judge: (facts) =>
    judgeServed(facts, (served): Judgement => {
      return served.flatMap((one) =>
        one.vouching.flatMap((certificate): Finding[] => {
          // What vouches for itself gains nothing from its signature.
          const definition = certificate.selfSigned ? null : definitionOf(certificate.signatureAlgorithm)
          if (definition === null) return []
          const line = `Signature algorithm: ${certificate.signatureAlgorithm}`
          return [
            {
              definition,
              confidence: 'confirmed',
              at: placeOf(facts),
              detail: `${one.addresses.join(', ')}: the certificate of “${certificate.subject.slice(0, 200)}” is signed with ${certificate.signatureAlgorithm}.`,
              proof: certificateProof(facts, one, [line], line),
              subject: certificate.subject,
            },
          ]
        }),
      )
    }),
}

const definitionOf = (algorithm: string): FindingDefinition | null => {
  if (/md[245]/i.test(algorithm)) return broken
  return /sha-?1(?!\d)/i.test(algorithm) ? sha1 : null
}
