/**
 * SARIF 2.1.0 (OASIS) within what GitHub code scanning accepts: relative, non-empty URIs under `originalUriBaseIds`,
 * a start line, `primaryLocationLineHash`, at most 20 tags a rule and 100 shown locations a result.
 */
import type { Finding, Location, Severity } from '../contract/finding.ts'
import type { FindingsFile } from '../contract/findings-file.ts'
import { canonical, isOpen, placeText } from './canonical.ts'

const MAX_LOCATIONS = 100
const MAX_TEXT = 1000

export const renderSarif = (input: FindingsFile): string => {
  const file = canonical(input)
  const rules = ruleList(file.findings)
  const bases = new Bases(file.target)
  const results = file.findings.map((finding) => result(finding, rules, bases))
  const [name = 'Sonde', version = '0'] = file.run.scanner.split(/ (?=\d)/)
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name, version, rules: rules.map((entry) => entry.rule) } },
        automationDetails: { id: `sonde/${file.target.domain}/`, guid: file.run.id },
        invocations: [
          {
            executionSuccessful: true,
            startTimeUtc: file.run.started_at ?? file.run.created_at,
            endTimeUtc: file.run.finished_at,
          },
        ],
        originalUriBaseIds: bases.all(),
        columnKind: 'utf16CodeUnits',
        results,
        properties: {
          target: file.target,
          grade: file.grade,
          counts: file.counts,
          open_counts: file.open_counts,
          coverage: file.coverage,
          resolved: file.resolved,
          knowledge: file.knowledge,
          ...(file.judged_again === undefined ? {} : { judged_again: file.judged_again }),
        },
      },
    ],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

interface RuleEntry {
  readonly id: string
  readonly rule: object
}

/** One rule a check, described by its gravest finding: GitHub takes the severity of an alert from the rule. */
const ruleList = (findings: readonly Finding[]): RuleEntry[] =>
  Map.groupBy(findings, ({ check_id }) => check_id)
    .entries()
    .map(([id, [first, ...others]]) => ({ id, rule: first ? rule(first, others) : {} }))
    .toArray()
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))

