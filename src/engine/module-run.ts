/** One module within a scan: wait for its needs, collect, judge, hand over without secrets. */
import { randomUUID } from 'node:crypto'
import type { AuditEntry } from '../contract/event.ts'
import type { EvidenceFile, EvidenceRef } from '../contract/evidence.ts'
import type { Egress } from '../egress/door/egress.ts'
import type { OutOfBand } from '../egress/oob/out-of-band.ts'
import type { AnyModule, AnyWatcher } from '../modules/any-module.ts'
import type { ModuleBrowser } from '../modules/browser.ts'
import type { RunFailure } from '../modules/endings.ts'
import type { CollectContext } from '../modules/module.ts'
import type { RunScope } from '../modules/run-scope.ts'
import type { Border } from '../safety/border.ts'
import { borderOf } from './borders.ts'
import { maskingPictures } from './browser/masking.ts'
import { unchanging } from './browser/unchanging.ts'
import { coverageWithoutFacts } from './coverage.ts'
import { faultIdOf, faultOf } from './faults.ts'
import { judgeModule } from './judge.ts'
import { knownOf } from './judge-stored.ts'
import { Stray, warded } from './last-wall.ts'
import { endingOf, isOurs, ModuleDeadline, runFailureOf, skippedFor } from './outcome.ts'
import { plainJson } from './plain-json.ts'
import type { FromChild, ModuleOutcome, RunSpec } from './protocol.ts'
import { redactedCoverage, redactedFindings, redactedText } from './redaction.ts'

