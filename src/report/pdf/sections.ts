/** Contents, management summary and method; findings and annexes have files of their own. */
import { GLOSSARY } from '../glossary.ts'
import { MAX_DETAILED, type ReportModel } from '../model.ts'
import { whyOf } from '../summary.ts'
import { checksPlace, methodText, paragraphsOf } from '../wording.ts'
import { glossaryIn, type Words } from '../words/words.ts'
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
  const { words: w } = model
  const findings = model.groups.map(
    ({ severity, findings: list }) => `\\tocsub{${w.severity[severity]} (${list.length})}{${severity}}`,
  )
  const { method: methodNumber, findings: findingsNumber, tables, checks } = model.sections
  const lines = [
    `\\tocline{1}{${w('Management summary')}}{summary}`,
    ...(methodNumber === null
      ? []
      : [
          `\\tocline{${methodNumber}}{${w('Method and coverage')}}{method}`,
          `\\tocsub{${w('How the scan was made')}}{circumstances}`,
          ...(model.reach === null ? [] : [`\\tocsub{${w('How far the scan came')}}{reach}`]),
          `\\tocsub{${w('What could not be looked at')}}{unseen}`,
        ]),
    ...(findingsNumber === null
      ? []
      : [
          `\\tocline{${findingsNumber}}{${w('Findings')}}{findings}`,
          ...(model.total > 0 ? [`\\tocsub{${w('Remediation plan')}}{plan}`] : []),
          ...findings,
          ...(model.file.resolved.length > 0 ? [`\\tocsub{${w('Gone since the last scan')}}{resolved}`] : []),
        ]),
    ...(tables === null ? [] : [`\\tocline{${tables}}{${w('Tables')}}{tables}`]),
    ...(checks === null ? [] : [`\\tocline{${checks}}{${w('All checks')}}{checks}`]),
  ]
  return [
    `\\hypertarget{contents}{}\\bookmark[level=0,dest=contents]{${w('Contents')}}`,
    `{\\color{accent}\\hrule height 2.4pt width 18mm}\\vskip 3.5mm{\\fontsize{19}{23}\\selectfont\\bfseries\\color{navy}${w('Contents')}\\par}\\vskip 3mm`,
    ...lines.map((line) => (line.startsWith('\\tocline') ? `\\vskip 2.4mm${line}` : line)),
    ...(isAgreed(model) ? agreed(model) : [glossary(model)]),
  ].join('\n')
}

const isAgreed = ({ extras: { texts } }: ReportModel): boolean =>
  texts.scope !== undefined || (texts.history ?? []).length > 0

/** Below the contents; at the end where the owners' words stand there. */
export const glossaryAtEnd = (model: ReportModel): string[] => (isAgreed(model) ? [glossary(model)] : [])

const glossary = ({ words: w }: ReportModel): string =>
  [
    subheading(w('Words used in this report'), 'glossary'),
    table(
      [34, 126],
      [],
      glossaryIn(w, GLOSSARY).map(([word, meaning]) => [`\\textbf{${texText(word)}}`, texText(meaning)]),
    ),
  ].join('\n')

/** What the owners say of the test and of the document. */
const agreed = ({ extras: { texts }, words: w }: ReportModel): string[] => [
  ...(texts.scope === undefined
    ? []
    : [
        subheading(w('Scope of the test'), 'scope'),
        ...paragraphsOf(texts.scope).map((paragraph) => `{\\RaggedRight ${texText(paragraph)}\\par}`),
      ]),
  ...(texts.history === undefined || texts.history.length === 0
    ? []
    : [
        subheading(w('Versions of this document'), 'history'),
        table(
          [20, 30, 40, 70],
          [w('Version'), w('Date'), w('By'), w('Changes')],
          texts.history.map((one) => [
            texText(one.version),
            texText(w.date(one.date)),
            texText(one.author ?? ''),
            texText(one.changes),
          ]),
        ),
      ]),
]

export const summary = (model: ReportModel): string => {
  const { file, words: w } = model
  const parts = file.grade.parts.map(({ title, grade, reasons = [] }) => {
    const why = reasons.length === 0 ? '' : `\\enspace\\quiet{${texText(whyOf(reasons, w))}}`
    return (
      `\\noindent\\makebox[9mm][l]{\\color[HTML]{${gradeColour(grade)}}\\bfseries ${texText(grade, { max: 4 })}}` +
      `\\parbox[t]{160mm}{\\RaggedRight\\small ${texText(title, { max: 80 })}${why}}\\par`
    )
  })
  return [
    heading('1', w('Management summary'), 'summary'),
    ...introduction(model),
    ...model.summary.paragraphs.map((paragraph) => `{\\RaggedRight ${texText(paragraph)}\\par}`),
    '\\vskip 3mm',
    `\\noindent\\begin{minipage}[t]{92mm}\\vskip 0pt ${severityChart(file.counts, w, 58)}\\end{minipage}\\hfill`,
    `\\begin{minipage}[t]{68mm}\\vskip 0pt ${gradeBadge(file.grade, 16)}\\hskip 4mm\\raisebox{8mm}{\\parbox{40mm}{\\RaggedRight\\parskip=0pt\\textbf{${w('Grade')}}\\par ${w('{1} of 100 points', Math.round(file.grade.score))}${file.grade.provisional ? `\\par ${w('provisional')}` : ''}}}\\par`,
    // Beside the chart, where there is room: all of this is one page.
    ...(file.grade.caps.length > 0
      ? [
          `\\vskip 1.4mm{\\small\\RaggedRight\\parskip=1pt{\\bfseries\\color{accent}${w('What limits the grade')}\\par}`,
          ...file.grade.caps.map((cap) => `\\hangindent=3mm\\hangafter=1\\textbullet\\enspace ${texText(cap)}\\par`),
          '}',
        ]
      : []),
    '\\end{minipage}\\par',
    ...(parts.length > 0
      ? [`\\lab{${w('Single areas, headers and TLS by their published scales')}}{\\parskip=1pt`, ...parts, '}']
      : []),
    `\\lab{${w('What became of the {1} checks', model.coverage.total)}}\\vskip 2mm\\noindent ${coverageBar(model.coverage, w)}\\par`,
    ...who(model),
    ...urgentPoints(model),
  ].join('\n')
}

