/** Drawings of the report: severity bars, coverage bar, grade badge and the wordmark. Lengths are millimetres. */
import { SEVERITIES } from '../../contract/finding.ts'
import type { Grade } from '../../contract/findings-file.ts'
import type { Counts } from '../../contract/run.ts'
import type { CoverageView } from '../coverage.ts'
import type { ReachView } from '../reach.ts'
import type { Words } from '../words/words.ts'
import { texText } from './escape.ts'
import { gradeColour } from './palette.ts'

/** One bar a severity; the longest takes the whole width. */
export const severityChart = (counts: Counts, w: Words, width = 62): string => {
  const longest = Math.max(1, ...Object.values(counts))
  const bars = SEVERITIES.map((severity, row) => {
    const y = -row * 6.6
    const length = counts[severity] === 0 ? 0 : Math.max(1.5, (counts[severity] / longest) * width)
    return [
      `\\node[anchor=east,font=\\small] at (17,${y}) {${w.severity[severity]}};`,
      `\\fill[paper] (19,${y - 2.2}) rectangle (${19 + width},${y + 2.2});`,
      `\\fill[${severity}] (19,${y - 2.2}) rectangle (${fixed(19 + length)},${y + 2.2});`,
      `\\node[anchor=west,font=\\small\\bfseries] at (${20 + width},${y}) {${counts[severity]}};`,
    ].join('\n')
  })
  return picture(bars.join('\n'))
}

/** What became of all checks, in one stacked bar with its legend. */
export const coverageBar = (coverage: CoverageView, w: Words, width = 166): string => {
  const parts = [
    { count: coverage.passed, colour: 'state-pass', name: w('in order') },
    { count: coverage.failed, colour: 'state-fail', name: w('problem found') },
    { count: coverage.unseen, colour: 'state-not-tested', name: w('could not look') },
    { count: coverage.notApplicable, colour: 'state-not-applicable', name: w('does not apply') },
  ]
  const total = Math.max(1, coverage.total)
  let x = 0
  const bars = parts.map(({ count, colour }) => {
    const from = x
    x += (count / total) * width
    return count === 0 ? '' : `\\fill[${colour}] (${fixed(from)},0) rectangle (${fixed(x)},5.5);`
  })
  const legend = parts.map(
    ({ count, colour, name }, index) =>
      `\\fill[${colour}] (${index * 41},-6) rectangle (${index * 41 + 3},-3);` +
      `\\node[anchor=west,font=\\small] at (${index * 41 + 3.6},-4.5) {\\textbf{${count}} ${name}};`,
  )
  return picture([...bars, ...legend].join('\n'))
}

/** How much of what the scan knows of was asked: one bar a kind, its sentence above. */
export const reachBars = ({ lines }: ReachView, width = 160): string => {
  const drawn = lines.flatMap(({ text, parts }, row) => {
    const y = -row * 10
    let x = 0
    const bars = parts.map(({ share, state }) => {
      const from = x
      x += share * width
      return share === 0
        ? ''
        : `\\fill[${REACH_COLOURS[state]}] (${fixed(from)},${y}) rectangle (${fixed(x)},${y + 3});`
    })
    return [`\\node[anchor=south west,font=\\small,inner sep=0pt] at (0,${y + 4}) {${texText(text)}.};`, ...bars]
  })
  const below = -(lines.length - 1) * 10 - 6
  const legend = (lines[0]?.parts ?? []).map(
    ({ state, name }, index) =>
      `\\fill[${REACH_COLOURS[state]}] (${index * 52},${below}) rectangle (${index * 52 + 3},${below + 3});` +
      `\\node[anchor=west,font=\\small] at (${index * 52 + 3.6},${below + 1.5}) {${texText(name)}};`,
  )
  return picture([...drawn, ...legend].join('\n'))
}

const REACH_COLOURS = {
  pass: 'state-pass',
  not_applicable: 'state-not-applicable',
  not_tested: 'state-not-tested',
} as const

/** The grade as a big letter on its colour. */
export const gradeBadge = (grade: Grade, size: number): string => {
  const letter = texText(grade.grade, { max: 3 })
  const height = fixed(size * (grade.grade.length > 1 ? 1.35 : 1.6))
  return picture(
    `\\definecolor{gradecolour}{HTML}{${gradeColour(grade.grade)}}` +
      `\\fill[gradecolour,rounded corners=${fixed(size / 11)}mm] (0,0) rectangle (${size},${size});` +
      `\\node[text=white,font=\\fontsize{${height}}{${height}}\\selectfont\\bfseries,inner sep=0pt] at (${size / 2},${fixed(size * 0.5)}) {${letter}};`,
  )
}

/** A probe on its way through three rings: the product's mark, then its name. */
export const wordmark = (colour: string): string =>
  picture(
    `\\draw[${colour},line width=.5mm] (4.2,4.2) circle (4);\\draw[${colour},line width=.4mm] (4.2,4.2) circle (2.3);` +
      `\\fill[accent] (4.2,4.2) circle (1.05);\\draw[accent,line width=.5mm] (4.2,4.2) -- (8.6,8.6);` +
      `\\node[anchor=west,text=${colour},font=\\fontsize{21}{21}\\selectfont\\bfseries,inner sep=0pt] at (11.5,4.2) {Sonde};`,
  )

const picture = (content: string): string => `\\begin{tikzpicture}[x=1mm,y=1mm]\n${content}\n\\end{tikzpicture}`
const fixed = (value: number): number => Number(value.toFixed(2))