/** What a scan needs of egress; `createEgress` gives it. */
export interface ScanEgress {
  /** Null: the module asks as visitors do. */
  readonly forModule: (
    id: string,
    limits: { readonly requests: number; readonly signal: AbortSignal; readonly judge: Border | null },
  ) => ScanHandle
  readonly redact: {
    readonly text: (text: string) => string
    readonly bytes: (bytes: Buffer) => Buffer
    readonly value: <Value>(value: Value) => Value
  }
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

type Known = Readonly<Record<string, unknown>>

/** Milliseconds that a module gets to notice an abort before the scan goes on without it. */
const GRACE = 2_000
/** Milliseconds for browser and connections to close. */
const CLOSING = 10_000

/** Never rejects for what a module does. `results` holds the promises of all modules that stand before this one. */
export const runModule = async (
  run: Run,
  module: AnyModule,
  results: ReadonlyMap<string, Promise<Result>>,
  steps: Steps,
): Promise<Result> => {
  try {
    return await throughModule(run, module, results, steps)
  } catch (error) {
    // What stands around a module failed, not what it does.
    const fault = tellFault(run, module.id, 'around the module', error)
    const outcome: ModuleOutcome = {
      state: 'failed',
      reason: 'it could not be run',
      duration_ms: 0,
      requests: 0,
      fault,
    }
    run.post({
      ...{ type: 'module', module: module.id, outcome, facts: null, findings: [] },
      coverage: coverageWithoutFacts(module, outcome),
    })
    steps.ended()
    return { outcome, facts: null, stored: null }
  }
}

const throughModule: typeof runModule = async (run, module, results, steps) => {
  const facts = new Map<string, unknown>()
  const stored = new Map<string, unknown>()
  const take = (id: string, result: ModuleResult): void => {
    facts.set(id, result.facts)
    stored.set(id, result.stored)
  }
  const missing: { id: string; outcome: ModuleOutcome }[] = []
  for (const id of module.needs) {
    const result = await results.get(id)
    if (!result) return null
    if (result.outcome.state === 'completed') take(id, result)
    else missing.push({ id, outcome: result.outcome })
  }
  for (const id of module.uses ?? []) {
    const result = await results.get(id)
    if (result?.outcome.state === 'completed') take(id, result)
  }
  if (run.signal.aborted) return null
  const known = knownOf(module, facts)
  const judgedWith = knownOf(module, stored)
  const notBegun = (ending: Pick<ModuleOutcome, 'state' | 'reason' | 'fault'>): Result => {
    steps.ended()
    return handOver(run, module, { ...ending, duration_ms: 0, requests: 0 }, null, judgedWith)
  }
  if (missing.length > 0) return notBegun(skippedFor(missing))
  const nothing = module.unless?.(known as never) ?? null
  if (nothing !== null) return notBegun({ state: 'skipped', reason: nothing })
  const { activeRefused, leftOut = {} } = run.spec
  if (module.conduct === 'active' && activeRefused !== null)
    return notBegun({ state: 'blocked', reason: activeRefused })
  const fault = leftOut[module.id]
  if (fault !== undefined) return notBegun({ state: 'failed', reason: ENDED_ITS_PROCESS, fault })
  const leave = await steps.started()
  let collected: Collected
  try {
    if (run.signal.aborted) return null
    run.audit(module.id, 'module_started')
    collected = await collect(run, module, known, steps)
    if (run.signal.aborted && collected.outcome.state !== 'completed') return null
    const { state, reason } = collected.outcome
    run.audit(module.id, 'module_ended', { state, reason })
    steps.ended()
    if (!run.watchers.has(module.id) || state !== 'completed') {
      const failure = runFailureOf(collected.error)
      const result = handOver(run, module, collected.outcome, collected.facts, judgedWith)
      if (failure) run.stop(failure)
      return result
    }
  } finally {
    leave()
  }
  const { outcome, facts: found } = collected
  steps.collected({ outcome, facts: found, stored: run.egress.redact.value(found) })
  await steps.othersEnded()
  return handOver(run, module, outcome, concluded(run, module, found), judgedWith)
}

/** What all answers of the run showed, added; a fault of ours costs that alone. */
const concluded = (run: Run, module: AnyModule, found: unknown): unknown => {
  try {
    return plainJson(run.watchers.get(module.id)?.conclude(found as never) ?? found)
  } catch (error) {
    tellFault(run, module.id, 'what it saw', error)
    return found
  }
}

/** Seconds of a run in which crawl and probes take what they usually take. */
const USUAL = 2_400

/** Between a tenth and four times the usual, so that a short run ends by itself and a long one is of use. `seconds`: of the run. */
const timeFactorOf = (seconds: number): number => Math.min(4, Math.max(0.1, seconds / USUAL))

/** Of a run's limit: what a large application may take. The rest is for answers that are late, other modules and a next attempt. */
const AIM = 0.6

const ENDED_ITS_PROCESS = 'the scanner process ended twice while it ran, so it was left out'

interface Collected {
  readonly outcome: ModuleOutcome
  readonly facts: unknown
  readonly error: unknown
}

const collect = async (run: Run, module: AnyModule, known: Known, steps: Steps): Promise<Collected> => {
  const { spec } = run
  const timeFactor = timeFactorOf(spec.deadline)
  const more = module.conduct === 'active' ? Math.max(1, timeFactor) : 1
  const seconds = module.budget.seconds * more
  const requests = Math.round(module.budget.requests * more)
  const began = performance.now()
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(new ModuleDeadline(seconds)), seconds * 1000)
  const signal = AbortSignal.any([run.signal, over.signal])
  const egress = run.egress.forModule(module.id, { requests, signal, judge: borderOf(module, spec, run.scope) })
  const ended = (ending: Pick<ModuleOutcome, 'state' | 'reason' | 'exhausted'>): ModuleOutcome => ({
    ...ending,
    reason: redactedText(run.egress.redact, ending.reason),
    duration_ms: Math.round(performance.now() - began),
    requests: egress.requests(),
  })
  const hasCredentials = spec.credentials.cookie !== null || spec.credentials.header !== null
  let browser: Promise<ModuleBrowser> | null = null
  const evidence = evidenceOf(run, module.id)
  const ctx: CollectContext = {
    target: spec.target,
    options: spec.options,
    ...(spec.settings ? { settings: spec.settings } : {}),
    egress,
    ...(run.outOfBand ? { outOfBand: run.outOfBand } : {}),
    browser: () => {
      browser ??= run.launchBrowser(egress, signal, run.log)
      return hasCredentials
        ? browser.then((opened) =>
            maskingPictures(unchanging(opened, run.spec.target.environment), run.egress.redact.text),
          )
        : browser
    },
    signal,
    scope: run.scope,
    // A module that was given up may still run; it is not heard any more.
    progress: (detail, fraction) => {
      if (!signal.aborted) steps.advanced(String(detail), fraction)
    },
    evidence: (file) => {
      signal.throwIfAborted()
      return evidence(file)
    },
    fault: (error, where) => tellFault(run, module.id, where, error),
    ...(spec.descriptions === undefined ? {} : { descriptions: spec.descriptions }),
    hasCredentials,
    ownCookies: cookieNames(spec.credentials.cookie ?? ''),
    now: spec.now,
    timeFactor,
    secondsLeft: () => Math.max(0, (run.endsAt - performance.now()) / 1_000 - (1 - AIM) * spec.deadline),
    ...(spec.knowledge === undefined ? {} : { knowledge: spec.knowledge }),
  }
  try {
    const work = warded(module.id, () => module.collect(ctx, known as never))
    const facts = plainJson(await settledOrAbandoned(work, signal))
    if (typeof facts !== 'object' || facts === null) throw new TypeError('the module brought no facts')
    return { outcome: ended({ state: 'completed', reason: null }), facts, error: null }
  } catch (thrown) {
    // The last wall has told of a stray error already.
    const error = thrown instanceof Stray ? thrown.cause : thrown
    const ending = endingOf(error, over.signal.reason)
    if (ending.state !== 'failed' || signal.aborted || !isOurs(error))
      return { outcome: ended(ending), facts: null, error }
    const fault =
      thrown instanceof Stray ? faultIdOf(module.id, error) : tellFault(run, module.id, 'its collection', error)
    return { outcome: { ...ended(ending), fault }, facts: null, error }
  } finally {
    clearTimeout(timer)
    over.abort(new Error('the module has ended'))
    await closed(run, module.id, () => closeBrowser(browser))
    await closed(run, module.id, egress.close)
  }
}

