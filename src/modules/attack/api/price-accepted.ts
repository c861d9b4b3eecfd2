import type { Check, FindingDefinition } from '../../module.ts'
import { findingOf, judged } from './judged.ts'

const accepted: FindingDefinition = {
  id: 'api/price-accepted',
  title: 'Parameter tampering: the price is taken from the request',
  severity: 'medium',
  cwe: 472,
  why: 'A hidden field is sent by the visitor like any other. Whoever alters it pays what they like.',
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
      return { state: 'not_tested', reason: `${topic.known} forms may write, and are sent on a test system alone` }
    const findings = topic.hits.map((hit) =>
      findingOf(accepted, hit, {
        confidence: hit.stays ? 'confirmed' : 'firm',
        ...{ parameter: hit.name, basis: hit.name },
        detail: `Two prices of ours in the hidden field ${hit.name} each stand in ${hit.stays ? 'a later read' : 'the answer'}.`,
      }),
    )
    return judged(topic, findings, {
      unit: 'forms that hold a price',
      absent: 'no form was found that holds a price in a hidden field',
    })
  },
}
