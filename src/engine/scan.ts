/** One scan from its specification to its `ended` message. Everything it says passes redaction first. */
import { randomUUID } from 'node:crypto'
import type { AuditEntry } from '../contract/event.ts'
import type { Egress } from '../egress/egress.ts'
import type { AnyModule } from '../modules/any-module.ts'
import { RunFailure } from '../modules/endings.ts'
import type { CollectContext, EvidenceFile } from '../modules/module.ts'
import { createAuditBuffer } from './audit-buffer.ts'
import { coverageWithoutFacts } from './coverage.ts'
import { judgeModule } from './judge.ts'
import { knownOf } from './judge-stored.ts'
import { createOutbox } from './outbox.ts'
import { endingOf, ModuleDeadline, runFailureOf, skippedFor } from './outcome.ts'
import { plainJson } from './plain-json.ts'
import { planRun } from './plan.ts'
import { createProgress } from './progress.ts'
import type { FromChild, ModuleOutcome, RunSpec } from './protocol.ts'

/** What a scan needs of egress; `createEgress` gives it. */
export interface ScanEgress {
  readonly forModule: (id: string, bounds: { readonly requests: number; readonly signal: AbortSignal }) => Egress
  readonly redact: {
    readonly text: (text: string) => string
    readonly buffer: (buffer: Buffer) => Buffer
    readonly json: <Value>(value: Value) => Value
  }
  readonly close: () => Promise<void> | void
}

export interface ScanPorts {
  readonly modules: readonly AnyModule[]
  readonly openEgress: (audit: (entry: AuditEntry) => void, signal: AbortSignal) => ScanEgress
  /** Resolves when the channel has taken the message. */
  readonly send: (message: FromChild) => Promise<void>
  /** Cancel. */
  readonly signal: AbortSignal
  /** For the operator's log, already redacted. */
  readonly log: (line: string) => void
}

/** Milliseconds that a module gets to notice an abort before the scan goes on without it. */
const GRACE = 2_000
/** Milliseconds between two progress messages. */
const PROGRESS_EVERY = 150

/** Ends with exactly one `ended` message. Rejects only when the channel is gone. */
export const scan = async (spec: RunSpec, ports: ScanPorts): Promise<void> => {
  const stop = new AbortController()
  const signal = AbortSignal.any([ports.signal, stop.signal])
  const deadline = setTimeout(
    () => stop.abort(new RunFailure('deadline_exceeded', `the scan did not finish within ${spec.deadline} s`)),
    spec.deadline * 1000,
  )
  const outbox = createOutbox(ports.send, (error) => stop.abort(error))
  let egress: ScanEgress | null = null
  try {
    const requests = new Map<string, number>()
    const audit = createAuditBuffer((entries) => {
      if (egress) outbox.post({ type: 'audit', entries: plainJson(egress.redact.json(entries)) })
    })
    const opened = ports.openEgress((entry) => {
      if (entry.event === 'request') requests.set(String(entry.module), (requests.get(String(entry.module)) ?? 0) + 1)
      audit.add(entry)
    }, signal)
    egress = opened
    const run: Run = {
      spec,
      signal,
      egress: opened,
      stop: (failure) => stop.abort(failure),
      log: (line) => ports.log(opened.redact.text(line)),
      requests: (id) => requests.get(id) ?? 0,
      audit: (module, event, more) => audit.add({ ts: new Date().toISOString(), module, event, ...more }),
      post: (message) => {
        audit.flush()
        outbox.post(message)
      },
    }
    const finished = await runModules(run, ports.modules)
    audit.flush()
    outbox.post(endedMessage(opened, stop.signal, finished))
  } catch (error) {
    const failure = runFailureOf(stop.signal.reason)
    ports.log(`scan ${spec.runId} broke: ${framesOf(error)}`)
    outbox.post({
      type: 'ended',
      result: 'failed',
      error: { kind: failure?.kind ?? 'internal', detail: failure?.message ?? 'the scan failed on our side' },
    })
  } finally {
    clearTimeout(deadline)
    await egress?.close()
  }
  await outbox.flushed()
}

