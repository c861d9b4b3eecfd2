/** Contents, management summary, method and appendix; the findings have a file of their own. */
import { STATE_NAMES } from '../coverage.ts'
import { GLOSSARY } from '../glossary.ts'
import { MAX_DETAILED, type ReportModel, SEVERITY_NAMES } from '../model.ts'
import { coverageBar, gradeBadge, severityChart } from './chart.ts'
import { texMarked, texPlain, texText } from './escape.ts'
import { gradeColour } from './palette.ts'
import { factTable, table } from './table.ts'

export const heading = (number: string, title: string, label: string): string =>
  `\\sectionhead{${number}}{${texText(title)}}{${label}}{${texPlain(title)}}`

export const subheading = (title: string, label: string): string =>
  `\\parthead{${texText(title, { max: 200 })}}{${label}}{${texPlain(title)}}`

/** Written here and not by LaTeX: it has its full length in the first pass, so two passes always suffice. */
export const contents = (model: ReportModel): string => {
  const findings = model.groups.map(
    ({ severity, findings: list }) => `\\tocsub{${SEVERITY_NAMES[severity]} (${list.length})}{${severity}}`,
  )
  const lines = [
    '\\tocline{1}{Management summary}{summary}',
    '\\tocline{2}{Method and coverage}{method}',
    '\\tocsub{How the scan was made}{circumstances}',
    '\\tocsub{Looked at and in order}{clean}',
    '\\tocsub{Could not look}{unseen}',
    '\\tocline{3}{Findings}{findings}',
    '\\tocsub{All findings at a glance}{glance}',
    ...findings,
    ...(model.file.resolved.length > 0 ? ['\\tocsub{Gone since the last scan}{resolved}'] : []),
    '\\tocline{A}{Tables}{tables}',
    '\\tocline{B}{All checks}{checks}',
    '\\tocline{C}{Glossary}{glossary}',
  ]
  return [
    '\\hypertarget{contents}{}\\bookmark[level=0,dest=contents]{Contents}',
    '{\\color{accent}\\hrule height 2.4pt width 18mm}\\vskip 4mm{\\fontsize{20}{24}\\selectfont\\bfseries\\color{navy}Contents\\par}\\vskip 7mm',
    ...lines.map((line) => (line.startsWith('\\tocline') ? `\\vskip 3mm${line}` : line)),
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
    ...model.summary.paragraphs.map((paragraph) => `{\\RaggedRight ${texText(paragraph)}\\par}`),
    '\\vskip 6mm',
    `\\noindent\\begin{minipage}[t]{92mm}\\vskip 0pt ${severityChart(file.counts, 58)}\\end{minipage}\\hfill`,
    `\\begin{minipage}[t]{68mm}\\vskip 0pt ${gradeBadge(file.grade, 18)}\\hskip 4mm\\raisebox{9mm}{\\parbox{40mm}{\\RaggedRight\\parskip=0pt\\textbf{Grade}\\par ${Math.round(file.grade.score)} of 100 points${file.grade.provisional ? '\\par provisional' : ''}}}\\par`,
    '\\vskip 3mm\\parskip=2pt',
    ...(parts.length > 0 ? ['\\quiet{Single areas by their own scales}\\par', ...parts] : []),
    '\\end{minipage}\\par',
    ...(file.grade.caps.length > 0
      ? ['\\lab{What limits the grade}', ...file.grade.caps.map((cap) => `\\textbullet\\enspace ${texText(cap)}\\par`)]
      : []),
    `\\lab{What became of the ${model.coverage.total} checks}\\vskip 3mm\\noindent ${coverageBar(model.coverage)}\\par`,
    ...urgentPoints(model),
  ].join('\n')
}

const urgentPoints = ({ summary: { urgent } }: ReportModel): string[] =>
  urgent.length === 0 ? [] : [subheading('What to do first', 'first'), ...urgent.map(urgentPoint)]

