/** What the policy says of a request of the list, as its template tells the modules that ask. */
import { isSafe, readsBy } from '../../../safety/effect.ts'
import { type Around, type Asked, type Decision, decide, METHOD_WITHIN, type Seen } from '../../../safety/policy.ts'
import type { RequestTemplate } from './facts.ts'

/** With what the policy says of it. What is to be learned first is not probed unless it may write. */
export const judged = (template: RequestTemplate, asked: Asked, seen: Seen, around: Around): RequestTemplate => {
  const decision = decide(asked, seen, around)
  const effect = effectBy(decision, seen, asked)
  const isProduction = around.environment === 'production'
  const waits = decision.send === 'bounded' && isProduction
  const within = isProduction && readsBy(template) !== null ? METHOD_WITHIN : null
  return {
    ...template,
    harm: decision.send === 'never' || waits ? decision.reason : within,
    ...(effect === null ? {} : { effect }),
    ...(decision.send === 'bounded' && !waits ? { bound: decision.most, boundBy: decision.reason } : {}),
  }
}

/** Null where the method says it. */
const effectBy = (decision: Decision, seen: Seen, { method, writes }: Asked): RequestTemplate['effect'] | null => {
  if (seen === 'reads' || seen === 'writes') return seen
  if (decision.send === 'send') return isSafe(method) ? null : 'reads'
  return isSafe(method) && !writes && decision.send === 'never' ? null : 'unknown'
}
