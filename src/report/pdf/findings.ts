import { placeText } from '../canonical.ts'
import { type FindingView, MAX_DETAILED, type ReportModel, SEVERITY_NAMES } from '../model.ts'
import { CONFIDENCE_NAMES, isCompared, shortPlace, statusWord, TRIAGE_NAMES } from '../wording.ts'
import { texAddress, texMarked, texPlain, texText } from './escape.ts'
import { texListing } from './listing.ts'
import { heading, subheading } from './sections.ts'
import { table } from './table.ts'

const MAX_LISTED = 3000
const MAX_CVES = 12
/** Evidence without a decisive part: its beginning. */
const UNMARKED_LINES = 3

/** Columns of the monospaced face in the right column of a short finding. */
const NARROW_COLUMNS = 62

export const findings = (model: ReportModel): string =>
  [
    heading('3', 'Findings', 'findings'),
    ...(model.total === 0
      ? [
          '\\target{glance}\\hypertarget{glance}{}{\\RaggedRight The checks that could look found no problem. Section 2 says how many these are, and which could not look.\\par}',
        ]
      : [glance(model), ...model.groups.map(group)]),
    resolved(model),
  ].join('\n')

const glance = ({ groups, total, file }: ReportModel): string => {
  const all = groups.flatMap((entry) => entry.findings).slice(0, MAX_LISTED)
  const compared = isCompared(all, file)
  const rows = all.map((view) => {
    const { number, finding } = view
    const title = `${texText(finding.title, { max: 200 })}${hint(view)}`
    const detailed = number <= MAX_DETAILED
    return [
      `${number}`,
      pill(view),
      detailed ? `\\hyperref[f${number}]{${title}}` : title,
      `\\quiet{${texText(shortPlace(view, file.target.domain), { max: 90 })}}`,
      ...(compared ? [`\\quiet{${statusWord(view)}}`] : []),
      detailed ? `\\hfill\\pageref{f${number}}` : '',
    ]
  })
  return [
    subheading('All findings at a glance', 'glance'),
    table(
      compared ? [7, 17, 68, 39, 15, 8] : [7, 17, 76, 47, 8],
      ['No.', 'Severity', 'Problem', 'Where', ...(compared ? ['Status'] : []), 'Page'],
      rows,
    ),
    total > MAX_LISTED ? `{\\RaggedRight ${total - MAX_LISTED} more findings are in findings.json.\\par}` : '',
    total > MAX_DETAILED
      ? `{\\RaggedRight The first ${MAX_DETAILED} findings are described below; all of them are in findings.json.\\par}`
      : '',
  ].join('\n')
}

const group = ({ severity, findings: list }: ReportModel['groups'][number]): string => {
  const bar = `\\groupbar{${severity}}{${SEVERITY_NAMES[severity]}}{${list.length}}`
  const detailed = list.filter(({ number }) => number <= MAX_DETAILED)
  if (detailed.length === 0) return block(6, [bar, 'Listed in the overview above.\\par'])
  return detailed
    .map((view, index) => {
      const short = severity === 'info' && fitsBeside(view)
      const first = index === 0
      return block(first ? 6 : short ? 2.4 : 4.4, [
        ...(first ? [bar] : []),
        ...(short ? shortFinding(view, first) : fullFinding(view)),
      ])
    })
    .join('\n')
}

/** What stays on one page where it can; `gap` is the space above, millimetres. */
const block = (gap: number, content: readonly string[]): string =>
  [`\\begin{block}{${gap}mm}`, ...content.filter((part) => part !== ''), '\\end{block}'].join('\n')

const fullFinding = (view: FindingView): string[] => {
  const { finding, number } = view
  const head = `\\findinghead{${finding.severity}}{${number}}{${texText(finding.title, { max: 300 })}}`
  return [
    bookmark(view),
    `${head}{${pill(view)}\\enspace \\quiet{${meta(view)}}}`,
    view.shift === null ? '' : `{\\RaggedRight\\quiet{${texText(view.shift)}}\\par}`,
    view.decision === null ? '' : `{\\RaggedRight\\lead{Decision}${texText(view.decision)}\\par}`,
    seen(view),
    prose(finding.description, 'Why it matters'),
    evidence(view),
    prose(finding.remediation, 'How to fix it'),
    vulnerabilities(view),
    fineprint(view),
  ]
}

