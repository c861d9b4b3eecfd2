/** Findings for a person at a terminal: the gravest first, under a heading for each severity. */
import type { DomainFinding } from '../contract/domain-finding.ts'
import { type Finding, type Location, SEVERITIES } from '../contract/finding.ts'
import { clean, cut, paint, type Screen, table, wrap } from './screen.ts'

export interface FindingsTextOptions {
  /** Also why it matters, how to fix it, how to see it again, and its id. */
  readonly long: boolean
}

export const findingsText = (screen: Screen, findings: readonly Finding[], { long }: FindingsTextOptions): string => {
  if (findings.length === 0) return 'No findings.\n'
  return SEVERITIES.map((severity) => {
    const own = findings.filter((finding) => finding.severity === severity)
    if (own.length === 0) return ''
    const heading = paint(screen, severity, `${severity.toUpperCase()} (${own.length})`)
    return `${heading}\n${own.map((finding) => findingText(screen, finding, long)).join('')}\n`
  }).join('')
}

/** Findings over runs and domains, a line each. */
export const problemsText = (findings: readonly DomainFinding[]): string => {
  const rows = findings.map((one) => [
    one.severity,
    one.state,
    clean(one.domain),
    clean(one.title),
    one.due === null ? '-' : `${one.due}${one.overdue ? ' overdue' : ''}`,
    clean(one.assignee ?? '-'),
    one.last_run,
    one.finding_id,
  ])
  return rows.length === 0
    ? 'No findings.\n'
    : table(['SEVERITY', 'STATE', 'DOMAIN', 'TITLE', 'DUE', 'ASSIGNEE', 'LAST RUN', 'FINDING'], rows)
}

export const locationText = (at: Location): string => {
  const host = at.host === undefined ? '' : `${at.host}${at.port === undefined ? '' : `:${at.port}`}`
  const place = at.url ?? host
  const method = at.method === undefined || at.method === 'GET' ? '' : `${at.method} `
  const parameter = at.parameter === undefined ? '' : ` [${at.parameter}]`
  return clean(`${method}${place}${parameter}`)
}

const findingText = (screen: Screen, finding: Finding, long: boolean): string => {
  const width = screen.columns()
  const more = finding.places.length > 1 ? ` and ${finding.places.length - 1} more` : ''
  const marks = [finding.confidence, ...(finding.status === 'new' ? ['new'] : []), ...decisionOf(finding)].join(', ')
  const about = paint(screen, 'dim', `${finding.check_id}  ${marks}`)
  const place = cut(`${locationText(finding.location)}${more}`, Math.max(20, width - 4))
  const head = `  ${paint(screen, 'bold', clean(finding.title))}  ${about}\n    ${place}\n`
  const seen = wrap(clean(finding.detail), width, '    ')
  if (!long) return `${head}${seen}`
  const fix = wrap(`Fix: ${clean(finding.remediation)}`, width, '    ')
  // A command is one line, to be copied.
  const replay = (finding.proof?.replay ?? '').split('\n').filter(Boolean)
  const commands = replay.map((line) => `    $ ${clean(line)}\n`).join('')
  const name = `    ${paint(screen, 'dim', `Finding ${finding.id}`)}\n`
  return `${head}${seen}${wrap(clean(finding.description), width, '    ')}${fix}${commands}${name}`
}

const decisionOf = ({ triage: { state, owner, reopened } }: Finding): string[] => {
  if (state !== 'open') return [`${state.replace('_', ' ')} by ${clean(owner ?? '')}`]
  return reopened === null ? [] : ['open again']
}
