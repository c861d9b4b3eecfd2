/** Drawings of the page, as SVG within it: each says in words what it shows. */
import { SEVERITIES } from '../../contract/finding.ts'
import type { Grade } from '../../contract/findings-file.ts'
import type { Counts } from '../../contract/run.ts'
import type { CoverageView } from '../coverage.ts'
import { gradeColour, SEVERITY_COLOURS, STATE_COLOURS } from '../pdf/palette.ts'
import type { ReachView } from '../reach.ts'
import type { Words } from '../words/words.ts'
import { type Html, html } from './markup.ts'

const WIDTH = 300
const ROW = 30

/** One bar a severity; the longest takes the whole width. */
export const severityBars = (counts: Counts, w: Words): Html => {
  const longest = Math.max(1, ...Object.values(counts))
  const words = SEVERITIES.map((severity) => `${w.severity[severity]} ${counts[severity]}`).join(', ')
  return html`<svg class="bars" viewBox="0 0 430 ${SEVERITIES.length * ROW}" role="img" aria-label="${w('Findings by severity')}: ${words}">${SEVERITIES.map(
    (severity, index) => {
      const y = index * ROW
      const length = counts[severity] === 0 ? 0 : Math.max(6, Math.round((counts[severity] / longest) * WIDTH))
      return html`<text x="70" y="${y + 20}" text-anchor="end" font-size="15" fill="#1C2733">${w.severity[severity]}</text><rect x="82" y="${y + 4}" width="${WIDTH}" height="21" fill="#F3F5F8"/><rect x="82" y="${y + 4}" width="${length}" height="21" fill="#${SEVERITY_COLOURS[severity]}"/><text x="${82 + WIDTH + 10}" y="${y + 20}" font-size="15" font-weight="700" fill="#1C2733">${counts[severity]}</text>`
    },
  )}</svg>`
}

/** What became of all checks, in one stacked bar with its legend. */
export const coverageBar = (coverage: CoverageView, w: Words): Html => {
  const parts = [
    { count: coverage.passed, state: 'pass', name: 'in order' },
    { count: coverage.failed, state: 'fail', name: 'problem found' },
    { count: coverage.unseen, state: 'not_tested', name: 'could not look' },
    { count: coverage.notApplicable, state: 'not_applicable', name: 'does not apply' },
  ] as const
  const total = Math.max(1, coverage.total)
  let x = 0
  const bars = parts.map(({ count, state }) => {
    const from = x
    x += (count / total) * 1000
    return count === 0
      ? null
      : html`<rect x="${from.toFixed(1)}" y="0" width="${(x - from).toFixed(1)}" height="30" fill="#${STATE_COLOURS[state]}"/>`
  })
  return html`<svg class="bars" viewBox="0 0 1000 30" preserveAspectRatio="none" aria-hidden="true" height="22">${bars}</svg>
<ul class="legend">${parts.map(({ count, state, name }) => html`<li class="state-${state}"><i></i><b>${count}</b> ${w(name)}</li>`)}</ul>`
}

/** How much of what the scan knows of was asked: one bar a kind, its sentence above. */
export const reachBars = ({ lines }: ReachView): Html =>
  html`${lines.map(({ text, parts }) => {
    let x = 0
    const bars = parts.map(({ share, state }) => {
      const from = x
      x += share * 1000
      return share === 0
        ? null
        : html`<rect x="${from.toFixed(1)}" y="0" width="${(x - from).toFixed(1)}" height="16" fill="#${STATE_COLOURS[state]}"/>`
    })
    return html`<p class="reach">${text}.</p><svg class="bars" viewBox="0 0 1000 16" preserveAspectRatio="none" aria-hidden="true" height="12">${bars}</svg>`
  })}
<ul class="legend">${(lines[0]?.parts ?? []).map(({ state, name }) => html`<li class="state-${state}"><i></i>${name}</li>`)}</ul>`

/** The grade as a big letter on its colour. */
export const gradeBadge = ({ grade }: Grade, size: 'large' | 'small', w: Words): Html => {
  const letter = grade.slice(0, 3)
  const shape = `badge${size === 'small' ? ' small' : ''}${letter.length > 1 ? ' long' : ''}`
  return html`<span class="${shape} grade-${gradeClass(grade)}" role="img" aria-label="${w('Grade')} ${letter}">${letter}</span>`
}

const LETTERS = ['A', 'B', 'C', 'D', 'E', 'F', 'T', 'M']
export const gradeClass = (grade: string): string => {
  const letter = grade.charAt(0).toUpperCase()
  return LETTERS.includes(letter) ? letter : 'none'
}
/** A class for each letter, since the page's policy allows no style on an element. */
export const GRADE_STYLE = [...LETTERS, 'none']
  .map((letter) => `.grade-${letter}{--tone:#${gradeColour(letter)}}`)
  .join('\n')

/** A probe on its way through three rings: the product's mark, then its name. */
export const WORDMARK = html`<svg viewBox="0 0 170 46" role="img" aria-label="Sonde"><circle cx="22" cy="22" r="19" fill="none" stroke="#fff" stroke-width="2.6"/><circle cx="22" cy="22" r="11" fill="none" stroke="#fff" stroke-width="2"/><circle cx="22" cy="22" r="5" fill="#5FC9C4"/><path d="M22 22 42 42" stroke="#5FC9C4" stroke-width="2.6"/><text x="56" y="33" font-size="32" font-weight="700" fill="#fff">Sonde</text></svg>`

export const RINGS = html`<svg class="rings" viewBox="0 0 400 400" aria-hidden="true" fill="none" stroke="#22385A" stroke-width="3"><circle cx="200" cy="200" r="70"/><circle cx="200" cy="200" r="100"/><circle cx="200" cy="200" r="133"/><circle cx="200" cy="200" r="168"/><circle cx="200" cy="200" r="198"/></svg>`
