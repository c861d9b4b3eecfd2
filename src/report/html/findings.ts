/** The findings: all at a glance, then each cause once with all its places, their evidence, and its cure. */
import type { Proof } from '../../contract/finding.ts'
import type { Language } from '../../contract/language.ts'
import { placeText } from '../canonical.ts'
import { isCommand, shownExcerpt } from '../excerpt.ts'
import { type FindingView, MAX_DETAILED, type ReportModel } from '../model.ts'
import type { Picture } from '../pictures.ts'
import { type Problem, problemsOf } from '../plan.ts'
import { isCompared, shortPlace, statusWord, TRIAGE_NAMES } from '../wording.ts'
import type { Phrase, Words } from '../words/words.ts'
import { clipped, type Html, html, link, marked, prose } from './markup.ts'
import { heading, pill } from './parts.ts'

const MAX_LISTED = 3000
const MAX_CVES = 12
const MAX_REFERENCES = 8
const MAX_RESOLVED = 200
/** Findings of one cause that are seen at once; the others unfold, by themselves where a link leads to one. */
const MAX_SHOWN = 4

export const findings = (model: ReportModel): Html => {
  const { words: w } = model
  return html`
<section aria-labelledby="findings">
${heading(model.sections.findings ?? '', w('Findings'), 'findings')}
${
  model.total === 0
    ? html`<p>${w('The checks that could look found no problem.')} ${w('{1} says how many these are, and which could not look.', model.sections.method === null ? 'Findings.json' : w('Section {1}', model.sections.method))}</p>`
    : [plan(model), glance(model), ...model.groups.map((one) => group(one, w))]
}
${resolved(model)}
</section>`
}

/** One row a cause: whoever has to act reads his part and no more. */
const plan = ({ plan: parts, words: w }: ReportModel): Html | null =>
  parts.length === 0
    ? null
    : html`
<h3 id="plan">${w('Remediation plan')}</h3>
<p>${w('By who changes it as a rule, the most urgent first. One change can fix many places.')}</p>
${parts.map(
  ({ owner, effort, steps }) => html`
<h4>${owner} <span class="quiet">(${effort})</span></h4>
<div class="scroll" tabindex="0"><table>
<thead><tr><th scope="col">${w('Severity')}</th><th scope="col">${w('Problem')}</th><th scope="col">${w('First step')}</th><th scope="col" class="count">${w('Findings')}</th></tr></thead>
<tbody>${steps.slice(0, MAX_LISTED).map(({ problem: { first, findings: all }, step }) => {
    const title = clipped(first.finding.title, 200, w)
    return html`
<tr><td>${pill(first.finding.severity, w)}</td><td>${first.number <= MAX_DETAILED ? html`<a href="#f${first.number}">${title}</a>` : title}</td><td>${marked(step)}</td><td class="count">${all.length}</td></tr>`
  })}
</tbody></table></div>`,
)}`

const glance = ({ groups, total, file, words: w }: ReportModel): Html => {
  const all = groups.flatMap((entry) => entry.findings).slice(0, MAX_LISTED)
  const compared = isCompared(file)
  return html`
<h3 id="glance">${w('All findings at a glance')}</h3>
<div class="scroll" tabindex="0"><table>
<thead><tr><th scope="col">${w('No.')}</th><th scope="col">${w('Severity')}</th><th scope="col">${w('Problem')}</th><th scope="col">${w('Where')}</th>${compared ? html`<th scope="col">${w('Status')}</th>` : null}</tr></thead>
<tbody>${all.map((view) => {
    const { number, finding, hint } = view
    const title = clipped(finding.title, 200, w)
    return html`
<tr><td class="short">${number}</td><td>${pill(finding.severity, w)}</td><td>${number <= MAX_DETAILED ? html`<a href="#f${number}">${title}</a>` : title}${hint === '' ? null : html` <span class="quiet">${hint}</span>`}</td><td class="quiet">${shortPlace(view, file.target.domain, w)}</td>${compared ? html`<td class="quiet short">${statusWord(view, w)}</td>` : null}</tr>`
  })}
</tbody></table></div>
${total > MAX_LISTED ? html`<p>${w('{1} more findings are in findings.json.', total - MAX_LISTED)}</p>` : null}
${total > MAX_DETAILED ? html`<p>${w('The first {1} findings are described below; all of them are in findings.json.', MAX_DETAILED)}</p>` : null}`
}

