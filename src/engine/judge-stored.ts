/** The judgement of a whole run from its stored facts: at the end of a run, and again whenever checks have improved. */
import type { Coverage } from '../contract/finding.ts'
import type { FactTable, Grade } from '../contract/findings-file.ts'
import type { RunOptions } from '../contract/run.ts'
import type { AnyModule, ModuleGrade } from '../modules/any-module.ts'
import { MODULES } from '../modules/index.ts'
import type { JudgeContext, ScanTarget } from '../modules/module.ts'
import { coverageLeftOut, coverageWithoutFacts } from './coverage.ts'
import { gradeRun } from './grade.ts'
import { type JudgedFinding, judgeModule } from './judge.ts'
import { planRun } from './plan.ts'
import type { ModuleOutcome } from './protocol.ts'

export interface StoredModule {
  readonly module: string
  /** Null unless completed. */
  readonly facts: unknown
  readonly outcome: ModuleOutcome
}

export interface JudgeSpec {
  readonly target: ScanTarget
  readonly options: RunOptions
  /** Milliseconds since the epoch: the start of the run's first attempt, as in its RunSpec. */
  readonly now: number
}

export interface JudgedRun {
  readonly findings: readonly JudgedFinding[]
  /** Of the plan, then one line for each module that the run's options leave out. */
  readonly coverage: readonly Coverage[]
  readonly grade: Grade
  readonly tables: readonly FactTable[]
  /** Version of each knowledge feed that the facts rest on. */
  readonly knowledge: Readonly<Record<string, string>>
  readonly failures: readonly { readonly check: string; readonly error: unknown }[]
}

/** Pure. Rows of modules that exist no longer are ignored; modules without a row end not_tested. */
export const judgeStored = (
  stored: readonly StoredModule[],
  spec: JudgeSpec,
  modules: readonly AnyModule[] = MODULES,
): JudgedRun => {
  const plan = planRun(modules, spec.target.tier, spec.options)
  const rows = new Map(stored.map((row) => [row.module, row]))
  const facts = new Map(
    stored
      .filter((row) => row.outcome.state === 'completed' && row.facts !== null)
      .map((row) => [row.module, row.facts]),
  )
  const judged = plan.modules.map((module) => judgeOne(module, facts, rows.get(module.id)?.outcome ?? null, spec))
  const findings = judged.flatMap((one) => one.findings)
  const coverage = judged.flatMap((one) => one.coverage)
  return {
    findings,
    coverage: [...coverage, ...plan.leftOut.map(coverageLeftOut)],
    grade: gradeRun(
      findings,
      coverage,
      judged.flatMap((one) => one.parts),
    ),
    tables: judged.flatMap((one) => one.tables),
    knowledge: Object.assign({}, ...judged.map((one) => one.knowledge)) as Record<string, string>,
    failures: judged.flatMap((one) => one.failures),
  }
}

interface JudgedModule extends Pick<JudgedRun, 'findings' | 'coverage' | 'tables' | 'knowledge' | 'failures'> {
  readonly parts: readonly ModuleGrade[]
}

const judgeOne = (
  module: AnyModule,
  facts: ReadonlyMap<string, unknown>,
  outcome: ModuleOutcome | null,
  about: JudgeContext,
): JudgedModule => {
  if (!facts.has(module.id) || !module.needs.every((need) => facts.has(need))) {
    const nothing = { findings: [], tables: [], knowledge: {}, failures: [], parts: [] }
    return { ...nothing, coverage: coverageWithoutFacts(module, outcome) }
  }
  const own = facts.get(module.id)
  const known = knownOf(module, facts)
  const judged = judgeModule(module, own, known, about)
  const tables = attempt(`${module.id} tables`, () => module.tables?.(own as never) ?? [])
  const knowledge = attempt(`${module.id} knowledge`, () => module.knowledge?.(own as never) ?? {})
  const grade = attempt(`${module.id} grade`, () => module.grade?.(own as never, known as never) ?? null)
  return {
    ...judged,
    tables: tables.value ?? [],
    knowledge: knowledge.value ?? {},
    parts: grade.value ? [grade.value] : [],
    failures: [...judged.failures, ...tables.failures, ...knowledge.failures, ...grade.failures],
  }
}

/** The facts of a module's needs, and of what else it uses where there are any, by id. */
export const knownOf = (module: AnyModule, facts: ReadonlyMap<string, unknown>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    [...module.needs, ...(module.uses ?? [])].flatMap((id) => (facts.has(id) ? [[id, facts.get(id)]] : [])),
  )

/** What a module adds to the report fails alone, as a check does. */
const attempt = <Value>(
  name: string,
  work: () => Value,
): { readonly value: Value | null; readonly failures: JudgedRun['failures'] } => {
  try {
    return { value: work(), failures: [] }
  } catch (error) {
    return { value: null, failures: [{ check: name, error }] }
  }
}
