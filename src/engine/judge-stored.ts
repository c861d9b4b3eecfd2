/** The judgement of a whole run from its stored facts: at the end of a run, and again whenever checks have improved. */
import { z } from 'zod'
import type { Coverage } from '../contract/finding.ts'
import { FactTable, Grade } from '../contract/findings-file.ts'
import type { Reach } from '../contract/reach.ts'
import type { RunOptions } from '../contract/run.ts'
import type { AnyModule, ModuleGrade } from '../modules/any-module.ts'
import { faultIdOf } from '../modules/faults.ts'
import { MODULES } from '../modules/index.ts'
import type { JudgeContext, ScanTarget } from '../modules/module.ts'
import type { ReachPart } from '../modules/reach.ts'
import { coverageLeftOut, coverageOfFault, coverageWithoutFacts, withoutSession } from './coverage.ts'
import { judgeFoundBefore } from './found-before.ts'
import { gradeRun } from './grade.ts'
import { type Failure, type JudgedFinding, judgeModule } from './judge.ts'
import { planRun } from './plan.ts'
import type { ModuleOutcome } from './protocol.ts'
import { reachOf } from './reach.ts'

export interface StoredModule {
  readonly module: string
  /** Of a module that did not complete what it had offered by then, or null. */
  readonly facts: unknown
  readonly outcome: ModuleOutcome
  /** As the scan judged it. */
  readonly coverage?: readonly Coverage[]
}

export interface JudgeSpec {
  readonly target: ScanTarget
  readonly options: RunOptions
  /** Milliseconds since the epoch: the start of the run's first attempt, as in its RunSpec. */
  readonly now: number
}

export interface JudgeOptions {
  /** Modules that are not judged again, because that broke the judge before: id of the module and of the fault. */
  readonly leftOut?: Readonly<Record<string, string>>
  /** Told before a module is judged. */
  readonly begins?: (module: string) => void
}

export interface JudgedRun {
  readonly findings: readonly JudgedFinding[]
  /** Of the plan, then one line for each module that the run's options leave out. */
  readonly coverage: readonly Coverage[]
  readonly grade: Grade
  readonly tables: readonly FactTable[]
  /** Null where no module speaks of it. */
  readonly reach: Reach | null
  /** Version of each knowledge feed that the facts rest on. */
  readonly knowledge: Readonly<Record<string, string>>
  readonly failures: readonly Failure[]
}

/** Pure. Rows of modules that exist no longer are ignored; modules without a row end not_tested. */
export const judgeStored = (
  stored: readonly StoredModule[],
  spec: JudgeSpec,
  modules: readonly AnyModule[] = MODULES,
  { leftOut = {}, begins = () => undefined }: JudgeOptions = {},
): JudgedRun => {
  const plan = planRun(modules, spec.target.tier, spec.options)
  const rows = new Map(stored.map((row) => [row.module, row]))
  const facts = new Map(
    stored
      .filter((row) => row.outcome.state === 'completed' && row.facts !== null)
      .map((row) => [row.module, row.facts]),
  )
  const judged = plan.modules.map((module) => {
    const outcome = rows.get(module.id)?.outcome ?? null
    const fault = leftOut[module.id]
    if (fault !== undefined) return asInScan(module, rows.get(module.id), fault)
    begins(module.id)
    if (outcome !== null && outcome.state !== 'completed')
      return foundBefore(module, rows.get(module.id)?.facts ?? null, facts, outcome, spec)
    return judgeOne(module, facts, outcome, spec)
  })
  const findings = judged.flatMap((one) => one.findings)
  const coverage = judged.flatMap((one) => one.coverage)
  const grade = gradeRun(
    findings,
    coverage,
    judged.flatMap((one) => one.parts),
  )
  return {
    findings,
    coverage: [...coverage, ...plan.leftOut.map(coverageLeftOut)],
    grade: {
      ...grade,
      // Findings of what was left out weigh nothing in it, nor do those that a survey did not look for.
      provisional: grade.provisional || Object.keys(leftOut).length > 0 || spec.options.survey === true,
    },
    tables: judged.flatMap((one) => one.tables),
    reach: reachOf(judged.flatMap((one) => one.reach)),
    knowledge: Object.assign({}, ...judged.map((one) => one.knowledge)) as Record<string, string>,
    failures: judged.flatMap((one) => one.failures),
  }
}

