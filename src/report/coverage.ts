/** What the scan could answer and what it could not, kept apart. Pure. */
import type { Coverage } from '../contract/finding.ts'

export interface CoverageView {
  readonly total: number
  /** Looked at and found in order. */
  readonly clean: readonly { readonly module: string; readonly titles: readonly string[] }[]
  readonly passed: number
  readonly failed: number
  readonly notApplicable: number
  /** Could not look, with the reason. */
  readonly unseen: readonly { readonly module: string; readonly title: string; readonly why: string }[]
  /** Every check by module, in the order of the file. */
  readonly modules: readonly { readonly id: string; readonly title: string; readonly checks: readonly Coverage[] }[]
}

export const STATE_NAMES: Readonly<Record<Coverage['state'], string>> = {
  pass: 'in order',
  fail: 'problem found',
  not_applicable: 'does not apply',
  not_tested: 'not tested',
  blocked: 'blocked',
  inconclusive: 'inconclusive',
}

export const isUnseen = (state: Coverage['state']): boolean =>
  state === 'not_tested' || state === 'blocked' || state === 'inconclusive'

export const coverageView = (coverage: readonly Coverage[], moduleTitle: (id: string) => string): CoverageView => {
  const modules = Map.groupBy(coverage, ({ module }) => module)
    .entries()
    .map(([id, checks]) => ({ id, title: moduleTitle(id), checks }))
    .toArray()
  const count = (state: Coverage['state']) => coverage.filter((entry) => entry.state === state).length
  return {
    total: coverage.length,
    clean: modules
      .map(({ title, checks }) => ({
        module: title,
        titles: checks.filter(({ state }) => state === 'pass').map((check) => check.title),
      }))
      .filter(({ titles }) => titles.length > 0),
    passed: count('pass'),
    failed: count('fail'),
    notApplicable: count('not_applicable'),
    unseen: modules.flatMap(({ title, checks }) =>
      checks
        .filter(({ state }) => isUnseen(state))
        .map((check) => ({ module: title, title: check.title, why: reasonText(check) })),
    ),
    modules,
  }
}

const reasonText = ({ state, reason }: Coverage): string => `${STATE_NAMES[state]}${reason ? `: ${reason}` : ''}`
