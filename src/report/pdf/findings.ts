import { placeText } from '../canonical.ts'
import { type FindingView, MAX_DETAILED, type ReportModel, SEVERITY_NAMES } from '../model.ts'
import { texAddress, texMarked, texPlain, texText } from './escape.ts'
import { texListing } from './listing.ts'
import { heading, subheading } from './sections.ts'
import { table } from './table.ts'

const MAX_LISTED = 3000
const MAX_REFERENCES = 8

const CONFIDENCE_NAMES = { confirmed: 'Confirmed', firm: 'Firm', tentative: 'Tentative' } as const

export const findings = (model: ReportModel): string =>
  [
    heading('3', 'Findings', 'findings'),
    ...(model.total === 0
      ? [
          '\\target{glance}\\hypertarget{glance}{}{\\RaggedRight The checks that could look found no problem. Section 2 says which checks these are, and which could not look.\\par}',
        ]
      : [glance(model), ...model.groups.map(group)]),
    resolved(model),
  ].join('\n')

const glance = ({ groups, total }: ReportModel): string => {
  const all = groups.flatMap((entry) => entry.findings).slice(0, MAX_LISTED)
  const rows = all.map(({ number, finding }) => [
    `${number}`,
    `\\pill{${finding.severity}}{${SEVERITY_NAMES[finding.severity].toUpperCase()}}`,
    number <= MAX_DETAILED
      ? `\\hyperref[f${number}]{${texText(finding.title, { max: 200 })}}`
      : `${texText(finding.title, { max: 200 })} \\quiet{${texText(placeText(finding.location), { max: 120 })}}`,
    finding.status,
    number <= MAX_DETAILED ? `\\pageref{f${number}}` : '',
  ])
  return [
    subheading('All findings at a glance', 'glance'),
    table([10, 20, 91, 18, 10], ['No.', 'Severity', 'Problem', 'Status', 'Page'], rows),
    total > MAX_LISTED ? `{\\RaggedRight ${total - MAX_LISTED} more findings are in findings.json.\\par}` : '',
    total > MAX_DETAILED
      ? `{\\RaggedRight The first ${MAX_DETAILED} findings are described below; all of them are in findings.json.\\par}`
      : '',
  ].join('\n')
}

const group = ({ severity, findings: list }: ReportModel['groups'][number]): string => {
  const detailed = list.filter(({ number }) => number <= MAX_DETAILED)
  return [
    `\\groupbar{${severity}}{${SEVERITY_NAMES[severity]}}{${list.length}}`,
    ...(detailed.length === 0 ? ['Listed in the overview above.\\par'] : detailed.map(detail)),
  ].join('\n')
}

const detail = (view: FindingView): string => {
  const { finding, number } = view
  const meta = [
    `\\pill{${finding.severity}}{${SEVERITY_NAMES[finding.severity].toUpperCase()}}`,
    `\\quiet{${CONFIDENCE_NAMES[finding.confidence]}\\enspace\\textbullet\\enspace ${finding.status === 'new' ? 'New' : 'Recurring'}\\enspace\\textbullet\\enspace ${texText(view.module, { max: 60 })}}`,
  ]
  return [
    `\\findinghead{${finding.severity}}{${number}}{${texText(finding.title, { max: 300 })}}{${texPlain(finding.title, 120)}}{${meta.join('\\enspace ')}}`,
    view.shift === null ? '' : `{\\RaggedRight\\quiet{${texText(view.shift)}}\\par}`,
    ...section('Where', places(view)),
    ...section('What was seen', prose(finding.detail)),
    ...section('Why it matters', prose(finding.description)),
    ...section('Evidence', finding.proof === null ? '' : texListing(finding.proof)),
    ...section('How to mend it', prose(finding.remediation)),
    ...section('How to see it again', replay(finding.proof?.replay ?? null)),
    ...section('Known vulnerabilities', bullets(view.cve.map((text) => texText(text)))),
    ...section('Classification', classification(view)),
    ...section('References', references(finding.references)),
  ].join('\n')
}

const section = (title: string, body: string): string[] =>
  body === '' ? [] : [...together(body), `\\lab{${title}}`, body]

/** A short listing stays on one page with its heading. */
const together = (body: string): string[] => {
  const lines = body.split('\n').filter((line) => line.startsWith('\\code')).length
  return lines > 2 && lines <= 16 ? [`\\need{${14 + lines * 4}mm}`] : []
}

const places = ({ places: shown, morePlaces }: FindingView): string =>
  bullets([
    ...shown.map((place) => `\\code{${texText(place, { face: 'mono', max: 600 })}}`),
    ...(morePlaces > 0 ? [`\\quiet{and ${morePlaces} more in findings.json}`] : []),
  ])

const replay = (command: string | null): string =>
  command === null ? '' : texListing({ excerpt: command, mark: null }, 12)

/** One paragraph that no page break divides. */
const classification = ({ classes, vectors, evidence, finding }: FindingView): string => {
  const lines = [
    [...classes, `check ${finding.check_id}`]
      .map((text) => texText(text, { max: 200 }))
      .join('\\enspace\\textbullet\\enspace '),
    ...vectors.map((vector) => `\\quiet{\\cvss{${texText(vector, { face: 'mono', max: 300 })}}}`),
    ...(evidence.length > 0 ? [`\\quiet{Evidence files: ${texText(evidence.join(', '), { max: 600 })}}`] : []),
  ]
  return `{\\RaggedRight\\interlinepenalty=10000 ${lines.join('\\newline\n')}\\par}`
}

const references = (addresses: readonly string[]): string =>
  bullets(
    addresses.slice(0, MAX_REFERENCES).map((address) => {
      const text = texText(address, { max: 300 })
      const link = texAddress(address)
      return link === null ? text : `\\href{${link}}{${text}}`
    }),
  )

const bullets = (items: readonly string[]): string =>
  items
    .map(
      (item) =>
        `{\\RaggedRight\\leftskip=4mm\\parskip=1.5pt\\noindent\\llap{\\makebox[4mm][l]{\\color{accent}\\textbullet}}${item}\\par}`,
    )
    .join('\n')

/** Paragraphs at empty lines, fenced blocks as listings, `code` between backticks. */
const prose = (text: string): string =>
  text
    .slice(0, 12_000)
    .split(/```[a-z]*\n([\s\S]*?)```/)
    .map((part, index) =>
      index % 2 === 1
        ? texListing({ excerpt: part, mark: null })
        : part
            .split(/\n\s*\n/)
            .filter((paragraph) => paragraph.trim() !== '')
            .map((paragraph) => `{\\RaggedRight ${texMarked(paragraph.trim())}\\par}`)
            .join('\n'),
    )
    .join('\n')

const resolved = ({ file }: ReportModel): string =>
  file.resolved.length === 0
    ? ''
    : [
        subheading('Gone since the last scan', 'resolved'),
        '{\\RaggedRight These problems of the last finished scan were looked for again and are no longer there:\\par}',
        table(
          [22, 70, 66],
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
