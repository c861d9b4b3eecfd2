/** Facts and checks in, findings and coverage out. Pure: the same facts give the same answer on any day. */
import {
  type Coverage,
  compareSeverity,
  type Location,
  type Proof,
  type Finding as ReportedFinding,
} from '../contract/finding.ts'
import type { AnyCheck, AnyModule } from '../modules/any-module.ts'
import { shiftSeverity } from '../modules/context.ts'
import type { Finding, FindingDefinition, JudgeContext, Judgement, Unjudged } from '../modules/module.ts'
import { owaspOf } from '../modules/owasp.ts'
import { cvssOf } from './cvss.ts'
import { fingerprintOf, type Identity, identityKey } from './identity.ts'

/** A finding as the engine hands it over: all but its id and its status against the last run, which the store knows. */
export type JudgedFinding = Omit<ReportedFinding, 'id' | 'status' | 'triage'>

export interface Judged {
  /** The gravest first, then by check, place and subject. */
  readonly findings: readonly JudgedFinding[]
  /** One line a definition, in the module's order. */
  readonly coverage: readonly Coverage[]
  /** Checks that threw or broke their contract: our fault, so they are logged and end inconclusive. */
  readonly failures: readonly { readonly check: string; readonly error: unknown }[]
}

/** Facts are the module's own, known are those of its needs. A check that fails sinks nothing but itself. */
export const judgeModule = (
  module: AnyModule,
  facts: unknown,
  known: Readonly<Record<string, unknown>>,
  about: JudgeContext,
): Judged => {
  const verdicts = module.checks.map((check) => verdictOf(check, facts, known, about))
  const found = verdicts.flatMap((verdict) => verdict.findings)
  const findings = aggregate(found.map((finding) => judgeFinding(module.id, finding, about)))
  return {
    findings,
    coverage: module.checks.flatMap((check, index) => coverageOf(module.id, check, verdicts[index] ?? NOTHING)),
    failures: verdicts.flatMap((verdict) => (verdict.failure ? [verdict.failure] : [])),
  }
}

interface Verdict {
  readonly findings: readonly Finding[]
  readonly unjudged: Unjudged | null
  readonly failure: Judged['failures'][number] | null
}

const NOTHING: Verdict = { findings: [], unjudged: null, failure: null }

const verdictOf = (
  check: AnyCheck,
  facts: unknown,
  known: Readonly<Record<string, unknown>>,
  about: JudgeContext,
): Verdict => {
  try {
    // The one place where erased types meet: these facts came from the module that owns the check.
    const judgement: Judgement = check.judge(facts as never, known as never, about)
    const unjudged = isUnjudged(judgement) ? judgement : null
    const findings = isUnjudged(judgement) ? (judgement.findings ?? []) : judgement
    for (const finding of findings) assertDeclared(check, finding)
    return { findings, unjudged, failure: null }
  } catch (error) {
    const ids = check.findings.map((definition) => definition.id).join(', ')
    const unjudged: Unjudged = { state: 'inconclusive', reason: 'the check failed on our side' }
    return { findings: [], unjudged, failure: { check: ids, error } }
  }
}

const isUnjudged = (judgement: Judgement): judgement is Unjudged => !Array.isArray(judgement)

const assertDeclared = (check: AnyCheck, finding: Finding): void => {
  const { id } = finding.definition
  if (!check.findings.includes(finding.definition)) throw new Error(`${id} is not declared by the check reporting it`)
  if ((finding.definition.severity === 'from-source') !== (finding.severity !== undefined)) {
    throw new Error(`${id}: the severity comes from the definition or from the finding, never from both or neither`)
  }
}

interface Candidate {
  readonly key: string
  readonly finding: JudgedFinding
}

const judgeFinding = (module: string, finding: Finding, about: JudgeContext): Candidate => {
  const { definition } = finding
  const identity: Identity = { checkId: definition.id, location: finding.at, subject: finding.subject ?? null }
  const graded = severityOf(finding, about)
  return {
    key: identityKey(identity),
    finding: {
      check_id: definition.id,
      module,
      title: finding.title ?? definition.title,
      ...graded,
      confidence: finding.confidence,
      location: finding.at,
      places: [finding.at, ...(finding.places ?? [])],
      detail: finding.detail,
      description: definition.why,
      remediation: definition.remediation,
      references: [...definition.references],
      cwe: definition.cwe,
      owasp: [...owaspOf(definition.cwe)],
      cvss: vectorOf(finding),
      cve: [...(finding.cve ?? [])],
      proof: finding.proof ? clipped(finding.proof) : null,
      evidence: (finding.evidence ?? []).map((file) => file.id),
      fingerprint: fingerprintOf(identity),
    },
  }
}

