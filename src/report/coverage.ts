/** What the scan could answer and what it could not, kept apart. Pure. */
import type { Coverage } from '../contract/finding.ts'
import type { Phrase, Words } from './words/words.ts'

export interface CoverageTally {
  readonly total: number
  readonly passed: number
  readonly failed: number
  readonly unseen: number
  readonly notApplicable: number
}

export interface CoverageView extends CoverageTally {
  /** Checks that could not look, those with one reason together. */
  readonly gaps: readonly Gap[]
  /** Areas that this kind of scan leaves out, with the reason; they count nowhere else. */
  readonly leftOut: readonly { readonly module: string; readonly why: string }[]
  /** Checks that a fault of the scanner kept from a whole answer, and the ids of these faults. */
  readonly faults: { readonly checks: number; readonly ids: readonly string[] }
  /** Every check by module, in the order of the file. */
  readonly modules: readonly CoverageModule[]
}

export interface Gap {
  /** One area, or several. */
  readonly module: string
  /** Names of the problems, without what they mean. */
  readonly titles: readonly string[]
  /** Checks; several may share a name. */
  readonly count: number
  /** Every check of the area could not look, for this one reason. */
  readonly whole: boolean
  readonly why: string
}

export interface CoverageModule extends CoverageTally {
  readonly id: string
  readonly title: string
  readonly checks: readonly Coverage[]
}

export const STATE_NAMES: Readonly<Record<Coverage['state'], Phrase>> = {
  pass: 'in order',
  fail: 'problem found',
  not_applicable: 'does not apply',
  not_tested: 'not tested',
  blocked: 'blocked',
  inconclusive: 'inconclusive',
}

export const isUnseen = (state: Coverage['state']): boolean =>
  state === 'not_tested' || state === 'blocked' || state === 'inconclusive'

export const coverageView = (all: readonly Coverage[], moduleTitle: (id: string) => string, w: Words): CoverageView => {
  const coverage = all.filter((entry) => !isLeftOut(entry))
  const modules = Map.groupBy(coverage, ({ module }) => module)
    .entries()
    .map(([id, checks]) => ({ id, title: moduleTitle(id), checks, ...tally(checks) }))
    .toArray()
  return {
    ...tally(coverage),
    gaps: together(modules.flatMap((module) => gapsOf(module, w))),
    leftOut: all.filter(isLeftOut).map(({ module, reason }) => ({
      module: moduleTitle(module),
      why: reason ?? w('no reason was given'),
    })),
    faults: faultsOf(coverage),
    modules,
  }
}

const faultsOf = (coverage: readonly Coverage[]): CoverageView['faults'] => {
  const struck = coverage.filter(({ reason_kind }) => reason_kind === 'scanner_fault')
  return { checks: struck.length, ids: [...new Set(struck.flatMap(({ fault_id }) => fault_id ?? []))].toSorted() }
}

/** The engine writes one line for a module that the run's kind or options exclude. */
const isLeftOut = ({ check_id }: Coverage): boolean => check_id.endsWith('/*')

const tally = (checks: readonly Coverage[]): CoverageTally => {
  const count = (state: Coverage['state']) => checks.filter((entry) => entry.state === state).length
  return {
    total: checks.length,
    passed: count('pass'),
    failed: count('fail'),
    unseen: checks.filter(({ state }) => isUnseen(state)).length,
    notApplicable: count('not_applicable'),
  }
}

/** Areas that lack the same thing stand in one row. */
const together = (gaps: readonly Gap[]): readonly Gap[] =>
  Map.groupBy(gaps, ({ whole, why }) => JSON.stringify([whole, why]))
    .values()
    .flatMap((group) => {
      const [first] = group
      return first === undefined
        ? []
        : [
            {
              ...first,
              module: group.map(({ module }) => module).join(', '),
              titles: group.flatMap(({ titles }) => titles),
              count: group.reduce((sum, { count }) => sum + count, 0),
            },
          ]
    })
    .toArray()

const gapsOf = ({ title, checks }: CoverageModule, w: Words): readonly Gap[] =>
  Map.groupBy(
    checks.filter(({ state }) => isUnseen(state)),
    (check) => stateText(check, w),
  )
    .entries()
    .map(([why, group]) => ({
      module: title,
      titles: [...new Set(group.map(({ title: text }) => nameOf(text)))],
      count: group.length,
      whole: group.length === checks.length,
      why,
    }))
    .toArray()

/** "Clickjacking: the page can be framed" → "Clickjacking". */
const nameOf = (title: string): string => title.split(': ')[0] ?? title

/** What became of a check, with its reason. */
export const stateText = ({ state, reason }: Coverage, w: Words): string =>
  `${w(STATE_NAMES[state])}${reason ? `: ${reason}` : ''}`
