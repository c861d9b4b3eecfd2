import type { CheckedTimestamp } from '../../../protocols/tls/certificate/facts.ts'
import type { Check, Finding, FindingDefinition, Judgement } from '../../module.ts'
import { judgeServed } from './facts-addresses.ts'
import { certificateProof, placeOf, type Served } from './facts-served.ts'
import { countOf, lackOf, showTimestamp } from './facts-transparency.ts'

const tooFew: FindingDefinition = {
  id: 'tls/certificate-transparency',
  title: 'Certificate Transparency: the certificate is recorded in too few logs',
  severity: 'high',
  cwe: 295,
  why: 'Chrome and Safari refuse a public certificate that does not prove with enough signed timestamps that it was logged.',
  remediation:
    'Have the certificate issued again by an authority that embeds the timestamps of enough logs, as all large ones do.',
  references: [
    'https://googlechrome.github.io/CertificateTransparency/ct_policy.html',
    'https://www.rfc-editor.org/rfc/rfc6962',
  ],
}

const forged: FindingDefinition = {
  ...tooFew,
  id: 'tls/timestamp-invalid',
  title: 'Certificate Transparency timestamp invalid: it is not signed by the log that it names',
  severity: 'low',
  cwe: 347,
  why: 'Browsers do not count it. It tells that the certificate was altered after logging, or that its authority makes mistakes.',
  remediation: 'Have the certificate issued again, and tell the authority about the timestamp.',
}

export const certificateTransparency: Check<'tls', 'site'> = {
  findings: [tooFew, forged],
  judge: (facts) =>
    judgeServed(facts, (served): Judgement => {
      const publicOnes = served.filter((one) => one.trust.state === 'public')
      if (publicOnes.length === 0)
        return { state: 'not_applicable', reason: 'The policy holds for certificates of public authorities only.' }
      const findings = publicOnes.flatMap((one): Finding[] => {
        const timestamps = timestampsOf(one)
        const proof = (line: string) => certificateProof(facts, one, [line, ...timestamps.map(showTimestamp)], line)
        const invalid = timestamps.filter(({ state }) => state === 'invalid')
        const lacks = timestamps.length === 0 ? null : lackOf(one.leaf, timestamps)
        const line = `${countOf(timestamps)} of ${timestamps.length} timestamps count`
        const bad = `${invalid.length} of ${timestamps.length} timestamps not signed by their log`
        return [
          ...(lacks === null
            ? []
            : [
                {
                  definition: tooFew,
                  confidence: timestamps.every(isDecided) ? ('confirmed' as const) : ('firm' as const),
                  at: placeOf(facts),
                  detail: `${lacks}.`,
                  proof: proof(line),
                },
              ]),
          ...(invalid.length === 0
            ? []
            : [
                {
                  definition: forged,
                  confidence: 'confirmed' as const,
                  at: placeOf(facts),
                  detail: `${bad}: ${invalid.map(({ name, log }) => name ?? log).join(', ')}.`,
                  proof: proof(bad),
                },
              ]),
        ]
      })
      if (!publicOnes.some((one) => timestampsOf(one).length === 0)) return findings
      return {
        state: 'inconclusive',
        reason: 'The certificate embeds no timestamps; they may come in the handshake, which this check does not see.',
        findings,
      }
    }),
}

const isDecided = ({ state }: CheckedTimestamp): boolean => state !== 'unknown-log' && state !== 'unchecked'

/** In facts of older runs nothing was checked. */
const timestampsOf = ({ timestamps, leaf }: Served): readonly CheckedTimestamp[] =>
  timestamps ??
  (leaf.timestamps ?? []).map((one) => ({
    ...one,
    source: 'certificate',
    operator: null,
    name: null,
    state: 'unchecked',
  }))
