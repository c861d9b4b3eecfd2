/** Facts and checks in, findings and coverage out. Pure: the same facts give the same answer on any day. */
import { z } from 'zod'
import {
  Coverage,
  compareSeverity,
  type Location,
  type Proof,
  Finding as ReportedFinding,
} from '../contract/finding.ts'
import { RATINGS, type Rating } from '../knowledge/ratings/ratings.ts'
import type { AnyCheck, AnyModule } from '../modules/any-module.ts'
import { shiftSeverity } from '../modules/context.ts'
import { faultIdOf } from '../modules/faults.ts'
import type { Finding, FindingDefinition, JudgeContext, Judgement, Unjudged } from '../modules/module.ts'
import { owaspOf } from '../modules/owasp.ts'
import { coverageOfFault } from './coverage.ts'
import { cvssOf, cvssOfRating } from './cvss.ts'
import { earlierFingerprints, fingerprintOf, type Identity, identityKey } from './identity.ts'

/** A finding as the engine hands it over: all but its id and its status against the last run, which the store knows. */
export type JudgedFinding = Omit<ReportedFinding, 'id' | 'status' | 'triage'>

export interface Judged {
  /** The gravest first, then by check, place and subject. */
  readonly findings: readonly JudgedFinding[]
  /** One line a definition, in the module's order. */
  readonly coverage: readonly Coverage[]
  /** Checks and findings that threw or broke their contract: our fault, so they are logged and end inconclusive. */
  readonly failures: readonly Failure[]
}

/** A fault of ours under its id, see modules/faults.ts. */
export interface Failure {
  readonly check: string
  readonly id: string
  readonly error: unknown
}

/**
 * Facts are the module's own, known are those of its needs. A check that fails sinks nothing but itself, a finding that cannot
 * be judged nothing but itself.
 */
export const judgeModule = (
  module: AnyModule,
  facts: unknown,
  known: Readonly<Record<string, unknown>>,
  about: JudgeContext,
): Judged => {
  const verdicts = module.checks.map((check) => ({ check, verdict: verdictOf(module.id, check, facts, known, about) }))
  const broken: Failure[] = []
  return {
    findings: aggregate(verdicts.flatMap(({ verdict }) => verdict.candidates)),
    coverage: verdicts.flatMap(({ check, verdict }) =>
      coverageOf(module.id, check, verdict, (failure) => broken.push(failure)),
    ),
    failures: [...verdicts.flatMap(({ verdict }) => verdict.failures), ...broken],
  }
}

interface Verdict {
  readonly candidates: readonly Candidate[]
  readonly unjudged: Unjudged | null
  /** What passes and findings do not speak for. */
  readonly note: string | null
  readonly failures: readonly Failure[]
  /** Definitions of which a finding could not be judged, each with the fault's id; `any` where it is unknown of which. */
  readonly lost: ReadonlyMap<string, string>
  readonly any: string | null
}

const verdictOf = (
  module: string,
  check: AnyCheck,
  facts: unknown,
  known: Readonly<Record<string, unknown>>,
  about: JudgeContext,
): Verdict => {
  const ids = check.findings.map((definition) => definition.id)
  const failures: Failure[] = []
  const fail = (of: string, error: unknown): string => {
    const id = faultIdOf(module, error)
    failures.push({ check: of, id, error })
    return id
  }
  const candidates: Candidate[] = []
  const lost = new Map<string, string>()
  let any: string | null = null
  let unjudged: Unjudged | null = null
  let note: string | null = null
  try {
    // The one place where erased types meet: these facts came from the module that owns the check.
    const judgement: Judgement = check.judge(facts as never, known as never, about)
    unjudged = isUnjudged(judgement) ? sound(judgement) : null
    note = isList(judgement) ? null : (judgement.note ?? null)
    for (const finding of isList(judgement) ? judgement : (judgement.findings ?? [])) {
      const id = ids.find((one) => one === finding?.definition?.id)
      try {
        assertDeclared(check, finding)
        candidates.push(judgeFinding(module, finding, about, (error) => void fail(id ?? ids.join(', '), error)))
      } catch (error) {
        const fault = fail(id ?? ids.join(', '), error)
        if (id === undefined) any = fault
        else lost.set(id, fault)
      }
    }
  } catch (error) {
    any = fail(ids.join(', '), error)
  }
  return { candidates, unjudged, note, failures, lost, any }
}

