/** Contents, management summary and method; findings and annexes have files of their own. */
import { many } from '../format.ts'
import { GLOSSARY } from '../glossary.ts'
import { MAX_DETAILED, type ReportModel, SEVERITY_NAMES } from '../model.ts'
import { checksPlace, methodText, paragraphsOf } from '../wording.ts'
import { coverageBar, gradeBadge, reachBars, severityChart } from './chart.ts'
import { texMarked, texPlain, texText } from './escape.ts'
import { gradeColour } from './palette.ts'
import { table } from './table.ts'

/** On a page of its own, or on the present one where there is room. */
export const heading = (number: string, title: string, label: string, newPage = true): string =>
  `\\${newPage ? 'sectionhead' : 'nextsectionhead'}{${number}}{${texText(title)}}{${label}}{${texPlain(title)}}`

export const subheading = (title: string, label: string): string =>
  `\\parthead{${texText(title, { max: 200 })}}{${label}}{${texPlain(title)}}`

/** Written here and not by LaTeX: it has its full length in the first pass, so two passes always suffice. */
export const contents = (model: ReportModel): string => {
  const findings = model.groups.map(
    ({ severity, findings: list }) => `\\tocsub{${SEVERITY_NAMES[severity]} (${list.length})}{${severity}}`,
  )
  const { method: methodNumber, findings: findingsNumber, tables, checks } = model.sections
  const lines = [
    '\\tocline{1}{Management summary}{summary}',
    ...(methodNumber === null
      ? []
      : [
          `\\tocline{${methodNumber}}{Method and coverage}{method}`,
          '\\tocsub{How the scan was made}{circumstances}',
          ...(model.reach === null ? [] : ['\\tocsub{How far the scan came}{reach}']),
          '\\tocsub{What could not be looked at}{unseen}',
        ]),
    ...(findingsNumber === null
      ? []
      : [
          `\\tocline{${findingsNumber}}{Findings}{findings}`,
          '\\tocsub{Remediation plan}{plan}',
          ...findings,
          ...(model.file.resolved.length > 0 ? ['\\tocsub{Gone since the last scan}{resolved}'] : []),
        ]),
    ...(tables === null ? [] : [`\\tocline{${tables}}{Tables}{tables}`]),
    ...(checks === null ? [] : [`\\tocline{${checks}}{All checks}{checks}`]),
  ]
  return [
    '\\hypertarget{contents}{}\\bookmark[level=0,dest=contents]{Contents}',
    '{\\color{accent}\\hrule height 2.4pt width 18mm}\\vskip 3.5mm{\\fontsize{19}{23}\\selectfont\\bfseries\\color{navy}Contents\\par}\\vskip 3mm',
    ...lines.map((line) => (line.startsWith('\\tocline') ? `\\vskip 2.4mm${line}` : line)),
    subheading('Words used in this report', 'glossary'),
    table(
      [34, 126],
      [],
      GLOSSARY.map(([word, meaning]) => [`\\textbf{${texText(word)}}`, texText(meaning)]),
    ),
  ].join('\n')
}

export const summary = (model: ReportModel): string => {
  const { file } = model
  const parts = file.grade.parts.map(
    ({ title, grade }) =>
      `\\noindent\\makebox[9mm][l]{\\color[HTML]{${gradeColour(grade)}}\\bfseries ${texText(grade, { max: 4 })}}` +
      `\\parbox[t]{58mm}{\\RaggedRight\\small ${texText(title, { max: 80 })}}\\par`,
  )
  return [
    heading('1', 'Management summary', 'summary'),
    ...introduction(model),
    ...model.summary.paragraphs.map((paragraph) => `{\\RaggedRight ${texText(paragraph)}\\par}`),
    '\\vskip 3mm',
    `\\noindent\\begin{minipage}[t]{92mm}\\vskip 0pt ${severityChart(file.counts, 58)}\\end{minipage}\\hfill`,
    `\\begin{minipage}[t]{68mm}\\vskip 0pt ${gradeBadge(file.grade, 16)}\\hskip 4mm\\raisebox{8mm}{\\parbox{40mm}{\\RaggedRight\\parskip=0pt\\textbf{Grade}\\par ${Math.round(file.grade.score)} of 100 points${file.grade.provisional ? '\\par provisional' : ''}}}\\par`,
    '\\vskip 1.5mm\\parskip=1pt',
    ...(parts.length > 0
      ? ['\\RaggedRight\\quiet{Single areas, headers and TLS by their published scales}\\par', ...parts]
      : []),
    '\\end{minipage}\\par',
    ...(file.grade.caps.length > 0
      ? ['\\lab{What limits the grade}', ...file.grade.caps.map((cap) => `\\textbullet\\enspace ${texText(cap)}\\par`)]
      : []),
    `\\lab{What became of the ${model.coverage.total} checks}\\vskip 2mm\\noindent ${coverageBar(model.coverage)}\\par`,
    ...urgentPoints(model),
  ].join('\n')
}

