/** The report as its reader sees it: what findings.json holds, in order, in words. Pure. */

import { type Finding, SEVERITIES, type Severity } from '../contract/finding.ts'
import type { FindingsFile } from '../contract/findings-file.ts'
import type { Language } from '../contract/language.ts'
import { type OwnTexts, type ReportColours, type ReportSection, USUAL_SECTIONS } from '../contract/report.ts'
import { runSwitches } from '../contract/run-switches.ts'
import { canonical, isOpen, placeText } from './canonical.ts'
import { type CoverageView, coverageView } from './coverage.ts'
import { span } from './format.ts'
import { hints } from './hints.ts'
import { type Picture, picturesByFinding } from './pictures.ts'
import { type PlanPart, planOf } from './plan.ts'
import { type ReachView, reachView } from './reach.ts'
import { type Summary, summarise } from './summary.ts'
import { isCompared, VERIFY_TEXT } from './wording.ts'
import { type Phrase, type Words, wordsOf } from './words/words.ts'

/** What a report needs beyond findings.json. */
export interface ReportExtras {
  /** For whom it was made; null leaves the line out. */
  readonly organisation: string | null
  /** Mark on every page, for plans that carry one. */
  readonly watermark: string | null
  /** Headings by module id; a module without one is called by its id. */
  readonly moduleTitles: Readonly<Record<string, string>>
  /** Names of evidence files by artifact id. */
  readonly evidence: Readonly<Record<string, string>>
  /** Of the run's evidence, those that a report may draw. */
  readonly pictures: readonly Picture[]
  /** Words of the owners; what is not there is left out. */
  readonly texts: OwnTexts
  /** Of their house; ours where they have none. */
  readonly colours: ReportColours
  readonly sections: readonly ReportSection[]
  /** Of the report's own words; the file has its texts in it already. */
  readonly language: Language
  /** Fingerprint of the key that signs this version; null where none does. */
  readonly signer: string | null
}

export const NO_EXTRAS: ReportExtras = {
  ...{ organisation: null, watermark: null, texts: {}, colours: {}, sections: USUAL_SECTIONS },
  ...{ signer: null, language: 'en' },
  ...{ moduleTitles: {}, evidence: {}, pictures: [] },
}

export interface FindingView {
  /** 1 is the most urgent. */
  readonly number: number
  readonly finding: Finding
  readonly module: string
  /** What tells it from others of the same title; empty for a title that stands alone. */
  readonly hint: string
  readonly places: readonly string[]
  /** Places that are only in findings.json. */
  readonly morePlaces: number
  readonly shift: string | null
  /** What the owners decided about it; null while it is open. */
  readonly decision: string | null
  readonly cve: readonly string[]
  /** OWASP and CVSS, each with its name. */
  readonly classes: readonly string[]
  readonly evidence: readonly string[]
  /** What a browser showed; each picture stands at the first finding that it belongs to. */
  readonly pictures: readonly Picture[]
  /** Whether there is anything that it could be new against. */
  readonly compared: boolean
}

export interface ReportModel {
  readonly file: FindingsFile
  readonly extras: ReportExtras
  readonly words: Words
  readonly date: string
  readonly total: number
  readonly groups: readonly { readonly severity: Severity; readonly findings: readonly FindingView[] }[]
  readonly summary: Summary
  readonly plan: readonly PlanPart[]
  readonly coverage: CoverageView
  /** Null where the run has no reach to speak of: a passive one. */
  readonly reach: ReachView | null
  /** Label and value of what stands on the first page. */
  readonly particulars: readonly (readonly [label: string, value: string])[]
  /** Label and value of the table of the scan's circumstances. */
  readonly circumstances: readonly (readonly [label: string, value: string])[]
  readonly moduleTitle: (id: string) => string
  readonly sections: Sections
}

/** Number of each part that stands in this report, null where it was not asked for. */
export type Sections = Readonly<Record<ReportSection, string | null>>

/** Beyond this number a finding has its line in the overview, its details only in findings.json. */
export const MAX_DETAILED = 500
const MAX_PLACES = 3

