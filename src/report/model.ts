/** The report as its reader sees it: what findings.json holds, in order, in words. Pure. */

import { type Finding, SEVERITIES, type Severity } from '../contract/finding.ts'
import type { FindingsFile } from '../contract/findings-file.ts'
import { type ReportSection, USUAL_SECTIONS } from '../contract/report.ts'
import { runSwitches } from '../contract/run-switches.ts'
import { canonical, isOpen, placeText } from './canonical.ts'
import { type CoverageView, coverageView } from './coverage.ts'
import { longDate, many, number, span } from './format.ts'
import { hints } from './hints.ts'
import { type PlanPart, planOf } from './plan.ts'
import { type ReachView, reachView } from './reach.ts'
import { type Summary, summarise } from './summary.ts'
import { VERIFY_TEXT } from './wording.ts'

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
  /** Words of the owners before the summary; null leaves them out. */
  readonly introduction: string | null
  readonly sections: readonly ReportSection[]
  /** Fingerprint of the key that signs this version; null where none does. */
  readonly signer: string | null
}

export const NO_EXTRAS: ReportExtras = {
  ...{ organisation: null, watermark: null, introduction: null, sections: USUAL_SECTIONS },
  signer: null,
  ...{ moduleTitles: {}, evidence: {} },
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
}

export interface ReportModel {
  readonly file: FindingsFile
  readonly extras: ReportExtras
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

export const SEVERITY_NAMES: Readonly<Record<Severity, string>> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  info: 'Info',
}

/** Beyond this number a finding has its line in the overview, its details only in findings.json. */
export const MAX_DETAILED = 500
const MAX_PLACES = 3

/** @throws as `canonical` does. */
export const reportModel = (input: FindingsFile, extras: ReportExtras): ReportModel => {
  const file = canonical(input)
  const moduleTitle = (id: string): string => extras.moduleTitles[id] ?? titled(id)
  const hintOf = hints(file.findings)
  const views = file.findings.map((finding, index) => ({
    ...findingView(finding, index + 1, moduleTitle, extras),
    hint: hintOf.get(finding.id) ?? '',
  }))
  const coverage = coverageView(file.coverage, moduleTitle)
  const sections = numbered(extras.sections)
  return {
    file,
    extras,
    date: longDate(file.run.finished_at),
    total: views.length,
    groups: SEVERITIES.map((severity) => ({
      severity,
      findings: views.filter(({ finding }) => finding.severity === severity),
    })).filter(({ findings }) => findings.length > 0),
    summary: summarise(file, views, coverage, sections),
    plan: planOf(views),
    coverage,
    reach: reachView(file.reach),
    particulars: particulars(file, extras),
    circumstances: circumstances(file, sections.tables === null ? 'findings.json' : `annex ${sections.tables}`),
    moduleTitle,
    sections,
  }
}

const findingView = (
  finding: Finding,
  order: number,
  moduleTitle: (id: string) => string,
  extras: ReportExtras,
): Omit<FindingView, 'hint'> => {
  const places = [...new Set([finding.location, ...finding.places].map(placeText))].filter((place) => place !== '')
  return {
    number: order,
    finding,
    module: moduleTitle(finding.module),
    places: places.slice(0, MAX_PLACES),
    morePlaces: Math.max(0, places.length - MAX_PLACES),
    shift: finding.shift
      ? `${SEVERITY_NAMES[finding.shift.base]} in general, ${SEVERITY_NAMES[finding.severity].toLowerCase()} here: ${finding.shift.reason}.`
      : null,
    decision: decisionText(finding),
    cve: finding.cve.map(cveText),
    classes: [
      ...finding.owasp.map((category) => `OWASP ${category}`),
      ...(finding.standard ? [finding.standard] : []),
      ...[finding.cvss?.v4_0, finding.cvss?.v3_1, finding.cvss?.v3_0, finding.cvss?.v2_0].flatMap((scored) =>
        scored ? [`CVSS ${scored.score.toFixed(1)} (${scored.vector})`] : [],
      ),
    ],
    evidence: finding.evidence.flatMap((id) => extras.evidence[id] ?? []),
  }
}

const decisionText = ({ triage }: Finding): string | null => {
  if (isOpen({ triage })) return null
  const until = triage.expires_at === null ? '' : ` until ${longDate(triage.expires_at)}`
  const what =
    triage.state === 'accepted'
      ? `Accepted by ${triage.owner}${until}`
      : `Called a false positive by ${triage.owner}${until}`
  return `${what}: ${triage.reason}`
}

