import type { Check, FindingDefinition } from '../../module.ts'
import { findingOf, judged } from './judged.ts'

const accepted: FindingDefinition = {
  id: 'api/price-accepted',
  title: 'Parameter tampering: the price is taken from the request',
  severity: 'medium',
  cwe: 472,
  why: 'What a page or its script sends, the visitor sends. Whoever alters it pays what they like.',
  remediation:
    'Send nothing but what is ordered and how many of it, look the price up on the server when the order is worked out, and leave out what the request says of it. Where a price has to come back, as of an offer that holds for an hour, sign it together with the article and the time (HMAC).',
  references: [
    'https://cwe.mitre.org/data/definitions/472.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/10-Business_Logic_Testing/02-Test_Ability_to_Forge_Requests',
  ],
}

/** On test systems alone: what is proven there was kept. */
export const priceAccepted: Check<'api'> = {
  findings: [accepted],
  judge: ({ prices: topic, careful }) => {
    if (topic === undefined) return { state: 'not_tested', reason: 'the run is of a version that did not ask for it' }
    if (careful && topic.known > 0)
      return {
        state: 'not_tested',
        reason: `${topic.known} operations and forms may write, and are asked on a test system alone`,
      }
    const findings = topic.hits.map((hit) =>
      findingOf(accepted, hit, {
        confidence: hit.stays ? 'confirmed' : 'firm',
        ...{ parameter: hit.name, basis: hit.name },
        detail: `Two prices of ours sent for ${hit.name} each ${hit.stays ? 'stand in a later read' : 'stand in what is answered'}, alone or times the number of things.`,
      }),
    )
    return judged(topic, findings, {
      unit: 'operations and forms that hold a price',
      absent: 'no request was found that brings a price: none beside its thing in JSON, none in a hidden field',
    })
  },
}
