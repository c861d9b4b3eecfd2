import { compareSeverity, type Finding, type Location, SEVERITIES } from '../contract/finding.ts'
import { FindingsFile } from '../contract/findings-file.ts'
import type { Counts } from '../contract/run.ts'
import { openCounts } from '../contract/triage.ts'

/**
 * The one form of a result that every format is written from: valid by the contract, in an order that depends on
 * nothing but the content, with counts that are those of the findings.
 * @throws {z.ZodError} when the file is not valid, Error when its counts are not those of its findings.
 */
export const canonical = (file: FindingsFile): FindingsFile => {
  const parsed = FindingsFile.parse(file)
  const counts = countFindings(parsed.findings)
  const open = openCounts(parsed.findings)
  if (SEVERITIES.some((severity) => open[severity] !== parsed.open_counts[severity]))
    throw new Error('The open counts of the file are not those of its findings')
  const wrong = SEVERITIES.find((severity) => counts[severity] !== parsed.counts[severity])
  if (wrong !== undefined)
    throw new Error(`The file counts ${parsed.counts[wrong]} findings of severity ${wrong}, it has ${counts[wrong]}`)
  return {
    ...parsed,
    findings: parsed.findings.toSorted(compareFindings),
    coverage: parsed.coverage.toSorted((a, b) => compareText(a.check_id, b.check_id)),
    resolved: parsed.resolved.toSorted(
      (a, b) => compareSeverity(a.severity, b.severity) || compareText(a.fingerprint, b.fingerprint),
    ),
    knowledge: Object.fromEntries(Object.entries(parsed.knowledge).toSorted(([a], [b]) => compareText(a, b))),
  }
}

export const countFindings = (findings: readonly Pick<Finding, 'severity'>[]): Counts => {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 }
  for (const finding of findings) counts[finding.severity]++
  return counts
}

/** Nobody has accepted it or called it a false positive. */
export const isOpen = ({ triage }: Pick<Finding, 'triage'>): boolean => triage.state === 'open'

/** The place as one line for a person: "GET https://shop.test/search?q=tea, parameter q" or "shop.test:443". */
export const placeText = ({ url, method, parameter, host, port }: Location, named = 'parameter'): string => {
  const where = url ?? (host === undefined ? '' : port === undefined ? host : `${host}:${port}`)
  const request = method === undefined || method === 'GET' ? where : `${method} ${where}`
  return parameter === undefined ? request : `${request}${request === '' ? '' : ', '}${named} ${parameter}`
}

const CONFIDENCES: readonly Finding['confidence'][] = ['confirmed', 'firm', 'tentative']

const compareFindings = (a: Finding, b: Finding): number =>
  compareSeverity(a.severity, b.severity) ||
  CONFIDENCES.indexOf(a.confidence) - CONFIDENCES.indexOf(b.confidence) ||
  compareText(a.check_id, b.check_id) ||
  compareText(placeText(a.location), placeText(b.location)) ||
  compareText(a.fingerprint, b.fingerprint)

/** By code units: the order must not depend on the machine's language. */
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * findings.json: valid by the published schema, keys in the schema's order, findings in the report's order. The same
 * result gives the same bytes.
 * @throws as `canonical` does.
 */
export const renderFindingsJson = (file: FindingsFile): string => `${JSON.stringify(canonical(file), null, 2)}\n`
