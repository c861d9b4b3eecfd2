import type { Severity } from '../../contract/finding.ts'
import { isOpen, placeText } from '../canonical.ts'
import { many } from '../format.ts'
import { type FindingView, MAX_DETAILED, type ReportModel, SEVERITY_NAMES } from '../model.ts'
import { type Problem, problemsOf } from '../plan.ts'
import { CONFIDENCE_NAMES, clippedText, TRIAGE_NAMES } from '../wording.ts'
import { texAddress, texMarked, texPlain, texText } from './escape.ts'
import { texListing } from './listing.ts'
import { heading, subheading } from './sections.ts'
import { table } from './table.ts'

const MAX_LISTED = 3000
const MAX_CVES = 12
/** Evidence without a decisive part: its beginning. */
const UNMARKED_LINES = 3
/** Findings of one cause that are shown with their evidence; the others with their places. */
const MAX_SHOWN = 4

export const findings = (model: ReportModel): string =>
  [
    heading(model.sections.findings ?? '', 'Findings', 'findings', false),
    ...(model.total === 0
      ? [
          `\\target{plan}\\hypertarget{plan}{}{\\RaggedRight The checks that could look found no problem. ${placeOf(model)} says how many these are, and which could not look.\\par}`,
        ]
      : [plan(model), ...model.groups.map(group)]),
    resolved(model),
  ].join('\n')

const placeOf = ({ sections: { method } }: ReportModel): string =>
  method === null ? 'Findings.json' : `Section ${method}`

/** One row a cause: whoever has to act reads his part and no more. */
const plan = ({ plan: parts, total, file }: ReportModel): string => {
  const decided = file.findings.length - file.findings.filter((finding) => isOpen(finding)).length
  const { info, low } = file.open_counts
  return [
    subheading('Remediation plan', 'plan'),
    parts.length === 0
      ? '{\\RaggedRight Nothing has to be changed.\\par}'
      : '{\\RaggedRight By who changes it as a rule, the most urgent first. One change can fix many places.\\par}',
    ...parts.flatMap(({ owner, effort, steps }) => [
      `\\lab{${texText(owner)} \\quiet{\\mdseries (${texText(effort)})}}`,
      table(
        [10, 17, 60, 62, 7],
        ['No.', 'Severity', 'Problem', 'First step', 'Page'],
        steps.slice(0, MAX_LISTED).map(({ problem: { first, findings: all }, step }) => {
          const title = texText(first.finding.title, { max: 200 })
          const detailed = first.number <= MAX_DETAILED
          return [
            numbersText(all),
            pill(first),
            detailed ? `\\hyperref[f${first.number}]{${title}}` : title,
            texMarked(step, 200),
            detailed ? `\\hfill\\pageref{f${first.number}}` : '',
          ]
        }),
      ),
    ]),
    decided === 0
      ? ''
      : `{\\RaggedRight ${many(decided, 'finding')} that the owners decided about: marked below.\\par}`,
    low + info === 0
      ? ''
      : `{\\RaggedRight ${many(low, 'finding')} of low severity and ${info} for information can wait: the tables at the end have each with its cure.\\par}`,
    total > MAX_DETAILED
      ? `{\\RaggedRight The first ${MAX_DETAILED} findings are described below; all of them are in findings.json.\\par}`
      : '',
  ].join('\n')
}

/** "7", "7–9", "7, 12". */
const numbersText = (all: readonly FindingView[]): string => {
  const numbers = all.map(({ number }) => number)
  const [first = 0, last = 0] = [numbers[0], numbers.at(-1)]
  if (numbers.length === 1) return `${first}`
  return last - first === numbers.length - 1 ? `${first}–${last}` : `${first} +${numbers.length - 1}`
}

/** In full what has to be acted on; the rest as rows of a table. */
const IN_FULL: ReadonlySet<Severity> = new Set(['critical', 'high', 'medium'])

const group = ({ severity, findings: list }: ReportModel['groups'][number]): string => {
  const bar = `\\groupbar{${severity}}{${SEVERITY_NAMES[severity]}}{${list.length}}`
  const detailed = problemsOf(list.filter(({ number }) => number <= MAX_DETAILED))
  if (detailed.length === 0) return block(6, [bar, 'Named in the remediation plan and in findings.json.\\par'])
  if (!IN_FULL.has(severity)) return [`\\need{34mm}\\vskip 5mm${bar}`, rows(detailed)].join('\n')
  return detailed
    .flatMap((problem, index) => [
      block(index === 0 ? 6 : 4, [...(index === 0 ? [bar] : []), ...opening(problem)]),
      ...closing(problem),
    ])
    .join('\n')
}

/** What begins on one page where it can; `gap` is the space above, millimetres. */
const block = (gap: number, content: readonly string[]): string =>
  [`\\begin{block}{${gap}mm}`, ...content.filter((part) => part !== ''), '\\end{block}'].join('\n')

