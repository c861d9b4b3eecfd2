import type { Severity } from '../../contract/finding.ts'
import { isOpen, placeText } from '../canonical.ts'
import { type FindingView, MAX_DETAILED, type ReportModel } from '../model.ts'
import { MAX_PICTURES } from '../pictures.ts'
import { type Problem, problemsOf } from '../plan.ts'
import { clippedText, TRIAGE_NAMES } from '../wording.ts'
import type { Phrase, Words } from '../words/words.ts'
import { texAddress, texMarked, texPlain, texText } from './escape.ts'
import { texListing } from './listing.ts'
import { type PrintedCure, printedCures } from './repeated.ts'
import { heading, subheading } from './sections.ts'
import { commonShift } from './shifts.ts'
import { table } from './table.ts'

const MAX_LISTED = 3000
const MAX_CVES = 12
/** Evidence without a decisive part: its beginning. */
const UNMARKED_LINES = 3
/** Findings of one cause that are shown with their evidence; the others with their places. */
const MAX_SHOWN = 4

export const findings = (model: ReportModel): string => {
  const { words: w } = model
  const said: Said = { shift: commonShift(model), w }
  const cures = printedCures(
    model.groups.filter(({ severity }) => IN_FULL.has(severity)).flatMap((one) => detailedOf(one)),
  )
  return [
    heading(model.sections.findings ?? '', w('Findings'), 'findings', false),
    ...(model.total === 0
      ? [
          `\\target{plan}\\hypertarget{plan}{}{\\RaggedRight ${w('The checks that could look found no problem.')} ${w('{1} says how many these are, and which could not look.', placeOf(model))}\\par}`,
        ]
      : [plan(model, said), ...model.groups.map((one) => group(one, cures, said))]),
    resolved(model),
  ].join('\n')
}

const placeOf = ({ sections: { method }, words: w }: ReportModel): string =>
  method === null ? 'Findings.json' : w('Section {1}', method)

/** The words, and what is said before all findings. */
interface Said {
  readonly shift: string | null
  readonly w: Words
}

