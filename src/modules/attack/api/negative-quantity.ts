import type { Check, FindingDefinition } from '../../module.ts'
import { findingOf, judged } from './judged.ts'

const negative: FindingDefinition = {
  id: 'api/negative-quantity',
  title: 'Missing check of a quantity: fewer than none of a thing is taken',
  severity: 'medium',
  cwe: 1284,
  why: 'An order of minus one hundred has a sum below nothing: whoever places it is paid instead of paying, or takes from the stock of others.',
  remediation:
    'Check on the server that the number is whole and between one and the most that is sold at once, and refuse what is not: JSON Schema `"type": "integer", "minimum": 1, "maximum": 99`, Bean Validation `@Min(1)`, in the database `CHECK (quantity > 0)`.',
  references: [
    'https://cwe.mitre.org/data/definitions/1284.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/10-Business_Logic_Testing/01-Test_Business_Logic_Data_Validation',
  ],
}

/** On test systems alone: what is proven there was kept. */
export const negativeQuantity: Check<'api'> = {
  findings: [negative],
  judge: ({ quantities: topic, careful }) => {
    if (topic === undefined) return { state: 'not_tested', reason: 'the run is of a version that did not ask for it' }
    if (careful && topic.known > 0)
      return {
        state: 'not_tested',
        reason: `${topic.known} operations and forms may write, and are asked on a test system alone`,
      }
    const findings = topic.hits.map((hit) =>
      findingOf(negative, hit, {
        confidence: hit.stays ? 'confirmed' : 'firm',
        ...{ parameter: hit.name, basis: hit.name },
        detail: `Two numbers below nothing sent for ${hit.name} each stand in ${hit.stays ? 'a later read' : 'the answer'}.`,
      }),
    )
    return judged(topic, findings, {
      unit: 'operations and forms that take a quantity',
      absent: 'no operation and no form was found that takes a quantity',
    })
  },
}
