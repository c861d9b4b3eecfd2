/** The findings: what to change and by whom, then each cause once with all its places, evidence and cure. */
import type { Proof } from '../../contract/finding.ts'
import { isOpen, placeText } from '../canonical.ts'
import { shownExcerpt } from '../excerpt.ts'
import { type FindingView, MAX_DETAILED, type ReportModel } from '../model.ts'
import { type Problem, problemsOf } from '../plan.ts'
import { TRIAGE_NAMES } from '../wording.ts'
import type { Phrase, Words } from '../words/words.ts'
import { blocks, clipped, code, codeBlock, link, list, type Markdown, marked, md, prose } from './markup.ts'

const MAX_LISTED = 3000
const MAX_CVES = 12
const MAX_REFERENCES = 8
const MAX_RESOLVED = 200
/** Findings of one cause that are shown with their evidence; the others with their places. */
const MAX_SHOWN = 4
/** Characters of an excerpt, and of a command. */
const MAX_EXCERPT = 6000
const MAX_COMMAND = 6000

export const findings = (model: ReportModel): Markdown => {
  const {
    words: w,
    sections: { method },
  } = model
  return blocks([
    md`## ${model.sections.findings} ${w('Findings')}`,
    ...(model.total === 0
      ? [
          md`${w('The checks that could look found no problem.')} ${w('{1} says how many these are, and which could not look.', method === null ? 'Findings.json' : w('Section {1}', method))}`,
        ]
      : [...plan(model), ...model.groups.flatMap((one) => group(one, w))]),
    ...resolved(model),
  ])
}

/** One item a cause: whoever has to act reads his part and no more. */
const plan = ({ plan: parts, total, file, words: w }: ReportModel): Markdown[] => {
  const decided = file.findings.filter((finding) => !isOpen(finding)).length
  return [
    md`### ${w('Remediation plan')}`,
    parts.length === 0
      ? md`${w('Nothing has to be changed.')}`
      : md`${w('By who changes it as a rule, the most urgent first. One change can fix many places.')}`,
    ...parts.flatMap(({ owner, effort, steps }) => [
      md`#### ${owner} (${effort})`,
      list(
        steps.slice(0, MAX_LISTED).map(({ problem: { first, findings: all }, step }) => {
          const { title, severity } = first.finding
          return md`**${w.severity[severity]}** ${clipped(title, 200, w)} (${w.many(all.length, 'finding')}, ${w('no. {1}', first.number)}). ${marked(step)}`
        }),
      ),
    ]),
    ...(decided === 0
      ? []
      : [md`${w('{1} that the owners decided about: marked below.', w.many(decided, 'finding'))}`]),
    ...(total > MAX_DETAILED
      ? [md`${w('The first {1} findings are described below; all of them are in findings.json.', MAX_DETAILED)}`]
      : []),
  ]
}

const group = ({ severity, findings: all }: ReportModel['groups'][number], w: Words): Markdown[] => {
  const detailed = problemsOf(all.filter(({ number }) => number <= MAX_DETAILED))
  return [
    md`### ${w.severity[severity]} (${w.many(all.length, 'finding')})`,
    ...(detailed.length === 0
      ? [md`${w('All of them are in findings.json.')}`]
      : detailed.flatMap((one) => cause(one, w))),
  ]
}

/** What is said once, around what each finding adds to it. */
const cause = ({ first, findings: all }: Problem, w: Words): Markdown[] => {
  const { finding } = first
  return [
    md`#### ${first.number} ${clipped(finding.title, 300, w)}`,
    ...all.flatMap((view, index) => (index < MAX_SHOWN ? shown(view, w) : [heading(view, w)])),
    ...passage('Why it matters', finding.description, w),
    ...passage('How to fix it', finding.remediation, w),
    ...vulnerabilities(first, w),
    fineprint(first, w),
  ]
}

/** Each finding has this line once. */
const heading = (view: FindingView, w: Words): Markdown =>
  md`**${w('Finding {1}', view.number)}** (${meta(view, w)}): ${view.places.map((place, index) => [index === 0 ? null : md`, `, code(clipped(place, 600, w))])}${view.morePlaces > 0 ? md` ${w('and {1} more in findings.json', view.morePlaces)}` : null}`

const shown = (view: FindingView, w: Words): Markdown[] => {
  const { finding, shift, decision } = view
  return [
    heading(view, w),
    ...(shift === null ? [] : [md`${shift}`]),
    ...(decision === null ? [] : [md`${w('Decision')}: ${clipped(decision, 4000, w)}`]),
    ...passage('What was seen', finding.detail, w),
    ...evidence(finding.proof, w),
    ...pictures(view, w),
  ]
}