const group = ({ severity, findings: list }: ReportModel['groups'][number], w: Words): Html => {
  const detailed = problemsOf(list.filter(({ number }) => number <= MAX_DETAILED))
  return html`
<h3 class="group ${severity}" id="${severity}">${w.severity[severity]} <small>${w.many(list.length, 'finding')}</small></h3>
${detailed.length === 0 ? html`<p>${w('Listed in the overview above.')}</p>` : detailed.map((cause) => article(cause, w))}`
}

const article = ({ first, findings: all }: Problem, w: Words): Html => {
  const { finding, number } = first
  return html`
<article class="finding ${finding.severity}" id="f${number}" aria-labelledby="t${number}">
<header><h4 id="t${number}"><span class="number">${number}</span><span>${clipped(finding.title, 300, w)}</span></h4></header>
<div class="body">
${all.length === 1 ? alone(first, w) : together(all, w)}
${passage('Why it matters', finding.description, w)}
${passage('How to fix it', finding.remediation, w)}
${vulnerabilities(first, w)}
${fineprint(first, w)}
</div>
</article>`
}

const alone = (view: FindingView, w: Words): Html => html`
<p class="quiet">${pill(view.finding.severity, w)} ${meta(view, w)}</p>
${said(view, w, 'h5')}`

/** What each adds to the cause, the gravest first. */
const together = (all: readonly FindingView[], w: Words): Html => {
  const [first] = all
  const more = all.slice(MAX_SHOWN)
  return html`
<p class="quiet">${first === undefined ? null : pill(first.finding.severity, w)} ${w.many(all.length, 'finding')}</p>
${all.slice(0, MAX_SHOWN).map((view, index) => instance(view, index, w))}
${more.length === 0 ? null : html`<details><summary>${w('{1} of the same kind', w.many(more.length, 'finding'))}</summary>${more.map((view, index) => instance(view, MAX_SHOWN + index, w))}</details>`}`
}

/** The first has the cause's own address. */
const instance = (view: FindingView, index: number, w: Words): Html => html`
<section class="instance ${view.finding.severity}" id="${index === 0 ? `i${view.number}` : `f${view.number}`}">
<h5>${w('Finding {1}', view.number)} <span class="quiet">${meta(view, w)}</span></h5>
${said(view, w, 'h6')}
</section>`

type Level = 'h5' | 'h6'
const leadOf = (title: string, level: Level): Html =>
  level === 'h5' ? html`<h5>${title}</h5>` : html`<h6>${title}</h6>`

/** What is known of one place: what was decided, where it is, what was seen there. */
const said = (view: FindingView, w: Words, level: Level): Html => {
  const { finding, shift, decision } = view
  return html`
${shift === null ? null : html`<p class="quiet">${shift}</p>`}
${decision === null ? null : html`<p><span class="lead">${w('Decision')}</span> ${clipped(decision, 4000, w)}</p>`}
${leadOf(w('Where'), level)}
<ul class="places">${view.places.map((place) => html`<li class="place">${clipped(place, 600, w)}</li>`)}${view.morePlaces > 0 ? html`<li class="quiet">${w('and {1} more in findings.json', view.morePlaces)}</li>` : null}</ul>
${passage('What was seen', finding.detail, w, { lang: 'en', level })}
${evidence(finding.proof, w, level)}
${view.pictures.map((picture) => figure(picture, w))}`
}

const meta = ({ finding, module }: FindingView, w: Words): string =>
  [
    w.confidence[finding.confidence],
    w(finding.status === 'new' ? 'New' : 'Recurring'),
    ...(finding.triage.state === 'open' ? [] : [w(TRIAGE_NAMES[finding.triage.state])]),
    module,
  ].join(' • ')

/** `lang`: of a text that is not in the report's language. */
const passage = (
  title: Phrase,
  text: string,
  w: Words,
  { lang = w.language, level = 'h5' }: { readonly lang?: Language; readonly level?: Level } = {},
): Html | null =>
  text.trim() === ''
    ? null
    : html`${leadOf(w(title), level)}${lang === w.language ? prose(text) : html`<div lang="${lang}">${prose(text)}</div>`}`

const figure = ({ name, body }: Picture, w: Words): Html =>
  html`<figure class="shot"><img alt="${w('Picture of a page of the site')}" src="data:image/png;base64,${body.toString('base64')}"><figcaption>${w('What the browser showed: {1}', name)}</figcaption></figure>`