/** From the source where the severity is from there, else the definition's own. */
const vectorOf = ({ definition, cvss }: Finding): JudgedFinding['cvss'] => {
  if (cvss !== undefined && definition.severity !== 'from-source')
    throw new Error(`${definition.id}: has a vector of its own`)
  const vector = cvss ?? definition.cvss
  return vector === null ? null : cvssOf(vector)
}

/** Within the contract's bounds, with room for what redaction may add. A replay that does not fit would not replay. */
const clipped = ({ excerpt, mark, replay, basis }: Proof): Proof => ({
  excerpt: excerpt.slice(0, 8_000),
  mark: mark === null ? null : mark.slice(0, 1_000),
  replay: replay !== null && replay.length > 8_000 ? null : replay,
  ...(basis === undefined ? {} : { basis: basis.slice(0, 200) }),
})

/** The context's shift first, then the rule that a hint is never above information. */
const severityOf = (finding: Finding, about: JudgeContext): Pick<JudgedFinding, 'severity' | 'shift'> => {
  const base = baseSeverity(finding)
  if (finding.confidence === 'tentative') {
    return base === 'info'
      ? { severity: 'info', shift: null }
      : { severity: 'info', shift: { base, reason: 'it is a hint that was not proven' } }
  }
  const { group } = finding.definition
  const { context } = about.target
  // A vulnerability that is being exploited stays what it is, wherever the site stands.
  const exploited = group === 'version-cve' && (finding.cve ?? []).some((one) => one.kev !== null)
  const shift = group && context && !exploited ? shiftSeverity(group, context, base, finding.page) : null
  return shift ? { severity: shift.to, shift: { base, reason: shift.reason } } : { severity: base, shift: null }
}

const baseSeverity = ({ definition, severity }: Finding): JudgedFinding['severity'] => {
  const base = definition.severity === 'from-source' ? severity : definition.severity
  if (base === undefined) throw new Error(`${definition.id}: no severity`)
  return base
}

/** Findings of one identity become one: the gravest and best proven speaks, the others lend places and evidence. */
const aggregate = (candidates: readonly Candidate[]): JudgedFinding[] => {
  const groups = Map.groupBy(candidates, (candidate) => candidate.key)
  return [...groups.values()]
    .map((group) => merged(group.map((candidate) => candidate.finding).toSorted(compareFindings)))
    .toSorted(compareFindings)
}

const merged = (group: readonly JudgedFinding[]): JudgedFinding => {
  const [head] = group
  if (!head) throw new Error('a group of findings is never empty')
  const others = group.flatMap((one) => one.places).toSorted(compareText(placeText))
  return {
    ...head,
    places: unique([head.location, ...others], placeText),
    evidence: unique(group.flatMap((one) => one.evidence).toSorted(), String),
    cve: unique(
      group.flatMap((one) => one.cve),
      (one) => one.id,
    ).toSorted(compareText((one) => one.id)),
  }
}

const CONFIDENCES = ['confirmed', 'firm', 'tentative']

const compareFindings = (a: JudgedFinding, b: JudgedFinding): number =>
  compareSeverity(a.severity, b.severity) ||
  CONFIDENCES.indexOf(a.confidence) - CONFIDENCES.indexOf(b.confidence) ||
  compareText((one: JudgedFinding) => JSON.stringify([one.check_id, placeText(one.location), one.fingerprint]))(a, b) ||
  // Before the words: they hold what the run made up, and which of several speaks must not be chance.
  compareText((one: JudgedFinding) => one.proof?.basis ?? '')(a, b) ||
  compareText((one: JudgedFinding) => JSON.stringify(one))(a, b)

const placeText = ({ url, method, parameter, host, port }: Location): string =>
  JSON.stringify([url, method, parameter, host, port])

/** By code units, never by the machine's locale. */
const compareText =
  <One>(text: (one: One) => string) =>
  (a: One, b: One): number => {
    const [left, right] = [text(a), text(b)]
    return left < right ? -1 : Number(left > right)
  }

const unique = <One>(list: readonly One[], key: (one: One) => string): One[] =>
  [...new Map(list.toReversed().map((one) => [key(one), one])).values()].toReversed()

const coverageOf = (module: string, check: AnyCheck, verdict: Verdict): Coverage[] => {
  const found = new Set(verdict.findings.map((finding) => finding.definition.id))
  return check.findings.map((definition) =>
    coverageLine(module, definition, found.has(definition.id), verdict.unjudged),
  )
}

const coverageLine = (
  module: string,
  definition: FindingDefinition,
  found: boolean,
  unjudged: Unjudged | null,
): Coverage => {
  const line = { module, check_id: definition.id, title: definition.title }
  if (found) return { ...line, state: 'fail', reason: null }
  const concerned = unjudged && (unjudged.only?.includes(definition.id) ?? true)
  return concerned
    ? { ...line, state: unjudged.state, reason: unjudged.reason }
    : { ...line, state: 'pass', reason: null }
}