const isList = (judgement: Judgement): judgement is readonly Finding[] => Array.isArray(judgement)
const isUnjudged = (judgement: Judgement): judgement is Unjudged => !isList(judgement) && judgement.state !== 'judged'

const STATES: readonly string[] = [
  'not_applicable',
  'not_tested',
  'blocked',
  'inconclusive',
] satisfies Unjudged['state'][]

const sound = (judgement: Unjudged): Unjudged => {
  if (STATES.includes(judgement?.state) && typeof judgement.reason === 'string') return judgement
  throw new Error('a judgement is a list of findings, or says why there is none')
}

const assertDeclared = (check: AnyCheck, finding: Finding): void => {
  const { id } = finding.definition
  if (!check.findings.includes(finding.definition)) throw new Error(`${id} is not declared by the check reporting it`)
  if ((finding.definition.severity === 'from-source') !== (finding.severity !== undefined)) {
    throw new Error(`${id}: the severity comes from the definition or from the finding, never from both or neither`)
  }
}

interface Candidate {
  readonly key: string
  /** Key of the finding of which it is another way in; absent where it is none. */
  readonly meant?: string
  readonly finding: JudgedFinding
}

/** What only adorns a finding never costs it: it goes without, and `failed` is told. */
const judgeFinding = (
  module: string,
  finding: Finding,
  about: JudgeContext,
  failed: (error: unknown) => void,
): Candidate => {
  const { definition } = finding
  const identity: Identity = {
    checkId: definition.id,
    location: finding.at,
    subject: finding.subject ?? null,
    ...(finding.route === undefined ? {} : { route: finding.route }),
    ...(finding.procedure === undefined ? {} : { procedure: finding.procedure }),
    ...(finding.cause === undefined ? {} : { cause: finding.cause }),
  }
  const rating = RATINGS.get(definition.id)
  const cvss = adorned(failed, () => vectorOf(finding, rating))
  const judged: JudgedFinding = {
    check_id: definition.id,
    module,
    title: finding.title ?? definition.title,
    ...severityOf(finding, about),
    confidence: finding.confidence,
    location: finding.at,
    places: [finding.at, ...(finding.places ?? [])],
    // One address answers for many: the place alone does not say of which it is.
    detail: finding.procedure === undefined ? finding.detail : `${finding.detail} Procedure: ${finding.procedure}.`,
    description: definition.why,
    remediation: definition.remediation,
    references: [...definition.references],
    cwe: definition.cwe,
    owasp: [...owaspOf(definition.cwe)],
    cvss,
    cvss_reason: cvss === null ? (rating?.reason ?? null) : null,
    standard: rating?.standard ?? null,
    cve: [...(finding.cve ?? [])],
    proof: adorned(failed, () => (finding.proof ? clipped(finding.proof) : null)),
    evidence: (finding.evidence ?? []).map((file) => file.id),
    fingerprint: fingerprintOf(identity),
    ...formerlyOf(earlierFingerprints(identity)),
  }
  const posted = { ...identity, location: { ...identity.location, method: 'POST' } }
  return {
    key: identityKey(identity),
    ...(finding.guessed ? { meant: identityKey(posted) } : {}),
    finding: withinContract(judged, failed),
  }
}

const formerlyOf = (formerly: readonly string[]): Pick<JudgedFinding, 'formerly'> =>
  formerly.length > 0 ? { formerly: [...new Set(formerly)].toSorted() } : {}

const adorned = <Value>(failed: (error: unknown) => void, value: () => Value): Value | null => {
  try {
    return value()
  } catch (error) {
    failed(error)
    return null
  }
}

/** What the interface promises of a finding, but for what the store adds. */
const Contract = ReportedFinding.omit({ id: true, status: true, triage: true }).extend({
  evidence: z.array(z.string()),
})

/** @throws where it breaks the contract even without its adornments: one such row would spoil the whole answer */
const withinContract = (judged: JudgedFinding, failed: (error: unknown) => void): JudgedFinding => {
  const { success, error } = Contract.safeParse(judged)
  if (success) return judged
  const plain = { ...judged, cvss: null, cve: [], proof: null, references: [] }
  if (!Contract.safeParse(plain).success) throw error
  failed(error)
  return plain
}

