/** Progress of a scan from that of its modules: one number that never falls, one phase, one line for a person. */
import type { Phase } from '../contract/run.ts'
import type { AnyModule } from '../modules/any-module.ts'

/** Percent where the scan's share begins and ends; judging and reporting take the rest. */
export const SCAN_FROM = 2
export const SCAN_TO = 90

export interface ProgressReport {
  readonly phase: Phase
  readonly detail: string
  readonly progress: number
}

export interface Progress {
  readonly started: (id: string) => void
  /** `fraction` is 0 to 1; a lower one than before is taken as the one before. */
  readonly advanced: (id: string, detail: string, fraction?: number) => void
  readonly ended: (id: string) => void
  readonly report: () => ProgressReport
}

interface State {
  readonly module: AnyModule
  fraction: number
  running: boolean
  detail: string
}

/** A module weighs as many units as it may take seconds. `done` are modules that an earlier attempt completed. */
export const createProgress = (modules: readonly AnyModule[], done: ReadonlySet<string>): Progress => {
  const states = new Map<string, State>(
    modules.map((module) => [
      module.id,
      { module, fraction: done.has(module.id) ? 1 : 0, running: false, detail: 'starting' },
    ]),
  )
  let highest = 0
  const change = (id: string, apply: (state: State) => void): void => {
    const state = states.get(id)
    if (state) apply(state)
  }
  return {
    started: (id) =>
      change(id, (state) => {
        state.running = true
      }),
    advanced: (id, detail, fraction) =>
      change(id, (state) => {
        state.detail = detail
        // Only the end of a module is its whole.
        state.fraction = Math.max(state.fraction, Math.min(fraction ?? 0, 0.99))
      }),
    ended: (id) =>
      change(id, (state) => {
        state.running = false
        state.fraction = 1
      }),
    report: () => {
      const all = [...states.values()]
      highest = Math.max(highest, percentOf(all))
      return { phase: phaseOf(all), detail: detailOf(all), progress: highest }
    },
  }
}

const percentOf = (states: readonly State[]): number => {
  const whole = states.reduce((sum, { module }) => sum + module.budget.seconds, 0)
  const part = states.reduce((sum, { module, fraction }) => sum + module.budget.seconds * fraction, 0)
  return Math.floor(SCAN_FROM + (whole === 0 ? 1 : part / whole) * (SCAN_TO - SCAN_FROM))
}

const ORDER = ['discover', 'passive', 'active', 'privacy'] as const

/** The first phase that is not over, so phases only move forward although modules run side by side. */
const phaseOf = (states: readonly State[]): Phase => {
  const open = states.filter((state) => state.fraction < 1).map((state) => ORDER.indexOf(phaseOfModule(state.module)))
  if (states.every((state) => state.fraction === 0 && !state.running)) return 'prepare'
  const last = states.map((state) => ORDER.indexOf(phaseOfModule(state.module)))
  return ORDER[open.length > 0 ? Math.min(...open) : Math.max(...last)] ?? 'prepare'
}

/** What everything else stands on is the discovery of the target. */
const phaseOfModule = ({ id, conduct }: AnyModule): (typeof ORDER)[number] => (id === 'site' ? 'discover' : conduct)

/** Modules that say the same stand together; between two modules, those that come next. */
const detailOf = (states: readonly State[]): string => {
  const running = states.filter((state) => state.running)
  const said = Map.groupBy(running.length > 0 ? running : ready(states), ({ detail }) => detail)
    .entries()
    .map(([detail, group]) => `${group.map(({ module }) => module.id).join(', ')}: ${detail}`)
    .toArray()
  return said.join('; ') || 'every module has ended'
}

/** Not begun, with everything they need at an end. */
const ready = (states: readonly State[]): State[] => {
  const ended = new Set(states.filter(({ fraction }) => fraction === 1).map(({ module }) => module.id))
  return states.filter(({ module }) => !ended.has(module.id) && waitsFor(module, states).every((id) => ended.has(id)))
}

/** Nobody waits for a module that the run does not have. */
const waitsFor = ({ needs, uses = [] }: AnyModule, states: readonly State[]): readonly string[] => [
  ...needs,
  ...uses.filter((id) => states.some(({ module }) => module.id === id)),
]
