import type { FindingDefinition } from '../../module.ts'
import { certificateProof, placeOf, servedChains } from '../../passive/tls/facts-served.ts'
import { lackOf, showTimestamp } from '../../passive/tls/facts-transparency.ts'
import type { DeepCheck } from './report.ts'

const unlogged: FindingDefinition = {
  id: 'tls-deep/certificate-transparency',
  title: 'Certificate Transparency: the server proves in no way that its certificate was logged',
  severity: 'high',
  cwe: 295,
  why: 'Chrome and Safari refuse a public certificate without signed timestamps inside it, in the handshake or in a stapled OCSP answer.',
  remediation:
    'Have the certificate issued again by an authority that embeds the timestamps of enough logs, as all large ones do.',
  references: [
    'https://googlechrome.github.io/CertificateTransparency/ct_policy.html',
    'https://www.rfc-editor.org/rfc/rfc6962#section-3.3',
  ],
}

/** Certificates that embed timestamps are the `tls` module's; here are those that leave them to the handshake. */
export const transparency: DeepCheck = {
  findings: [unlogged],
  judge: (facts, { tls }) => {
    const bare = servedChains(tls).filter(
      ({ trust, leaf }) => trust.state === 'public' && (leaf.timestamps ?? []).length === 0,
    )
    if (bare.length === 0) {
      return { state: 'not_applicable', reason: 'No public certificate leaves its timestamps to the handshake.' }
    }
    return bare.flatMap((one) => {
      const timestamps = [...(one.timestamps ?? []), ...(facts.timestamps ?? [])]
      const lack = lackOf(one.leaf, timestamps)
      if (lack === null) return []
      const line = `Timestamps in the handshake and the stapled status: ${timestamps.length}`
      return [
        {
          definition: unlogged,
          confidence: 'confirmed' as const,
          at: placeOf(tls),
          detail: `${lack}.`,
          proof: certificateProof(tls, one, [line, ...timestamps.map(showTimestamp)], line),
        },
      ]
    })
  },
}
