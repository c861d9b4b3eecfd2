/** Which modules a run has, in which order, and which of them need not be collected again. */
import type { RunOptions, Tier } from '../contract/run.ts'
import { hasCredentials } from '../egress/door/credentials.ts'
import { REDACTED } from '../egress/redaction/redacted.ts'
import type { AnyModule } from '../modules/any-module.ts'
import type { RunSpec } from './protocol.ts'

export interface LeftOut {
  readonly module: Pick<AnyModule, 'id' | 'title'>
  readonly reason: string
}

export interface Plan {
  /** A module stands after all its needs; otherwise the list's own order is kept. */
  readonly modules: readonly AnyModule[]
  readonly leftOut: readonly LeftOut[]
}

/** @throws when the list itself is wrong, see `orderModules`; a service with such a list must not start. */
export const planRun = (modules: readonly AnyModule[], tier: Tier, options: PlanOptions): Plan => {
  const part = partOf(modules, options)
  const wanted = part?.modules ?? null
  const beside = ({ id }: Pick<AnyModule, 'id'>): string | null =>
    part === null || part.modules.has(id) ? null : part.why
  const reasons = orderModules(modules).map(
    (module) => [module, reasonAgainst(module, tier, options) ?? beside(module)] as const,
  )
  const unbuilt = PROMISED.filter(
    ({ id, conduct }) =>
      wanted === null &&
      !modules.some((module) => module.id === id) &&
      reasonAgainst({ conduct }, tier, options) === null,
  )
  return {
    modules: reasons.filter(([, reason]) => reason === null).map(([module]) => module),
    leftOut: [
      ...reasons.flatMap(([module, reason]) => (reason === null ? [] : [{ module, reason }])),
      ...unbuilt.map(({ id, title }) => ({ module: { id, title }, reason: 'this version cannot look at this yet' })),
    ],
  }
}

type PlanOptions = Pick<RunOptions, 'privacy' | 'only' | 'hypothesis' | 'dry_run' | 'survey'>

interface Part {
  readonly modules: ReadonlySet<string>
  /** Why the others are left out. */
  readonly why: string
}

/** The modules of a run that is about less than its tier; null for a whole run. */
const partOf = (modules: readonly AnyModule[], { only, hypothesis, dry_run, survey }: PlanOptions): Part | null => {
  // The crawl is what a dry run is about.
  if (dry_run) return { modules: closureOf(modules, 'crawl'), why: 'a dry run crawls and sends no probe' }
  if (only !== undefined) {
    const why =
      hypothesis === undefined
        ? 'a retest looks only at what its finding needs'
        : 'a hypothesis asks one place for one weakness'
    return { modules: closureOf(modules, only), why }
  }
  if (!survey) return null
  const cheap = modules.map(({ id }) => id).filter((id) => SURVEY.includes(id))
  return {
    modules: new Set(cheap.flatMap((id) => [...closureOf(modules, id)])),
    why: 'a survey looks only at what costs little',
  }
}

/** The modules with the most answers for the least time, of the processor and of the target: docs/decisions/0422. */
const SURVEY: readonly string[] = ['site', 'dns', 'mail', 'tls', 'headers', 'cookies', 'markup']

/** Of what is merely used, by which an answer of something in front is told from one of the application: without it, what is refused reads as fixed. */
const TELLS_REFUSALS: ReadonlySet<string> = new Set(['waf'])

/** The module and all that it needs; what it would merely use is left out, but for that. */
const closureOf = (modules: readonly AnyModule[], id: string): ReadonlySet<string> => {
  const found = new Set<string>()
  const visit = (one: string): void => {
    if (found.has(one)) return
    found.add(one)
    const { needs = [], uses = [] } = modules.find((module) => module.id === one) ?? {}
    for (const other of [...needs, ...uses.filter((used) => TELLS_REFUSALS.has(used))]) visit(other)
  }
  visit(id)
  return found
}

/** What the interface says a run does. Who asked for it and did not get it has to read so in the report. */
const PROMISED: readonly Pick<AnyModule, 'id' | 'title' | 'conduct'>[] = [
  { id: 'ports', title: 'Open ports', conduct: 'active' },
  { id: 'tls-deep', title: 'TLS in depth', conduct: 'active' },
  { id: 'rate-limit', title: 'Rate limits', conduct: 'active' },
  { id: 'waf', title: 'Web application firewall', conduct: 'active' },
  { id: 'xss', title: 'Cross-site scripting', conduct: 'active' },
  { id: 'sqli', title: 'SQL injection', conduct: 'active' },
]

const reasonAgainst = (module: Pick<AnyModule, 'conduct'>, tier: Tier, options: PlanOptions): string | null => {
  if (module.conduct === 'active' && tier !== 'active') return 'only an active run looks at this'
  if (module.conduct === 'privacy' && !options.privacy && !options.survey)
    return 'the privacy check was switched off for this run'
  return null
}

/**
 * Topological order, stable against the list. @throws on an id twice, an unknown need or use, a cycle, and a need that is left
 * out of runs in which the module itself takes part.
 */
export const orderModules = (modules: readonly AnyModule[]): AnyModule[] => {
  const byId = new Map(modules.map((module) => [module.id, module]))
  if (byId.size !== modules.length)
    throw new Error(`a module is listed twice: ${modules.map(({ id }) => id).join(', ')}`)
  const ordered: AnyModule[] = []
  const visit = (module: AnyModule, path: readonly string[]): void => {
    if (ordered.includes(module)) return
    if (path.includes(module.id)) throw new Error(`modules need each other: ${[...path, module.id].join(' → ')}`)
    for (const id of module.needs) {
      const need = byId.get(id)
      if (!need) throw new Error(`${module.id} needs ${id}, which is no module`)
      if (need.conduct !== 'passive' && need.conduct !== module.conduct) {
        throw new Error(`${module.id} (${module.conduct}) cannot need ${id}, which only ${need.conduct} runs have`)
      }
      visit(need, [...path, module.id])
    }
    // Whether a run has them is the plan's business: here they only come first.
    for (const id of module.uses ?? []) {
      const used = byId.get(id)
      if (!used) throw new Error(`${module.id} uses ${id}, which is no module`)
      visit(used, [...path, module.id])
    }
    ordered.push(module)
  }
  for (const module of modules) visit(module, [])
  return ordered
}

/**
 * Ids of the modules whose results of an earlier attempt stand. A module that still has to run may send again what those
 * before it read, such as the token of a form; stored facts from which a secret was taken cannot tell it. Their modules
 * are collected again, and so are those that they rest on in turn. `plan` has every module after its needs.
 */
export const reusableResults = (
  plan: readonly Pick<AnyModule, 'id' | 'needs' | 'uses'>[],
  { completed, credentials }: Pick<RunSpec, 'completed' | 'credentials'>,
): ReadonlySet<string> => {
  const standing = new Set(plan.map(({ id }) => id).filter((id) => completed[id]?.outcome.state === 'completed'))
  if (!hasCredentials(credentials)) return standing
  for (const { id, needs, uses = [] } of plan.toReversed()) {
    if (standing.has(id)) continue
    for (const other of [...needs, ...uses]) if (lostSomething(completed[other]?.facts)) standing.delete(other)
  }
  return standing
}

const lostSomething = (facts: unknown): boolean => JSON.stringify(facts ?? null).includes(REDACTED)