const urgentPoint = (point: ReportModel['summary']['urgent'][number]): string => {
  const title = texText(point.title, { max: 300 })
  const detailed = point.number <= MAX_DETAILED
  const where = `finding ${point.number}${point.alike > 0 ? ` and ${point.alike} alike` : ''}`
  return [
    `\\need{30mm}\\vskip 2mm\\noindent\\begin{minipage}[t]{22mm}\\vskip 0pt\\pill{${point.severity}}{${SEVERITY_NAMES[point.severity].toUpperCase()}}\\end{minipage}%`,
    '\\begin{minipage}[t]{\\dimexpr\\textwidth-22mm}\\vskip -2pt\\RaggedRight\\parskip=2pt',
    `{\\bfseries ${detailed ? `\\hyperref[f${point.number}]{${title}}` : title}} \\quiet{(${where}${detailed ? `, page \\pageref{f${point.number}}` : ''})}\\par`,
    `${texMarked(point.why, 500)}\\par`,
    `\\textbf{First step:} ${texMarked(point.firstStep, 500)}\\par\\end{minipage}\\par`,
  ].join('\n')
}

export const method = ({ circumstances, coverage, file }: ReportModel): string =>
  [
    heading('2', 'Method and coverage', 'method'),
    `{\\RaggedRight ${METHOD}${file.run.tier === 'active' ? ACTIVE : ''}\\par}`,
    subheading('How the scan was made', 'circumstances'),
    table(
      [34, 126],
      [],
      circumstances.map(([label, value]) => [`\\leavevmode{\\color{muted}${label}}`, texText(value, { max: 600 })]),
    ),
    subheading('Looked at and in order', 'clean'),
    ...(coverage.clean.length === 0
      ? ['No check ended with the answer that all is in order.\\par']
      : [
          '{\\RaggedRight These problems were looked for and are not there:\\par}',
          table(
            [40, 120],
            ['Area', 'Not found there'],
            coverage.clean.map(({ module, titles }) => [
              `${texText(module)} \\quiet{(${titles.length})}`,
              texText(titles.slice(0, MAX_CLEAN).join('; ') + moreTitles(titles.length)),
            ]),
          ),
        ]),
    subheading('Could not look', 'unseen'),
    ...(coverage.unseen.length === 0
      ? ['Every check that applies could look.\\par']
      : [
          '{\\RaggedRight About these problems the scan can say nothing. They are neither found nor excluded:\\par}',
          table(
            [32, 62, 60],
            ['Area', 'Problem looked for', 'Why there is no answer'],
            coverage.unseen.map((row) => [texText(row.module), texText(row.title), texText(row.why)]),
          ),
        ]),
  ].join('\n')

export const appendix = (model: ReportModel): string =>
  [
    heading('A', 'Tables', 'tables'),
    ...(model.file.tables.length === 0 ? ['This scan has no tables.\\par'] : []),
    ...model.file.tables.flatMap((facts, index) => [subheading(facts.title, `table${index}`), factTable(facts)]),
    heading('B', 'All checks', 'checks'),
    '{\\RaggedRight Every check by area and what became of it. Its name is the one in findings.json.\\par}',
    ...(model.coverage.modules.length === 0 ? ['No check reported.\\par'] : []),
    ...model.coverage.modules.flatMap(({ title, checks }, index) => [
      subheading(title, `module${index}`),
      table(
        [30, 84, 42],
        [],
        checks.map((check) => [
          `{\\color{state-${check.state.replaceAll('_', '-')}}\\bfseries\\small ${STATE_NAMES[check.state]}}`,
          texText(check.title, { max: 300 }) +
            (check.reason ? ` \\quiet{(${texText(check.reason, { max: 300 })})}` : ''),
          `\\quiet{\\ttfamily\\fontsize{7.6}{9}\\selectfont ${texText(check.check_id, { face: 'mono' })}}`,
        ]),
      ),
    ]),
    heading('C', 'Glossary', 'glossary'),
    table(
      [34, 126],
      [],
      GLOSSARY.map(([word, meaning]) => [`\\textbf{${texText(word)}}`, texText(meaning)]),
    ),
  ].join('\n')

const MAX_CLEAN = 40
const moreTitles = (count: number): string => (count > MAX_CLEAN ? `; and ${count - MAX_CLEAN} more in appendix B` : '')

const METHOD =
  'The scan works in two steps. First it collects facts: answers, headers, certificates, pages. Then checks judge these facts, each by a published rule, so that the same facts always give the same findings. Every request went through one controlled way out that keeps to a pace, follows no redirect to a foreign address and records each request in the audit log. '
const ACTIVE =
  'An active scan also sends probes: they show that a flaw is there without using it, write nothing that lasts and read no personal data.'
