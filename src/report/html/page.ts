/** The whole report as one HTML file: no script, no other file, no connection. It is what the browser prints, too. */
import { createHash } from 'node:crypto'
import { SEVERITIES } from '../../contract/finding.ts'
import type { FindingsFile } from '../../contract/findings-file.ts'
import type { LogoFile } from '../logo.ts'
import { NO_EXTRAS, type ReportExtras, type ReportModel, reportModel, versionText } from '../model.ts'
import { confidentialText } from '../wording.ts'
import { GRADE_STYLE, gradeBadge, RINGS, WORDMARK } from './charts.ts'
import { findings } from './findings.ts'
import { Html, html } from './markup.ts'
import { agreed, annexes, contents, method, summary } from './sections.ts'
import { ownColours, pageStyle, STYLE } from './style.ts'

const styleOf = ({ words: w, extras: { colours } }: ReportModel): string =>
  `${STYLE}${ownColours(colours)}${pageStyle(w)}${GRADE_STYLE}\n`
/** CSP 3, 8.3: the one style sheet by its hash, the logo by its bytes, nothing else from anywhere. */
const policyOf = (style: string): string =>
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; img-src data:; base-uri 'none'; form-action 'none'`

/**
 * A PDF as logo cannot stand in a page: the product's own mark takes its place.
 * @throws as `canonical` does.
 */
export const renderHtml = (
  file: FindingsFile,
  { logo = null, ...extras }: Partial<ReportExtras> & { readonly logo?: LogoFile | null } = {},
): string => {
  const model = reportModel(file, { ...NO_EXTRAS, ...extras })
  const { words: w } = model
  const style = styleOf(model)
  const title = `${w('Security report')}: ${file.target.domain}, ${model.date}`
  return html`<!doctype html>
<html lang="${w.tag}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(style)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex, nofollow">
<meta name="generator" content="${file.run.scanner}">
<meta name="sonde-report" content="${versionText(file.run.id, file.version, w)}">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
<a class="skip" href="#summary">${w('Skip to the summary')}</a>
${extras.watermark ? html`<div class="watermark" aria-hidden="true"><span>${extras.watermark}</span></div>` : null}
${cover(model, logo)}
<main>
${particulars(model)}
${contents(model)}
${agreed(model)}
${summary(model)}
${model.sections.method === null ? null : method(model)}
${model.sections.findings === null ? null : findings(model)}
${annexes(model)}
</main>
<footer>${confidentialText(model.extras.organisation, w)}</footer>
</body>
</html>
`.text
}

const cover = ({ file, date, total, extras, words: w }: ReportModel, logo: LogoFile | null): Html => {
  const { grade, counts, target, run } = file
  return html`
<header class="cover">${RINGS}
<div class="inner">
<div class="brand">${logo?.extension === 'png' ? html`<img alt="${extras.organisation ?? w('Logo')}" src="data:image/png;base64,${logo.body.toString('base64')}">` : WORDMARK}<span class="confidential">${w('Confidential').toUpperCase()}</span></div>
<div class="title">
<p class="what">${w('Security report')}</p>
<h1>${target.domain}</h1>
<p class="what">${date}<br>${w(run.tier === 'active' ? 'Active scan' : 'Passive scan')} • ${total === 0 ? w('no problem found') : w.many(total, 'finding')}</p>
</div>
<div class="score">${gradeBadge(grade, 'large', w)}<p class="points">${w('{1} of 100 points', Math.round(grade.score))}${grade.provisional ? html`<br>${w('provisional')}` : null}</p></div>
<ul class="tiles">${SEVERITIES.map((severity) => html`<li class="${counts[severity] === 0 ? 'zero' : severity}"><b>${counts[severity]}</b>${w.severity[severity]}</li>`)}</ul>
</div>
</header>`
}

const particulars = ({ particulars: rows }: ReportModel): Html =>
  html`<dl class="facts">${rows.map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>`
