/** The findings: all at a glance, then each with its place, evidence and cure. */
import type { Proof } from '../../contract/finding.ts'
import { placeText } from '../canonical.ts'
import { shownExcerpt } from '../excerpt.ts'
import { type FindingView, MAX_DETAILED, type ReportModel, SEVERITY_NAMES } from '../model.ts'
import { CONFIDENCE_NAMES, isCompared, shortPlace, statusWord, TRIAGE_NAMES } from '../wording.ts'
import { clipped, type Html, html, link, marked, prose } from './markup.ts'
import { heading, pill } from './parts.ts'

const MAX_LISTED = 3000
const MAX_CVES = 12
const MAX_REFERENCES = 8
const MAX_RESOLVED = 200

export const findings = (model: ReportModel): Html => html`
<section aria-labelledby="findings">
${heading(model.sections.findings ?? '', 'Findings', 'findings')}
${
  model.total === 0
    ? html`<p>The checks that could look found no problem. ${model.sections.method === null ? 'Findings.json' : `Section ${model.sections.method}`} says how many these are, and which could not look.</p>`
    : [plan(model), glance(model), ...model.groups.map(group)]
}
${resolved(model)}
</section>`

/** One row a cause: whoever has to act reads his part and no more. */
const plan = ({ plan: parts }: ReportModel): Html | null =>
  parts.length === 0
    ? null
    : html`
<h3 id="plan">Remediation plan</h3>
<p>By who changes it as a rule, the most urgent first. One change can fix many places.</p>
${parts.map(
  ({ owner, effort, steps }) => html`
<h4>${owner} <span class="quiet">(${effort})</span></h4>
<div class="scroll" tabindex="0"><table>
<thead><tr><th scope="col">Severity</th><th scope="col">Problem</th><th scope="col">First step</th><th scope="col" class="count">Findings</th></tr></thead>
<tbody>${steps.slice(0, MAX_LISTED).map(({ problem: { first, findings: all }, step }) => {
    const title = clipped(first.finding.title, 200)
    return html`
<tr><td>${pill(first.finding.severity)}</td><td>${first.number <= MAX_DETAILED ? html`<a href="#f${first.number}">${title}</a>` : title}</td><td>${marked(step)}</td><td class="count">${all.length}</td></tr>`
  })}
</tbody></table></div>`,
)}`

const glance = ({ groups, total, file }: ReportModel): Html => {
  const all = groups.flatMap((entry) => entry.findings).slice(0, MAX_LISTED)
  const compared = isCompared(all, file)
  return html`
<h3 id="glance">All findings at a glance</h3>
<div class="scroll" tabindex="0"><table>
<thead><tr><th scope="col">No.</th><th scope="col">Severity</th><th scope="col">Problem</th><th scope="col">Where</th>${compared ? html`<th scope="col">Status</th>` : null}</tr></thead>
<tbody>${all.map((view) => {
    const { number, finding, hint } = view
    const title = clipped(finding.title, 200)
    return html`
<tr><td class="short">${number}</td><td>${pill(finding.severity)}</td><td>${number <= MAX_DETAILED ? html`<a href="#f${number}">${title}</a>` : title}${hint === '' ? null : html` <span class="quiet">${hint}</span>`}</td><td class="quiet">${shortPlace(view, file.target.domain)}</td>${compared ? html`<td class="quiet short">${statusWord(view)}</td>` : null}</tr>`
  })}
</tbody></table></div>
${total > MAX_LISTED ? html`<p>${total - MAX_LISTED} more findings are in findings.json.</p>` : null}
${total > MAX_DETAILED ? html`<p>The first ${MAX_DETAILED} findings are described below; all of them are in findings.json.</p>` : null}`
}

const group = ({ severity, findings: list }: ReportModel['groups'][number]): Html => {
  const detailed = list.filter(({ number }) => number <= MAX_DETAILED)
  return html`
<h3 class="group ${severity}" id="${severity}">${SEVERITY_NAMES[severity]} <small>${list.length} ${list.length === 1 ? 'finding' : 'findings'}</small></h3>
${detailed.length === 0 ? html`<p>Listed in the overview above.</p>` : detailed.map(article)}`
}

const article = (view: FindingView): Html => {
  const { finding, number, shift, decision } = view
  return html`
<article class="finding ${finding.severity}" id="f${number}" aria-labelledby="t${number}">
<header><h4 id="t${number}"><span class="number">${number}</span><span>${clipped(finding.title, 300)}</span></h4></header>
<div class="body">
<p class="quiet">${pill(finding.severity)} ${meta(view)}</p>
${shift === null ? null : html`<p class="quiet">${shift}</p>`}
${decision === null ? null : html`<p><span class="lead">Decision</span> ${clipped(decision, 4000)}</p>`}
<h5>Where</h5>
<ul class="places">${view.places.map((place) => html`<li class="place">${clipped(place, 600)}</li>`)}${view.morePlaces > 0 ? html`<li class="quiet">and ${view.morePlaces} more in findings.json</li>` : null}</ul>
${passage('What was seen', finding.detail)}
${evidence(finding.proof)}
${passage('Why it matters', finding.description)}
${passage('How to fix it', finding.remediation)}
${vulnerabilities(view)}
${fineprint(view)}
</div>
</article>`
}

