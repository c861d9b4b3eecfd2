/** A stored run in the light of new knowledge: only what rests on feeds is made anew, from its facts and without the target. */
import type { Coverage } from '../contract/finding.ts'
import type { FactTable } from '../contract/findings-file.ts'
import type { AnyAnew, AnyModule } from '../modules/any-module.ts'
import { MODULES } from '../modules/index.ts'
import type { Failure, JudgedFinding } from './judge.ts'
import { type JudgeSpec, judgeOne, knownOf, type StoredModule } from './judge-stored.ts'
import { plainJson } from './plain-json.ts'

/** A question to the feeds, see modules/anew.ts. */
export interface Asked {
  readonly module: string
  readonly question: string
}

export interface Answered extends Asked {
  readonly answer: string | null
}

export interface ModuleAnew {
  readonly module: string
  readonly facts: unknown
  readonly findings: readonly JudgedFinding[]
  readonly coverage: readonly Coverage[]
  readonly tables: readonly FactTable[]
}

export interface JudgedAnew {
  /** Those whose facts rest on feeds, whether they changed or not. */
  readonly modules: readonly ModuleAnew[]
  readonly questions: readonly Answered[]
  /** Version of each feed that they rest on now. */
  readonly knowledge: Readonly<Record<string, string>>
  /** Feeds that brought news, with their versions. None: nothing that counts is different. */
  readonly because: Readonly<Record<string, string>>
  readonly failures: readonly Failure[]
}

type Resting = AnyModule & { readonly anew: AnyAnew }

const restingIn = (modules: readonly AnyModule[]): readonly Resting[] =>
  modules.filter((module): module is Resting => module.anew !== undefined)

/** Modules whose facts have to be known for `questionsOf`, by id. */
export const restingModules = (modules: readonly AnyModule[] = MODULES): readonly string[] => [
  ...new Set(restingIn(modules).flatMap(({ id, needs }) => [id, ...needs])),
]

export interface AskedByRun {
  readonly questions: readonly Answered[]
  /** Versions of the feeds that answered. */
  readonly knowledge: Readonly<Record<string, string>>
}

/** What a run asked feeds and what they answered, or in words why its facts do not hold that. Pure. */
export const questionsOf = (
  stored: readonly StoredModule[],
  modules: readonly AnyModule[] = MODULES,
): AskedByRun | string => {
  const facts = factsOf(stored)
  const questions: Answered[] = []
  const knowledge: Record<string, string> = {}
  for (const module of restingIn(modules)) {
    const own = facts.get(module.id) as never
    const known = knownOf(module, facts) as never
    if (!facts.has(module.id)) return `the run has no facts of “${module.title}”`
    if (
      !module.needs.every((need) => restsBeside(need, modules) || facts.has(need)) ||
      !module.anew.suffices(own, known)
    )
      return `the facts of “${module.title}” are of an older version, which kept less of them`
    for (const one of module.anew.questions(own, known)) questions.push({ module: module.id, ...one })
    Object.assign(knowledge, module.knowledge?.(own))
  }
  return { questions, knowledge }
}

/** Needs that nothing of `anew` reads need not be loaded. */
const restsBeside = (need: string, modules: readonly AnyModule[]): boolean =>
  !restingIn(modules).some(({ id }) => id === need)

/** What feeds answer now, in the order of the questions; those of a module that there is no more are answered with ''. */
export const answersOf = (
  asked: readonly Asked[],
  knowledge: string | undefined,
  modules: readonly AnyModule[] = MODULES,
): readonly string[] => {
  const answers = new Map<string, string>()
  for (const module of restingIn(modules)) {
    const own = asked.filter((one) => one.module === module.id).map(({ question }) => question)
    if (own.length === 0) continue
    for (const [index, answer] of module.anew.answers(own, knowledge).entries())
      answers.set(`${module.id} ${own[index]}`, answer)
  }
  return asked.map(({ module, question }) => answers.get(`${module} ${question}`) ?? '')
}

/** In words why not, where the facts do not hold enough. */
export const judgeAnew = async (
  stored: readonly StoredModule[],
  spec: JudgeSpec,
  day: { readonly knowledge?: string; readonly now: number; readonly signal: AbortSignal },
  modules: readonly AnyModule[] = MODULES,
): Promise<JudgedAnew | string> => {
  const before = questionsOf(stored, modules)
  if (typeof before === 'string') return before
  const facts = new Map(factsOf(stored))
  const because: Record<string, string> = {}
  const knowledge: Record<string, string> = {}
  const failures: Failure[] = []
  const made: ModuleAnew[] = []
  for (const module of restingIn(modules)) {
    if (!module.needs.every((need) => facts.has(need))) return `the run has no facts of what “${module.title}” needs`
    const was = facts.get(module.id) as never
    const now = plainJson(await module.anew.facts(was, knownOf(module, facts) as never, day))
    Object.assign(because, module.anew.because(was, now as never))
    facts.set(module.id, now)
    const judged = judgeOne(module, facts, null, spec)
    Object.assign(knowledge, judged.knowledge)
    failures.push(...judged.failures)
    made.push({
      ...{ module: module.id, facts: now },
      ...{ findings: judged.findings, coverage: judged.coverage, tables: judged.tables },
    })
  }
  const completed = [...facts].map(([module, own]) => ({ module, facts: own, outcome: COMPLETED }))
  const asked = questionsOf(completed, modules)
  if (typeof asked === 'string') return asked
  return { modules: made, questions: asked.questions, knowledge, because, failures }
}

const COMPLETED = { state: 'completed', reason: null, duration_ms: 0, requests: 0 } as const

const factsOf = (stored: readonly StoredModule[]): ReadonlyMap<string, unknown> =>
  new Map(
    stored.flatMap(({ module, facts, outcome }) =>
      outcome.state === 'completed' && facts !== null ? [[module, facts] as const] : [],
    ),
  )
