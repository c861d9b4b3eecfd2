/** What the modules of one run share, and how each hands over what it came to: judged, and without secrets. */
import { randomUUID } from 'node:crypto'
import type { AuditEntry } from '../contract/event.ts'
import type { EvidenceFile, EvidenceRef } from '../contract/evidence.ts'
import type { Credentials } from '../egress/door/credentials.ts'
import type { Egress } from '../egress/door/egress.ts'
import type { SessionGate } from '../egress/door/session-gate.ts'
import type { OutOfBand } from '../egress/oob/out-of-band.ts'
import type { RunCredentials } from '../egress/redaction/secrets-of.ts'
import type { AnyModule, AnyWatcher } from '../modules/any-module.ts'
import type { ModuleBrowser } from '../modules/browser.ts'
import type { RunFailure } from '../modules/endings.ts'
import type { RunScope } from '../modules/run-scope.ts'
import type { Border } from '../safety/border.ts'
import { withoutSession } from './coverage.ts'
import { faultOf } from './faults.ts'
import { judgeFoundBefore } from './found-before.ts'
import { judgeModule } from './judge.ts'
import type { FromChild, ModuleOutcome, RunSpec } from './protocol.ts'
import { redactedCoverage, redactedFindings } from './redaction.ts'
import type { LiveIdentity, LiveSession } from './session.ts'

/** What a scan needs of egress; `createEgress` gives it. */
export interface ScanEgress {
  /** Null: the module asks as visitors do. */
  readonly forModule: (
    id: string,
    limits: {
      readonly requests: number
      readonly signal: AbortSignal
      readonly judge: Border | null
      readonly signsIn?: boolean
    },
  ) => ScanHandle
  readonly redact: {
    readonly text: (text: string) => string
    readonly bytes: (bytes: Buffer) => Buffer
    readonly value: <Value>(value: Value) => Value
  }
  /** From now on requests carry this session. */
  readonly become: (credentials: Credentials & Pick<RunCredentials, 'kept'>, isPassing?: boolean) => void
  readonly watch: (gate: SessionGate) => void
  /** Secret, though no request carries it yet. */
  readonly hide: (credentials: Credentials) => void
  /** Another identity, as whom requests are sent that name it. */
  readonly other: (name: string, credentials: Credentials) => Pick<ScanEgress, 'become' | 'watch'>
  readonly close: () => Promise<void>
}

export interface ScanHandle extends Egress {
  /** Requests sent so far. */
  readonly requests: () => number
  /** Ends what the module left open. */
  readonly close: () => Promise<void>
}

export type LaunchBrowser = (
  egress: Pick<Egress, 'browserProxy'>,
  signal: AbortSignal,
  log: (line: string) => void,
) => Promise<ModuleBrowser>

export interface Run {
  readonly spec: RunSpec
  readonly launchBrowser: LaunchBrowser
  /** Aborted on cancel, on the run's deadline and on its failure. */
  readonly signal: AbortSignal
  /** Its deadline, by performance.now(). */
  readonly endsAt: number
  readonly egress: ScanEgress
  readonly session: LiveSession
  readonly identities: readonly LiveIdentity[]
  readonly outOfBand?: OutOfBand
  readonly scope: RunScope
  /** Of this run's modules that see all answers, by id. */
  readonly watchers: ReadonlyMap<string, AnyWatcher>
  readonly stop: (failure: RunFailure) => void
  readonly log: (line: string) => void
  readonly audit: (module: string, event: string, more?: Omit<AuditEntry, 'ts' | 'module' | 'event'>) => void
  readonly post: (message: FromChild) => void
  /** Which modules are at work from now on. */
  readonly announce: (modules: readonly string[]) => void
}

/** Null where the run ended under the module: it is not stored, and runs again in a next attempt. */
export type Result = ModuleResult | null

export interface ModuleResult {
  readonly outcome: ModuleOutcome
  /** As collected: what later modules work with, and may send to the target. */
  readonly facts: unknown
  /** Without secrets: what is judged, stored, and judged again. */
  readonly stored: unknown
}

export interface Steps {
  /** Resolves when the module may begin; to be called when it is judged and handed over. */
  readonly started: () => Promise<() => void>
  readonly advanced: (detail: string, fraction?: number) => void
  readonly ended: () => void
  /** Of a module that watches: its facts as collected, for those that need it. */
  readonly collected: (result: ModuleResult) => void
  /** Resolves when all modules that do not watch have ended. */
  readonly othersEnded: () => Promise<unknown>
}

export type Known = Readonly<Record<string, unknown>>

/** Into the operator's log and figures. Returns the fault's id. */
export const tellFault = (run: Run, module: string, where: string, error: unknown): string => {
  const fault = faultOf(module, where, error, run.egress.redact.text)
  run.post({ type: 'fault', ...fault })
  return fault.id
}

/**
 * Judges what was collected, of a module that failed what it had offered by then, and hands the module over as one message. What is judged is what is stored, so that judging
 * it again finds the same.
 */
export const handOver = (run: Run, module: AnyModule, outcome: ModuleOutcome, facts: unknown, known: Known): Result => {
  const { redact } = run.egress
  const stored = redact.value(facts)
  const judged =
    outcome.state === 'completed'
      ? judgeModule(module, stored, known, run.spec)
      : judgeFoundBefore(module, stored, known, run.spec, outcome)
  for (const { check, error } of judged.failures) tellFault(run, module.id, `check ${check}`, error)
  const findings = redactedFindings(redact, module, judged.findings)
  const coverage = redactedCoverage(redact, withoutSession(judged.coverage, outcome))
  run.post({ type: 'module', module: module.id, outcome, facts: stored, findings, coverage })
  return { outcome, facts, stored }
}

/** Bytes of evidence that one module may keep: more of them would hold up what the others send. */
const MOST_EVIDENCE = 64 * 1024 * 1024

export const evidenceOf = (run: Run, module: string): ((file: EvidenceFile) => EvidenceRef) => {
  let bytes = 0
  return (file) => {
    const { redact } = run.egress
    const filename = redact.text(file.filename).replace(/[^\w.-]+/g, '-')
    const ref = { id: randomUUID(), filename: `${module}-${filename.slice(-100)}` }
    const body = redact.bytes(Buffer.from(file.body))
    bytes += body.byteLength
    if (bytes > MOST_EVIDENCE) throw new Error(`a module keeps at most ${MOST_EVIDENCE} bytes of evidence`)
    run.post({ type: 'evidence', ...ref, module, contentType: file.contentType, body })
    return ref
  }
}
