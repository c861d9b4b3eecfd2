import type { Check, Finding, FindingDefinition } from '../module.ts'
import { certificateProof, NO_TLS, placeOf, type Served, servedChains } from './served.ts'

const DAY = 86_400_000

const tooFew: FindingDefinition = {
  id: 'tls/certificate-transparency',
  title: 'The certificate is recorded in too few transparency logs',
  severity: 'high',
  cwe: 295,
  cvss: null,
  why: 'Chrome and Safari refuse a public certificate that does not prove with enough signed timestamps that it was logged.',
  remediation:
    'Have the certificate issued again by an authority that embeds the timestamps of enough logs, as all large ones do.',
  references: [
    'https://googlechrome.github.io/CertificateTransparency/ct_policy.html',
    'https://www.rfc-editor.org/rfc/rfc6962',
  ],
}

export const certificateTransparency: Check<'tls', 'site'> = {
  findings: [tooFew],
  judge: (facts) => {
    const served = servedChains(facts)
    if (served.length === 0) return NO_TLS
    const publicOnes = served.filter((one) => one.trust.state === 'public')
    if (publicOnes.length === 0)
      return { state: 'not_applicable', reason: 'The policy holds for certificates of public authorities only.' }
    const findings = publicOnes.flatMap((one): Finding[] => {
      const logs = logsOf(one)
      const needed = neededFor(one)
      if (logs === 0 || logs >= needed) return []
      const line = `Embedded timestamps of ${logs} logs`
      return [
        {
          definition: tooFew,
          confidence: 'firm',
          at: placeOf(facts),
          detail: `The certificate embeds timestamps of ${logs} log${logs === 1 ? '' : 's'}; its lifetime asks for ${needed}.`,
          proof: certificateProof(facts, one, [line], line),
        },
      ]
    })
    if (!publicOnes.some((one) => logsOf(one) === 0)) return findings
    return {
      state: 'inconclusive',
      reason: 'The certificate embeds no timestamps; they may come in the handshake, which this check does not see.',
      findings,
    }
  },
}

const logsOf = ({ leaf }: Served): number => new Set((leaf.timestamps ?? []).map(({ log }) => log)).size

/** Chrome's policy: two logs up to 180 days, three above. */
const neededFor = ({ leaf }: Served): number => (leaf.notAfter - leaf.notBefore > 180 * DAY ? 3 : 2)
