/**
 * DefectDojo's "Generic Findings Import". Its parser refuses unknown keys, and its default deduplication hashes title,
 * CWE and description: nothing that changes from run to run may stand in these.
 */
import type { Finding, Location, Severity } from '../contract/finding.ts'
import type { FindingsFile } from '../contract/findings-file.ts'
import { canonical, isOpen, placeText } from './canonical.ts'

export const renderDefectDojo = (input: FindingsFile): string => {
  const file = canonical(input)
  const day = file.run.finished_at.slice(0, 10)
  const report = {
    name: 'Sonde',
    type: 'Sonde',
    version: file.run.scanner,
    description: `Security scan of ${file.target.domain}`,
    dynamic_tool: true,
    static_tool: false,
    findings: file.findings.map((finding) => item(finding, day)),
  }
  return `${JSON.stringify(report, null, 2)}\n`
}

const item = (finding: Finding, day: string): object => {
  const [cve] = finding.cve.toSorted((a, b) => (b.epss?.score ?? 0) - (a.epss?.score ?? 0))
  const attacked = finding.cve.flatMap(({ kev }) => kev ?? [])
  const exploited = attacked.toSorted((a, b) => (a.date_added < b.date_added ? -1 : 1))[0]
  const { v4_0 = null } = finding.cvss ?? {}
  // Its field is of version 3, whichever.
  const v3 = finding.cvss?.v3_1 ?? finding.cvss?.v3_0 ?? null
  return {
    title: finding.title.slice(0, 511),
    severity: SEVERITIES[finding.severity],
    // The place tells two findings of one check apart; it is the same in every run.
    description: `${finding.description || finding.title}\n\nWhere: ${placeText(finding.location) || finding.module}`,
    mitigation: finding.remediation,
    steps_to_reproduce: steps(finding),
    ...(finding.shift && {
      severity_justification: `${SEVERITIES[finding.shift.base]} in general, ${SEVERITIES[finding.severity]} here: ${finding.shift.reason}`,
    }),
    references: finding.references.join('\n'),
    date: day,
    active: isOpen(finding),
    false_p: finding.triage.state === 'false_positive',
    verified: finding.confidence === 'confirmed',
    scanner_confidence: CONFIDENCES[finding.confidence],
    dynamic_finding: true,
    static_finding: false,
    unique_id_from_tool: finding.fingerprint,
    vuln_id_from_tool: finding.check_id,
    ...(finding.cwe !== null && { cwe: finding.cwe }),
    ...(v3 && { cvssv3: v3.vector, cvssv3_score: v3.score }),
    ...(v4_0 && { cvssv4: v4_0.vector, cvssv4_score: v4_0.score }),
    ...(finding.cve.length > 0 && { vulnerability_ids: finding.cve.map(({ id }) => id) }),
    ...(cve?.epss && { epss_score: cve.epss.score, epss_percentile: cve.epss.percentile }),
    ...(exploited && {
      known_exploited: true,
      ransomware_used: attacked.some(({ ransomware }) => ransomware),
      kev_date: exploited.date_added,
    }),
    ...(finding.location.parameter !== undefined && { param: finding.location.parameter }),
    nb_occurences: Math.max(1, finding.places.length),
    endpoints: endpoints(finding),
    tags: [finding.module, ...finding.owasp].map((tag) => tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')),
  }
}

const steps = ({ detail, location, proof }: Finding): string =>
  [
    `Where: ${placeText(location)}`,
    detail,
    ...(proof ? [fenced(proof.excerpt)] : []),
    ...(proof?.replay ? [`To see it again:\n\n${fenced(proof.replay)}`] : []),
  ].join('\n\n')

/** A fence longer than any in the text: evidence cannot end the block. */
const fenced = (text: string): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}

const MAX_ENDPOINTS = 100

const endpoints = ({ location, places }: Finding): object[] => [
  ...new Map(
    [location, ...places].flatMap((place) => {
      const found = endpoint(place)
      return found === null ? [] : [[JSON.stringify(found), found] as const]
    }),
  )
    .values()
    .take(MAX_ENDPOINTS),
]

const endpoint = ({ url, host, port }: Location): object | null => {
  const parsed = URL.parse(url ?? '')
  if (parsed !== null && parsed.hostname !== '')
    return {
      protocol: parsed.protocol.replace(':', ''),
      host: parsed.hostname.replace(/^\[|\]$/g, ''),
      ...(parsed.port !== '' && { port: Number(parsed.port) }),
      ...(parsed.pathname.length > 1 && { path: parsed.pathname.slice(1, 500) }),
      ...(parsed.search.length > 1 && { query: parsed.search.slice(1, 1000) }),
    }
  return host === undefined ? null : { host, ...(port !== undefined && { port }) }
}

const SEVERITIES: Readonly<Record<Severity, string>> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  info: 'Info',
}
/** DefectDojo counts down: 1 certain, 4 firm, 7 tentative. */
const CONFIDENCES = { confirmed: 1, firm: 4, tentative: 7 } as const
