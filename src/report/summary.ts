/** The management summary: computed sentences, none of which says more than the scan knows. Pure. */
import { SEVERITIES, type Severity } from '../contract/finding.ts'
import type { FindingsFile } from '../contract/findings-file.ts'
import { isOpen } from './canonical.ts'
import type { CoverageView } from './coverage.ts'
import { firstSentence, list, longDate, many, span } from './format.ts'
import type { FindingView, Sections } from './model.ts'
import { clippedText } from './wording.ts'

export interface Summary {
  readonly paragraphs: readonly string[]
  readonly urgent: readonly {
    readonly number: number
    readonly severity: Severity
    readonly title: string
    readonly why: string
    readonly firstStep: string
    /** Further findings of the same check. */
    readonly alike: number
  }[]
}

const MAX_URGENT = 5
const MAX_SENTENCE = 200

export const summarise = (
  file: FindingsFile,
  views: readonly FindingView[],
  coverage: CoverageView,
  { method }: Sections,
): Summary => ({
  paragraphs: [
    looked(file),
    found(file, views.length),
    decided(file),
    changed(file),
    unseen(coverage, method === null ? 'findings.json' : `section ${method}`),
    faulty(coverage),
    graded(file),
  ].filter((paragraph) => paragraph !== ''),
  urgent: urgent(views),
})

const looked = ({ run, target }: FindingsFile): string => {
  const seconds = (Date.parse(run.finished_at) - Date.parse(run.started_at ?? run.created_at)) / 1000
  const kind =
    run.tier === 'active'
      ? 'The scan was active: besides looking at the site as a browser does, it sent harmless probes to see how the site withstands attacks.'
      : 'The scan was passive: it asked only what a browser asks and sent no attack. Flaws that only an attack shows are outside of it.'
  return `On ${longDate(run.finished_at)} ${target.domain} was examined with ${many(run.requests, 'request')} in ${span(seconds)}. ${kind}`
}

const found = ({ counts }: FindingsFile, total: number): string => {
  if (total === 0) return 'No problem was found by the checks that could look.'
  const parts = SEVERITIES.filter((severity) => counts[severity] > 0).map(
    (severity) => `${counts[severity]} ${severity === 'info' ? 'for information' : severity}`,
  )
  const urgentCount = counts.critical + counts.high
  const verdict =
    urgentCount > 0
      ? `${urgentCount === 1 ? 'One of them needs' : `${urgentCount} of them need`} attention at once.`
      : counts.medium > 0
        ? 'None needs attention at once; those of medium severity should be fixed in the coming weeks.'
        : 'None is urgent.'
  return `${many(total, 'problem was', 'problems were')} found: ${list(parts)}. ${verdict}`
}

const decided = ({ counts, open_counts: open }: FindingsFile): string => {
  const number = SEVERITIES.reduce((sum, severity) => sum + counts[severity] - open[severity], 0)
  if (number === 0) return ''
  const are = number === 1 ? 'of these problems was' : 'of these problems were'
  return `${number} ${are} accepted or called a false positive by the owners of the site: each is marked, and counts in the grade all the same.`
}

const changed = ({ findings, resolved }: FindingsFile): string => {
  const fresh = findings.filter(({ status }) => status === 'new').length
  if (resolved.length === 0 && fresh === findings.length) return ''
  const gone = `${many(resolved.length, 'problem')} of that scan ${resolved.length === 1 ? 'is' : 'are'} gone.`
  return `Against the last finished scan of this domain ${fresh === 0 ? 'no problem is' : many(fresh, 'problem is', 'problems are')} new. ${gone}`
}

const unseen = ({ unseen: missing, total, notApplicable }: CoverageView, where: string): string => {
  if (total === 0) return 'No check reported what became of it; this report can make no statement about the site.'
  const asked = total - notApplicable
  const answered = `${many(asked - missing, 'check')} of ${asked} that apply could look`
  return missing === 0
    ? `${answered}.`
    : `${answered}; ${many(missing, 'check')} could not. What they would have found is unknown, not clean: ${where} names each with its reason.`
}

/** In one line: what is ours is never laid at the site's door. */
const faulty = ({ faults: { checks, ids } }: CoverageView): string =>
  checks === 0
    ? ''
    : `A fault of the scanner kept ${many(checks, 'check')} from a whole answer (${list(ids)}): this says nothing about the site.`

const graded = ({ grade, run }: FindingsFile): string => {
  const why = run.options.survey
    ? 'a survey leaves out what costs more, such as versions with known vulnerabilities: a whole run may find worse'
    : 'fewer than 70 % of the checks could look'
  const provisional = grade.provisional ? ` It is provisional, because ${why}.` : ''
  return `The grade is ${grade.grade}, at ${Math.round(grade.score)} of 100 points.${provisional}`
}

/** The gravest first, each check once: ten pages with the same flaw are one thing to fix. */
const urgent = (views: readonly FindingView[]): Summary['urgent'] =>
  Map.groupBy(
    views.filter(({ finding }) => finding.severity !== 'info' && isOpen(finding)),
    ({ finding }) => finding.check_id + finding.title,
  )
    .values()
    .take(MAX_URGENT)
    .flatMap(([first, ...others]) =>
      first === undefined
        ? []
        : [
            {
              number: first.number,
              severity: first.finding.severity,
              title: first.finding.title,
              why: clippedText(firstSentence(first.finding.description), MAX_SENTENCE),
              firstStep: clippedText(firstSentence(first.finding.remediation), MAX_SENTENCE),
              alike: others.length,
            },
          ],
    )
    .toArray()
