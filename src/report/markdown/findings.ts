/** The findings: what to change and by whom, then each cause once with all its places, evidence and cure. */
import type { Proof } from '../../contract/finding.ts'
import { isOpen, placeText } from '../canonical.ts'
import { shownExcerpt } from '../excerpt.ts'
import { many } from '../format.ts'
import { type FindingView, MAX_DETAILED, type ReportModel, SEVERITY_NAMES } from '../model.ts'
import { type Problem, problemsOf } from '../plan.ts'
import { CONFIDENCE_NAMES, TRIAGE_NAMES } from '../wording.ts'
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
  const { method } = model.sections
  return blocks([
    md`## ${model.sections.findings} Findings`,
    ...(model.total === 0
      ? [
          md`The checks that could look found no problem. ${method === null ? 'Findings.json' : `Section ${method}`} says how many these are, and which could not look.`,
        ]
      : [...plan(model), ...model.groups.flatMap(group)]),
    ...resolved(model),
  ])
}

/** One item a cause: whoever has to act reads his part and no more. */
const plan = ({ plan: parts, total, file }: ReportModel): Markdown[] => {
  const decided = file.findings.filter((finding) => !isOpen(finding)).length
  return [
    md`### Remediation plan`,
    parts.length === 0
      ? md`Nothing has to be changed.`
      : md`By who changes it as a rule, the most urgent first. One change can fix many places.`,
    ...parts.flatMap(({ owner, effort, steps }) => [
      md`#### ${owner} (${effort})`,
      list(
        steps.slice(0, MAX_LISTED).map(({ problem: { first, findings: all }, step }) => {
          const { title, severity } = first.finding
          return md`**${SEVERITY_NAMES[severity]}** ${clipped(title, 200)} (${many(all.length, 'finding')}, no. ${first.number}). ${marked(step)}`
        }),
      ),
    ]),
    ...(decided === 0 ? [] : [md`${many(decided, 'finding')} that the owners decided about: marked below.`]),
    ...(total > MAX_DETAILED
      ? [md`The first ${MAX_DETAILED} findings are described below; all of them are in findings.json.`]
      : []),
  ]
}

const group = ({ severity, findings: all }: ReportModel['groups'][number]): Markdown[] => {
  const detailed = problemsOf(all.filter(({ number }) => number <= MAX_DETAILED))
  return [
    md`### ${SEVERITY_NAMES[severity]} (${many(all.length, 'finding')})`,
    ...(detailed.length === 0 ? [md`All of them are in findings.json.`] : detailed.flatMap(cause)),
  ]
}

/** What is said once, around what each finding adds to it. */
const cause = ({ first, findings: all }: Problem): Markdown[] => {
  const { finding } = first
  return [
    md`#### ${first.number} ${clipped(finding.title, 300)}`,
    ...all.flatMap((view, index) => (index < MAX_SHOWN ? shown(view) : [heading(view)])),
    ...passage('Why it matters', finding.description),
    ...passage('How to fix it', finding.remediation),
    ...vulnerabilities(first),
    fineprint(first),
  ]
}

/** Each finding has this line once. */
const heading = (view: FindingView): Markdown =>
  md`**Finding ${view.number}** (${meta(view)}): ${view.places.map((place, index) => [index === 0 ? null : md`, `, code(clipped(place, 600))])}${view.morePlaces > 0 ? md` and ${view.morePlaces} more in findings.json` : null}`

const shown = (view: FindingView): Markdown[] => {
  const { finding, shift, decision } = view
  return [
    heading(view),
    ...(shift === null ? [] : [md`${shift}`]),
    ...(decision === null ? [] : [md`Decision: ${clipped(decision, 4000)}`]),
    ...passage('What was seen', finding.detail),
    ...evidence(finding.proof),
  ]
}

const meta = ({ finding, module }: FindingView): string =>
  [
    SEVERITY_NAMES[finding.severity],
    CONFIDENCE_NAMES[finding.confidence],
    finding.status === 'new' ? 'New' : 'Recurring',
    ...(finding.triage.state === 'open' ? [] : [TRIAGE_NAMES[finding.triage.state]]),
    module,
  ].join(', ')

const passage = (title: string, text: string): readonly Markdown[] =>
  text.trim() === '' ? [] : [md`**${title}**`, ...prose(text)]

const evidence = (proof: Proof | null): Markdown[] => {
  if (proof === null) return []
  const excerpt = shownExcerpt(proof)
  const replay = proof.replay?.trim() ?? ''
  return [
    ...(excerpt === null ? [] : excerptBlocks(excerpt)),
    ...(replay === '' ? [] : [md`**See it again**`, codeBlock(clipped(replay, MAX_COMMAND))]),
  ]
}

const excerptBlocks = ({ text, mark, linesBefore, linesAfter }: NonNullable<ReturnType<typeof shownExcerpt>>) => {
  const left = [
    ...(linesBefore > 0 ? [`${linesBefore} lines before`] : []),
    ...(linesAfter > 0 ? [`${linesAfter} more lines`] : []),
  ]
  // The end of what stands before the decisive part is nearest to it.
  const from = mark === null ? 0 : Math.max(0, mark.from - MAX_EXCERPT / 2)
  return [
    codeBlock(clipped(text.slice(from).toWellFormed(), MAX_EXCERPT)),
    ...(mark === null ? [] : [md`Decisive: ${code(clipped(text.slice(mark.from, mark.to), 600))}`]),
    ...(left.length === 0 ? [] : [md`${left.join(' and ')} in findings.json.`]),
  ]
}

const vulnerabilities = ({ cve }: FindingView): Markdown[] =>
  cve.length === 0
    ? []
    : [
        md`**Known vulnerabilities**`,
        list([
          ...cve.slice(0, MAX_CVES).map((text) => md`${text}`),
          ...(cve.length > MAX_CVES ? [md`and ${cve.length - MAX_CVES} more in findings.json`] : []),
        ]),
      ]

/** How the problem is classed and where to read more. */
const fineprint = ({ classes, evidence: names, finding }: FindingView): Markdown => {
  const references = finding.references.filter((address) => !/^https:\/\/cwe\.mitre\.org\//.test(address))
  const more = references.length - MAX_REFERENCES
  return list([
    ...(finding.cwe === null
      ? []
      : [link(`https://cwe.mitre.org/data/definitions/${finding.cwe}.html`, `CWE-${finding.cwe}`)]),
    ...classes.map((text) => md`${clipped(text, 300)}`),
    md`check ${finding.check_id}`,
    ...(names.length > 0 ? [md`evidence ${clipped(names.join(', '), 600)}`] : []),
    ...references.slice(0, MAX_REFERENCES).map((address) => link(address, address.slice(0, 300))),
    ...(more > 0 ? [md`${more} more references in findings.json`] : []),
  ])
}

const resolved = ({ file }: ReportModel): Markdown[] => {
  const more = file.resolved.length - MAX_RESOLVED
  return file.resolved.length === 0
    ? []
    : [
        md`### Gone since the last scan`,
        md`These problems of the last finished scan were looked for again and are no longer there:`,
        list(
          file.resolved
            .slice(0, MAX_RESOLVED)
            .map(
              ({ severity, title, location }) =>
                md`**${SEVERITY_NAMES[severity]}** ${clipped(title, 300)}: ${code(clipped(placeText(location), 300))}`,
            ),
        ),
        ...(more > 0 ? [md`and ${more} more in findings.json`] : []),
      ]
}
