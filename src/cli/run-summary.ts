/** A run on one screen of 80 columns and 24 lines: what it is worth, what to fix first, what nobody looked at. */
import { type Coverage, type Finding, SEVERITIES, type Severity } from '../contract/finding.ts'
import { type ReachSummary, reachText } from '../contract/reach.ts'
import type { ReportState } from '../contract/report.ts'
import type { RunState } from '../contract/run.ts'
import { locationText } from './findings-text.ts'
import { clean, counted, countsText, cut, elapsed, paint, type Screen, wrap } from './screen.ts'

export interface RunSummary {
  readonly run: RunState
  readonly findings: readonly Finding[]
  readonly coverage: readonly Coverage[]
  /** Null of a passive run. */
  readonly reach: ReachSummary | null
  /** Where the files are, and their names; null where they are not on this machine. */
  readonly files: { readonly folder: string; readonly names: readonly string[] } | null
  /** The command that says all of what is shortened here. */
  readonly whole: string
  /** Commands worth giving next, each with what it does. */
  readonly next: readonly (readonly [command: string, what: string])[]
}

const MAX_WORST = 5
const MAX_GAPS = 3

export const summaryText = (
  screen: Screen,
  { run, findings, coverage, reach, files, whole, next }: RunSummary,
): string =>
  [
    head(screen, run),
    // A report that failed needs two lines.
    worst(screen, findings, run.report.state === 'failed' ? MAX_WORST - 1 : MAX_WORST),
    gapsText(screen, coverage, reach),
    files === null
      ? ''
      : `${label(screen, 'Files')} ${clean(files.folder)}\n${wrap(files.names.join(', '), width(screen), '  ')}`,
    reportInBrief(screen, run.report, whole),
    next.map(([command, what]) => `${label(screen, 'Next')} ${command}  ${paint(screen, 'dim', what)}\n`).join(''),
  ].join('')

/** What is to be said of a report that is not simply there; empty otherwise. */
export const reportText = (screen: Screen, { state, reason }: ReportState): string => {
  if (state === 'pending') return `${label(screen, 'Report')} the PDF is still being made\n`
  if (state === 'failed') return wrap(`${label(screen, 'Report')} no PDF: ${clean(reason ?? '')}`, width(screen), '')
  return ''
}

/** Two lines of it, ended where a sentence does: half of a command would be copied. The whole is a command away. */
const reportInBrief = (screen: Screen, report: ReportState, whole: string): string => {
  const text = reportText(screen, report)
  if (linesOf(text) <= 2) return text
  const sentences = clean(report.reason ?? '').split(/(?<=[.!?])\s+/)
  const [brief] = sentences
    .map((_, left) => sentences.slice(0, -1 - left).join(' '))
    .filter((reason) => reason !== '')
    .map((reason) => reportText(screen, { ...report, reason }))
    .filter((shorter) => linesOf(shorter) === 1)
  return `${brief ?? `${label(screen, 'Report')} no PDF\n`}       the whole reason: ${whole}\n`
}

const linesOf = (text: string): number => text.split('\n').length - 1

const width = (screen: Screen): number => Math.max(40, screen.columns() - 1)

const label = (screen: Screen, text: string): string => paint(screen, 'bold', text.padEnd(6))

const head = (screen: Screen, run: RunState): string => {
  const style = run.status === 'done' ? 'good' : 'bad'
  const grade = run.grade === null ? '' : `  grade ${paint(screen, 'bold', run.grade)}`
  const error =
    run.error_kind === null ? '' : wrap(`${run.error_kind}: ${clean(run.error_detail ?? '')}`, width(screen), '')
  const title = cut(clean(run.domain), width(screen) - 40)
  return (
    `${paint(screen, 'bold', title)}  ${run.tier}  ${paint(screen, style, run.status)}${grade}  ${elapsed(run.duration_ms)}\n` +
    `${error}${countsText(screen, run.counts)}\n`
  )
}

/** Each problem once, the gravest first; what was decided about is no news. */
const worst = (screen: Screen, findings: readonly Finding[], most: number): string => {
  const open = findings.filter(({ severity, triage }) => severity !== 'info' && triage.state === 'open')
  const groups = Map.groupBy(
    open.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity)),
    ({ check_id, title }) => `${check_id} ${title}`,
  )
  if (groups.size === 0) return '\nNothing to fix was found by the checks that could look.\n'
  const lines = [...groups.values()].slice(0, most).map((group) => worstLine(screen, group))
  const more = groups.size - lines.length
  return `\n${paint(screen, 'bold', 'Fix first')}${more > 0 ? paint(screen, 'dim', `  (${counted(more, 'more problem')})`) : ''}\n${lines.join('')}`
}

