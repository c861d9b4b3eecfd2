/** Contents, management summary, method and annexes; findings have a file of their own. */
import type { Coverage, CoverageState } from '../../contract/finding.ts'
import type { FactTable } from '../../contract/findings-file.ts'
import { type CoverageModule, type CoverageTally, isUnseen, STATE_NAMES, stateText } from '../coverage.ts'
import { GLOSSARY } from '../glossary.ts'
import { MAX_DETAILED, type ReportModel } from '../model.ts'
import { whyOf } from '../summary.ts'
import { checksPlace, methodText, paragraphsOf } from '../wording.ts'
import { glossaryIn, type Words } from '../words/words.ts'
import { coverageBar, gradeBadge, gradeClass, reachBars, severityBars } from './charts.ts'
import { clipped, type Html, html, marked } from './markup.ts'
import { heading, pill } from './parts.ts'

export const contents = ({ groups, file, reach, plan, sections, words: w }: ReportModel): Html => {
  const line = (number: string, title: string, id: string, below: readonly (readonly [string, string])[] = []): Html =>
    html`<li><a href="#${id}"><span class="number">${number}</span>${title}</a>${
      below.length === 0
        ? null
        : html`<ol>${below.map(([name, to]) => html`<li><a href="#${to}">${name}</a></li>`)}</ol>`
    }</li>`
  return html`
<nav class="contents" aria-labelledby="contents">
<h2 id="contents" class="flow">${w('Contents')}</h2>
<ol>
${line('1', w('Management summary'), 'summary')}
${
  sections.method === null
    ? null
    : line(sections.method, w('Method and coverage'), 'method', [
        [w('How the scan was made'), 'circumstances'],
        ...(reach === null ? [] : [[w('How far the scan came'), 'reach'] as const]),
        [w('What could not be looked at'), 'unseen'],
        [w('What was looked at'), 'looked'],
      ])
}
${
  sections.findings === null
    ? null
    : line(sections.findings, w('Findings'), 'findings', [
        ...(plan.length > 0 ? [[w('Remediation plan'), 'plan'] as const] : []),
        ...(groups.length > 0 ? [[w('All findings at a glance'), 'glance'] as const] : []),
        ...groups.map(({ severity, findings }) => [`${w.severity[severity]} (${findings.length})`, severity] as const),
        ...(file.resolved.length > 0 ? [[w('Gone since the last scan'), 'resolved'] as const] : []),
      ])
}
${sections.tables === null ? null : line(sections.tables, w('Tables'), 'tables')}
${sections.checks === null ? null : line(sections.checks, w('All checks'), 'checks')}
${line('', w('Words used in this report'), 'glossary')}
</ol>
</nav>`
}

/** What the owners say of the test and of the document. */
export const agreed = ({ extras: { texts }, words: w }: ReportModel): Html => html`
${
  texts.scope === undefined
    ? null
    : html`<section aria-labelledby="scope">${heading('', w('Scope of the test'), 'scope', true)}
${paragraphsOf(texts.scope).map((text) => html`<p>${text}</p>`)}</section>`
}
${
  texts.history === undefined || texts.history.length === 0
    ? null
    : html`<section aria-labelledby="history">${heading('', w('Versions of this document'), 'history', true)}
<div class="scroll" tabindex="0"><table>
<thead><tr>${(['Version', 'Date', 'By', 'Changes'] as const).map((name) => html`<th scope="col">${w(name)}</th>`)}</tr></thead>
<tbody>${texts.history.map(
        ({ version, date, author, changes }) => html`
<tr><td>${version}</td><td>${w.date(date)}</td><td>${author ?? ''}</td><td>${changes}</td></tr>`,
      )}
</tbody></table></div></section>`
}`

export const summary = (model: ReportModel): Html => {
  const { file, coverage, words: w } = model
  const { texts } = model.extras
  const { grade } = file
  return html`
<section aria-labelledby="summary">
${heading('1', w('Management summary'), 'summary')}
${texts.introduction === undefined ? null : html`${paragraphsOf(texts.introduction).map((text) => html`<p>${text}</p>`)}<hr>`}
${model.summary.paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
<div class="summary-grid">
<div>${severityBars(file.counts, w)}</div>
<div>
<div class="grade">${gradeBadge(grade, 'small', w)}<div><b>${w('Grade')}</b><br>${w('{1} of 100 points', Math.round(grade.score))}${grade.provisional ? html`<br>${w('provisional')}` : null}</div></div>
${
  grade.parts.length === 0
    ? null
    : html`<p class="quiet">${w('Single areas, headers and TLS by their published scales')}</p>
<ul class="parts">${grade.parts.map((part) => html`<li class="grade-${gradeClass(part.grade)}"><b>${part.grade.slice(0, 4)}</b> ${part.title.slice(0, 80)}${part.reasons?.length ? html`<br><span class="quiet">${whyOf(part.reasons, w)}</span>` : null}</li>`)}</ul>`
}
</div>
</div>
${grade.caps.length === 0 ? null : html`<h3>${w('What limits the grade')}</h3><ul>${grade.caps.map((cap) => html`<li>${cap}</li>`)}</ul>`}
<h3>${w('What became of the {1} checks', coverage.total)}</h3>
${coverageBar(coverage, w)}
${model.plan.length === 0 ? null : html`<h3>${w('Who has to act, and how long it takes')}</h3><ul>${model.plan.map(({ owner, effort, steps }) => html`<li><b>${owner}</b>, ${w.many(steps.length, 'problem')}: ${effort}</li>`)}</ul>`}
${first(model)}
</section>`
}

