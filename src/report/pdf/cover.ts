import { SEVERITIES } from '../../contract/finding.ts'
import type { LogoFile } from '../logo.ts'
import type { ReportModel } from '../model.ts'
import { confidentialText } from '../wording.ts'
import { gradeBadge, wordmark } from './chart.ts'
import { box, circle, drawing, outline, paragraph, rectangle, shape, within, words } from './drawing.ts'
import { texText } from './escape.ts'

/** The first page, drawn on the whole sheet; the origin is its lower left corner, lengths are millimetres. */
export const cover = (model: ReportModel, logo: LogoFile | null): string => {
  const { file, extras, date, total, words: w } = model
  const mark =
    logo === null
      ? wordmark('navy')
      : `\\includegraphics[width=72mm,height=24mm,keepaspectratio]{logo.${logo.extension}}`
  const tier = w(file.run.tier === 'active' ? 'Active scan' : 'Passive scan')
  const found = total === 0 ? w('no problem found') : w.many(total, 'finding')
  const score = `${w('{1} of 100 points', Math.round(file.grade.score))}${file.grade.provisional ? `, ${w('provisional')}` : ''}`
  const band = { x: 4, y: 126.5, width: 206, height: 119 }
  const sheet = drawing({ width: 210, height: 297 }, [
    rectangle('navy', { x: 0, y: 126, width: 210, height: 120 }),
    rectangle('accent', { x: 0, y: 126, width: 4, height: 120 }),
    shape('ring', within(box(band)), ...RINGS.map((radius) => outline(0.6, circle({ x: 166, y: 190, radius })))),
    words({ x: 22, y: 259, up: 0 }, mark),
    words({ x: 188, y: 261, across: 1, up: 0 }, `\\color{muted}\\small\\bfseries ${w('Confidential').toUpperCase()}`),
    words({ x: 22, y: 226 }, `\\color{white}\\large ${w('Security report')}`),
    paragraph({ x: 22, y: 216, up: 1 }, 112, `\\color{white}${domain(file.target.domain)}`),
    paragraph(
      { x: 22, y: 138, up: 0 },
      112,
      `\\color{white}\\normalsize ${date}\\\\[1mm]${tier}\\enspace\\textbullet\\enspace ${found}`,
    ),
    words({ x: 166, y: 190, across: 0.5 }, gradeBadge(file.grade, 46)),
    words({ x: 166, y: 163, across: 0.5, up: 1 }, `\\color{white}\\small ${score}`),
    ...counts(model),
    paragraph({ x: 22, y: 78, up: 1 }, 166, particulars(model)),
    paragraph(
      { x: 22, y: 17, up: 0 },
      166,
      `\\color{muted}\\footnotesize ${texText(confidentialText(extras.organisation?.slice(0, 120) ?? null, w))}`,
    ),
  ])
  return `\\thispagestyle{empty}\\pdfbookmark[0]{${w('Cover')}}{cover}
\\AddToHookNext{shipout/background}{\\put(0,-\\paperheight){${sheet}}}
\\null\\clearpage`
}

/** Radii of the rings around the grade. */
const RINGS = [36, 52, 70, 90, 112]

const domain = (name: string): string => {
  const size = name.length <= 16 ? 32 : name.length <= 26 ? 23 : name.length <= 60 ? 17 : 11
  return `\\RaggedRight\\fontsize{${size}}{${Math.round(size * 1.25)}}\\selectfont\\bfseries ${texText(name, { max: 260 })}`
}

const counts = ({ file, words: w }: ReportModel): readonly string[] =>
  SEVERITIES.flatMap((severity, index) => {
    const x = 22 + index * 33.9
    const count = file.counts[severity]
    const [ground, text] = count === 0 ? ['paper', 'muted'] : [severity, 'white']
    return [
      rectangle(ground, { x, y: 95, width: 30.4, height: 20 }),
      words(
        { x: x + 15.2, y: 107.4, across: 0.5 },
        `\\color{${text}}\\fontsize{21}{21}\\selectfont\\bfseries ${count}`,
      ),
      words({ x: x + 15.2, y: 99, across: 0.5 }, `\\color{${text}}\\small ${w.severity[severity]}`),
    ]
  })

const particulars = ({ particulars: rows }: ReportModel): string => {
  const lines = rows.map(
    ([label, value]) => `\\leavevmode{\\color{muted}${label}} & ${texText(value, { max: 120 })} \\\\`,
  )
  return `\\begin{tabular}{@{}L{32mm}L{126mm}@{}}${lines.join('\n')}\\end{tabular}`
}