const meta = ({ finding, module }: FindingView): string =>
  [
    CONFIDENCE_NAMES[finding.confidence],
    finding.status === 'new' ? 'New' : 'Recurring',
    ...(finding.triage.state === 'open' ? [] : [TRIAGE_NAMES[finding.triage.state]]),
    module,
  ].join(' • ')

const passage = (title: string, text: string): Html | null =>
  text.trim() === '' ? null : html`<h5>${title}</h5>${prose(text)}`

/** Characters of a line, and of a command. */
const MAX_LINE = 1500
const MAX_COMMAND = 6000

const evidence = (proof: Proof | null): Html | null => {
  if (proof === null) return null
  const replay = proof.replay?.trim() ?? ''
  return html`${excerpt(proof)}${
    replay === ''
      ? null
      : html`<h5>See it again</h5><pre class="command" tabindex="0"><code><span class="prompt">$ </span>${clipped(replay, MAX_COMMAND)}</code></pre>`
  }`
}

const excerpt = (proof: Proof): Html | null => {
  const shown = shownExcerpt(proof)
  if (shown === null) return null
  const { text, mark, linesBefore, linesAfter } = shown
  const body =
    mark === null
      ? clipped(text, MAX_LINE * 4)
      : html`${head(text.slice(0, mark.from))}<mark>${clipped(text.slice(mark.from, mark.to), MAX_LINE)}</mark>${clipped(text.slice(mark.to), MAX_LINE)}`
  return html`<pre tabindex="0"><code>${linesBefore > 0 ? html`<span class="quiet">${linesBefore} lines before\n</span>` : null}${body}${linesAfter > 0 ? html`<span class="quiet">\n${linesAfter} more lines in findings.json</span>` : null}</code></pre>`
}

/** The end of what stands before the decisive part: that is nearest to it. */
const head = (text: string): Html =>
  text.length <= MAX_LINE
    ? html`${text}`
    : html`<span class="quiet">${text.length - MAX_LINE} characters before … </span>${text.slice(-MAX_LINE).toWellFormed()}`

const vulnerabilities = ({ cve }: FindingView): Html | null =>
  cve.length === 0
    ? null
    : html`<h5>Known vulnerabilities</h5><ul>${cve.slice(0, MAX_CVES).map((text) => html`<li>${text}</li>`)}${cve.length > MAX_CVES ? html`<li class="quiet">and ${cve.length - MAX_CVES} more in findings.json</li>` : null}</ul>`

/** How the problem is classed and where to read more. */
const fineprint = ({ classes, evidence: names, finding }: FindingView): Html => {
  const references = finding.references.filter((address) => !/^https:\/\/cwe\.mitre\.org\//.test(address))
  const parts = [
    ...(finding.cwe === null
      ? []
      : [link(`https://cwe.mitre.org/data/definitions/${finding.cwe}.html`, `CWE-${finding.cwe}`)]),
    ...classes.map((text) => clipped(text, 300)),
    html`check ${finding.check_id}`,
    ...(names.length > 0 ? [html`evidence ${clipped(names.join(', '), 600)}`] : []),
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
      ? [html`${references.length - MAX_REFERENCES} more references in findings.json`]
      : []),
  ]
  return html`<div class="fine"><ul>${parts.map((part) => html`<li>${part}</li>`)}</ul></div>`
}

const resolved = ({ file }: ReportModel): Html | null =>
  file.resolved.length === 0
    ? null
    : html`
<h3 id="resolved">Gone since the last scan</h3>
<p>These problems of the last finished scan were looked for again and are no longer there:</p>
<div class="scroll" tabindex="0"><table>
<thead><tr><th scope="col">Severity</th><th scope="col">Problem</th><th scope="col">Where</th></tr></thead>
<tbody>${file.resolved.slice(0, MAX_RESOLVED).map(
        (entry) => html`
<tr><td>${pill(entry.severity)}</td><td>${clipped(entry.title, 300)}</td><td class="quiet">${clipped(placeText(entry.location), 300)}</td></tr>`,
      )}
</tbody></table></div>
${file.resolved.length > MAX_RESOLVED ? html`<p class="quiet">and ${file.resolved.length - MAX_RESOLVED} more in findings.json</p>` : null}`
