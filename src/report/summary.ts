/** The management summary: computed sentences, none of which says more than the scan knows. Pure. */
import { SEVERITIES, type Severity } from '../contract/finding.ts'
import type { FindingsFile } from '../contract/findings-file.ts'
import { isOpen } from './canonical.ts'
import type { CoverageView } from './coverage.ts'
import { firstSentence, span } from './format.ts'
import type { FindingView, Sections } from './model.ts'
import { clippedText } from './wording.ts'
import type { Words } from './words/words.ts'

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

/** On the one page for a director; what else stands there takes the place of one each. */
const MOST_URGENT = 4
/** Characters; the summary is one page, and German takes more of it. */
const MAX_SENTENCE = { en: 200, de: 130 } as const

export const summarise = (
  file: FindingsFile,
  views: readonly FindingView[],
  {
    coverage,
    sections: { method },
    introduced,
    w,
  }: {
    readonly coverage: CoverageView
    readonly sections: Sections
    /** Whether words of the owners stand before it. */
    readonly introduced: boolean
    readonly w: Words
  },
): Summary => ({
  paragraphs: [
    looked(file, w),
    found(file, views.length, w),
    decided(file, w),
    changed(file, w),
    unseen(coverage, method === null ? 'findings.json' : w('section {1}', method), w),
    faulty(coverage, w),
    graded(file, w),
  ].filter((paragraph) => paragraph !== ''),
  urgent: urgent(views, {
    most: MOST_URGENT - Number(file.grade.caps.length > 0 || file.grade.parts.length > 1) - Number(introduced),
    max: MAX_SENTENCE[w.language],
  }),
})

const looked = ({ run, target }: FindingsFile, w: Words): string => {
  const seconds = (Date.parse(run.finished_at) - Date.parse(run.started_at ?? run.created_at)) / 1000
  const kind =
    run.tier === 'active'
      ? w(
          'The scan was active: besides looking at the site as a browser does, it sent harmless probes to see how the site withstands attacks.',
        )
      : w(
          'The scan was passive: it asked only what a browser asks and sent no attack. Flaws that only an attack shows are outside of it.',
        )
  return `${w('On {1} {2} was examined with {3} in {4}.', w.date(run.finished_at), target.domain, w.many(run.requests, 'request'), span(seconds))} ${kind}`
}

const found = ({ counts }: FindingsFile, total: number, w: Words): string => {
  if (total === 0) return w('No problem was found by the checks that could look.')
  const parts = SEVERITIES.filter((severity) => counts[severity] > 0).map(
    (severity) => `${counts[severity]} ${w(severity === 'info' ? 'for information' : severity)}`,
  )
  const urgentCount = counts.critical + counts.high
  const verdict =
    urgentCount > 0
      ? urgentCount === 1
        ? w('One of them needs attention at once.')
        : w('{1} of them need attention at once.', urgentCount)
      : counts.medium > 0
        ? w('None needs attention at once; those of medium severity should be fixed in the coming weeks.')
        : w('None is urgent.')
  return `${w('{1} found: {2}.', w.many(total, 'problem was'), w.list(parts))} ${verdict}`
}

const decided = ({ counts, open_counts: open }: FindingsFile, w: Words): string => {
  const number = SEVERITIES.reduce((sum, severity) => sum + counts[severity] - open[severity], 0)
  if (number === 0) return ''
  return number === 1
    ? w(
        '{1} of these problems was accepted or called a false positive by the owners of the site: each is marked, and counts in the grade all the same.',
        number,
      )
    : w(
        '{1} of these problems were accepted or called a false positive by the owners of the site: each is marked, and counts in the grade all the same.',
        number,
      )
}

const changed = ({ findings, resolved }: FindingsFile, w: Words): string => {
  const fresh = findings.filter(({ status }) => status === 'new').length
  if (resolved.length === 0 && fresh === findings.length)
    return findings.length === 0 ? '' : w('None of them was there in an earlier scan of this domain.')
  const gone =
    resolved.length === 1
      ? w('{1} of that scan is gone.', w.many(1, 'problem'))
      : w('{1} of that scan are gone.', w.many(resolved.length, 'problem'))
  return `${w('Against the last finished scan of this domain {1} new.', fresh === 0 ? w('no problem is') : w.many(fresh, 'problem is'))} ${gone}`
}

const unseen = ({ unseen: missing, total, notApplicable }: CoverageView, where: string, w: Words): string => {
  if (total === 0) return w('No check reported what became of it; this report can make no statement about the site.')
  const asked = total - notApplicable
  const answered = w('{1} of {2} that apply could look', w.many(asked - missing, 'check'), asked)
  return missing === 0
    ? `${answered}.`
    : `${answered}; ${w('{1} could not. What they would have found is unknown, not clean: {2} names each with its reason.', w.many(missing, 'check'), where)}`
}

/** In one line: what is ours is never laid at the site's door. */
const faulty = ({ faults: { checks, ids } }: CoverageView, w: Words): string =>
  checks === 0
    ? ''
    : w(
        'A fault of the scanner kept {1} from a whole answer ({2}): this says nothing about the site.',
        w.many(checks, 'check'),
        w.list(ids),
      )

const graded = ({ grade, run }: FindingsFile, w: Words): string => {
  const why = run.options.survey
    ? w('a survey leaves out what costs more, such as versions with known vulnerabilities: a whole run may find worse')
    : w('fewer than 70 % of the checks could look')
  const provisional = grade.provisional ? ` ${w('It is provisional, because {1}.', why)}` : ''
  const how =
    grade.caps.length > 0 || grade.score === 100
      ? ''
      : ` ${w('Problems take points: 40 where they are critical, 15 high, 6 medium, 1.5 low, and a quarter of that where the same check finds them again.')}`
  return `${w('The grade is {1}, at {2} of 100 points.', grade.grade, Math.round(grade.score))}${how}${provisional}`
}

/** Reasons of the grade of a single area that have a line; the findings say the rest. */
const MOST_REASONS = 2

/** Why an area has no better grade, in a line. */
export const whyOf = (reasons: readonly string[], w: Words): string => {
  const more = reasons.length - MOST_REASONS
  return `${reasons.slice(0, MOST_REASONS).join(', ')}${more > 0 ? ` ${w('and {1} more', more)}` : ''}`
}

/** The gravest first, each check once: ten pages with the same flaw are one thing to fix. */
const urgent = (
  views: readonly FindingView[],
  { most, max }: { readonly most: number; readonly max: number },
): Summary['urgent'] =>
  Map.groupBy(
    views.filter(({ finding }) => finding.severity !== 'info' && isOpen(finding)),
    ({ finding }) => finding.check_id + finding.title,
  )
    .values()
    .take(most)
    .flatMap(([first, ...others]) =>
      first === undefined
        ? []
        : [
            {
              number: first.number,
              severity: first.finding.severity,
              title: first.finding.title,
              why: clippedText(firstSentence(first.finding.description), max),
              firstStep: clippedText(firstSentence(first.finding.remediation), max),
              alike: others.length,
            },
          ],
    )
    .toArray()