interface Run {
  readonly spec: RunSpec
  readonly signal: AbortSignal
  readonly egress: ScanEgress
  readonly stop: (failure: RunFailure) => void
  readonly log: (line: string) => void
  readonly requests: (module: string) => number
  readonly audit: (module: string, event: string, more?: Readonly<Record<string, unknown>>) => void
  readonly post: (message: FromChild) => void
}

/** Null where the run ended under the module: it is not stored and runs again in the next attempt. */
type Result = { readonly outcome: ModuleOutcome; readonly facts: unknown } | null

/** True when every module of the plan came to an end of its own. */
const runModules = async (run: Run, modules: readonly AnyModule[]): Promise<boolean> => {
  const { spec } = run
  const plan = planRun(modules, spec.target.tier, spec.options)
  const earlier = new Set(
    plan.modules.map(({ id }) => id).filter((id) => spec.completed[id]?.outcome.state === 'completed'),
  )
  const progress = createProgress(plan.modules, earlier)
  const tell = throttled(() => run.post({ type: 'progress', ...redacted(run, progress.report()) }))
  tell.now()

  const results = new Map<string, Promise<Result>>()
  for (const module of plan.modules) {
    const completed = spec.completed[module.id]
    results.set(
      module.id,
      earlier.has(module.id) && completed
        ? Promise.resolve(completed)
        : runModule(run, module, results, {
            started: () => {
              progress.started(module.id)
              tell.now()
            },
            advanced: (detail, fraction) => {
              progress.advanced(module.id, detail, fraction)
              tell.soon()
            },
            ended: () => {
              progress.ended(module.id)
              tell.now()
            },
          }),
    )
  }
  try {
    return (await Promise.all(results.values())).every((result) => result !== null)
  } finally {
    tell.stop()
  }
}

interface Steps {
  readonly started: () => void
  readonly advanced: (detail: string, fraction?: number) => void
  readonly ended: () => void
}

const runModule = async (
  run: Run,
  module: AnyModule,
  results: ReadonlyMap<string, Promise<Result>>,
  steps: Steps,
): Promise<Result> => {
  const facts = new Map<string, unknown>()
  const missing: { id: string; outcome: ModuleOutcome }[] = []
  for (const id of module.needs) {
    const result = await results.get(id)
    if (!result) return null
    if (result.outcome.state === 'completed') facts.set(id, result.facts)
    else missing.push({ id, outcome: result.outcome })
  }
  if (run.signal.aborted) return null
  if (missing.length > 0) {
    steps.ended()
    return store(run, module, { ...skippedFor(missing), duration_ms: 0, requests: 0 }, null, {})
  }
  const known = knownOf(module, facts)
  steps.started()
  run.audit(module.id, 'module_started')
  const started = performance.now()
  const collected = await collect(run, module, known, steps)
  const outcome: ModuleOutcome = {
    ...collected.ending,
    duration_ms: Math.round(performance.now() - started),
    requests: run.requests(module.id),
  }
  const failure = runFailureOf(collected.error)
  if (run.signal.aborted && !failure && outcome.state !== 'completed') return null
  run.audit(module.id, 'module_ended', { state: outcome.state, reason: outcome.reason })
  steps.ended()
  const result = store(run, module, outcome, collected.facts, known)
  if (failure) run.stop(failure)
  return result
}

interface Collected {
  readonly ending: Pick<ModuleOutcome, 'state' | 'reason'>
  readonly facts: unknown
  readonly error: unknown
}

