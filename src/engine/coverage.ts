/** Coverage of modules that gave no facts: every definition is still named, with the reason. */
import type { Coverage } from '../contract/finding.ts'
import type { AnyModule } from '../modules/any-module.ts'
import type { LeftOut } from './plan.ts'
import type { ModuleOutcome } from './protocol.ts'

/** For a module that ended without facts, or that the run never reached (outcome null). */
export const coverageWithoutFacts = (module: AnyModule, outcome: ModuleOutcome | null): Coverage[] => {
  const state = outcome?.state === 'blocked' ? 'blocked' : outcome?.exhausted ? 'inconclusive' : 'not_tested'
  const reason = reasonOf(outcome)
  return module.checks.flatMap((check) =>
    check.findings.map(({ id, title }) => ({ module: module.id, check_id: id, title, state, reason })),
  )
}

/** One line for a module that the run's options left out: its checks are neither clean nor counted. */
export const coverageLeftOut = ({ module, reason }: LeftOut): Coverage => ({
  module: module.id,
  check_id: `${module.id}/*`,
  title: module.title,
  state: 'not_tested',
  reason,
})

const reasonOf = (outcome: ModuleOutcome | null): string => {
  if (!outcome) return 'the run ended before this was looked at'
  const { state, reason } = outcome
  if (state === 'failed') return reason ? `the module failed: ${reason}` : 'the module failed'
  return reason ?? 'no reason was given'
}
