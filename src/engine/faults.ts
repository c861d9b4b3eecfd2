/** Faults of the scanner as the engine tells of them; what they are stands in modules/faults.ts. */
import { faultIdOf, framesOf } from '../modules/faults.ts'
import type { FromChild } from './protocol.ts'

export { faultIdOf, framesOf }

export type Fault = Omit<Extract<FromChild, { type: 'fault' }>, 'type'>

/** Characters of a stack that are kept. */
const LONGEST = 4_000

/** `redact` takes secrets out of the message, which may hold what the target sent; without one there is no message. */
export const faultOf = (module: string, where: string, error: unknown, redact?: (text: string) => string): Fault => {
  const name = error instanceof Error ? error.name : typeof error
  const message = error instanceof Error ? error.message : String(error)
  const head = redact === undefined ? name : `${name}: ${redact(message)}`
  const stack = [head, ...framesOf(error).map((frame) => `    ${frame}`)].join('\n').slice(0, LONGEST)
  return { module, id: faultIdOf(module, error), where, stack }
}
