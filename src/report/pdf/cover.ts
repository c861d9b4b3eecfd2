import { SEVERITIES } from '../../contract/finding.ts'
import type { LogoFile } from '../logo.ts'
import type { ReportModel } from '../model.ts'
import { confidentialText } from '../wording.ts'
import { gradeBadge, wordmark } from './chart.ts'
import { texText } from './escape.ts'

/** The first page, drawn on the whole sheet; the origin is its lower left corner, lengths are millimetres. */
export const cover = (model: ReportModel, logo: LogoFile | null): string => {
  const { file, extras, date, total, words: w } = model
  const mark =
    logo === null
      ? wordmark('navy')
      : `\\includegraphics[width=72mm,height=24mm,keepaspectratio]{logo.${logo.extension}}`
  return String.raw`\thispagestyle{empty}\pdfbookmark[0]{${w('Cover')}}{cover}
\AddToHookNext{shipout/background}{\put(0,-\paperheight){\begin{tikzpicture}[x=1mm,y=1mm,every node/.style={inner sep=0pt}]
\useasboundingbox (0,0) rectangle (210,297);
\fill[navy] (0,126) rectangle (210,246);
\fill[accent] (0,126) rectangle (4,246);
\begin{scope}\clip (4,126.5) rectangle (210,245.5);
\foreach \radius in {36,52,70,90,112} \draw[ring,line width=.6mm] (166,190) circle (\radius);
\end{scope}
\node[anchor=south west] at (22,259) {${mark}};
\node[anchor=south east,text=muted,font=\small\bfseries] at (188,261) {${w('Confidential').toUpperCase()}};
\node[anchor=west,text=white,font=\large] at (22,226) {${w('Security report')}};
\node[anchor=north west,text=white,text width=112mm,align=left] at (22,216) {${domain(file.target.domain)}};
\node[anchor=south west,text=white,font=\normalsize,text width=112mm,align=left] at (22,138) {${date}\\[1mm]${w(file.run.tier === 'active' ? 'Active scan' : 'Passive scan')}\enspace\textbullet\enspace ${total === 0 ? w('no problem found') : w.many(total, 'finding')}};
\node at (166,190) {${gradeBadge(file.grade, 46)}};
\node[anchor=north,text=white,font=\small] at (166,163) {${w('{1} of 100 points', Math.round(file.grade.score))}${file.grade.provisional ? `, ${w('provisional')}` : ''}};
${counts(model)}
\node[anchor=north west,text width=166mm,align=left] at (22,78) {${particulars(model)}};
\node[anchor=south west,text=muted,font=\footnotesize,text width=166mm,align=left] at (22,17) {${texText(confidentialText(extras.organisation?.slice(0, 120) ?? null, w))}};
\end{tikzpicture}}}
\null\clearpage`
}

const domain = (name: string): string => {
  const size = name.length <= 16 ? 32 : name.length <= 26 ? 23 : name.length <= 60 ? 17 : 11
  return `\\RaggedRight\\fontsize{${size}}{${Math.round(size * 1.25)}}\\selectfont\\bfseries ${texText(name, { max: 260 })}`
}

const counts = ({ file, words: w }: ReportModel): string =>
  SEVERITIES.map((severity, index) => {
    const x = 22 + index * 33.9
    const count = file.counts[severity]
    const [fill, text] = count === 0 ? ['paper', 'muted'] : [severity, 'white']
    return (
      `\\fill[${fill}] (${x},95) rectangle (${x + 30.4},115);` +
      `\\node[text=${text},font=\\fontsize{21}{21}\\selectfont\\bfseries] at (${x + 15.2},107.4) {${count}};` +
      `\\node[text=${text},font=\\small] at (${x + 15.2},99) {${w.severity[severity]}};`
    )
  }).join('\n')

const particulars = ({ particulars: rows }: ReportModel): string => {
  const lines = rows.map(
    ([label, value]) => `\\leavevmode{\\color{muted}${label}} & ${texText(value, { max: 120 })} \\\\`,
  )
  return `\\begin{tabular}{@{}L{32mm}L{126mm}@{}}${lines.join('\n')}\\end{tabular}`
}