const opening = ({ first, findings: all }: Problem): string[] => {
  const { finding, number } = first
  return [
    ...all.map(bookmark),
    `\\findinghead{${finding.severity}}{${number}}{${texText(finding.title, { max: 300 })}}{\\quiet{${meta(first)}}}`,
    ...instance(first),
  ]
}

const instance = (view: FindingView): string[] => [
  view.decision === null ? '' : `{\\RaggedRight\\lead{Decision}${texText(view.decision)}\\par}`,
  seen(view),
  evidence(view),
]

/** What is said once, however many places there are. */
const closing = ({ first, findings: all }: Problem): string[] => {
  const others = all.slice(1)
  return [
    ...others.slice(0, MAX_SHOWN - 1).flatMap(instance),
    ...(others.length < MAX_SHOWN
      ? []
      : [
          `{\\RaggedRight\\quiet{and ${many(others.length - MAX_SHOWN + 1, 'finding')} of the same kind in findings.json}\\par}`,
        ]),
    prose(first.finding.description, 'Why it matters'),
    prose(first.finding.remediation, 'How to fix it'),
    vulnerabilities(first),
    `\\nobreak${fineprint(first)}`,
  ].filter((part) => part !== '')
}

/** Characters of what was seen, and of the cure, in a row. */
const ROW_TEXT = 220

const rows = (problems: readonly Problem[]): string =>
  table(
    [62, 98],
    [],
    problems.map(({ first, findings: all }) => {
      const { finding } = first
      const left = [
        `${all.map(bookmark).join('')}{\\bfseries ${numbersText(all)}\\enspace ${texText(finding.title, { max: 160 })}}`,
        ...all.slice(0, MAX_SHOWN).map((view) => `\\quiet{${texText(shownPlace(view), { max: 160 })}}`),
        ...(all.length > MAX_SHOWN ? [`\\quiet{and ${all.length - MAX_SHOWN} more in findings.json}`] : []),
        ...(first.decision === null ? [] : [`\\lead{Decision}${texText(first.decision, { max: 300 })}`]),
        `{\\footnotesize\\color{muted}${smallClasses(first).join(DOT)}}`,
      ]
      const mark = finding.proof?.mark ?? ''
      const shown = mark !== '' && mark.length <= SHORT_MARK && !mark.includes('\n')
      const right = [
        `${texMarked(clippedText(oneLine(finding.detail), ROW_TEXT), ROW_TEXT + 10)}${shown ? ` \\code{${texText(mark, { face: 'mono' })}}` : ''}`,
        `\\lead{How to fix it}${texMarked(clippedText(oneLine(finding.remediation), ROW_TEXT), ROW_TEXT + 10)}`,
      ]
      return [left.join('\\newline '), right.join('\\newline ')]
    }),
  )

/** Characters of a decisive part that stands in a row. */
const SHORT_MARK = 90

/** Listings and paragraphs are for what is shown in full. */
const oneLine = (text: string): string => text.replaceAll('```', '').replace(/\s+/g, ' ').trim()

const shownPlace = ({ places: [first = '', ...others], morePlaces }: FindingView): string => {
  const more = others.length + morePlaces
  return `${first}${more > 0 ? ` and ${more} more` : ''}`
}

