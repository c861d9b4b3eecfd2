import { csvLine } from '../contract/csv.ts'
import type { Finding } from '../contract/finding.ts'
import type { FindingsFile } from '../contract/findings-file.ts'
import { canonical, placeText } from './canonical.ts'

/**
 * The findings as a table in UTF-8 with a byte order mark (spreadsheets take it for Latin-1 without), one row a finding.
 * @throws as `canonical` does.
 */
export const renderCsv = (input: FindingsFile): string => {
  const { findings, run, target } = canonical(input)
  const rows = findings.map((finding) => COLUMNS.map(([, cell]) => cell(finding)))
  const about = [target.domain, run.id, run.finished_at]
  const lines = [[...COLUMNS.map(([name]) => name), ...ABOUT], ...rows.map((row) => [...row, ...about])]
  return `\uFEFF${lines.map(csvLine).join('')}`
}

const ABOUT = ['domain', 'run', 'finished_at']

const COLUMNS: readonly (readonly [name: string, cell: (finding: Finding) => string])[] = [
  ['severity', ({ severity }) => severity],
  ['confidence', ({ confidence }) => confidence],
  ['title', ({ title }) => title],
  ['where', ({ location }) => placeText(location)],
  ['places', ({ places }) => String(Math.max(1, places.length))],
  ['detail', ({ detail }) => detail],
  ['remediation', ({ remediation }) => remediation],
  ['check', ({ check_id }) => check_id],
  ['cwe', ({ cwe }) => (cwe === null ? '' : `CWE-${cwe}`)],
  ['cvss', ({ cvss }) => String((cvss?.v4_0 ?? cvss?.v3_1 ?? cvss?.v3_0 ?? cvss?.v2_0)?.score ?? '')],
  ['cve', ({ cve }) => cve.map(({ id }) => id).join(' ')],
  ['known_exploited', ({ cve }) => (cve.some(({ kev }) => kev !== null) ? 'yes' : '')],
  ['status', ({ status }) => status],
  ['triage', ({ triage }) => triage.state],
  ['owner', ({ triage }) => triage.owner ?? ''],
  ['reason', ({ triage }) => triage.reason ?? ''],
  ['until', ({ triage }) => triage.expires_at ?? ''],
  ['references', ({ references }) => references.join(' ')],
  ['fingerprint', ({ fingerprint }) => fingerprint],
]
