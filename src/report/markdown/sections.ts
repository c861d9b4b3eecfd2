/** Management summary, method and annexes; findings have a file of their own. */
import type { Coverage } from '../../contract/finding.ts'
import type { FactTable } from '../../contract/findings-file.ts'
import { type CoverageModule, isUnseen, STATE_NAMES } from '../coverage.ts'
import { many } from '../format.ts'
import { GLOSSARY } from '../glossary.ts'
import { type ReportModel, SEVERITY_NAMES } from '../model.ts'
import { checksPlace, methodText, paragraphsOf } from '../wording.ts'
import { blocks, clipped, figures, list, type Markdown, marked, md } from './markup.ts'

export const summary = (model: ReportModel): Markdown => {
  const { grade } = model.file
  return blocks([
    md`## 1 Management summary`,
    ...introduction(model),
    ...model.summary.paragraphs.map((paragraph) => md`${paragraph}`),
    grade.parts.length === 0 ? null : md`Single areas, headers and TLS by their published scales:`,
    list(grade.parts.map((part) => md`**${part.grade.slice(0, 4)}** ${part.title.slice(0, 80)}`)),
    ...(grade.caps.length === 0 ? [] : [md`### What limits the grade`, list(grade.caps.map((cap) => md`${cap}`))]),
    md`### What became of the ${model.coverage.total} checks`,
    coverageFigures(model),
    ...first(model),
  ])
}

/** The owners' own words, told from ours by a rule below them. */
const introduction = ({ extras }: ReportModel): Markdown[] =>
  extras.introduction === null ? [] : [...paragraphsOf(extras.introduction).map((text) => md`${text}`), md`---`]

const coverageFigures = ({ coverage }: ReportModel): Markdown =>
  list(
    (
      [
        [coverage.passed, 'in order'],
        [coverage.failed, 'problem found'],
        [coverage.unseen, 'could not look'],
        [coverage.notApplicable, 'does not apply'],
      ] as const
    ).map(([count, name]) => md`${count} ${name}`),
  )

const first = ({ summary: { urgent } }: ReportModel): Markdown[] =>
  urgent.length === 0
    ? []
    : [
        md`### What to do first`,
        ...urgent.flatMap(({ number, severity, title, why, firstStep, alike }) => [
          md`**${SEVERITY_NAMES[severity]}: ${clipped(title, 300)}** (finding ${number}${alike > 0 ? md` and ${alike} alike` : null})`,
          marked(why),
          md`First step: ${marked(firstStep)}`,
        ]),
      ]

export const method = (model: ReportModel): Markdown =>
  blocks([
    md`## ${model.sections.method} Method and coverage`,
    md`${methodText(model.file.run.tier)}`,
    md`### How the scan was made`,
    list(model.circumstances.map(([label, value]) => md`${label}: ${clipped(value, 600)}`)),
    ...reached(model),
    md`### What could not be looked at`,
    ...unseen(model),
    md`### What was looked at`,
    ...looked(model),
  ])

/** A check passes only where every place it applies to was asked; here is what the others lack. */
const reached = ({ reach }: ReportModel): Markdown[] =>
  reach === null
    ? []
    : [
        md`### How far the scan came`,
        list(reach.lines.map(({ text }) => md`${text}.`)),
        ...(reach.reasons.length === 0
          ? []
          : [
              md`Left out:`,
              list(reach.reasons.map(({ kind, reason, count }) => md`${count} ${kind}: ${clipped(reason, 300)}`)),
            ]),
      ]

const MAX_TITLES = 6

const unseen = ({ coverage, sections }: ReportModel): Markdown[] => {
  const titlesText = (titles: readonly string[], whole: boolean): string => {
    if (whole && titles.length > 1) return `all ${titles.length} checks`
    const more =
      titles.length > MAX_TITLES ? `; and ${titles.length - MAX_TITLES} more in ${checksPlace(sections)}` : ''
    return clipped(titles.slice(0, MAX_TITLES).join('; ') + more, 1200)
  }
  const gaps =
    coverage.gaps.length === 0
      ? [md`Every check that applies could look.`]
      : [
          md`**${many(coverage.unseen, 'check')} could not look.** The problems below are neither found nor excluded. Where they matter, have them looked at again once the reason is gone.`,
          list(
            coverage.gaps.map(
              ({ module, titles, whole, why }) => md`**${module}**: ${titlesText(titles, whole)}. ${clipped(why, 600)}`,
            ),
          ),
        ]
  const leftOut = coverage.leftOut.map(({ module, why }) => md`**${module}**: ${why}`)
  return leftOut.length === 0 ? gaps : [...gaps, md`#### Not part of this scan`, list(leftOut)]
}

const looked = ({ coverage, sections }: ReportModel): Markdown[] => {
  if (coverage.modules.length === 0) return [md`No check reported.`]
  const rows = [...coverage.modules, { ...coverage, title: 'All areas' }]
  return [
    md`Checks by area. One in order looked for its problem and did not find it. Each is named in ${checksPlace(sections)}.`,
    figures(
      ['Area', 'Checks', 'In order', 'Problem', 'No answer', 'Not apply'],
      rows.map((row) => [row.title, row.total, row.passed, row.failed, row.unseen, row.notApplicable] as const),
    ),
  ]
}

/** Those that were asked for, and the words. */
export const annexes = ({ file, coverage, sections }: ReportModel): Markdown =>
  blocks([
    ...(sections.tables === null
      ? []
      : [
          md`## ${sections.tables} Tables`,
          ...(file.tables.length === 0 ? [md`This scan has no tables.`] : file.tables.map(factTable)),
        ]),
    ...(sections.checks === null
      ? []
      : [
          md`## ${sections.checks} All checks`,
          md`Every problem that was looked for, by area.`,
          ...coverage.modules.flatMap(checksOf),
        ]),
    md`## Words used in this report`,
    list(GLOSSARY.map(([word, meaning]) => md`**${word}**: ${meaning}`)),
  ])

const MAX_ROWS = 100
const MAX_COLUMNS = 8

/** One item a row: cells hold what the target sent. */
const factTable = ({ title, columns, rows }: FactTable): Markdown => {
  const heads = columns.slice(0, MAX_COLUMNS)
  const omitted = [
    ...(rows.length > MAX_ROWS ? [`${rows.length - MAX_ROWS} more rows`] : []),
    ...(columns.length > MAX_COLUMNS ? [`${columns.length - MAX_COLUMNS} more columns`] : []),
  ]
  const cells = (row: readonly string[]): Markdown =>
    md`${heads.flatMap((head, index) => {
      const cell = row[index] ?? ''
      return cell === '' ? [] : [md`${head}: ${clipped(cell, 1000)}; `]
    })}`
  return blocks([
    md`### ${clipped(title, 200)}`,
    rows.length === 0 ? md`The table is empty.` : list(rows.slice(0, MAX_ROWS).map(cells)),
    omitted.length === 0 ? null : md`${omitted.join(' and ')} in findings.json.`,
  ])
}

const checksOf = ({ title, checks }: CoverageModule): Markdown[] => [
  md`### ${title}`,
  list(checks.map((check) => md`**${STATE_NAMES[check.state]}**: ${clipped(check.title, 300)}${reason(check)}`)),
]

const reason = ({ state, reason: why }: Coverage): Markdown | null =>
  why === null || why === '' ? null : md` (${isUnseen(state) ? md`because: ` : null}${clipped(why, 300)})`
