/** Drawings of the report: severity bars, coverage bar, grade badge and the wordmark. Lengths are millimetres. */
import { SEVERITIES } from '../../contract/finding.ts'
import type { Grade } from '../../contract/findings-file.ts'
import type { Counts } from '../../contract/run.ts'
import type { CoverageView } from '../coverage.ts'
import type { ReachView } from '../reach.ts'
import type { Words } from '../words/words.ts'
import { circle, drawing, fill, fixed, line, outline, rectangle, roundedSquare, shape, words } from './drawing.ts'
import { texText } from './escape.ts'
import { gradeColour } from './palette.ts'

/** One bar a severity; the longest takes the whole width. */
export const severityChart = (counts: Counts, w: Words, width = 62): string => {
  const longest = Math.max(1, ...Object.values(counts))
  const bars = SEVERITIES.flatMap((severity, row) => {
    const y = -row * 6.6
    const length = counts[severity] === 0 ? 0 : Math.max(1.5, (counts[severity] / longest) * width)
    return [
      words({ x: 15, y, across: 1 }, `\\small ${w.severity[severity]}`),
      rectangle('paper', { x: 17, y: y - 2.2, width, height: 4.4 }),
      length === 0 ? '' : rectangle(severity, { x: 17, y: y - 2.2, width: length, height: 4.4 }),
      words({ x: 19 + width, y }, `\\small\\bfseries ${counts[severity]}`),
    ]
  })
  const bottom = -(SEVERITIES.length - 1) * 6.6 - 2.3
  return drawing({ width: 28 + width, height: 2.3 - bottom, bottom }, bars)
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
    return count === 0 ? '' : rectangle(colour, { x: from, y: 0, width: x - from, height: 5.5 })
  })
  const legend = parts.flatMap(({ count, colour, name }, index) => [
    rectangle(colour, { x: index * 41, y: -6, width: 3, height: 3 }),
    words({ x: index * 41 + 4.6, y: -4.5 }, `\\small\\textbf{${count}} ${name}`),
  ])
  return drawing({ width, height: 12.5, bottom: -7 }, [...bars, ...legend])
}

/** How much of what the scan knows of was asked: one bar a kind, its sentence above. */
export const reachBars = ({ lines }: ReachView, width = 160): string => {
  const drawn = lines.flatMap(({ text, parts }, row) => {
    const y = -row * 10
    let x = 0
    const bars = parts.map(({ share, state }) => {
      const from = x
      x += share * width
      return share === 0 ? '' : rectangle(REACH_COLOURS[state], { x: from, y, width: x - from, height: 3 })
    })
    return [words({ x: 0, y: y + 4, up: 0 }, `\\small ${texText(text)}.`), ...bars]
  })
  const below = -(lines.length - 1) * 10 - 6
  const legend = (lines[0]?.parts ?? []).flatMap(({ state, name }, index) => [
    rectangle(REACH_COLOURS[state], { x: index * 52, y: below, width: 3, height: 3 }),
    words({ x: index * 52 + 4.6, y: below + 1.5 }, `\\small ${texText(name)}`),
  ])
  return drawing({ width, height: 8 - below, bottom: below - 1 }, [...drawn, ...legend])
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
  return drawing({ width: size, height: size }, [
    `\\definecolor{gradecolour}{HTML}{${gradeColour(grade.grade)}}`,
    shape('gradecolour', fill(roundedSquare(size, size / 11))),
    words(
      { x: size / 2, y: size / 2, across: 0.5 },
      `\\color{white}\\fontsize{${height}}{${height}}\\selectfont\\bfseries ${letter}`,
    ),
  ])
}

/** A probe on its way through three rings: the product's mark, then its name. */
export const wordmark = (colour: string): string => {
  const middle = { x: 4.2, y: 4.2 }
  return drawing({ width: 50, height: 8.6 }, [
    shape(colour, outline(0.5, circle({ ...middle, radius: 4 })), outline(0.4, circle({ ...middle, radius: 2.3 }))),
    shape('accent', fill(circle({ ...middle, radius: 1.05 })), outline(0.5, line(middle, { x: 8.6, y: 8.6 }))),
    words({ x: 11.5, y: 4.2 }, `\\color{${colour}}\\fontsize{21}{21}\\selectfont\\bfseries Sonde`),
  ])
}
