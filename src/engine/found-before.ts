/** What a module that failed had proven by then stands: it lacks an end, and no proof. */
import type { AnyModule } from '../modules/any-module.ts'
import type { JudgeContext } from '../modules/module.ts'
import { coverageWithoutFacts } from './coverage.ts'
import { type Judged, judgeModule } from './judge.ts'
import type { ModuleOutcome } from './protocol.ts'

/**
 * Judges what it had offered (`ctx.soFar`) when it failed or was kept out. A check that found something fails, with the reason; of the
 * others nothing is known but that they were not asked to their end. `facts` null: it had offered nothing.
 */
export const judgeFoundBefore = (
  module: AnyModule,
  facts: unknown,
  known: Readonly<Record<string, unknown>>,
  about: JudgeContext,
  outcome: ModuleOutcome,
): Judged => {
  const coverage = coverageWithoutFacts(module, outcome)
  if (facts === null || outcome.state === 'completed') return { findings: [], coverage, failures: [] }
  const { findings, failures } = judgeModule(module, facts, known, about)
  const found = new Set(findings.map(({ check_id }) => check_id))
  return {
    findings,
    failures,
    coverage: coverage.map((line) => {
      if (found.has(line.check_id)) return { ...line, state: 'fail' as const }
      return line.state === 'not_tested' ? { ...line, state: 'inconclusive' as const } : line
    }),
  }
}
