/** Management summary, method and annexes; findings have a file of their own. */
import type { Coverage } from '../../contract/finding.ts'
import type { FactTable } from '../../contract/findings-file.ts'
import { type CoverageModule, type Gap, isUnseen, STATE_NAMES } from '../coverage.ts'
import { GLOSSARY } from '../glossary.ts'
import type { ReportModel } from '../model.ts'
import { whyOf } from '../summary.ts'
import { checksPlace, methodText, paragraphsOf } from '../wording.ts'
import { glossaryIn, type Words } from '../words/words.ts'
import { blocks, clipped, figures, list, type Markdown, marked, md } from './markup.ts'

export const summary = (model: ReportModel): Markdown => {
  const {
    words: w,
    file: { grade },
  } = model
  return blocks([
    md`## 1 ${w('Management summary')}`,
    ...introduction(model),
    ...model.summary.paragraphs.map((paragraph) => md`${paragraph}`),
    grade.parts.length === 0 ? null : md`${w('Single areas, headers and TLS by their published scales')}:`,
    list(
      grade.parts.map(
        (part) =>
          md`**${part.grade.slice(0, 4)}** ${part.title.slice(0, 80)}${part.reasons?.length ? `: ${whyOf(part.reasons, w)}` : ''}`,
      ),
    ),
    ...(grade.caps.length === 0
      ? []
      : [md`### ${w('What limits the grade')}`, list(grade.caps.map((cap) => md`${cap}`))]),
    md`### ${w('What became of the {1} checks', model.coverage.total)}`,
    coverageFigures(model),
    ...(model.plan.length === 0
      ? []
      : [
          md`### ${w('Who has to act, and how long it takes')}`,
          list(
            model.plan.map(
              ({ owner, effort, steps }) => md`**${owner}**, ${w.many(steps.length, 'problem')}: ${effort}`,
            ),
          ),
        ]),
    ...first(model),
  ])
}

/** The owners' own words, told from ours by a rule below them. */
const introduction = ({ extras }: ReportModel): Markdown[] =>
  extras.texts.introduction === undefined
    ? []
    : [...paragraphsOf(extras.texts.introduction).map((text) => md`${text}`), md`---`]

/** What the owners say of the test and of the document. */
export const agreed = ({ extras: { texts }, words: w }: ReportModel): Markdown =>
  blocks([
    ...(texts.scope === undefined
      ? []
      : [md`## ${w('Scope of the test')}`, ...paragraphsOf(texts.scope).map((text) => md`${text}`)]),
    ...(texts.history === undefined || texts.history.length === 0
      ? []
      : [
          md`## ${w('Versions of this document')}`,
          list(
            texts.history.map(
              ({ version, date, author, changes }) =>
                md`${version}, ${w.date(date)}${author === undefined ? '' : `, ${author}`}: ${changes}`,
            ),
          ),
        ]),
  ])

const coverageFigures = ({ coverage, words: w }: ReportModel): Markdown =>
  list(
    (
      [
        [coverage.passed, 'in order'],
        [coverage.failed, 'problem found'],
        [coverage.unseen, 'could not look'],
        [coverage.notApplicable, 'does not apply'],
      ] as const
    ).map(([count, name]) => md`${count} ${w(name)}`),
  )

const first = ({ summary: { urgent }, words: w }: ReportModel): Markdown[] =>
  urgent.length === 0
    ? []
    : [
        md`### ${w('What to do first')}`,
        ...urgent.flatMap(({ number, severity, title, why, firstStep, alike }) => [
          md`**${w.severity[severity]}: ${clipped(title, 300, w)}** (${w('finding {1}', number)}${alike > 0 ? md` ${w('and {1} alike', alike)}` : null})`,
          marked(why),
          md`${w('First step')}: ${marked(firstStep)}`,
        ]),
      ]

export const method = (model: ReportModel): Markdown => {
  const { words: w } = model
  return blocks([
    md`## ${model.sections.method} ${w('Method and coverage')}`,
    md`${methodText(model.file.run.tier, w)}`,
    md`### ${w('How the scan was made')}`,
    list(model.circumstances.map(([label, value]) => md`${label}: ${clipped(value, 600, w)}`)),
    ...reached(model),
    md`### ${w('What could not be looked at')}`,
    ...unseen(model),
    md`### ${w('What was looked at')}`,
    ...looked(model),
  ])
}

/** A check passes only where every place it applies to was asked; here is what the others lack. */
const reached = ({ reach, words: w }: ReportModel): Markdown[] =>
  reach === null
    ? []
    : [
        md`### ${w('How far the scan came')}`,
        list(reach.lines.map(({ text }) => md`${text}.`)),
        ...(reach.reasons.length === 0
          ? []
          : [
              md`${w('Left out')}:`,
              list(reach.reasons.map(({ kind, reason, count }) => md`${count} × ${kind}: ${clipped(reason, 300, w)}`)),
            ]),
      ]