/** One row a cause: whoever has to act reads his part and no more. */
const plan = ({ plan: parts, total, file }: ReportModel, { shift, w }: Said): string => {
  const decided = file.findings.length - file.findings.filter((finding) => isOpen(finding)).length
  const { info, low } = file.open_counts
  return [
    subheading(w('Remediation plan'), 'plan'),
    parts.length === 0
      ? `{\\RaggedRight ${w('Nothing has to be changed.')}\\par}`
      : `{\\RaggedRight ${w('By who changes it as a rule, the most urgent first. One change can fix many places.')}\\par}`,
    shift === null
      ? ''
      : `{\\RaggedRight ${w('Where the severity here is another than in general: {1}.', texText(shift, { max: 200 }))}\\par}`,
    ...parts.flatMap(({ owner, effort, steps }) => [
      `\\lab{${texText(owner)} \\quiet{\\mdseries (${texText(effort)})}}`,
      table(
        [8, 19, 52, 64, 7],
        [w('No.'), w('Severity'), w('Problem'), w('First step'), w('Page')],
        steps.slice(0, MAX_LISTED).map(({ problem: { first, findings: all }, step }) => {
          const title = texText(first.finding.title, { max: 200 })
          const detailed = first.number <= MAX_DETAILED
          return [
            numbersText(all),
            pill(first, w),
            detailed ? `\\hyperref[f${first.number}]{${title}}` : title,
            texMarked(step, 200),
            detailed ? `\\hfill\\pageref{f${first.number}}` : '',
          ]
        }),
      ),
    ]),
    decided === 0
      ? ''
      : `{\\RaggedRight ${w('{1} that the owners decided about: marked below.', w.many(decided, 'finding'))}\\par}`,
    low + info === 0
      ? ''
      : `{\\RaggedRight ${w('{1} of low severity and {2} for information can wait: the tables at the end have each with its cure.', w.many(low, 'finding'), info)}\\par}`,
    total > MAX_DETAILED
      ? `{\\RaggedRight ${w('The first {1} findings are described below; all of them are in findings.json.', MAX_DETAILED)}\\par}`
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

type Group = ReportModel['groups'][number]

const detailedOf = ({ findings: list }: Group): readonly Problem[] =>
  problemsOf(list.filter(({ number }) => number <= MAX_DETAILED))

const group = (one: Group, cures: ReadonlyMap<number, PrintedCure>, before: Said): string => {
  const { w } = before
  const { severity, findings: list } = one
  const bar = `\\groupbar{${severity}}{${w.severity[severity]}}{${list.length}}`
  const detailed = detailedOf(one)
  if (detailed.length === 0) return block(6, [bar, `${w('Named in the remediation plan and in findings.json.')}\\par`])
  if (!IN_FULL.has(severity)) return ['\\need{34mm}\\vskip 5mm', rows(detailed, bar, w)].join('\n')
  return detailed
    .flatMap((problem, index) => [
      block(index === 0 ? 6 : 3.6, [...(index === 0 ? [bar] : []), ...opening(problem, before)]),
      ...closing(problem, cures.get(problem.first.number), w),
    ])
    .join('\n')
}

/** What begins on one page where it can; `gap` is the space above, millimetres. */
const block = (gap: number, content: readonly string[]): string =>
  [`\\begin{block}{${gap}mm}`, ...content.filter((part) => part !== ''), '\\end{block}'].join('\n')

const opening = ({ first, findings: all }: Problem, before: Said): string[] => {
  const { w } = before
  const { finding, number } = first
  return [
    ...all.map(bookmark),
    `\\findinghead{${finding.severity}}{${number}}{${texText(finding.title, { max: 300 })}}{\\quiet{${meta(first, before)}}}`,
    ...instance(first, w),
    pictures(all, w),
  ]
}

/** Of a cause, beside each other; the page and the evidence have the others. */
const pictures = (all: readonly FindingView[], w: Words): string => {
  const shown = all.flatMap((view) => view.pictures).slice(0, MAX_PICTURES)
  const drawn = shown.map(
    ({ name }) => `\\shot{${name}}{${texText(w('What the browser showed: {1}', name), { max: 200 })}}`,
  )
  return drawn.length === 0 ? '' : `\\shots{${drawn.join('\\hfill')}}`
}

const instance = (view: FindingView, w: Words): string[] => [
  view.decision === null ? '' : `{\\RaggedRight\\lead{${w('Decision')}}${texText(view.decision)}\\par}`,
  seen(view, w),
  evidence(view, w),
]

/** What is said once, however many places there are. */
const closing = ({ first, findings: all }: Problem, cure: PrintedCure | undefined, w: Words): string[] => {
  const others = all.slice(1)
  return [
    ...others.slice(0, MAX_SHOWN - 1).flatMap((view) => instance(view, w)),
    ...(others.length < MAX_SHOWN
      ? []
      : [
          `{\\RaggedRight\\quiet{${w('and {1} of the same kind in findings.json', w.many(others.length - MAX_SHOWN + 1, 'finding'))}}\\par}`,
        ]),
    prose(first.finding.description, 'Why it matters', w),
    cured(first, cure, w),
    vulnerabilities(first, w),
    `\\nobreak${fineprint(first, w)}`,
  ].filter((part) => part !== '')
}

const cured = ({ finding }: FindingView, cure: PrintedCure | undefined, w: Words): string => {
  if (cure === undefined || cure.rest === null) return prose(finding.remediation, 'How to fix it', w)
  const there = `\\hyperref[f${cure.rest}]{${w(cure.own === '' ? 'As in finding {1}.' : 'Then as in finding {1}.', cure.rest)}}`
  return `{\\RaggedRight\\lead{${w('How to fix it')}}${cure.own === '' ? '' : `${texMarked(cure.own)} `}${there}\\par}`
}

/** Characters of what was seen, and of the cure, in a row. */
const ROW_TEXT = 220

/** The two columns of a row, in millimetres and in characters of a line. */
const COLUMNS = [62, 101] as const
const LINE = [41, 71] as const
/** The same of the small print in the first column. */
const SMALL_LINE = 52

const rows = (problems: readonly Problem[], bar: string, w: Words): string =>
  table(
    COLUMNS,
    [],
    problems.map((problem) => row(problem, w)),
    bar,
  )

const row = ({ first, findings: all }: Problem, w: Words): string[] => {
  const { finding } = first
  const title = clippedText(finding.title, 160)
  const places = all.slice(0, MAX_SHOWN).map((view) => shownPlace(view, w))
  const mark = finding.proof?.mark ?? ''
  const shown = mark !== '' && mark.length <= SHORT_MARK && !mark.includes('\n') && !finding.detail.includes(mark)
  const said = [finding.detail, finding.remediation].map((text) => clippedText(oneLine(text), ROW_TEXT))
  const left = [
    `${all.map(bookmark).join('')}{\\bfseries ${numbersText(all)}\\enspace ${texText(title, { max: 160 })}}`,
    ...places.map((place) => `\\quiet{${texText(place, { max: 160 })}}`),
    ...(all.length > MAX_SHOWN ? [`\\quiet{${w('and {1} more in findings.json', all.length - MAX_SHOWN)}}`] : []),
    ...(first.decision === null ? [] : [`\\lead{${w('Decision')}}${texText(first.decision, { max: 300 })}`]),
  ]
  const right = [
    `${texMarked(said[0] ?? '', ROW_TEXT + 10)}${shown ? ` \\code{${texText(mark, { face: 'mono' })}}` : ''}`,
    `\\lead{${w('How to fix it')}}${texMarked(said[1] ?? '', ROW_TEXT + 10)}`,
  ]
  const classes = rowClasses(first)
  const long = linesOf([title, ...places, ...(all.length > MAX_SHOWN ? ['1'] : []), first.decision ?? ''], LINE[0])
  const beside = linesOf([`${said[0]}${shown ? mark : ''}`, `${w('How to fix it')} ${said[1]}`], LINE[1])
  // What it is found by stands where the row has room for it: a line of every second row.
  const small = linesOf([classes.map(({ name }) => name).join('  •  ')], SMALL_LINE)
  const side = Math.max(long + small, beside) <= Math.max(long, beside + 1) ? left : right
  side.push(`{\\footnotesize\\color{muted}${classes.map(({ tex }) => tex).join(DOT)}}`)
  return [left.join('\\newline '), right.join('\\newline ')]
}

/** About so many lines of so many characters. */
const linesOf = (paragraphs: readonly string[], width: number): number =>
  paragraphs.reduce((sum, text) => sum + Math.ceil(text.length / width), 0)

/** Characters of a decisive part that stands in a row. */
const SHORT_MARK = 90

/** Listings and paragraphs are for what is shown in full. */
const oneLine = (text: string): string => text.replaceAll('```', '').replace(/\s+/g, ' ').trim()

const shownPlace = ({ places: [first = '', ...others], morePlaces }: FindingView, w: Words): string => {
  const more = others.length + morePlaces
  return `${first}${more > 0 ? ` ${w('and {1} more', more)}` : ''}`
}

/** In one paragraph where what was seen is one. */
const seen = (view: FindingView, w: Words): string => {
  const where = `\\lead{${w('Where')}}${placesText(view, w)}\\par}`
  const { detail } = view.finding
  return /\n\s*\n|```/.test(detail)
    ? `${prose(detail, 'What was seen', w)}\n\\nobreak{\\RaggedRight${where}`
    : `{\\RaggedRight\\lead{${w('What was seen')}}${texMarked(detail.trim())}\\hskip .8em\\relax ${where}`
}

const evidence = ({ finding: { proof } }: FindingView, w: Words): string =>
  proof === null
    ? ''
    : texListing(proof, { words: w, ...(proof.mark === null && { lines: UNMARKED_LINES }), replay: proof.replay })

const vulnerabilities = ({ cve }: FindingView, w: Words): string => {
  if (cve.length === 0) return ''
  const shown = cve.slice(0, MAX_CVES).map((text) => texText(text))
  const more = cve.length > MAX_CVES ? [`\\quiet{${w('and {1} more in findings.json', cve.length - MAX_CVES)}}`] : []
  return `{\\RaggedRight\\parskip=0pt\\lead{${w('Known vulnerabilities')}}${[...shown, ...more].join('\\par\n')}\\par}`
}

const meta = ({ finding, module, shift, compared }: FindingView, { shift: saidBefore, w }: Said): string =>
  [
    w.confidence[finding.confidence],
    ...(compared ? [w(finding.status === 'new' ? 'New' : 'Recurring')] : []),
    ...(finding.triage.state === 'open' ? [] : [w(TRIAGE_NAMES[finding.triage.state])]),
    texText(module, { max: 60 }),
    ...(finding.shift === null || shift === null
      ? []
      : [
          finding.shift.reason === saidBefore
            ? w('{1} in general, {2} here', w.severity[finding.shift.base], w.severity[finding.severity].toLowerCase())
            : texText(shift.replace(/\.$/, ''), { max: 200 }),
        ]),
  ].join(DOT)

const pill = ({ finding }: FindingView, w: Words): string =>
  `\\pill{${finding.severity}}{${w.severity[finding.severity].toUpperCase()}}`

const bookmark = ({ finding, number, hint: more }: FindingView): string =>
  `\\finding{${finding.severity}}{${number}}{${texPlain(more === '' ? finding.title : `${finding.title}: ${more}`, 120)}}`

const resolved = ({ file, words: w }: ReportModel): string =>
  file.resolved.length === 0
    ? ''
    : [
        subheading(w('Gone since the last scan'), 'resolved'),
        `{\\RaggedRight ${w('These problems of the last finished scan were looked for again and are no longer there')}:\\par}`,
        table(
          [18, 76, 64],
          [w('Severity'), w('Problem'), w('Where')],
          file.resolved
            .slice(0, 200)
            .map((entry) => [
              `\\pill{${entry.severity}}{${w.severity[entry.severity].toUpperCase()}}`,
              texText(entry.title, { max: 300 }),
              texText(placeText(entry.location, w('parameter')), { max: 300 }),
            ]),
        ),
        file.resolved.length > 200
          ? `\\quiet{${w('and {1} more in findings.json', file.resolved.length - 200)}}\\par`
          : '',
      ].join('\n')

const MAX_REFERENCES = 1
/** Characters of an address: three of them stand before what matters; findings.json has them whole. */
const MAX_PLACE = 200
const DOT = '\\hskip .5em\\textbullet\\hskip .5em '

const placesText = ({ places: shown, morePlaces }: FindingView, w: Words): string =>
  [
    shown.map((place) => `\\inplace{${texText(place, { face: 'mono', max: MAX_PLACE })}}`).join(DOT),
    ...(morePlaces > 0 ? [`\\quiet{${w('and {1} more in findings.json', morePlaces)}}`] : []),
  ].join(' ')

/** Paragraphs at empty lines, fenced blocks as listings, `code` between backticks; the lead runs into the first. */
export const prose = (text: string, lead: Phrase, w: Words): string => {
  if (text.trim() === '') return ''
  const parts = text
    .slice(0, 12_000)
    .toWellFormed()
    .split(/```[a-z]*\n([\s\S]*?)```/)
    .flatMap((part, index) =>
      index % 2 === 1
        ? [texListing({ excerpt: part, mark: null }, { words: w, lines: 30 })]
        : part
            .split(/\n\s*\n/)
            .filter((paragraph) => paragraph.trim() !== '')
            .map((paragraph) => `${texMarked(paragraph.trim())}\\par}`),
    )
    .filter((part) => part !== '')
  const opened = parts.map((part) => (part.startsWith('\\begin{listing}') ? part : `{\\RaggedRight ${part}`))
  const [first = '', ...others] = opened
  const head = `\\lead{${w(lead)}}`
  return first.startsWith('\\begin')
    ? [`{${head}\\par}`, ...opened].join('\n')
    : [first.replace('{\\RaggedRight ', () => `{\\RaggedRight ${head}`), ...others].join('\n')
}

/** How the problem is classed and where to read more, in one small paragraph that no page divides; findings.json has the rest. */
export const fineprint = (view: FindingView, w: Words): string => {
  const { evidence, finding } = view
  const references = finding.references.filter((address) => !/^https:\/\/cwe\.mitre\.org\//.test(address))
  const parts = [
    ...smallClasses(view, w),
    ...(evidence.length > 0 ? [`${w('evidence')} ${texText(evidence.join(', '), { max: 600 })}`] : []),
    ...references.slice(0, MAX_REFERENCES).map((address) => link(address, addressName(address))),
  ]
  return `\\fineprint{${parts.join(DOT)}}`
}

/** Characters of an address that is printed whole: what fits on the line of the classes. */
const WHOLE_ADDRESS = 56

/** Of a longer one its host and its last part, which say what it is; the link has all of it, and so has findings.json. */
const addressName = (address: string): string => {
  const name = address.replace(/^https:\/\/(?:www\.)?/, '').replace(/\/$/, '')
  if (name.length <= WHOLE_ADDRESS) return name
  const [host = '', ...path] = name.split('/')
  const last = path.at(-1)?.replace(/[?#].*$/, '') ?? ''
  return last === '' ? host : `${host}/…/${clippedText(last, Math.max(40, WHOLE_ADDRESS - host.length))}`
}

const weakness = ({ finding }: FindingView): string[] =>
  finding.cwe === null ? [] : [link(`https://cwe.mitre.org/data/definitions/${finding.cwe}.html`, `CWE-${finding.cwe}`)]

/** Of what can wait: by these it is found in findings.json. */
const rowClasses = (view: FindingView): readonly { readonly name: string; readonly tex: string }[] => [
  ...weakness(view).map((tex) => ({ name: `CWE-${view.finding.cwe}`, tex })),
  { name: view.finding.check_id, tex: texText(view.finding.check_id, { max: 200 }) },
]

/** The classes that readers search for: weakness, score, check. */
const smallClasses = (view: FindingView, w: Words): string[] => {
  const { finding } = view
  const scores = [
    ['4.0', finding.cvss?.v4_0],
    ['3.1', finding.cvss?.v3_1],
    ['3.0', finding.cvss?.v3_0],
    ['2.0', finding.cvss?.v2_0],
  ] as const
  const [version, score] = scores.find(([, scored]) => scored) ?? []
  return [
    ...weakness(view),
    ...finding.owasp.slice(-1).map((category) => texText(`OWASP ${category}`, { max: 100 })),
    ...(score ? [`CVSS ${version}: ${w.decimal(score.score, 1)}`] : []),
    texText(finding.check_id, { max: 200 }),
  ]
}

const link = (address: string, name: string): string => {
  const target = texAddress(address)
  const text = texText(name, { max: 300 })
  return target === null ? text : `\\href{${target}}{${text}}`
}
