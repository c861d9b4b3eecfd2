import type { Check, FindingDefinition } from '../../module.ts'
import { codeOf, judgeProbed, locationOf, parameterOf } from '../insertion-points/verdict.ts'
import { SCRIPTING } from './reflected.ts'

const definition: FindingDefinition = {
  ...SCRIPTING,
  id: 'xss/blind',
  title: 'Cross-site scripting, blind: script that a visitor sends runs where the scan cannot look',
  severity: 'high',
  why: 'What was sent ran as script in a page that the site shows to somebody else, most often to staff: a back office, a ticket, a log. It runs there with their rights.',
}

/** Confirmed: the call brought a product that only a running script can work out. */
export const blind: Check<'xss', 'crawl'> = {
  findings: [definition],
  judge: (facts) => {
    if (facts.blind === null) return { state: 'not_tested', reason: 'nothing listens for calls from the target' }
    const judgement = judgeProbed(facts, () => [], ['blind'])
    const findings = facts.blind.hits.map(({ at, payload, replay, call }) => ({
      definition,
      confidence: 'confirmed' as const,
      at: locationOf(at),
      ...codeOf(at),
      detail: `The script sent in ${parameterOf(at)} called our listener from ${call.from}: ${call.detail}.`,
      proof: {
        excerpt: `${payload}\n\n${call.detail}\nfrom ${call.from}\nUser-Agent: ${call.agent}`,
        mark: call.detail,
        replay,
        basis: 'script',
      },
    }))
    return 'state' in judgement ? { ...judgement, findings } : findings
  },
}