const collect = async (
  run: Run,
  module: AnyModule,
  known: Readonly<Record<string, unknown>>,
  steps: Steps,
): Promise<Collected> => {
  const { spec } = run
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(new ModuleDeadline(module.budget.seconds)), module.budget.seconds * 1000)
  const signal = AbortSignal.any([run.signal, over.signal])
  try {
    const ctx: CollectContext = {
      target: spec.target,
      options: spec.options,
      egress: run.egress.forModule(module.id, { requests: module.budget.requests, signal }),
      signal,
      progress: (detail, fraction) => {
        if (!signal.aborted) steps.advanced(detail, fraction)
      },
      evidence: (file) => {
        signal.throwIfAborted()
        return sendEvidence(run, module.id, file)
      },
      hasCredentials: spec.credentials.cookie !== null || spec.credentials.header !== null,
      now: spec.now,
    }
    const work = (async () => module.collect(ctx, known as never))()
    const facts = await settledOrAbandoned(work, signal)
    // Redacted before anyone reads them: later modules, judge and store all see the same facts.
    return {
      ending: { state: 'completed', reason: null },
      facts: plainJson(run.egress.redact.json(facts)),
      error: null,
    }
  } catch (error) {
    const ending = endingOf(error, over.signal.reason)
    if (ending.state === 'failed' && !signal.aborted) run.log(`${module.id} failed: ${stackOf(error)}`)
    return { ending: redacted(run, ending), facts: null, error }
  } finally {
    clearTimeout(timer)
    over.abort(new Error('the module has ended'))
  }
}

/** Waits for the work; after an abort only GRACE longer. A module that then still runs has lost its egress. */
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

/** Judges what was collected and hands the module over as one message. */
const store = (
  run: Run,
  module: AnyModule,
  outcome: ModuleOutcome,
  facts: unknown,
  known: Readonly<Record<string, unknown>>,
): Result => {
  const judged =
    outcome.state === 'completed'
      ? judgeModule(module, facts, known, run.spec)
      : { findings: [], coverage: coverageWithoutFacts(module, outcome), failures: [] }
  for (const { check, error } of judged.failures) run.log(`check ${check} failed: ${stackOf(error)}`)
  const { findings, coverage } = plainJson(
    run.egress.redact.json({ findings: judged.findings, coverage: judged.coverage }),
  )
  run.post({ type: 'module', module: module.id, outcome, facts, findings, coverage })
  return { outcome, facts }
}

const sendEvidence = (run: Run, module: string, file: EvidenceFile): { id: string; filename: string } => {
  const ref = { id: randomUUID(), filename: `${module}-${file.filename.replace(/[^\w.-]+/g, '-').slice(0, 100)}` }
  const body = run.egress.redact.buffer(Buffer.from(file.body))
  run.post({ type: 'evidence', ...ref, module, contentType: file.contentType, body })
  return ref
}

const endedMessage = (egress: ScanEgress, stopped: AbortSignal, finished: boolean): FromChild => {
  const failure = runFailureOf(stopped.reason)
  if (failure) {
    return {
      type: 'ended',
      result: 'failed',
      error: { kind: failure.kind, detail: egress.redact.text(failure.message) },
    }
  }
  return { type: 'ended', result: finished ? 'completed' : 'canceled' }
}

const redacted = <Value>(run: Run, value: Value): Value => plainJson(run.egress.redact.json(value))

const throttled = (work: () => void) => {
  let timer: NodeJS.Timeout | null = null
  const now = (): void => {
    if (timer) clearTimeout(timer)
    timer = null
    work()
  }
  return {
    now,
    soon: (): void => {
      timer ??= setTimeout(now, PROGRESS_EVERY)
    },
    stop: (): void => {
      if (timer) clearTimeout(timer)
      timer = null
    },
  }
}

const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))

/** Where, without the message: before egress stands nothing could redact it. */
const framesOf = (error: unknown): string =>
  error instanceof Error
    ? `${error.name}\n${stackOf(error)
        .split('\n')
        .filter((line) => /^\s+at /.test(line))
        .join('\n')}`
    : 'no error object'
