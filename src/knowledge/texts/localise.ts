/** What the interface and the report show, with its texts in the reader's language. Nothing but texts changes. */
import type { Comparison } from '../../contract/comparison.ts'
import type { Coverage, Finding } from '../../contract/finding.ts'
import type { FindingsFile, Grade } from '../../contract/findings-file.ts'
import type { ReachSummary } from '../../contract/reach.ts'
import type { Translator } from './texts.ts'

/** Of a finding, a problem, a group or one that is gone: what is named by its check. */
export const titleIn = <Named extends { readonly check_id: string; readonly title: string }>(
  texts: Translator,
  named: Named,
): Named => ({ ...named, title: titleOf(texts, named.check_id, named.title) })

/** Its own title where a source names the problem; that of the module where the run left out all of it (`module/*`). */
const titleOf = (texts: Translator, id: string, english: string): string =>
  id.endsWith('/*') ? texts.module(id.slice(0, -2), english) : texts.sentence(texts.part(id, 'title', english))

export const findingIn = (texts: Translator, finding: Finding): Finding => ({
  ...titleIn(texts, finding),
  description: texts.part(finding.check_id, 'why', finding.description),
  remediation: texts.part(finding.check_id, 'remediation', finding.remediation),
  shift: finding.shift && { ...finding.shift, reason: texts.sentence(finding.shift.reason) },
  ...(finding.cvss_reason ? { cvss_reason: texts.sentence(finding.cvss_reason) } : {}),
})

export const coverageIn = (texts: Translator, line: Coverage): Coverage => ({
  ...titleIn(texts, line),
  reason: line.reason && texts.sentence(line.reason),
  ...(line.reasons === undefined
    ? {}
    : { reasons: line.reasons.map((one) => ({ ...one, reason: texts.sentence(one.reason) })) }),
})

export const comparisonIn = (texts: Translator, comparison: Comparison): Comparison => {
  const { new: added, gone, changed, not_comparable: apart } = comparison
  return {
    ...comparison,
    new: added.map((one) => titleIn(texts, one)),
    gone: gone.map((one) => titleIn(texts, one)),
    changed: changed.map((one) => titleIn(texts, one)),
    not_comparable: apart.map((one) => ({ ...titleIn(texts, one), reason: texts.sentence(one.reason) })),
  }
}

/** For a report; findings.json itself stays English. */
export const fileIn = (texts: Translator, file: FindingsFile): FindingsFile => {
  const { sentence } = texts
  return {
    ...file,
    findings: file.findings.map((finding) => findingIn(texts, finding)),
    coverage: file.coverage.map((line) => coverageIn(texts, line)),
    resolved: file.resolved.map((gone) => titleIn(texts, gone)),
    grade: gradeIn(texts, file.grade),
    tables: file.tables.map((table) => ({
      ...table,
      title: sentence(table.title),
      columns: table.columns.map(sentence),
    })),
    ...(file.reach === undefined ? {} : { reach: reachIn(texts, file.reach) }),
  }
}

export const gradeIn = ({ sentence }: Translator, grade: Grade): Grade => ({
  ...grade,
  parts: grade.parts.map((part) => ({
    ...part,
    title: sentence(part.title),
    ...(part.reasons === undefined ? {} : { reasons: part.reasons.map(sentence) }),
  })),
  caps: grade.caps.map(sentence),
})

export const reachIn = <Of extends ReachSummary>({ sentence }: Translator, reach: Of): Of => ({
  ...reach,
  reasons: reach.reasons.map((one) => ({ ...one, reason: sentence(one.reason) })),
})