interface JudgedModule extends Pick<JudgedRun, 'findings' | 'coverage' | 'tables' | 'knowledge' | 'failures'> {
  readonly parts: readonly ModuleGrade[]
  readonly reach: readonly ReachPart[]
}

/** Whatever of it fails, fails alone. */
export const judgeOne = (
  module: AnyModule,
  facts: ReadonlyMap<string, unknown>,
  outcome: ModuleOutcome | null,
  about: JudgeContext,
): JudgedModule => {
  if (!facts.has(module.id) || !module.needs.every((need) => facts.has(need))) return unjudged(module, outcome)
  const own = facts.get(module.id)
  const known = knownOf(module, facts)
  const judged = judgeModule(module, own, known, about)
  const tables = attempt(module.id, 'tables', () => Tables.parse(module.tables?.(own as never) ?? []))
  const reach = attempt(module.id, 'reach', () => module.reach?.(own as never, known as never) ?? null)
  const knowledge = attempt(module.id, 'knowledge', () => Versions.parse(module.knowledge?.(own as never) ?? {}))
  const grade = attempt(module.id, 'grade', () => Part.parse(module.grade?.(own as never, known as never) ?? null))
  return {
    ...{ ...judged, coverage: withoutSession(judged.coverage, outcome) },
    tables: tables.value ?? [],
    reach: reach.value ? [reach.value] : [],
    knowledge: knowledge.value ?? {},
    parts: grade.value ? [grade.value] : [],
    failures: [...judged.failures, ...tables.failures, ...reach.failures, ...knowledge.failures, ...grade.failures],
  }
}

const foundBefore = (
  module: AnyModule,
  own: unknown,
  facts: ReadonlyMap<string, unknown>,
  outcome: ModuleOutcome,
  about: JudgeContext,
): JudgedModule => {
  const given = module.needs.every((need) => facts.has(need)) ? own : null
  const judged = judgeFoundBefore(module, given, knownOf(module, facts), about, outcome)
  return { ...unjudged(module, outcome), ...judged, coverage: withoutSession(judged.coverage, outcome) }
}

/** What the scan itself had judged stands; what it called clean is not confirmed. */
const asInScan = (module: AnyModule, stored: StoredModule | undefined, fault: string): JudgedModule => {
  const became = coverageOfFault(fault)
  const judged = unjudged(module, null)
  const failed = (stored?.coverage ?? []).filter(({ state }) => state === 'fail')
  return {
    ...judged,
    coverage: judged.coverage.map(
      (line) => failed.find(({ check_id }) => check_id === line.check_id) ?? { ...line, ...became },
    ),
  }
}

const unjudged = (module: AnyModule, outcome: ModuleOutcome | null): JudgedModule => {
  const nothing = { findings: [], tables: [], knowledge: {}, failures: [], parts: [], reach: [] }
  return { ...nothing, coverage: coverageWithoutFacts(module, outcome) }
}

/** The facts of a module's needs, and of what else it uses where there are any, by id. */
export const knownOf = (module: AnyModule, facts: ReadonlyMap<string, unknown>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    [...module.needs, ...(module.uses ?? [])].flatMap((id) => (facts.has(id) ? [[id, facts.get(id)]] : [])),
  )

/** What a module adds to the report fails alone, as a check does. */
const attempt = <Value>(
  module: string,
  what: string,
  work: () => Value,
): { readonly value: Value | null; readonly failures: readonly Failure[] } => {
  try {
    return { value: work(), failures: [] }
  } catch (error) {
    return { value: null, failures: [{ check: `${module} ${what}`, id: faultIdOf(module, error), error }] }
  }
}

const Tables = z.array(FactTable)
const Versions = z.record(z.string(), z.string())
const Part = Grade.shape.parts.element.nullable()