/** From the source where the severity is from there, else the rating of the check. */
const vectorOf = ({ definition, cvss }: Finding, rating: Rating | undefined): JudgedFinding['cvss'] => {
  if (cvss !== undefined && definition.severity !== 'from-source')
    throw new Error(`${definition.id}: has a vector of its own`)
  if (cvss !== undefined) return cvssOf(cvss)
  return rating === undefined ? null : cvssOfRating(rating)
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
  const own = new Map(candidates.flatMap((one) => (one.meant === undefined ? [[one.key, one.finding] as const] : [])))
  const groups = Map.groupBy(
    candidates.map((one) => asMeant(one, own)),
    (candidate) => candidate.key,
  )
  return [...groups.values()]
    .map((group) => merged(group.toSorted(compareCandidates).map((candidate) => candidate.finding)))
    .toSorted(compareFindings)
}

/** What is decided of it by its own fingerprint holds for the one that it belongs to. */
const asMeant = (one: Candidate, own: ReadonlyMap<string, JudgedFinding>): Candidate => {
  const to = one.meant === undefined ? undefined : own.get(one.meant)
  if (one.meant === undefined || to === undefined) return one
  const { fingerprint, formerly = [] } = one.finding
  const finding = { ...one.finding, fingerprint: to.fingerprint, ...formerlyOf([...formerly, fingerprint]) }
  return { ...one, key: one.meant, finding }
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
    ...formerlyOf(group.flatMap((one) => one.formerly ?? [])),
  }
}

const CONFIDENCES = ['confirmed', 'firm', 'tentative']

/** Of those that are as grave and as well proven the one speaks that nobody had to guess. */
const compareCandidates = (a: Candidate, b: Candidate): number =>
  compareGravity(a.finding, b.finding) ||
  Number(a.meant !== undefined) - Number(b.meant !== undefined) ||
  compareFindings(a.finding, b.finding)

const compareGravity = (a: JudgedFinding, b: JudgedFinding): number =>
  compareSeverity(a.severity, b.severity) || CONFIDENCES.indexOf(a.confidence) - CONFIDENCES.indexOf(b.confidence)

const compareFindings = (a: JudgedFinding, b: JudgedFinding): number =>
  compareGravity(a, b) ||
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

const coverageOf = (
  module: string,
  check: AnyCheck,
  verdict: Verdict,
  failed: (failure: Failure) => void,
): Coverage[] => {
  const found = new Set(verdict.candidates.map(({ finding }) => finding.check_id))
  return check.findings.map((definition) => {
    const line = coverageLine(module, definition, found.has(definition.id), verdict)
    const { error } = Coverage.safeParse(line)
    if (error === undefined) return line
    // One such line would spoil the file of the whole run.
    const id = faultIdOf(module, error)
    failed({ check: definition.id, id, error })
    return coverageLine(module, definition, found.has(definition.id), { ...verdict, any: id })
  })
}

const countsOf = (unjudged: Unjudged | null): Pick<Coverage, 'asked' | 'known' | 'reasons'> => {
  if (!unjudged?.reached) return {}
  const { asked, known, reasons } = unjudged.reached
  return { asked, known, reasons: reasons.map(({ reason, count }) => ({ reason, count })) }
}

const coverageLine = (
  module: string,
  definition: FindingDefinition,
  found: boolean,
  { unjudged, note, lost, any }: Verdict,
): Coverage => {
  const line = { module, check_id: definition.id, title: definition.title }
  const fault = lost.get(definition.id) ?? any
  if (fault !== null) {
    const became = coverageOfFault(fault)
    return found
      ? { ...line, ...became, state: 'fail', reason: `more was kept back by ${became.reason}` }
      : { ...line, ...became }
  }
  const concerned = unjudged && (unjudged.only?.includes(definition.id) ?? true)
  if (found) return { ...line, state: 'fail', reason: note, ...countsOf(concerned ? unjudged : null) }
  if (!concerned) return { ...line, state: 'pass', reason: note }
  return {
    ...line,
    state: unjudged.state,
    reason: note === null ? unjudged.reason : `${unjudged.reason} ${note}`,
    ...countsOf(unjudged),
    ...(unjudged.fault === undefined ? {} : { reason_kind: 'scanner_fault' as const, fault_id: unjudged.fault }),
  }
}
