import type { Check, FindingDefinition } from '../../module.ts'
import { findingOf, judged } from './judged.ts'

const assigned: FindingDefinition = {
  id: 'api/mass-assignment',
  title: 'Mass assignment: a property that the server alone should set is taken from the request',
  severity: 'high',
  cwe: 915,
  why: 'Whoever may change their own record can give themselves a role, a balance or a confirmation by sending one property more.',
  remediation:
    'Copy from the request only the properties that may be set: Rails `params.expect(user: [:name])`, Laravel `$fillable`, Django REST `fields` and `read_only_fields`, Express a schema with `additionalProperties: false`. Refuse the others.',
  references: [
    'https://owasp.org/API-Security/editions/2023/en/0xa3-broken-object-property-level-authorization/',
    'https://cheatsheetseries.owasp.org/cheatsheets/Mass_Assignment_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/915.html',
  ],
}

/** On test systems alone: what is proven there stays. */
export const massAssignment: Check<'api'> = {
  findings: [assigned],
  judge: ({ assigned: topic, careful }) => {
    if (careful && topic.known > 0)
      return {
        state: 'not_tested',
        reason: `${topic.known} operations may write, and are asked on a test system alone`,
      }
    const findings = topic.hits.map((hit) =>
      findingOf(assigned, hit, {
        confidence: hit.stays ? 'confirmed' : 'firm',
        ...{ parameter: hit.name, basis: hit.name },
        detail: `${hit.by === 'read-only' ? `${hit.name} is described as read only` : `${hit.name} is shown by answers and not among what the request takes`}, and a value sent for it ${hit.stays ? 'stands in a later read' : 'stands in the answer'}.`,
      }),
    )
    return judged(topic, findings, {
      unit: 'operations that make or change something',
      absent: 'no operation or form was found that makes or changes something',
    })
  },
}
