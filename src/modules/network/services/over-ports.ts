import type { Check } from '../../module.ts'
import { shortOf } from '../ports/facts-swept.ts'

/** Services at ports that were not tried are unknown: what was found stands, and nothing passes. */
export const overPorts = (check: Check<'services', 'ports'>): Check<'services', 'ports'> => ({
  ...check,
  judge: (facts, known, about) => {
    const judged = check.judge(facts, known, about)
    const reason = shortOf(known.ports)
    return reason === null || !('length' in judged) ? judged : { state: 'inconclusive', reason, findings: judged }
  },
})
