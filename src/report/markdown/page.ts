/** The whole report as one Markdown file, for a repository or a ticket: the same parts in the same order as the page and the PDF. */
import { SEVERITIES } from '../../contract/finding.ts'
import type { FindingsFile } from '../../contract/findings-file.ts'
import { NO_EXTRAS, type ReportExtras, type ReportModel, reportModel } from '../model.ts'
import { confidentialText } from '../wording.ts'
import { findings } from './findings.ts'
import { blocks, list, type Markdown, md } from './markup.ts'
import { agreed, annexes, method, summary } from './sections.ts'

/**
 * A logo has no place in it.
 * @throws as `canonical` does.
 */
export const renderMarkdown = (file: FindingsFile, extras: Partial<ReportExtras> = {}): string => {
  const model = reportModel(file, { ...NO_EXTRAS, ...extras })
  const body = blocks([
    cover(model),
    agreed(model),
    summary(model),
    model.sections.method === null ? null : method(model),
    model.sections.findings === null ? null : findings(model),
    annexes(model),
    md`---`,
    md`${confidentialText(model.extras.organisation, model.words)}`,
  ])
  return `${body.text}\n`
}

const cover = ({ file, date, total, extras, particulars, words: w }: ReportModel): Markdown => {
  const { grade, counts, target, run } = file
  const points = `${w('{1} of 100 points', Math.round(grade.score))}${grade.provisional ? `, ${w('provisional')}` : ''}`
  return blocks([
    extras.watermark === null ? null : md`**${extras.watermark}**`,
    md`# ${w('Security report')}: ${target.domain}`,
    md`${date} • ${w(run.tier === 'active' ? 'Active scan' : 'Passive scan')} • ${total === 0 ? w('no problem found') : w.many(total, 'finding')} • **${w('Confidential').toUpperCase()}**`,
    md`**${w('Grade')} ${grade.grade}**, ${points} • ${SEVERITIES.map((severity) => `${w.severity[severity]} ${counts[severity]}`).join(', ')}`,
    list(particulars.map(([label, value]) => md`${label}: ${value}`)),
  ])
}