const first = ({ summary: { urgent }, sections, words: w }: ReportModel): Html | null =>
  urgent.length === 0
    ? null
    : html`
<h3 id="first">${w('What to do first')}</h3>
<ol class="first">${urgent.map(({ number, severity, title, why, firstStep, alike }) => {
        const name = clipped(title, 300, w)
        const where = `${w('finding {1}', number)}${alike > 0 ? ` ${w('and {1} alike', alike)}` : ''}`
        return html`
<li><span>${pill(severity, w)}</span><div><b>${sections.findings !== null && number <= MAX_DETAILED ? html`<a href="#f${number}">${name}</a>` : name}</b> <span class="quiet">(${where})</span><br>${marked(why)}<br><b>${w('First step')}:</b> ${marked(firstStep)}</div></li>`
      })}
</ol>`

export const method = (model: ReportModel): Html => {
  const { words: w } = model
  return html`
<section aria-labelledby="method">
${heading(model.sections.method ?? '', w('Method and coverage'), 'method')}
<p>${methodText(model.file.run.tier, w)}</p>
<h3 id="circumstances">${w('How the scan was made')}</h3>
<div class="scroll" tabindex="0"><table><tbody>${model.circumstances.map(
    ([label, value]) => html`
<tr><th scope="row">${label}</th><td>${clipped(value, 600, w)}</td></tr>`,
  )}
</tbody></table></div>
${reached(model)}
<h3 id="unseen">${w('What could not be looked at')}</h3>
${unseen(model)}
<h3 id="looked">${w('What was looked at')}</h3>
${looked(model)}
</section>`
}

/** A check passes only where every place it applies to was asked; here is what the others lack. */
const reached = ({ reach, words: w }: ReportModel): Html | null =>
  reach === null
    ? null
    : html`<h3 id="reach">${w('How far the scan came')}</h3>
${reachBars(reach)}
${
  reach.reasons.length === 0
    ? null
    : html`<div class="scroll" tabindex="0"><table>
<thead><tr><th scope="col" class="count">${w('Left out')}</th><th scope="col">${w('What')}</th><th scope="col">${w('Why')}</th></tr></thead>
<tbody>${reach.reasons.map(
        ({ kind, reason: why, count }) => html`
<tr><td class="count">${count}</td><td>${kind}</td><td>${clipped(why, 300, w)}</td></tr>`,
      )}
</tbody></table></div>`
}`

const MAX_TITLES = 6

const unseen = ({ coverage, sections, words: w }: ReportModel): Html =>
  html`${
    coverage.gaps.length === 0
      ? html`<p>${w('Every check that applies could look.')}</p>`
      : html`<p class="callout"><b>${w('{1} could not look.', w.many(coverage.unseen, 'check'))}</b> ${w('The problems below are neither found nor excluded. Where they matter, have them looked at again once the reason is gone.')}</p>
<div class="scroll" tabindex="0"><table>
<thead><tr><th scope="col">${w('Area')}</th><th scope="col">${w('Problem looked for')}</th><th scope="col">${w('Why there is no answer')}</th></tr></thead>
<tbody>${coverage.gaps.map(({ module, titles, count, whole, why }) => {
          const more =
            titles.length > MAX_TITLES
              ? `; ${w('and {1} more in {2}', titles.length - MAX_TITLES, checksPlace(sections, w))}`
              : ''
          const what =
            whole && count > 1
              ? html`<b>${w('all {1} checks', count)}</b>`
              : clipped(titles.slice(0, MAX_TITLES).join('; ') + more, 1200, w)
          return html`
<tr><td>${module}</td><td>${what}</td><td>${clipped(why, 600, w)}</td></tr>`
        })}
</tbody></table></div>`
  }${
    coverage.leftOut.length === 0
      ? null
      : html`<h4>${w('Not part of this scan')}</h4><ul>${coverage.leftOut.map(({ module, why }) => html`<li><b>${module}</b>: ${why}</li>`)}</ul>`
  }`