/** Two columns, as in a table: what and where, then the words about it. */
const shortFinding = (view: FindingView, first: boolean): string[] => {
  const { finding, number } = view
  const left = [
    `{\\bfseries\\makebox[6mm][l]{\\color{info}${number}}${texText(finding.title, { max: 160 })}\\par}${view.hint === '' ? '' : `\\quiet{${texText(view.hint)}}\\par`}`,
    `\\vskip .6mm\\quiet{${meta(view)}}\\par\\vskip .8mm`,
    places(view, 2),
    view.decision === null ? '' : `\\vskip .8mm{\\RaggedRight\\lead{Decision}${texText(view.decision)}\\par}`,
  ]
  const right = [
    `\\small ${texMarked(`${finding.detail} ${finding.description}`)}\\par`,
    `\\vskip 2pt\\lead{How to fix it}${texMarked(finding.remediation)}\\par`,
    texListing(
      { excerpt: finding.proof?.mark ? finding.proof.excerpt : '', mark: finding.proof?.mark ?? null },
      { columns: NARROW_COLUMNS, around: 0, replay: finding.proof?.replay ?? null },
    ),
    `\\vskip 2pt${fineprint(view)}`,
  ]
  return [first ? '' : '\\thinrule', `${bookmark(view)}\\beside{50mm}{${left.join('\n')}}{110mm}{${right.join('\n')}}`]
}

/** Columns cannot be divided by a page, so long words about a place take the whole width instead. */
const fitsBeside = ({ finding, places: shown }: FindingView): boolean => {
  const words = [finding.detail, finding.description, finding.remediation, finding.proof?.replay ?? '']
  const lines = finding.proof?.mark?.split('\n').length ?? 0
  return isPlain(words, 1600) && isPlain(shown, 240) && finding.cve.length === 0 && finding.shift === null && lines <= 3
}

const isPlain = (texts: readonly string[], max: number): boolean =>
  texts.every((text) => !text.includes('```')) && texts.reduce((sum, text) => sum + text.length, 0) <= max

const seen = (view: FindingView): string => {
  const { finding, places: shown } = view
  if (isPlain([finding.detail], 400) && isPlain(shown, 240))
    return `\\beside{58mm}{\\columnlab{Where}${places(view)}}{102mm}{\\columnlab{What was seen}${texMarked(finding.detail)}\\par}\\nobreak\\vskip 1mm`
  return [`\\columnlab{Where}${places(view)}`, prose(finding.detail, 'What was seen')].join('\n')
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

const meta = ({ finding, module }: FindingView): string =>
  [
    CONFIDENCE_NAMES[finding.confidence],
    finding.status === 'new' ? 'New' : 'Recurring',
    ...(finding.triage.state === 'open' ? [] : [TRIAGE_NAMES[finding.triage.state]]),
    texText(module, { max: 60 }),
  ].join('\\enspace\\textbullet\\enspace ')

const pill = ({ finding }: FindingView): string =>
  `\\pill{${finding.severity}}{${SEVERITY_NAMES[finding.severity].toUpperCase()}}`

const hint = (view: FindingView): string => (view.hint === '' ? '' : `\\hint{${texText(view.hint, { max: 100 })}}`)

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

const MAX_REFERENCES = 8
/** Longer ones take two lines of the column. */
const LONG_PLACE = 36
const DOT = '\\enspace\\textbullet\\enspace '

/** At most `most` places, fewer where they are long. */
export const places = ({ places: all, morePlaces }: FindingView, most = all.length): string => {
  const shown = all.slice(0, all.some((place) => place.length > LONG_PLACE) ? Math.min(most, 2) : most)
  const more = morePlaces + all.length - shown.length
  return [
    ...shown.map((place) => `\\place{${texText(place, { face: 'mono', max: 600 })}}`),
    ...(more > 0 ? [`\\more{and ${more} more in findings.json}`] : []),
  ].join('\n')
}

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

/** How the problem is classed and where to read more, in one small paragraph that no page divides. */
export const fineprint = ({ classes, evidence, finding }: FindingView): string => {
  const weakness =
    finding.cwe === null
      ? []
      : [link(`https://cwe.mitre.org/data/definitions/${finding.cwe}.html`, `CWE-${finding.cwe}`)]
  const references = finding.references.filter((address) => !/^https:\/\/cwe\.mitre\.org\//.test(address))
  const parts = [
    ...weakness,
    ...classes.map((text) => texText(text, { max: 300 })),
    `check ${texText(finding.check_id, { max: 200 })}`,
    ...(evidence.length > 0 ? [`evidence ${texText(evidence.join(', '), { max: 600 })}`] : []),
    ...references
      .slice(0, MAX_REFERENCES)
      .map((address) => link(address, address.replace(/^https:\/\/(?:www\.)?/, '').replace(/\/$/, ''))),
    ...(references.length > MAX_REFERENCES ? [`${references.length - MAX_REFERENCES} more in findings.json`] : []),
  ]
  return `\\fineprint{${parts.join(DOT)}}`
}

const link = (address: string, name: string): string => {
  const target = texAddress(address)
  const text = texText(name, { max: 300 })
  return target === null ? text : `\\href{${target}}{${text}}`
}
