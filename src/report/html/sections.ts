/** Contents, management summary, method and annexes; findings have a file of their own. */
import type { Coverage, CoverageState } from '../../contract/finding.ts'
import type { FactTable } from '../../contract/findings-file.ts'
import { type CoverageModule, type CoverageTally, isUnseen, STATE_NAMES } from '../coverage.ts'
import { many } from '../format.ts'
import { GLOSSARY } from '../glossary.ts'
import { MAX_DETAILED, type ReportModel, SEVERITY_NAMES } from '../model.ts'
import { checksPlace, methodText, paragraphsOf } from '../wording.ts'
import { coverageBar, gradeBadge, gradeClass, reachBars, severityBars } from './charts.ts'
import { clipped, type Html, html, marked } from './markup.ts'
import { heading, pill } from './parts.ts'

export const contents = ({ groups, file, reach, plan, sections }: ReportModel): Html => {
  const line = (number: string, title: string, id: string, below: readonly (readonly [string, string])[] = []): Html =>
    html`<li><a href="#${id}"><span class="number">${number}</span>${title}</a>${
      below.length === 0
        ? null
        : html`<ol>${below.map(([name, to]) => html`<li><a href="#${to}">${name}</a></li>`)}</ol>`
    }</li>`
  return html`
<nav class="contents" aria-labelledby="contents">
<h2 id="contents" class="flow">Contents</h2>
<ol>
${line('1', 'Management summary', 'summary')}
${
  sections.method === null
    ? null
    : line(sections.method, 'Method and coverage', 'method', [
        ['How the scan was made', 'circumstances'],
        ...(reach === null ? [] : [['How far the scan came', 'reach'] as const]),
        ['What could not be looked at', 'unseen'],
        ['What was looked at', 'looked'],
      ])
}
${
  sections.findings === null
    ? null
    : line(sections.findings, 'Findings', 'findings', [
        ...(plan.length > 0 ? [['Remediation plan', 'plan'] as const] : []),
        ...(groups.length > 0 ? [['All findings at a glance', 'glance'] as const] : []),
        ...groups.map(
          ({ severity, findings }) => [`${SEVERITY_NAMES[severity]} (${findings.length})`, severity] as const,
        ),
        ...(file.resolved.length > 0 ? [['Gone since the last scan', 'resolved'] as const] : []),
      ])
}
${sections.tables === null ? null : line(sections.tables, 'Tables', 'tables')}
${sections.checks === null ? null : line(sections.checks, 'All checks', 'checks')}
${line('', 'Words used in this report', 'glossary')}
</ol>
</nav>`
}

export const summary = (model: ReportModel): Html => {
  const { file, coverage, extras } = model
  const { grade } = file
  return html`
<section aria-labelledby="summary">
${heading('1', 'Management summary', 'summary')}
${extras.introduction === null ? null : html`${paragraphsOf(extras.introduction).map((text) => html`<p>${text}</p>`)}<hr>`}
${model.summary.paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
<div class="summary-grid">
<div>${severityBars(file.counts)}</div>
<div>
<div class="grade">${gradeBadge(grade, 'small')}<div><b>Grade</b><br>${Math.round(grade.score)} of 100 points${grade.provisional ? html`<br>provisional` : null}</div></div>
${
  grade.parts.length === 0
    ? null
    : html`<p class="quiet">Single areas, headers and TLS by their published scales</p>
<ul class="parts">${grade.parts.map((part) => html`<li class="grade-${gradeClass(part.grade)}"><b>${part.grade.slice(0, 4)}</b> ${part.title.slice(0, 80)}</li>`)}</ul>`
}
</div>
</div>
${grade.caps.length === 0 ? null : html`<h3>What limits the grade</h3><ul>${grade.caps.map((cap) => html`<li>${cap}</li>`)}</ul>`}
<h3>What became of the ${coverage.total} checks</h3>
${coverageBar(coverage)}
${first(model)}
</section>`
}