/** @throws as `canonical` does. */
export const reportModel = (input: FindingsFile, extras: ReportExtras): ReportModel => {
  const file = canonical(input)
  const w = wordsOf(extras.language)
  const moduleTitle = (id: string): string => extras.moduleTitles[id] ?? titled(id)
  const hintOf = hints(file.findings, w('parameter'))
  const compared = isCompared(file)
  const pictures = picturesByFinding(file.findings.slice(0, MAX_DETAILED), extras.pictures)
  const views = file.findings.map((finding, index) => ({
    ...findingView(finding, index + 1, moduleTitle, { extras, w }),
    hint: hintOf.get(finding.id) ?? '',
    pictures: pictures.get(finding.id) ?? [],
    compared,
  }))
  const coverage = coverageView(file.coverage, moduleTitle, w)
  const sections = numbered(extras.sections)
  return {
    file,
    extras,
    words: w,
    date: w.date(file.run.finished_at),
    total: views.length,
    groups: SEVERITIES.map((severity) => ({
      severity,
      findings: views.filter(({ finding }) => finding.severity === severity),
    })).filter(({ findings }) => findings.length > 0),
    summary: summarise(file, views, { coverage, sections, w, introduced: extras.texts.introduction !== undefined }),
    plan: planOf(views, w),
    coverage,
    reach: reachView(file.reach, w),
    particulars: particulars(file, extras, w),
    circumstances: circumstances(file, sections.tables === null ? 'findings.json' : w('annex {1}', sections.tables), w),
    moduleTitle,
    sections,
  }
}

const findingView = (
  finding: Finding,
  order: number,
  moduleTitle: (id: string) => string,
  { extras, w }: { readonly extras: ReportExtras; readonly w: Words },
): Omit<FindingView, 'hint' | 'compared' | 'pictures'> => {
  const places = [
    ...new Set([finding.location, ...finding.places].map((place) => placeText(place, w('parameter')))),
  ].filter((place) => place !== '')
  return {
    number: order,
    finding,
    module: moduleTitle(finding.module),
    places: places.slice(0, MAX_PLACES),
    morePlaces: Math.max(0, places.length - MAX_PLACES),
    shift: finding.shift
      ? w(
          '{1} in general, {2} here: {3}.',
          w.severity[finding.shift.base],
          w.severity[finding.severity].toLowerCase(),
          finding.shift.reason,
        )
      : null,
    decision: decisionText(finding, w),
    cve: finding.cve.map((cve) => cveText(cve, w)),
    classes: [
      ...finding.owasp.map((category) => `OWASP ${category}`),
      ...(finding.standard ? [finding.standard] : []),
      ...[finding.cvss?.v4_0, finding.cvss?.v3_1, finding.cvss?.v3_0, finding.cvss?.v2_0].flatMap((scored) =>
        scored ? [`CVSS ${w.decimal(scored.score, 1)} (${scored.vector})`] : [],
      ),
    ],
    evidence: finding.evidence.flatMap((id) => extras.evidence[id] ?? []),
  }
}

const decisionText = ({ triage }: Finding, w: Words): string | null => {
  if (isOpen({ triage })) return null
  const until = triage.expires_at === null ? '' : ` ${w('until {1}', w.date(triage.expires_at))}`
  const owner = triage.owner ?? ''
  const what = triage.state === 'accepted' ? w('Accepted by {1}', owner) : w('Called a false positive by {1}', owner)
  return `${what}${until}: ${triage.reason}`
}

const cveText = ({ id, match, epss, kev }: Finding['cve'][number], w: Words): string =>
  [
    `${id} (${w(match === 'certain' ? 'certain' : 'possible, by the version alone')})`,
    ...(epss ? [w('chance of attacks within 30 days {1} % (EPSS)', w.decimal(epss.score * 100, 1))] : []),
    ...(kev
      ? [
          `${w('known to be attacked since {1}', w.date(kev.date_added))}${kev.ransomware ? `, ${w('also for ransom')}` : ''}`,
        ]
      : []),
  ].join('; ')

/** The summary is 1; annexes have letters. */
const numbered = (asked: readonly ReportSection[]): Sections => {
  const [method, findings, tables] = (['method', 'findings', 'tables'] as const).map((part) => asked.includes(part))
  return {
    method: method ? '2' : null,
    findings: findings ? (method ? '3' : '2') : null,
    tables: tables ? 'A' : null,
    checks: asked.includes('checks') ? (tables ? 'B' : 'A') : null,
  }
}