/** A browser that never started has nothing to close; why it did not is the module's to tell. */
const closeBrowser = async (browser: Promise<ModuleBrowser> | null): Promise<void> => {
  const launched = await browser?.catch(() => null)
  await launched?.close()
}

/** What does not close, or not in time, is left to the end of the process: the module's result stands. */
const closed = async (run: Run, module: string, close: () => Promise<void>): Promise<void> => {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('what the module left open did not close in time')), CLOSING)
  try {
    await Promise.race([close(), late.promise])
  } catch (error) {
    tellFault(run, module, 'closing what it left open', error)
  } finally {
    clearTimeout(timer)
  }
}

/** Into the operator's log and figures. Returns the fault's id. */
const tellFault = (run: Run, module: string, where: string, error: unknown): string => {
  const fault = faultOf(module, where, error, run.egress.redact.text)
  run.post({ type: 'fault', ...fault })
  return fault.id
}

/** Waits for the work; after an abort only GRACE longer. */
const settledOrAbandoned = async <Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> => {
  const abandon = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | undefined
  const onAbort = (): void => {
    timer = setTimeout(() => abandon.reject(new Error('it did not stop when it was told to')), GRACE)
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, abandon.promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    work.catch(() => undefined) // Its outcome is decided; what an abandoned module still throws is no news.
  }
}

/**
 * Judges what was collected and hands the module over as one message. What is judged is what is stored, so that judging
 * it again finds the same.
 */
const handOver = (run: Run, module: AnyModule, outcome: ModuleOutcome, facts: unknown, known: Known): Result => {
  const { redact } = run.egress
  const stored = redact.value(facts)
  const judged =
    outcome.state === 'completed'
      ? judgeModule(module, stored, known, run.spec)
      : { findings: [], coverage: coverageWithoutFacts(module, outcome), failures: [] }
  for (const { check, error } of judged.failures) tellFault(run, module.id, `check ${check}`, error)
  const findings = redactedFindings(redact, module, judged.findings)
  const coverage = redactedCoverage(redact, judged.coverage)
  run.post({ type: 'module', module: module.id, outcome, facts: stored, findings, coverage })
  return { outcome, facts, stored }
}

/** Bytes of evidence that one module may keep: more of them would hold up what the others send. */
const MOST_EVIDENCE = 64 * 1024 * 1024

const evidenceOf = (run: Run, module: string): ((file: EvidenceFile) => EvidenceRef) => {
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

const cookieNames = (cookie: string): readonly string[] =>
  cookie.split(';').flatMap((pair) => pair.split('=')[0]?.trim() || [])
