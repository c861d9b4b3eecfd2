/** Coverage of modules that gave no facts: every definition is still named, with the reason. */
import type { Coverage } from '../contract/finding.ts'
import { AUTH_LOST, SESSION_LOST } from '../contract/reach.ts'
import type { AnyModule } from '../modules/any-module.ts'
import { faultReason } from '../modules/faults.ts'
import { RUN_OVER } from './outcome.ts'
import type { LeftOut } from './plan.ts'
import type { ModuleOutcome } from './protocol.ts'

/** For a module that ended without facts, or that the run never reached (outcome null). */
export const coverageWithoutFacts = (module: AnyModule, outcome: ModuleOutcome | null): Coverage[] => {
  const became = becameOf(outcome)
  return module.checks.flatMap((check) =>
    check.findings.map(({ id, title }) => ({ module: module.id, check_id: id, title, ...became })),
  )
}

/** Of a module to which the session of the run was lost: nothing of it is clean, and nothing absent. What was found stands. */
export const withoutSession = (coverage: readonly Coverage[], outcome: ModuleOutcome | null): readonly Coverage[] => {
  const count = outcome?.auth_lost
  if (count === undefined) return coverage
  const reason =
    count === 0
      ? `${SESSION_LOST} while what it builds on was collected`
      : `${SESSION_LOST}; ${count} of its requests came after the last proof`
  return coverage.map((line) => {
    if (line.state === 'pass' || line.state === 'not_applicable') return { ...line, state: 'inconclusive', reason }
    if (line.reason?.includes(AUTH_LOST)) return line
    return line.state === 'fail' || line.state === 'inconclusive'
      ? { ...line, reason: line.reason === null ? reason : `${line.reason}; ${reason}` }
      : line
  })
}

/** One line for a module that the run's options left out: its checks are neither clean nor counted. */
export const coverageLeftOut = ({ module, reason }: LeftOut): Coverage => ({
  module: module.id,
  check_id: `${module.id}/*`,
  title: module.title,
  state: 'not_tested',
  reason,
})

/** State and reason of a check that a fault of ours kept from an answer. */
export const coverageOfFault = (id: string): Pick<Coverage, 'state' | 'reason' | 'reason_kind' | 'fault_id'> => ({
  state: 'inconclusive',
  reason: faultReason(id),
  reason_kind: 'scanner_fault',
  fault_id: id,
})

const becameOf = (outcome: ModuleOutcome | null): Pick<Coverage, 'state' | 'reason' | 'reason_kind' | 'fault_id'> => {
  if (!outcome) return { state: 'not_tested', reason: 'the run ended before this was looked at' }
  const { state, reason, fault, exhausted } = outcome
  if (fault !== undefined) return coverageOfFault(fault)
  if (state === 'blocked') return { state, reason: reason ?? NO_REASON }
  if (state === 'failed') {
    // Out of descriptors: the target may be anything.
    return {
      state: exhausted ? 'inconclusive' : 'not_tested',
      // Nothing has failed where the run had no more time for it.
      reason: reason === RUN_OVER ? reason : `the module failed${reason ? `: ${reason}` : ''}`,
    }
  }
  return { state: 'not_tested', reason: reason ?? NO_REASON }
}

const NO_REASON = 'no reason was given'