/** `annex`: where the modules' tables can be read. */
const circumstances = (
  { run, target, knowledge, sending, tables, version }: FindingsFile,
  annex: string,
  w: Words,
): ReportModel['circumstances'] => {
  const seconds = (Date.parse(run.finished_at) - Date.parse(run.started_at ?? run.created_at)) / 1000
  const rows: (readonly [string, string])[] = [
    [w('Target'), target.url ?? target.domain],
    [w('Addresses'), target.addresses.join(', ') || w('none found')],
    [
      w('Kind of scan'),
      w(run.tier === 'active' ? 'active: also sent probes' : 'passive: asked only what a browser asks'),
    ],
    ...(run.environment === undefined ? [] : [[w('Environment'), w(ENVIRONMENTS[run.environment])] as const]),
    [w('Kind of site'), run.context === null ? w('not stated; severities are as is') : w(run.context)],
    [w('Options'), optionText(run.options, w)],
    [w('Started'), (run.started_at ?? run.created_at).replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')],
    [w('Duration'), span(seconds)],
    [
      w('Requests'),
      `${w.number(run.requests)}${seconds > 0 ? `, ${w('{1} a second on average', w.decimal(run.requests / seconds, 1))}` : ''}`,
    ],
    ...(sending === undefined || sending.written.length === 0
      ? []
      : [[w('Written'), writtenText(sending, annex, w)] as const]),
    [w('Scanner'), run.scanner],
    [
      w('Knowledge'),
      Object.entries(knowledge)
        .map(([feed, version]) => `${feed} ${version}`)
        .join(', ') || w('none used'),
    ],
    ...gapsOfKnowledge(tables, annex, w),
    [w('Run'), versionText(run.id, version, w)],
  ]
  return rows
}

const particulars = (
  { target, run, version, judged_again: judged }: FindingsFile,
  { organisation, signer, texts: { authoriser, tester } }: ReportExtras,
  w: Words,
): ReportModel['particulars'] => [
  ...(organisation === null ? [] : [[w('Prepared for'), organisation] as const]),
  [w('Target'), target.url ?? target.domain],
  ...(authoriser === undefined ? [] : [[w('Authorised by'), authoriser] as const]),
  ...(tester === undefined ? [] : [[w('Tested by'), tester] as const]),
  [w('Scanned by'), run.scanner],
  [w('Run'), versionText(run.id, version, w)],
  ...(judged === undefined ? [] : [[w('Judged again'), judgedText(judged, w)] as const]),
  ...(signer === null
    ? []
    : ([
        [w('Signed by'), signer],
        [w('To verify'), w(VERIFY_TEXT)],
      ] as const)),
]

const judgedText = ({ at, feeds }: NonNullable<FindingsFile['judged_again']>, w: Words): string => {
  const news = Object.entries(feeds).map(([feed, version]) => `${feed} ${version}`)
  return w(
    'on {1} from what was stored, after news from {2}; the target was not asked',
    at.slice(0, 10),
    news.join(', '),
  )
}

/** Which rendering of which run; by these words a copy is known again (src/signature/given.ts). */
export const versionText = (run: string, version: number | undefined, w: Words): string =>
  version === undefined ? run : w('{1}, version {2}', run, version)

/** Of the table of feeds, whose last column warns. */
const gapsOfKnowledge = (
  tables: FindingsFile['tables'],
  annex: string,
  w: Words,
): readonly (readonly [string, string])[] => {
  const rows = tables.find(({ id }) => id === 'knowledge-feeds')?.rows ?? []
  const warned = rows.filter((row) => row.at(-1) !== '')
  if (warned.length === 0) return []
  const names = warned.map(([feed = '']) => feed).join(', ')
  return [[w('Knowledge gaps'), w('old or never imported, as {1} says: {2}', annex, names)]]
}

const writtenText = ({ written, marker }: NonNullable<FindingsFile['sending']>, annex: string, w: Words): string =>
  `${w('{1} may have stored something, as nothing shows that they only read; {2} lists them', w.many(written.length, 'form'), annex)}${marker === null ? '' : `, ${w('values that the scan made up hold {1}', marker)}`}`

const ENVIRONMENTS = {
  production: 'production: nothing was sent that is known to store, change, order, send or configure something',
  test: 'test: requests that may write were sent, within bounds',
} as const satisfies Readonly<Record<string, Phrase>>

const optionText = (options: FindingsFile['run']['options'], w: Words): string =>
  [
    ...runSwitches.flatMap(([name, { reported }]) => reported?.[options[name] ? 'on' : 'off'] ?? []).map(w.known),
    ...(options.start_paths?.length ? [w('begun also at: {1}', options.start_paths.join(' '))] : []),
    ...(options.exclude?.length ? [w('never asked for: {1}', options.exclude.join(' '))] : []),
  ].join(', ')

const titled = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1).replaceAll('-', ' ')
