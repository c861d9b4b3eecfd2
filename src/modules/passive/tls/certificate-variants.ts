import type { Check, FindingDefinition, Judgement } from '../../module.ts'
import { judgeServed } from './facts-addresses.ts'
import { describeServed, isOrdinary, placeOf } from './facts-served.ts'

const differs: FindingDefinition = {
  id: 'tls/certificate-variants',
  title: 'TLS certificates differ between the addresses of the site',
  severity: 'info',
  cwe: 295,
  why: 'Behind a content network this is usual. Where it is not intended, one machine was forgotten at the last renewal.',
  remediation: 'Compare the machines behind the addresses and roll the same certificate out to all of them.',
  references: ['https://www.rfc-editor.org/rfc/rfc6066#section-3'],
}

export const certificateVariants: Check<'tls', 'site'> = {
  findings: [differs],
  judge: (facts) =>
    judgeServed(facts, (served): Judgement => {
      const answering = facts.handshakes.filter((one) => isOrdinary(one) && describeServed(facts, one) !== null)
      if (answering.length < 2) return { state: 'not_applicable', reason: 'Only one address answers.' }
      if (new Set(served.map((one) => one.leaf.sha256)).size < 2) return []
      const lines = served.map(
        (one) => `${one.addresses.join(', ')}: ${one.leaf.subject.slice(0, 200)}, serial ${one.leaf.serial}`,
      )
      return [
        {
          definition: differs,
          confidence: 'confirmed',
          at: placeOf(facts),
          detail: `${served.length} different certificates are given: ${lines.join('; ')}.`.slice(0, 2000),
          proof: { excerpt: lines.join('\n').slice(0, 8000), mark: null, replay: null },
        },
      ]
    }),
}