const MAX_TITLES = 6

const unseen = ({ coverage, sections, words: w }: ReportModel): Markdown[] => {
  const titlesText = ({ titles, count, whole }: Gap): string => {
    if (whole && count > 1) return w('all {1} checks', count)
    const more =
      titles.length > MAX_TITLES
        ? `; ${w('and {1} more in {2}', titles.length - MAX_TITLES, checksPlace(sections, w))}`
        : ''
    return clipped(titles.slice(0, MAX_TITLES).join('; ') + more, 1200, w)
  }
  const gaps =
    coverage.gaps.length === 0
      ? [md`${w('Every check that applies could look.')}`]
      : [
          md`**${w('{1} could not look.', w.many(coverage.unseen, 'check'))}** ${w('The problems below are neither found nor excluded. Where they matter, have them looked at again once the reason is gone.')}`,
          list(coverage.gaps.map((gap) => md`**${gap.module}**: ${titlesText(gap)}. ${clipped(gap.why, 600, w)}`)),
        ]
  const leftOut = coverage.leftOut.map(({ module, why }) => md`**${module}**: ${why}`)
  return leftOut.length === 0 ? gaps : [...gaps, md`#### ${w('Not part of this scan')}`, list(leftOut)]
}

const looked = ({ coverage, sections, words: w }: ReportModel): Markdown[] => {
  if (coverage.modules.length === 0) return [md`${w('No check reported.')}`]
  const rows = [...coverage.modules, { ...coverage, title: w('All areas') }]
  return [
    md`${w('Checks by area. One in order looked for its problem and did not find it. Each is named in {1}.', checksPlace(sections, w))}`,
    figures(
      (['Area', 'Checks', 'In order', 'Problem', 'No answer', 'Not apply'] as const).map((name) => w(name)),
      rows.map((row) => [row.title, row.total, row.passed, row.failed, row.unseen, row.notApplicable] as const),
    ),
  ]
}

/** Those that were asked for, and the words. */
export const annexes = ({ file, coverage, sections, words: w }: ReportModel): Markdown =>
  blocks([
    ...(sections.tables === null
      ? []
      : [
          md`## ${sections.tables} ${w('Tables')}`,
          ...(file.tables.length === 0
            ? [md`${w('This scan has no tables.')}`]
            : file.tables.map((table) => factTable(table, w))),
        ]),
    ...(sections.checks === null
      ? []
      : [
          md`## ${sections.checks} ${w('All checks')}`,
          md`${w('Every problem that was looked for, by area')}.`,
          ...coverage.modules.flatMap((module) => checksOf(module, w)),
        ]),
    md`## ${w('Words used in this report')}`,
    list(glossaryIn(w, GLOSSARY).map(([word, meaning]) => md`**${word}**: ${meaning}`)),
  ])

const MAX_ROWS = 100
const MAX_COLUMNS = 8

/** One item a row: cells hold what the target sent. */
const factTable = ({ title, columns, rows }: FactTable, w: Words): Markdown => {
  const heads = columns.slice(0, MAX_COLUMNS)
  const omitted = [
    ...(rows.length > MAX_ROWS ? [w('{1} more rows', rows.length - MAX_ROWS)] : []),
    ...(columns.length > MAX_COLUMNS ? [w('{1} more columns', columns.length - MAX_COLUMNS)] : []),
  ]
  const cells = (row: readonly string[]): Markdown =>
    md`${heads.flatMap((head, index) => {
      const cell = row[index] ?? ''
      return cell === '' ? [] : [md`${head}: ${clipped(cell, 1000, w)}; `]
    })}`
  return blocks([
    md`### ${clipped(title, 200, w)}`,
    rows.length === 0 ? md`${w('The table is empty.')}` : list(rows.slice(0, MAX_ROWS).map(cells)),
    omitted.length === 0 ? null : md`${w('{1} in findings.json.', w.list(omitted))}`,
  ])
}

const checksOf = ({ title, checks }: CoverageModule, w: Words): Markdown[] => [
  md`### ${title}`,
  list(
    checks.map((check) => md`**${w(STATE_NAMES[check.state])}**: ${clipped(check.title, 300, w)}${reason(check, w)}`),
  ),
]

const reason = ({ state, reason: why }: Coverage, w: Words): Markdown | null =>
  why === null || why === '' ? null : md` (${isUnseen(state) ? md`${w('because')}: ` : null}${clipped(why, 300, w)})`
