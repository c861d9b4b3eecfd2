/** How a module's collection ended, in words for coverage. */
import { EgressError } from '../egress/door/egress.ts'
import { ModuleEnding, RunFailure } from '../modules/endings.ts'
import type { ModuleOutcome } from './protocol.ts'

const REASON_LENGTH = 300

export const RUN_OVER = 'the time of the run was over'

/** Reason of the abort signal when a module has used up its seconds; null: those of its run. */
export class ModuleDeadline extends Error {
  constructor(seconds: number | null) {
    super(seconds === null ? RUN_OVER : `it did not finish within ${seconds} s`)
    this.name = 'ModuleDeadline'
  }
}

type Ending = Pick<ModuleOutcome, 'state' | 'reason' | 'exhausted'>

/** `reason` of the aborted module signal stands in for errors that the abort itself caused. */
export const endingOf = (error: unknown, aborted: unknown): Ending => {
  if (aborted instanceof ModuleDeadline) return { state: 'failed', reason: aborted.message }
  if (error instanceof ModuleEnding) return { state: error.state, reason: brief(error.message) }
  const reason = brief(error instanceof Error ? error.message : String(error))
  const exhausted = error instanceof EgressError && error.code === 'exhausted'
  return { state: 'failed', reason, ...(exhausted ? { exhausted } : {}) }
}

/**
 * True where a module's failure is a fault of the scanner: not what it says of its own end, nor what the target or the budget
 * made of its requests.
 */
export const isOurs = (error: unknown): boolean =>
  !(error instanceof ModuleEnding || error instanceof RunFailure || error instanceof EgressError)

/** Where all of them were skipped for one reason, that reason holds here as well. */
export const skippedFor = (needs: readonly { readonly id: string; readonly outcome: ModuleOutcome }[]): Ending => {
  const [shared, ...others] = new Set(
    needs.map(({ outcome: { state, reason } }) => (state === 'skipped' ? reason : null)),
  )
  if (shared && others.length === 0) return { state: 'skipped', reason: shared }
  const reason = `it builds on ${needs.map(({ id, outcome }) => `${id}, which ${ENDED[outcome.state]}`).join(', and on ')}`
  return { state: 'skipped', reason }
}

const ENDED: Readonly<Record<ModuleOutcome['state'], string>> = {
  completed: 'completed',
  failed: 'failed',
  skipped: 'was skipped',
  blocked: 'was blocked',
}

const brief = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > REASON_LENGTH ? `${line.slice(0, REASON_LENGTH)} …` : line || 'no message'
}

/** The failure that ends the whole run, or null where an error concerns its module alone. */
export const runFailureOf = (error: unknown): RunFailure | null => (error instanceof RunFailure ? error : null)