/** The owners' own words, told from ours by a rule below them. */
const introduction = ({ extras }: ReportModel): string[] =>
  extras.introduction === null
    ? []
    : [
        ...paragraphsOf(extras.introduction).map((paragraph) => `{\\RaggedRight ${texText(paragraph)}\\par}`),
        '\\thinrule',
      ]

const urgentPoints = ({ summary: { urgent }, sections }: ReportModel): string[] =>
  urgent.length === 0
    ? []
    : [
        subheading('What to do first', 'first'),
        ...urgent.map((point) => urgentPoint(point, sections.findings !== null)),
      ]

const urgentPoint = (point: ReportModel['summary']['urgent'][number], described: boolean): string => {
  const title = texText(point.title, { max: 300 })
  const detailed = described && point.number <= MAX_DETAILED
  const where = `finding ${point.number}${point.alike > 0 ? ` and ${point.alike} alike` : ''}`
  return [
    `\\need{26mm}\\vskip 1mm\\noindent\\begin{minipage}[t]{20mm}\\pill{${point.severity}}{${SEVERITY_NAMES[point.severity].toUpperCase()}}\\end{minipage}%`,
    '\\begin{minipage}[t]{\\dimexpr\\textwidth-20mm}\\RaggedRight\\parskip=1pt',
    `{\\bfseries ${detailed ? `\\hyperref[f${point.number}]{${title}}` : title}} \\quiet{(${where}${detailed ? `, page \\pageref{f${point.number}}` : ''})}\\par`,
    `${texMarked(point.why, 500)}\\par`,
    `\\textbf{First step:} ${texMarked(point.firstStep, 500)}\\par\\end{minipage}\\par`,
  ].join('\n')
}

export const method = (model: ReportModel): string =>
  [
    heading(model.sections.method ?? '', 'Method and coverage', 'method'),
    `{\\RaggedRight ${methodText(model.file.run.tier)}\\par}`,
    subheading('How the scan was made', 'circumstances'),
    table(
      [34, 126],
      [],
      model.circumstances.map(([label, value]) => [
        `\\leavevmode{\\color{muted}${label}}`,
        texText(value, { max: 600 }),
      ]),
    ),
    ...reached(model),
    subheading('What could not be looked at', 'unseen'),
    ...unseen(model, checksPlace(model.sections)),
  ].join('\n')

/** A check passes only where every place it applies to was asked; here is what the others lack. */
const reached = ({ reach }: ReportModel): string[] =>
  reach === null
    ? []
    : [
        subheading('How far the scan came', 'reach'),
        `\\noindent ${reachBars(reach)}\\par`,
        ...(reach.reasons.length === 0
          ? []
          : [
              table(
                [22, 46, 92],
                ['Left out', 'What', 'Why'],
                reach.reasons.map(({ kind, reason, count }) => [count, texText(kind), texText(reason, { max: 300 })]),
              ),
            ]),
      ]

const unseen = ({ coverage }: ReportModel, where: string): string[] => [
  ...(coverage.gaps.length === 0
    ? ['Every check that applies could look.\\par']
    : [
        `\\callout{\\textbf{${many(coverage.unseen, 'check')} could not look.} The problems below are neither found nor excluded. Where they matter, have them looked at again once the reason is gone.}`,
        table(
          [32, 66, 56],
          ['Area', 'Problem looked for', 'Why there is no answer'],
          coverage.gaps.map(({ module, titles, whole, why }) => [
            texText(module),
            whole && titles.length > 1
              ? `\\textbf{all ${titles.length} checks}`
              : texText(titles.slice(0, MAX_TITLES).join('; ') + moreTitles(titles.length, where), { max: 1200 }),
            texText(why, { max: 420 }),
          ]),
        ),
      ]),
  ...(coverage.leftOut.length === 0
    ? []
    : [
        '\\lab{Not part of this scan}',
        ...coverage.leftOut.map(
          ({ module, why }) => `{\\RaggedRight\\textbf{${texText(module)}}: ${texText(why)}\\par}`,
        ),
      ]),
]

const MAX_TITLES = 3
const moreTitles = (count: number, where: string): string =>
  count > MAX_TITLES ? `; and ${count - MAX_TITLES} more in ${where}` : ''