const looked = ({ coverage, sections, words: w }: ReportModel): Html =>
  coverage.modules.length === 0
    ? html`<p>${w('No check reported.')}</p>`
    : html`<p>${w('Checks by area. One in order looked for its problem and did not find it. Each is named in {1}.', checksPlace(sections, w))}</p>
<div class="scroll" tabindex="0"><table>
<thead><tr><th scope="col">${w('Area')}</th>${(['Checks', 'In order', 'Problem', 'No answer', 'Not apply'] as const).map((name) => html`<th scope="col" class="count">${w(name)}</th>`)}</tr></thead>
<tbody>${coverage.modules.map(
        (module) => html`
<tr><td>${module.title}</td>${tally(module)}</tr>`,
      )}
<tr><td><b>${w('All areas')}</b></td>${tally(coverage)}</tr>
</tbody></table></div>`

const tally = ({ total, passed, failed, unseen: missing, notApplicable }: CoverageTally): Html[] =>
  [total, passed, failed, missing, notApplicable].map(
    (count) => html`<td class="count">${count === 0 ? html`<span class="quiet">–</span>` : count}</td>`,
  )

/** Those that were asked for, and the words. */
export const annexes = ({ file, coverage, sections, words: w }: ReportModel): Html => html`
${
  sections.tables === null
    ? null
    : html`<section aria-labelledby="tables">
${heading(sections.tables, w('Tables'), 'tables')}
${file.tables.length === 0 ? html`<p>${w('This scan has no tables.')}</p>` : file.tables.map((table) => factTable(table, w))}
</section>`
}
${
  sections.checks === null
    ? null
    : html`<section aria-labelledby="checks">
${heading(sections.checks, w('All checks'), 'checks', true)}
<p>${w('Every problem that was looked for, by area')}: ${(['pass', 'fail', 'not_tested', 'not_applicable'] as const).map((state, index) => html`${index > 0 ? ', ' : ''}<b class="state-${state}">${SIGNS[state]}</b> ${w(LEGEND[state])}`)}.</p>
<div class="checks">${coverage.modules.map((module) => checksOf(module, w))}</div>
</section>`
}
<section aria-labelledby="glossary">
${heading('', w('Words used in this report'), 'glossary', true)}
<div class="scroll" tabindex="0"><table><tbody>${glossaryIn(w, GLOSSARY).map(
  ([word, meaning]) => html`
<tr><th scope="row"><b>${word}</b></th><td>${meaning}</td></tr>`,
)}
</tbody></table></div>
</section>`

const MAX_ROWS = 100
const MAX_COLUMNS = 8

const factTable = ({ title, columns, rows }: FactTable, w: Words): Html => {
  const shown = rows.slice(0, MAX_ROWS)
  const omitted = [
    ...(rows.length > MAX_ROWS ? [w('{1} more rows', rows.length - MAX_ROWS)] : []),
    ...(columns.length > MAX_COLUMNS ? [w('{1} more columns', columns.length - MAX_COLUMNS)] : []),
  ]
  return html`
<h3>${clipped(title, 200, w)}</h3>
${
  rows.length === 0
    ? html`<p>${w('The table is empty.')}</p>`
    : html`<div class="scroll" tabindex="0"><table class="wide">
<thead><tr>${columns.slice(0, MAX_COLUMNS).map((name) => html`<th scope="col">${clipped(name, 200, w)}</th>`)}</tr></thead>
<tbody>${shown.map(
        (row) => html`
<tr>${row.slice(0, MAX_COLUMNS).map((cell) => html`<td>${clipped(cell, 1000, w)}</td>`)}</tr>`,
      )}
</tbody></table></div>`
}
${omitted.length === 0 ? null : html`<p class="quiet">${w('{1} in findings.json.', w.list(omitted))}</p>`}`
}

/** Signs that differ in shape, for readers and printers without colour. */
const SIGNS: Readonly<Record<CoverageState, string>> = {
  ...{ pass: '✓', fail: '✗', not_applicable: '–' },
  ...{ not_tested: '?', blocked: '?', inconclusive: '?' },
}
const LEGEND = {
  pass: 'in order',
  fail: 'problem found',
  not_tested: 'could not look',
  not_applicable: 'does not apply',
} as const

const checksOf = ({ title, checks }: CoverageModule, w: Words): Html => html`
<section><h3>${title}</h3>
<ul>${checks.map(
  (check) => html`
<li class="state-${check.state}"><i aria-hidden="true">${SIGNS[check.state]}</i><span><span class="unseen">${w(STATE_NAMES[check.state])}: </span>${clipped(check.title, 300, w)}${reason(check, w)}</span></li>`,
)}
</ul></section>`

const reason = (check: Coverage, w: Words): Html | null => {
  const text = isUnseen(check.state) ? stateText(check, w) : (check.reason ?? '')
  return text === '' ? null : html`<span class="why">${clipped(text, 300, w)}</span>`
}