/** Characters of a line, and of a command. */
const MAX_LINE = 1500
const MAX_COMMAND = 6000

const evidence = (proof: Proof | null, w: Words, level: Level): Html | null => {
  if (proof === null) return null
  const replay = proof.replay?.trim() ?? ''
  return html`${excerpt(proof, w)}${
    replay === ''
      ? null
      : html`${leadOf(w('See it again'), level)}<pre class="command" tabindex="0"><code>${isCommand(replay) ? html`<span class="prompt">$ </span>` : null}${clipped(replay, MAX_COMMAND, w)}</code></pre>`
  }`
}

const excerpt = (proof: Proof, w: Words): Html | null => {
  const shown = shownExcerpt(proof)
  if (shown === null) return null
  const { text, mark, linesBefore, linesAfter } = shown
  const body =
    mark === null
      ? clipped(text, MAX_LINE * 4, w)
      : html`${head(text.slice(0, mark.from), w)}<mark>${clipped(text.slice(mark.from, mark.to), MAX_LINE, w)}</mark>${clipped(text.slice(mark.to), MAX_LINE, w)}`
  return html`<pre tabindex="0"><code>${linesBefore > 0 ? html`<span class="quiet">${w('{1} lines before', linesBefore)}\n</span>` : null}${body}${linesAfter > 0 ? html`<span class="quiet">\n${w('{1} more lines in findings.json', linesAfter)}</span>` : null}</code></pre>`
}

/** The end of what stands before the decisive part: that is nearest to it. */
const head = (text: string, w: Words): Html =>
  text.length <= MAX_LINE
    ? html`${text}`
    : html`<span class="quiet">${w('{1} characters before', text.length - MAX_LINE)} … </span>${text.slice(-MAX_LINE).toWellFormed()}`

const vulnerabilities = ({ cve }: FindingView, w: Words): Html | null =>
  cve.length === 0
    ? null
    : html`<h5>${w('Known vulnerabilities')}</h5><ul>${cve.slice(0, MAX_CVES).map((text) => html`<li>${text}</li>`)}${cve.length > MAX_CVES ? html`<li class="quiet">${w('and {1} more in findings.json', cve.length - MAX_CVES)}</li>` : null}</ul>`

/** How the problem is classed and where to read more. */
const fineprint = ({ classes, evidence: names, finding }: FindingView, w: Words): Html => {
  const references = finding.references.filter((address) => !/^https:\/\/cwe\.mitre\.org\//.test(address))
  const parts = [
    ...(finding.cwe === null
      ? []
      : [link(`https://cwe.mitre.org/data/definitions/${finding.cwe}.html`, `CWE-${finding.cwe}`)]),
    ...classes.map((text) => clipped(text, 300, w)),
    html`${w('check {1}', finding.check_id)}`,
    ...(names.length > 0 ? [html`${w('evidence')} ${clipped(names.join(', '), 600, w)}`] : []),
    ...references.slice(0, MAX_REFERENCES).map((address) =>
      link(
        address,
        address
          .replace(/^https?:\/\/(?:www\.)?/, '')
          .replace(/\/$/, '')
          .slice(0, 300),
      ),
    ),
    ...(references.length > MAX_REFERENCES
      ? [html`${w('{1} more references in findings.json', references.length - MAX_REFERENCES)}`]
      : []),
  ]
  return html`<div class="fine"><ul>${parts.map((part) => html`<li>${part}</li>`)}</ul></div>`
}

const resolved = ({ file, words: w }: ReportModel): Html | null =>
  file.resolved.length === 0
    ? null
    : html`
<h3 id="resolved">${w('Gone since the last scan')}</h3>
<p>${w('These problems of the last finished scan were looked for again and are no longer there')}:</p>
<div class="scroll" tabindex="0"><table>
<thead><tr><th scope="col">${w('Severity')}</th><th scope="col">${w('Problem')}</th><th scope="col">${w('Where')}</th></tr></thead>
<tbody>${file.resolved.slice(0, MAX_RESOLVED).map(
        (entry) => html`
<tr><td>${pill(entry.severity, w)}</td><td>${clipped(entry.title, 300, w)}</td><td class="quiet">${clipped(placeText(entry.location, w('parameter')), 300, w)}</td></tr>`,
      )}
</tbody></table></div>
${file.resolved.length > MAX_RESOLVED ? html`<p class="quiet">${w('and {1} more in findings.json', file.resolved.length - MAX_RESOLVED)}</p>` : null}`