const first = ({ summary: { urgent }, sections }: ReportModel): Html | null =>
  urgent.length === 0
    ? null
    : html`
<h3 id="first">What to do first</h3>
<ol class="first">${urgent.map(({ number, severity, title, why, firstStep, alike }) => {
        const name = clipped(title, 300)
        const where = `finding ${number}${alike > 0 ? ` and ${alike} alike` : ''}`
        return html`
<li><span>${pill(severity)}</span><div><b>${sections.findings !== null && number <= MAX_DETAILED ? html`<a href="#f${number}">${name}</a>` : name}</b> <span class="quiet">(${where})</span><br>${marked(why)}<br><b>First step:</b> ${marked(firstStep)}</div></li>`
      })}
</ol>`

export const method = (model: ReportModel): Html => html`
<section aria-labelledby="method">
${heading(model.sections.method ?? '', 'Method and coverage', 'method')}
<p>${methodText(model.file.run.tier)}</p>
<h3 id="circumstances">How the scan was made</h3>
<div class="scroll" tabindex="0"><table><tbody>${model.circumstances.map(
  ([label, value]) => html`
<tr><th scope="row">${label}</th><td>${clipped(value, 600)}</td></tr>`,
)}
</tbody></table></div>
${reached(model)}
<h3 id="unseen">What could not be looked at</h3>
${unseen(model)}
<h3 id="looked">What was looked at</h3>
${looked(model)}
</section>`

/** A check passes only where every place it applies to was asked; here is what the others lack. */
const reached = ({ reach }: ReportModel): Html | null =>
  reach === null
    ? null
    : html`<h3 id="reach">How far the scan came</h3>
${reachBars(reach)}
${
  reach.reasons.length === 0
    ? null
    : html`<div class="scroll" tabindex="0"><table>
<thead><tr><th scope="col" class="count">Left out</th><th scope="col">What</th><th scope="col">Why</th></tr></thead>
<tbody>${reach.reasons.map(
        ({ kind, reason: why, count }) => html`
<tr><td class="count">${count}</td><td>${kind}</td><td>${clipped(why, 300)}</td></tr>`,
      )}
</tbody></table></div>`
}`

const MAX_TITLES = 6

const unseen = ({ coverage, sections }: ReportModel): Html =>
  html`${
    coverage.gaps.length === 0
      ? html`<p>Every check that applies could look.</p>`
      : html`<p class="callout"><b>${many(coverage.unseen, 'check')} could not look.</b> The problems below are neither found nor excluded. Where they matter, have them looked at again once the reason is gone.</p>
<div class="scroll" tabindex="0"><table>
<thead><tr><th scope="col">Area</th><th scope="col">Problem looked for</th><th scope="col">Why there is no answer</th></tr></thead>
<tbody>${coverage.gaps.map(({ module, titles, whole, why }) => {
          const more =
            titles.length > MAX_TITLES ? `; and ${titles.length - MAX_TITLES} more in ${checksPlace(sections)}` : ''
          const what =
            whole && titles.length > 1
              ? html`<b>all ${titles.length} checks</b>`
              : clipped(titles.slice(0, MAX_TITLES).join('; ') + more, 1200)
          return html`
<tr><td>${module}</td><td>${what}</td><td>${clipped(why, 600)}</td></tr>`
        })}
</tbody></table></div>`
  }${
    coverage.leftOut.length === 0
      ? null
      : html`<h4>Not part of this scan</h4><ul>${coverage.leftOut.map(({ module, why }) => html`<li><b>${module}</b>: ${why}</li>`)}</ul>`
  }`

const looked = ({ coverage, sections }: ReportModel): Html =>
  coverage.modules.length === 0
    ? html`<p>No check reported.</p>`
    : html`<p>Checks by area. One in order looked for its problem and did not find it. Each is named in ${checksPlace(sections)}.</p>
<div class="scroll" tabindex="0"><table>
<thead><tr><th scope="col">Area</th>${['Checks', 'In order', 'Problem', 'No answer', 'Not apply'].map((name) => html`<th scope="col" class="count">${name}</th>`)}</tr></thead>
<tbody>${coverage.modules.map(
        (module) => html`