const SEVERITY_WIDTH = Math.max(...SEVERITIES.map((severity) => severity.length))

const worstLine = (screen: Screen, [first, ...others]: readonly Finding[]): string => {
  if (first === undefined) return ''
  const alike = others.length === 0 ? '' : ` (+${others.length})`
  const room = width(screen) - SEVERITY_WIDTH - 4
  const title = cut(clean(first.title), Math.ceil(room * 0.62) - alike.length) + alike
  const place = cut(pathOf(first), room - [...title].length - 2)
  return `  ${severityText(screen, first.severity)}  ${title}  ${paint(screen, 'dim', place)}\n`
}

const severityText = (screen: Screen, severity: Severity): string =>
  paint(screen, severity, severity.padEnd(SEVERITY_WIDTH))

/** Without the host, which all places of a run share as a rule. */
const pathOf = ({ location }: Finding): string => {
  const url = URL.parse(location.url ?? '')
  return locationText(url === null ? location : { ...location, url: url.pathname + url.search })
}

/** How much of what takes values was asked: the first kind says most. */
const reachLine = (screen: Screen, reach: ReachSummary | null): string => {
  const [first] = reach?.kinds ?? []
  return first ? `${paint(screen, 'bold', 'Reach')}: ${cut(reachText(first), width(screen) - 7)}\n` : ''
}

/** What kept several modules from looking is one thing to a person; the one with the most checks stands for them. */
const modulesText = (checks: readonly Coverage[]): string => {
  const [first = '', ...others] = [...Map.groupBy(checks, ({ module }) => module)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([module]) => module)
  return others.length === 0 ? first : `${first} and ${others.length} more`
}

/** A reason that names a command or a setting: whoever reads it can do something about it. Of places there are other reasons, too. */
const MENDABLE = /^(?!of \d).*(?:\bsonde [a-z]|\bSONDE_[A-Z])/

/** The largest of all, then those that the reader can mend, then the next largest; the largest first. */
const toldOf = (groups: readonly Gap[], most: number): readonly Gap[] => {
  const bySize = groups.toSorted(([, a], [, b]) => b.length - a.length)
  const [largest, ...others] = bySize
  if (largest === undefined) return []
  const isMendable = ([why]: Gap): boolean => MENDABLE.test(why)
  const ranked = [largest, ...others.filter(isMendable), ...others.filter((gap) => !isMendable(gap))].slice(0, most)
  return bySize.filter((gap) => ranked.includes(gap))
}
type Gap = readonly [why: string, checks: readonly Coverage[]]

/** Checks that could not look, by reason: what they would have found is unknown, not clean. */
export const gapsText = (screen: Screen, coverage: readonly Coverage[], reach: ReachSummary | null): string => {
  const applies = coverage.filter(({ state, check_id }) => state !== 'not_applicable' && !check_id.endsWith('/*'))
  const unseen = applies.filter(({ state }) => state !== 'pass' && state !== 'fail')
  const places = reachLine(screen, reach)
  if (unseen.length === 0) {
    const all = applies.length === 1 ? 'The 1 check that applies' : `All ${applies.length} checks that apply`
    return `\n${all} could look.\n${places}\n`
  }
  const told = toldOf([...Map.groupBy(unseen, ({ reason, state }) => reason ?? state)], MAX_GAPS)
  const lines = told.map(([why, checks]) => {
    const text = `${modulesText(checks)}: ${why}`
    return `  ${String(checks.length).padStart(3)}  ${cut(clean(text), width(screen) - 7)}\n`
  })
  const rest = unseen.length - told.reduce((sum, [, checks]) => sum + checks.length, 0)
  const more = rest === 0 ? '' : paint(screen, 'dim', `; the report names the other ${rest}`)
  const title = `${paint(screen, 'bold', 'Not looked at')}: ${unseen.length} of ${counted(applies.length, 'check that applies', 'checks that apply')}`
  return `\n${title}${more}\n${lines.join('')}${places}\n`
}