const who = ({ plan, words: w }: ReportModel): string[] =>
  plan.length === 0
    ? []
    : [
        `\\lab{${w('Who has to act, and how long it takes')}}{\\parskip=1pt`,
        ...plan.map(
          ({ owner, effort, steps }) =>
            `{\\RaggedRight\\textbf{${texText(owner)}}, ${w.many(steps.length, 'problem')}: ${texText(effort)}\\par}`,
        ),
        '}',
      ]

/** The owners' own words, told from ours by a rule below them. */
const introduction = ({ extras: { texts } }: ReportModel): string[] =>
  texts.introduction === undefined
    ? []
    : [
        ...paragraphsOf(texts.introduction).map((paragraph) => `{\\RaggedRight ${texText(paragraph)}\\par}`),
        '\\thinrule',
      ]

const urgentPoints = ({ summary: { urgent }, sections, words: w }: ReportModel): string[] =>
  urgent.length === 0
    ? []
    : [
        subheading(w('What to do first'), 'first'),
        ...urgent.map((point) => urgentPoint(point, sections.findings !== null, w)),
      ]

const urgentPoint = (point: ReportModel['summary']['urgent'][number], described: boolean, w: Words): string => {
  const title = texText(point.title, { max: 300 })
  const detailed = described && point.number <= MAX_DETAILED
  const where = `${w('finding {1}', point.number)}${point.alike > 0 ? ` ${w('and {1} alike', point.alike)}` : ''}`
  return [
    `\\need{26mm}\\vskip 1mm\\noindent\\begin{minipage}[t]{20mm}\\pill{${point.severity}}{${w.severity[point.severity].toUpperCase()}}\\end{minipage}%`,
    '\\begin{minipage}[t]{\\dimexpr\\textwidth-20mm}\\RaggedRight\\parskip=1pt',
    `{\\bfseries ${detailed ? `\\hyperref[f${point.number}]{${title}}` : title}} \\quiet{(${where}${detailed ? `, ${w('page')} \\pageref{f${point.number}}` : ''})}\\par`,
    `${texMarked(point.why, 500)}\\par`,
    `\\textbf{${w('First step')}:} ${texMarked(point.firstStep, 500)}\\par\\end{minipage}\\par`,
  ].join('\n')
}

export const method = (model: ReportModel): string => {
  const { words: w } = model
  return [
    heading(model.sections.method ?? '', w('Method and coverage'), 'method', false),
    `{\\RaggedRight ${methodText(model.file.run.tier, w)}\\par}`,
    subheading(w('How the scan was made'), 'circumstances'),
    table(
      [34, 126],
      [],
      model.circumstances.map(([label, value]) => [
        `\\leavevmode{\\color{muted}${label}}`,
        texText(value, { max: 600 }),
      ]),
    ),
    ...reached(model),
    subheading(w('What could not be looked at'), 'unseen'),
    ...unseen(model, checksPlace(model.sections, w)),
  ].join('\n')
}

/** A check passes only where every place it applies to was asked; here is what the others lack. */
const reached = ({ reach, words: w }: ReportModel): string[] =>
  reach === null
    ? []
    : [
        subheading(w('How far the scan came'), 'reach'),
        `\\noindent ${reachBars(reach)}\\par`,
        ...(reach.reasons.length === 0
          ? []
          : [
              table(
                [22, 46, 92],
                [w('Left out'), w('What'), w('Why')],
                reach.reasons.map(({ kind, reason, count }) => [count, texText(kind), texText(reason, { max: 300 })]),
              ),
            ]),
      ]

const unseen = ({ coverage, words: w }: ReportModel, where: string): string[] => [
  ...(coverage.gaps.length === 0
    ? [`${w('Every check that applies could look.')}\\par`]
    : [
        `\\callout{\\textbf{${w('{1} could not look.', w.many(coverage.unseen, 'check'))}} ${w('The problems below are neither found nor excluded. Where they matter, have them looked at again once the reason is gone.')}}`,
        table(
          [34, 58, 67],
          [w('Area'), w('Problem looked for'), w('Why there is no answer')],
          coverage.gaps.map(({ module, titles, count, whole, why }) => [
            texText(module),
            whole && count > 1
              ? `\\textbf{${w('all {1} checks', count)}}`
              : texText(titles.slice(0, MAX_TITLES).join('; ') + moreTitles(titles.length, where, w), { max: 1200 }),
            texText(why, { max: 420 }),
          ]),
        ),
      ]),
  ...(coverage.leftOut.length === 0
    ? []
    : [
        `\\lab{${w('Not part of this scan')}}`,
        ...coverage.leftOut.map(
          ({ module, why }) => `{\\RaggedRight\\textbf{${texText(module)}}: ${texText(why)}\\par}`,
        ),
      ]),
]

const MAX_TITLES = 4
const moreTitles = (count: number, where: string, w: Words): string =>
  count > MAX_TITLES ? `; ${w('and {1} more in {2}', count - MAX_TITLES, where)}` : ''
