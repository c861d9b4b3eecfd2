/** What stands behind the report: the modules' tables and every check. */
import type { Coverage, CoverageState } from '../../contract/finding.ts'
import { type CoverageModule, type CoverageTally, type CoverageView, isUnseen, stateText } from '../coverage.ts'
import type { ReportModel } from '../model.ts'
import type { Words } from '../words/words.ts'
import { texText } from './escape.ts'
import { heading, subheading } from './sections.ts'
import { factTable, table } from './table.ts'

/** Those that were asked for. */
export const annexes = (model: ReportModel): string[] => {
  const { words: w } = model
  return [
    ...(model.sections.tables === null
      ? []
      : [
          heading(model.sections.tables, w('Tables'), 'tables', false),
          ...(model.file.tables.length === 0 ? [`${w('This scan has no tables.')}\\par`] : []),
          ...model.file.tables.flatMap((facts, index) => [
            subheading(facts.title, `table${index}`),
            factTable(facts, w),
          ]),
        ]),
    ...(model.sections.checks === null
      ? []
      : [
          heading(model.sections.checks, w('All checks'), 'checks', false),
          ...tallies(model.coverage, w),
          ...checks(model.coverage.modules, w),
        ]),
  ]
}

/** Signs that differ in shape, for readers and printers without colour. */
const SIGNS: Readonly<Record<CoverageState, string>> = {
  pass: '✓',
  fail: '✗',
  not_applicable: '–',
  not_tested: '?',
  blocked: '?',
  inconclusive: '?',
}

const checks = (modules: readonly CoverageModule[], w: Words): string[] =>
  modules.length === 0
    ? [`${w('No check reported.')}\\par`]
    : [
        `{\\RaggedRight ${w('Every problem that was looked for, by area')}.\\enspace ${[
          `${sign('pass')} ${w('in order')}`,
          `${sign('fail')} ${w('problem found')}`,
          `${sign('not_tested')} ${w('could not look')}`,
          `${sign('not_applicable')} ${w('does not apply')}`,
        ].join('\\enspace ')}\\par}`,
        '\\begin{multicols}{2}\\raggedcolumns',
        ...modules.flatMap((module) => checksOf(module, w)),
        '\\end{multicols}',
      ]

const sign = (state: CoverageState): string => `{\\color{${colour(state)}}\\ttfamily\\bfseries\\small ${SIGNS[state]}}`

const colour = (state: CoverageState): string => `state-${state.replaceAll('_', '-')}`

/** Many checks share one reason: it is said once, below, by its number. */
const checksOf = ({ title, checks: list }: CoverageModule, w: Words): string[] => {
  const reasons = [...new Set(list.flatMap((check) => reasonOf(check, w)))]
  return [
    `\\smallhead{${texText(title)}}`,
    ...list.map((check) => {
      const note = reasonOf(check, w).map((reason) => `\\notemark{${reasons.indexOf(reason) + 1}}`)
      return `\\checkline{${colour(check.state)}}{${SIGNS[check.state]}}{${texText(check.title, { max: 300 })}${note.join('')}}`
    }),
    ...reasons.map((reason, index) => `\\checknote{${index + 1}}{${texText(reason, { max: 300 })}}`),
  ]
}

const reasonOf = (check: Coverage, w: Words): string[] =>
  isUnseen(check.state) ? [stateText(check, w)] : check.reason ? [check.reason] : []

/** By area; then each. */
const tallies = (coverage: CoverageView, w: Words): string[] =>
  coverage.modules.length === 0
    ? []
    : [
        `{\\RaggedRight ${w('One in order looked for its problem and did not find it.')}\\par}`,
        table(
          [46, 20, 20, 20, 22, 20],
          (['Area', 'Checks', 'In order', 'Problem', 'No answer', 'Not apply'] as const).map((name) => w(name)),
          [
            ...coverage.modules.map((module) => [texText(module.title), ...tally(module)]),
            [`\\textbf{${w('All areas')}}`, ...tally(coverage).map((cell) => `{\\bfseries ${cell}}`)],
          ],
        ),
      ]

const tally = ({ total, passed, failed, unseen: missing, notApplicable }: CoverageTally): string[] => [
  `${total}`,
  counted(passed, 'state-pass'),
  counted(failed, 'state-fail'),
  counted(missing, 'state-not-tested'),
  counted(notApplicable, 'muted'),
]

const counted = (count: number, colour: string): string =>
  count === 0 ? '{\\color{muted}–}' : `{\\color{${colour}}${count}}`