<tr><td>${module.title}</td>${tally(module)}</tr>`,
      )}
<tr><td><b>All areas</b></td>${tally(coverage)}</tr>
</tbody></table></div>`

const tally = ({ total, passed, failed, unseen: missing, notApplicable }: CoverageTally): Html[] =>
  [total, passed, failed, missing, notApplicable].map(
    (count) => html`<td class="count">${count === 0 ? html`<span class="quiet">–</span>` : count}</td>`,
  )

/** Those that were asked for, and the words. */
export const annexes = ({ file, coverage, sections }: ReportModel): Html => html`
${
  sections.tables === null
    ? null
    : html`<section aria-labelledby="tables">
${heading(sections.tables, 'Tables', 'tables')}
${file.tables.length === 0 ? html`<p>This scan has no tables.</p>` : file.tables.map(factTable)}
</section>`
}
${
  sections.checks === null
    ? null
    : html`<section aria-labelledby="checks">
${heading(sections.checks, 'All checks', 'checks', true)}
<p>Every problem that was looked for, by area: ${(['pass', 'fail', 'not_tested', 'not_applicable'] as const).map((state, index) => html`${index > 0 ? ', ' : ''}<b class="state-${state}">${SIGNS[state]}</b> ${LEGEND[state]}`)}.</p>
<div class="checks">${coverage.modules.map(checksOf)}</div>
</section>`
}
<section aria-labelledby="glossary">
${heading('', 'Words used in this report', 'glossary', true)}
<div class="scroll" tabindex="0"><table><tbody>${GLOSSARY.map(
  ([word, meaning]) => html`
<tr><th scope="row"><b>${word}</b></th><td>${meaning}</td></tr>`,
)}
</tbody></table></div>
</section>`

const MAX_ROWS = 100
const MAX_COLUMNS = 8

const factTable = ({ title, columns, rows }: FactTable): Html => {
  const shown = rows.slice(0, MAX_ROWS)
  const omitted = [
    ...(rows.length > MAX_ROWS ? [`${rows.length - MAX_ROWS} more rows`] : []),
    ...(columns.length > MAX_COLUMNS ? [`${columns.length - MAX_COLUMNS} more columns`] : []),
  ]
  return html`
<h3>${clipped(title, 200)}</h3>
${
  rows.length === 0
    ? html`<p>The table is empty.</p>`
    : html`<div class="scroll" tabindex="0"><table class="wide">
<thead><tr>${columns.slice(0, MAX_COLUMNS).map((name) => html`<th scope="col">${clipped(name, 200)}</th>`)}</tr></thead>
<tbody>${shown.map(
        (row) => html`
<tr>${row.slice(0, MAX_COLUMNS).map((cell) => html`<td>${clipped(cell, 1000)}</td>`)}</tr>`,
      )}
</tbody></table></div>`
}
${omitted.length === 0 ? null : html`<p class="quiet">${omitted.join(' and ')} in findings.json.</p>`}`
}

/** Signs that differ in shape, for readers and printers without colour. */
const SIGNS: Readonly<Record<CoverageState, string>> = {
  ...{ pass: '✓', fail: '✗', not_applicable: '–' },
  ...{ not_tested: '?', blocked: '?', inconclusive: '?' },
}
const LEGEND = {
  ...{ pass: 'in order', fail: 'problem found' },
  ...{ not_tested: 'could not look', not_applicable: 'does not apply' },
} as const

const checksOf = ({ title, checks }: CoverageModule): Html => html`
<section><h3>${title}</h3>
<ul>${checks.map(
  (check) => html`
<li class="state-${check.state}"><i aria-hidden="true">${SIGNS[check.state]}</i><span><span class="unseen">${STATE_NAMES[check.state]}: </span>${clipped(check.title, 300)}${reason(check)}</span></li>`,
)}
</ul></section>`

const reason = ({ state, reason: why }: Coverage): Html | null => {
  const text = isUnseen(state) ? `${STATE_NAMES[state]}${why ? `: ${why}` : ''}` : (why ?? '')
  return text === '' ? null : html`<span class="why">${clipped(text, 300)}</span>`
}