const rule = (finding: Finding, others: readonly Finding[]): object => {
  // A check whose title comes from a source (a CVE, a template) has no title of its own.
  const title = others.every((other) => other.title === finding.title) ? finding.title : finding.check_id
  const scores = [finding, ...others].map(securitySeverity).filter((score) => score !== null)
  return {
    id: finding.check_id,
    name: finding.check_id.replaceAll(/(?:^|[/-])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
    shortDescription: { text: text(title) },
    fullDescription: { text: text(finding.description) },
    help: { text: finding.remediation, markdown: help(finding) },
    ...(finding.references[0] !== undefined && { helpUri: finding.references[0] }),
    defaultConfiguration: { level: LEVELS[finding.severity] },
    properties: {
      tags: tags([finding, ...others]),
      precision: PRECISIONS[finding.confidence],
      'problem.severity': PROBLEM_SEVERITIES[finding.severity],
      ...(scores.length > 0 && { 'security-severity': Math.max(...scores).toFixed(1) }),
    },
  }
}

const help = ({ description, remediation, references }: Finding): string =>
  [
    `## Why it matters\n\n${description}`,
    `## How to fix it\n\n${remediation}`,
    ...(references.length > 0 ? [`## References\n\n${references.map((link) => `- <${link}>`).join('\n')}`] : []),
  ].join('\n\n')

const tags = (findings: readonly Finding[]): string[] => {
  const all = findings.flatMap(({ cwe, owasp, module }) => [
    module,
    ...(cwe === null ? [] : [`external/cwe/cwe-${String(cwe).padStart(3, '0')}`]),
    ...owasp.map((category) => `external/owasp/${category.toLowerCase()}`),
  ])
  return ['security', ...new Set(all)].slice(0, 20)
}

const result = (finding: Finding, rules: readonly RuleEntry[], bases: Bases): object => ({
  ruleId: finding.check_id,
  ruleIndex: rules.findIndex(({ id }) => id === finding.check_id),
  guid: finding.id,
  level: LEVELS[finding.severity],
  message: { text: text(`${finding.title}: ${finding.detail}`) },
  locations: places(finding)
    .slice(0, MAX_LOCATIONS)
    .map((place) => location(place, finding, bases)),
  partialFingerprints: {
    primaryLocationLineHash: `${finding.fingerprint.slice(0, 32)}:1`,
    'sondeFingerprint/v1': finding.fingerprint,
  },
  baselineState: finding.status === 'new' ? 'new' : 'unchanged',
  ...(!isOpen(finding) && { suppressions: [suppression(finding)] }),
  ...(finding.location.url !== undefined && {
    webRequest: { method: finding.location.method ?? 'GET', target: finding.location.url, protocol: 'HTTP' },
  }),
  properties: {
    severity: finding.severity,
    confidence: finding.confidence,
    detail: finding.detail,
    cvss: finding.cvss,
    cve: finding.cve,
    shift: finding.shift,
    replay: finding.proof?.replay ?? null,
  },
})

/** SARIF 2.1.0, 3.35. GitHub shows such a result as dismissed. */
const suppression = ({ triage }: Finding): object => ({
  kind: 'external',
  status: 'accepted',
  justification: text(
    `${triage.state === 'accepted' ? 'Accepted' : 'False positive'} (${triage.owner}): ${triage.reason}`,
  ),
})

const places = ({ location: first, places: all }: Finding): Location[] => [
  ...new Map([first, ...all].map((place) => [placeText(place), place])).values(),
]

const location = (place: Location, finding: Finding, bases: Bases): object => ({
  physicalLocation: {
    artifactLocation: bases.artifact(place),
    region: {
      startLine: 1,
      ...(finding.proof && { snippet: { text: finding.proof.excerpt } }),
    },
  },
  logicalLocations: [{ fullyQualifiedName: placeText(place) || finding.module, kind: 'resource' }],
})

/** A page is a file below its site: the path is the relative URI, the site its base. */
class Bases {
  readonly #ids = new Map<string, string>()
  readonly #target: FindingsFile['target']

  constructor(target: FindingsFile['target']) {
    this.#target = target
    this.#id(URL.parse(target.url ?? '')?.origin ?? `https://${target.domain}`)
  }

  artifact({ url, host, port }: Location): { uri: string; uriBaseId: string } {
    const parsed = URL.parse(url ?? '')
    if (parsed !== null && parsed.host !== '')
      return { uri: pathOf(parsed), uriBaseId: this.#id(`${parsed.protocol}//${parsed.host}`) }
    const name = host ?? this.#target.domain
    return { uri: port === undefined ? 'host' : `port-${port}`, uriBaseId: this.#id(`host://${encodeURI(name)}`) }
  }

  all(): Readonly<Record<string, { uri: string }>> {
    return Object.fromEntries([...this.#ids].map(([origin, id]) => [id, { uri: `${origin}/` }]))
  }

  #id(origin: string): string {
    const known = this.#ids.get(origin)
    if (known !== undefined) return known
    const id = this.#ids.size === 0 ? 'SITE' : `SITE${this.#ids.size + 1}`
    this.#ids.set(origin, id)
    return id
  }
}

/** Never empty, never absolute, and without dot segments or empty ones, which GitHub refuses or folds together. */
const pathOf = ({ pathname }: URL): string => {
  const path = pathname
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => segment.replaceAll(':', '%3A'))
    .join('/')
  return path === '' ? 'index' : path.slice(0, MAX_TEXT)
}

/** Of the final severity: the score of the vector where it lies in the same band, else the middle of the band. */
const securitySeverity = ({ severity, cvss }: Finding): number | null => {
  const band = BANDS[severity]
  if (band === null) return null
  const score = (cvss?.v4_0 ?? cvss?.v3_1 ?? cvss?.v3_0 ?? cvss?.v2_0)?.score
  return score !== undefined && score >= band.from && score < band.below ? score : band.middle
}

/** GitHub: above 9.0 critical, from 7.0 high, from 4.0 medium, above 0 low. */
const BANDS: Readonly<Record<Severity, { from: number; below: number; middle: number } | null>> = {
  critical: { from: 9.1, below: 10.1, middle: 9.5 },
  high: { from: 7, below: 9.05, middle: 8 },
  medium: { from: 4, below: 7, middle: 5.5 },
  low: { from: 0.1, below: 4, middle: 2.5 },
  info: null,
}
const LEVELS: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  info: 'note',
}
const PROBLEM_SEVERITIES: Readonly<Record<Severity, 'error' | 'warning' | 'recommendation'>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'recommendation',
  info: 'recommendation',
}
const PRECISIONS = { confirmed: 'very-high', firm: 'high', tentative: 'medium' } as const

const text = (long: string): string => {
  const flat = long.toWellFormed()
  return flat.length <= MAX_TEXT ? flat || '-' : `${flat.slice(0, MAX_TEXT - 1).toWellFormed()}…`
}
