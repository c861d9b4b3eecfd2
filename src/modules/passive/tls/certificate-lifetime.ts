import type { Check, Finding, FindingDefinition, Judgement } from '../../module.ts'
import { judgeServed } from './facts-addresses.ts'
import { certificateProof, day, placeOf } from './facts-served.ts'

const DAY = 86_400_000

/** Longest lifetime in days by the day of issue. Source: CA/Browser Forum, Baseline Requirements 6.3.2, ballot SC-081v3. */
const LIMITS: readonly { readonly from: number; readonly days: number }[] = [
  { from: Date.UTC(2029, 2, 15), days: 47 },
  { from: Date.UTC(2027, 2, 15), days: 100 },
  { from: Date.UTC(2026, 2, 15), days: 200 },
  { from: Date.UTC(2020, 8, 1), days: 398 },
  { from: Date.UTC(2018, 2, 1), days: 825 },
]

const tooLong: FindingDefinition = {
  id: 'tls/certificate-lifetime',
  title: 'TLS certificate lifetime: it is valid for longer than browsers accept',
  severity: 'medium',
  cwe: 298,
  why: 'Browsers limit the lifetime of public certificates, so that a stolen key or a wrong issue does not count for years; longer ones are refused.',
  remediation:
    'Have the certificate issued again with a lifetime within the limit, and let it be renewed automatically.',
  references: [
    'https://cabforum.org/2025/04/11/ballot-sc081v3-introduce-schedule-of-reducing-validity-and-data-reuse-periods/',
  ],
}

export const certificateLifetime: Check<'tls', 'site'> = {
  findings: [tooLong],
  judge: (facts) =>
    judgeServed(facts, (served): Judgement => {
      const publicOnes = served.filter((one) => one.trust.state === 'public')
      if (publicOnes.length === 0)
        return { state: 'not_applicable', reason: 'The limits hold for certificates of public authorities only.' }
      return publicOnes.flatMap((one): Finding[] => {
        const { notBefore, notAfter } = one.leaf
        const days = (notAfter - notBefore) / DAY
        const limit = LIMITS.find(({ from }) => notBefore >= from)?.days
        if (limit === undefined || days <= limit) return []
        const line = `Validity: ${day(notBefore)} to ${day(notAfter)}`
        return [
          {
            definition: tooLong,
            confidence: 'confirmed',
            at: placeOf(facts),
            detail: `The certificate was issued on ${day(notBefore)} for ${Math.ceil(days)} days; ${limit} are allowed for that day.`,
            proof: certificateProof(facts, one, [line], line),
          },
        ]
      })
    }),
}