/** In one paragraph where what was seen is one. */
const seen = (view: FindingView): string => {
  const where = `\\lead{Where}${placesText(view)}\\par}`
  const { detail } = view.finding
  return /\n\s*\n|```/.test(detail)
    ? `${prose(detail, 'What was seen')}\n\\nobreak{\\RaggedRight${where}`
    : `{\\RaggedRight\\lead{What was seen}${texMarked(detail.trim())}\\enspace ${where}`
}

const evidence = ({ finding: { proof } }: FindingView): string =>
  proof === null
    ? ''
    : texListing(proof, { ...(proof.mark === null && { lines: UNMARKED_LINES }), replay: proof.replay })

const vulnerabilities = ({ cve }: FindingView): string => {
  if (cve.length === 0) return ''
  const shown = cve.slice(0, MAX_CVES).map((text) => texText(text))
  const more = cve.length > MAX_CVES ? [`\\quiet{and ${cve.length - MAX_CVES} more in findings.json}`] : []
  return `{\\RaggedRight\\parskip=0pt\\lead{Known vulnerabilities}${[...shown, ...more].join('\\par\n')}\\par}`
}

const meta = ({ finding, module, shift }: FindingView): string =>
  [
    CONFIDENCE_NAMES[finding.confidence],
    finding.status === 'new' ? 'New' : 'Recurring',
    ...(finding.triage.state === 'open' ? [] : [TRIAGE_NAMES[finding.triage.state]]),
    texText(module, { max: 60 }),
    ...(shift === null ? [] : [texText(shift.replace(/\.$/, ''), { max: 200 })]),
  ].join(DOT)

const pill = ({ finding }: FindingView): string =>
  `\\pill{${finding.severity}}{${SEVERITY_NAMES[finding.severity].toUpperCase()}}`

const bookmark = ({ finding, number, hint: more }: FindingView): string =>
  `\\finding{${finding.severity}}{${number}}{${texPlain(more === '' ? finding.title : `${finding.title}: ${more}`, 120)}}`

const resolved = ({ file }: ReportModel): string =>
  file.resolved.length === 0
    ? ''
    : [
        subheading('Gone since the last scan', 'resolved'),
        '{\\RaggedRight These problems of the last finished scan were looked for again and are no longer there:\\par}',
        table(
          [18, 76, 64],
          ['Severity', 'Problem', 'Where'],
          file.resolved
            .slice(0, 200)
            .map((entry) => [
              `\\pill{${entry.severity}}{${SEVERITY_NAMES[entry.severity].toUpperCase()}}`,
              texText(entry.title, { max: 300 }),
              texText(placeText(entry.location), { max: 300 }),
            ]),
        ),
        file.resolved.length > 200 ? `\\quiet{and ${file.resolved.length - 200} more in findings.json}\\par` : '',
      ].join('\n')

const MAX_REFERENCES = 1
const DOT = '\\hskip .5em\\textbullet\\hskip .5em '

const placesText = ({ places: shown, morePlaces }: FindingView): string =>
  [
    shown.map((place) => `\\inplace{${texText(place, { face: 'mono', max: 600 })}}`).join(DOT),
    ...(morePlaces > 0 ? [`\\quiet{and ${morePlaces} more in findings.json}`] : []),
  ].join(' ')

/** Paragraphs at empty lines, fenced blocks as listings, `code` between backticks; the lead runs into the first. */
export const prose = (text: string, lead: string): string => {
  if (text.trim() === '') return ''
  const parts = text
    .slice(0, 12_000)
    .toWellFormed()
    .split(/```[a-z]*\n([\s\S]*?)```/)
    .flatMap((part, index) =>
      index % 2 === 1
        ? [texListing({ excerpt: part, mark: null }, { lines: 30 })]
        : part
            .split(/\n\s*\n/)
            .filter((paragraph) => paragraph.trim() !== '')
            .map((paragraph) => `${texMarked(paragraph.trim())}\\par}`),
    )
    .filter((part) => part !== '')
  const opened = parts.map((part) => (part.startsWith('\\begin{listing}') ? part : `{\\RaggedRight ${part}`))
  const [first = '', ...others] = opened
  const head = `\\lead{${lead}}`
  return first.startsWith('\\begin')
    ? [`{${head}\\par}`, ...opened].join('\n')
    : [first.replace('{\\RaggedRight ', () => `{\\RaggedRight ${head}`), ...others].join('\n')
}

/** How the problem is classed and where to read more, in one small paragraph that no page divides; findings.json has the rest. */
export const fineprint = (view: FindingView): string => {
  const { evidence, finding } = view
  const references = finding.references.filter((address) => !/^https:\/\/cwe\.mitre\.org\//.test(address))
  const parts = [
    ...smallClasses(view),
    ...(evidence.length > 0 ? [`evidence ${texText(evidence.join(', '), { max: 600 })}`] : []),
    ...references
      .slice(0, MAX_REFERENCES)
      .map((address) => link(address, address.replace(/^https:\/\/(?:www\.)?/, '').replace(/\/$/, ''))),
  ]
  return `\\fineprint{${parts.join(DOT)}}`
}

/** The classes that readers search for: weakness, score, check. */
const smallClasses = ({ finding }: FindingView): string[] => {
  const scores = [
    ['4.0', finding.cvss?.v4_0],
    ['3.1', finding.cvss?.v3_1],
    ['3.0', finding.cvss?.v3_0],
    ['2.0', finding.cvss?.v2_0],
  ] as const
  const [version, score] = scores.find(([, scored]) => scored) ?? []
  return [
    ...(finding.cwe === null
      ? []
      : [link(`https://cwe.mitre.org/data/definitions/${finding.cwe}.html`, `CWE-${finding.cwe}`)]),
    ...finding.owasp.slice(-1).map((category) => texText(`OWASP ${category}`, { max: 100 })),
    ...(score ? [`CVSS ${version}: ${score.score.toFixed(1)}`] : []),
    texText(finding.check_id, { max: 200 }),
  ]
}

const link = (address: string, name: string): string => {
  const target = texAddress(address)
  const text = texText(name, { max: 300 })
  return target === null ? text : `\\href{${target}}{${text}}`
}