const cveText = ({ id, match, epss, kev }: Finding['cve'][number]): string =>
  [
    `${id} (${match === 'certain' ? 'certain' : 'possible, by the version alone'})`,
    ...(epss ? [`chance of attacks within 30 days ${(epss.score * 100).toFixed(1)} % (EPSS)`] : []),
    ...(kev
      ? [`known to be attacked since ${longDate(kev.date_added)}${kev.ransomware ? ', also for ransom' : ''}`]
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
): ReportModel['circumstances'] => {
  const seconds = (Date.parse(run.finished_at) - Date.parse(run.started_at ?? run.created_at)) / 1000
  const rows: (readonly [string, string])[] = [
    ['Target', target.url ?? target.domain],
    ['Addresses', target.addresses.join(', ') || 'none found'],
    ['Kind of scan', run.tier === 'active' ? 'active: also sent probes' : 'passive: asked only what a browser asks'],
    ...(run.environment === undefined ? [] : [['Environment', ENVIRONMENTS[run.environment]] as const]),
    ['Kind of site', run.context ?? 'not stated; severities are as is'],
    ['Options', optionText(run.options)],
    ['Started', (run.started_at ?? run.created_at).replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')],
    ['Duration', span(seconds)],
    [
      'Requests',
      `${number(run.requests)}${seconds > 0 ? `, ${(run.requests / seconds).toFixed(1)} a second on average` : ''}`,
    ],
    ...(sending === undefined || sending.written.length === 0
      ? []
      : [['Written', writtenText(sending, annex)] as const]),
    ['Scanner', run.scanner],
    [
      'Knowledge',
      Object.entries(knowledge)
        .map(([feed, version]) => `${feed} ${version}`)
        .join(', ') || 'none used',
    ],
    ...gapsOfKnowledge(tables, annex),
    ['Run', versionText(run.id, version)],
  ]
  return rows
}

const particulars = (
  { target, run, version, judged_again: judged }: FindingsFile,
  { organisation, signer }: ReportExtras,
): ReportModel['particulars'] => [
  ...(organisation === null ? [] : [['Prepared for', organisation] as const]),
  ['Target', target.url ?? target.domain],
  ['Scanned by', run.scanner],
  ['Run', versionText(run.id, version)],
  ...(judged === undefined ? [] : [['Judged again', judgedText(judged)] as const]),
  ...(signer === null
    ? []
    : ([
        ['Signed by', signer],
        ['To verify', VERIFY_TEXT],
      ] as const)),
]

const judgedText = ({ at, feeds }: NonNullable<FindingsFile['judged_again']>): string => {
  const news = Object.entries(feeds).map(([feed, version]) => `${feed} ${version}`)
  return `on ${at.slice(0, 10)} from what was stored, after news from ${news.join(', ')}; the target was not asked`
}

/** Which rendering of which run; by these words a copy is known again (src/signature/given.ts). */
export const versionText = (run: string, version: number | undefined): string =>
  version === undefined ? run : `${run}, version ${version}`

/** Of the table of feeds, whose last column warns. */
const gapsOfKnowledge = (tables: FindingsFile['tables'], annex: string): readonly (readonly [string, string])[] => {
  const rows = tables.find(({ id }) => id === 'knowledge-feeds')?.rows ?? []
  const warned = rows.filter((row) => row.at(-1) !== '')
  if (warned.length === 0) return []
  const names = warned.map(([feed = '']) => feed).join(', ')
  return [['Knowledge gaps', `old or never imported, as ${annex} says: ${names}`]]
}

const writtenText = ({ written, marker }: NonNullable<FindingsFile['sending']>, annex: string): string =>
  `${many(written.length, 'form')} may have stored something; ${annex} lists them for cleaning up${marker === null ? '' : `, values that the scan made up hold ${marker}`}`

const ENVIRONMENTS = {
  production: 'production: nothing was sent that stores, changes, orders, sends or configures',
  test: 'test: requests that may write were sent, within bounds',
} as const

const optionText = (options: FindingsFile['run']['options']): string =>
  [
    ...runSwitches.flatMap(([name, { reported }]) => reported?.[options[name] ? 'on' : 'off'] ?? []),
    ...(options.exclude?.length ? [`never asked for: ${options.exclude.join(' ')}`] : []),
  ].join(', ')

const titled = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1).replaceAll('-', ' ')