/** By their names: the text has to stand alone. */
const pictures = ({ pictures: shown }: FindingView, w: Words): Markdown[] =>
  shown.length === 0
    ? []
    : [
        md`${w('What the browser showed, in evidence.zip')}: ${shown.map(({ name }, index) => [index === 0 ? null : md`, `, code(name)])}`,
      ]

const meta = ({ finding, module }: FindingView, w: Words): string =>
  [
    w.severity[finding.severity],
    w.confidence[finding.confidence],
    w(finding.status === 'new' ? 'New' : 'Recurring'),
    ...(finding.triage.state === 'open' ? [] : [w(TRIAGE_NAMES[finding.triage.state])]),
    module,
  ].join(', ')

const passage = (title: Phrase, text: string, w: Words): readonly Markdown[] =>
  text.trim() === '' ? [] : [md`**${w(title)}**`, ...prose(text)]

const evidence = (proof: Proof | null, w: Words): Markdown[] => {
  if (proof === null) return []
  const excerpt = shownExcerpt(proof)
  const replay = proof.replay?.trim() ?? ''
  return [
    ...(excerpt === null ? [] : excerptBlocks(excerpt, w)),
    ...(replay === '' ? [] : [md`**${w('See it again')}**`, codeBlock(clipped(replay, MAX_COMMAND, w))]),
  ]
}

const excerptBlocks = (
  { text, mark, linesBefore, linesAfter }: NonNullable<ReturnType<typeof shownExcerpt>>,
  w: Words,
) => {
  const left = [
    ...(linesBefore > 0 ? [w('{1} lines before', linesBefore)] : []),
    ...(linesAfter > 0 ? [w('{1} more lines', linesAfter)] : []),
  ]
  // The end of what stands before the decisive part is nearest to it.
  const from = mark === null ? 0 : Math.max(0, mark.from - MAX_EXCERPT / 2)
  return [
    codeBlock(clipped(text.slice(from).toWellFormed(), MAX_EXCERPT, w)),
    ...(mark === null ? [] : [md`${w('Decisive')}: ${code(clipped(text.slice(mark.from, mark.to), 600, w))}`]),
    ...(left.length === 0 ? [] : [md`${w('{1} in findings.json.', w.list(left))}`]),
  ]
}

const vulnerabilities = ({ cve }: FindingView, w: Words): Markdown[] =>
  cve.length === 0
    ? []
    : [
        md`**${w('Known vulnerabilities')}**`,
        list([
          ...cve.slice(0, MAX_CVES).map((text) => md`${text}`),
          ...(cve.length > MAX_CVES ? [md`${w('and {1} more in findings.json', cve.length - MAX_CVES)}`] : []),
        ]),
      ]

/** How the problem is classed and where to read more. */
const fineprint = ({ classes, evidence: names, finding }: FindingView, w: Words): Markdown => {
  const references = finding.references.filter((address) => !/^https:\/\/cwe\.mitre\.org\//.test(address))
  const more = references.length - MAX_REFERENCES
  return list([
    ...(finding.cwe === null
      ? []
      : [link(`https://cwe.mitre.org/data/definitions/${finding.cwe}.html`, `CWE-${finding.cwe}`)]),
    ...classes.map((text) => md`${clipped(text, 300, w)}`),
    md`${w('check {1}', finding.check_id)}`,
    ...(names.length > 0 ? [md`${w('evidence')} ${clipped(names.join(', '), 600, w)}`] : []),
    ...references.slice(0, MAX_REFERENCES).map((address) => link(address, address.slice(0, 300))),
    ...(more > 0 ? [md`${w('{1} more references in findings.json', more)}`] : []),
  ])
}

const resolved = ({ file, words: w }: ReportModel): Markdown[] => {
  const more = file.resolved.length - MAX_RESOLVED
  return file.resolved.length === 0
    ? []
    : [
        md`### ${w('Gone since the last scan')}`,
        md`${w('These problems of the last finished scan were looked for again and are no longer there')}:`,
        list(
          file.resolved
            .slice(0, MAX_RESOLVED)
            .map(
              ({ severity, title, location }) =>
                md`**${w.severity[severity]}** ${clipped(title, 300, w)}: ${code(clipped(placeText(location, w('parameter')), 300, w))}`,
            ),
        ),
        ...(more > 0 ? [md`${w('and {1} more in findings.json', more)}`] : []),
      ]
}
