/** One scan from its specification to its `ended` message. */
import type { AuditEntry } from '../contract/event.ts'
import type { HttpExchange } from '../egress/door/egress.ts'
import type { OobHit, OutOfBand } from '../egress/oob/out-of-band.ts'
import type { AnyModule } from '../modules/any-module.ts'
import { RunFailure } from '../modules/endings.ts'
import { createRunScope } from '../modules/run-scope.ts'
import { createAuditBuffer } from './audit-buffer.ts'
import { createKeyHiding } from './key-hiding.ts'
import { runModule } from './module-run.ts'
import { createOutbox } from './outbox.ts'
import { runFailureOf } from './outcome.ts'
import { type Plan, planRun, reusableResults } from './plan.ts'
import { createProgress } from './progress.ts'
import type { FromChild, RunSpec } from './protocol.ts'
import { redactedEntry, redactedText } from './redaction.ts'
import type { LaunchBrowser, Result, Run, ScanEgress } from './run.ts'
import { identitiesOf, openSession } from './session.ts'
import { createWatching } from './watching.ts'

export interface ScanPorts {
  readonly modules: readonly AnyModule[]
  /** `audit` takes entries without secrets. */
  readonly openEgress: (
    audit: (entry: AuditEntry) => void,
    signal: AbortSignal,
    answered: (exchange: HttpExchange, module: string, signsIn: boolean) => void,
  ) => ScanEgress
  readonly launchBrowser: LaunchBrowser
  /** Addresses for calls from the target; `heard` is told of each that came. Absent without a listener. */
  readonly openOutOfBand?: (heard: (kind: string, hit: OobHit) => void) => OutOfBand
  /** Resolves when the channel has taken the message. */
  readonly send: (message: FromChild) => Promise<void>
  /** Past what still waits to be sent: what the worker has to know should this process die now. */
  readonly tell?: (message: FromChild) => void
  /** Cancel. */
  readonly signal: AbortSignal
  /** For the operator's log; lines come redacted. */
  readonly log: (line: string) => void
}

import { throttled } from './throttled.ts'

/** Milliseconds between two progress messages. */
const PROGRESS_EVERY = 150
/** Faults of one module that are told: the same one at every place of a site would fill the log. */
const MOST_FAULTS = 100

/** Ends with exactly one `ended` message. Rejects only when the channel is gone. */
export const scan = async (spec: RunSpec, ports: ScanPorts): Promise<void> => {
  const stop = new AbortController()
  const signal = AbortSignal.any([ports.signal, stop.signal])
  const endsAt = performance.now() + spec.deadline * 1_000
  const deadline = setTimeout(
    () => stop.abort(new RunFailure('deadline_exceeded', `the scan did not finish within ${spec.deadline} s`)),
    spec.deadline * 1000,
  )
  const outbox = createOutbox(ports.send, (error) => stop.abort(error))
  const audit = createAuditBuffer((entries) => outbox.post({ type: 'audit', entries }))
  const told = new Map<string, number>()
  const tooMany = (module: string): boolean => {
    const before = told.get(module) ?? 0
    told.set(module, before + 1)
    return before >= MOST_FAULTS
  }
  let egress: ScanEgress | null = null
  try {
    const plan = planRun(ports.modules, spec.target.tier, spec.options)
    const standing = reusableResults(plan.modules, spec)
    const watching = createWatching(plan.modules, spec, standing)
    const hiding = createKeyHiding(spec, (key) => egress?.hide({ cookie: null, header: `Key: ${key}` }))
    egress = ports.openEgress(audit.add, signal, (exchange, module, signsIn) => {
      hiding(exchange, module)
      watching.answered(exchange, module, signsIn)
    })
    const { redact } = egress
    const outOfBand = ports.openOutOfBand?.((kind, { protocol, from, detail }) =>
      audit.add(
        redactedEntry(redact, {
          ts: new Date().toISOString(),
          module: 'out-of-band',
          event: 'called',
          address: from,
          detail: `${kind}, ${protocol}: ${detail}`,
        }),
      ),
    )
    const parts = {
      ...{ spec, egress, signal, audit: audit.add, launchBrowser: ports.launchBrowser, log: ports.log },
      replaced: (lineage: string, token: string) => outbox.post({ type: 'token_replaced', lineage, token }),
      ending: [],
    }
    const session = await openSession(parts)
    const run: Run = {
      spec,
      session,
      identities: identitiesOf(parts, session),
      launchBrowser: ports.launchBrowser,
      signal,
      endsAt,
      egress,
      ...(outOfBand ? { outOfBand } : {}),
      scope: createRunScope(),
      watchers: watching.watchers,
      stop: (failure) => stop.abort(failure),
      log: (line) => ports.log(redact.text(line)),
      audit: (module, event, more) =>
        audit.add(redactedEntry(redact, { ts: new Date().toISOString(), module, event, ...more })),
      post: (message) => {
        if (message.type === 'fault' && tooMany(message.module)) return
        audit.flush()
        outbox.post(message)
      },
      announce: (modules) => ports.tell?.({ type: 'working', modules }),
    }
    const finished = await runModules(run, plan, standing)
    audit.flush()
    outbox.post(endedMessage(redact, stop.signal, finished))
  } catch (error) {
    const failure = runFailureOf(error)
    if (failure !== null) {
      // Nobody was signed in: no module has begun.
      audit.flush()
      const { kind, message } = failure
      outbox.post({ type: 'ended', result: 'failed', error: { kind, detail: message } })
    } else if (signal.aborted && egress !== null) {
      audit.flush()
      outbox.post(endedMessage(egress.redact, stop.signal, false))
    } else {
      ports.log(`scan ${spec.runId} broke: ${framesOf(error)}`)
      outbox.post({
        type: 'ended',
        result: 'failed',
        error: { kind: 'internal', detail: 'the scan failed on our side' },
      })
    }
  } finally {
    clearTimeout(deadline)
    await egress?.close()
  }
  await outbox.flushed()
}

/** True when every module of the plan came to an end of its own. */
const runModules = async (run: Run, plan: Plan, standing: ReadonlySet<string>): Promise<boolean> => {
  const { spec } = run
  const progress = createProgress(plan.modules, standing)
  const tell = throttled(PROGRESS_EVERY, () => {
    const report = progress.report()
    run.post({ type: 'progress', ...report, detail: redactedText(run.egress.redact, report.detail) })
  })
  tell.now()

  const turns = createTurns(new Set(spec.suspects ?? []), (working) => run.announce(working))
  const results = new Map<string, Promise<Result>>()
  const ends: Promise<Result>[] = []
  for (const module of plan.modules) {
    const earlier = standing.has(module.id) ? spec.completed[module.id] : undefined
    const early = Promise.withResolvers<Result>()
    const steps = {
      started: async () => {
        const leave = await turns(module.id)
        progress.started(module.id)
        tell.now()
        return leave
      },
      advanced: (detail: string, fraction?: number) => {
        progress.advanced(module.id, detail, fraction)
        tell.soon()
      },
      ended: () => {
        progress.ended(module.id)
        tell.now()
      },
      collected: early.resolve,
      othersEnded: () => Promise.all([...results].flatMap(([id, result]) => (run.watchers.has(id) ? [] : [result]))),
    }
    const end = earlier
      ? Promise.resolve({ ...earlier, stored: earlier.facts })
      : runModule(run, module, results, steps)
    ends.push(end)
    results.set(module.id, run.watchers.has(module.id) ? Promise.race([early.promise, end]) : end)
  }
  try {
    return (await Promise.all(ends)).every((result) => result !== null)
  } finally {
    tell.stop()
  }
}

/**
 * Says which modules are at work, before they begin: should this process die, the worker knows whom to suspect. Those that are
 * suspected already take turns.
 */
const createTurns = (
  suspects: ReadonlySet<string>,
  announce: (modules: readonly string[]) => void,
): ((module: string) => Promise<() => void>) => {
  const working = new Set<string>()
  let last: Promise<void> = Promise.resolve()
  return async (module) => {
    const turn = Promise.withResolvers<void>()
    if (suspects.has(module)) {
      const before = last
      last = turn.promise
      await before
    }
    working.add(module)
    announce([...working])
    return () => {
      working.delete(module)
      announce([...working])
      turn.resolve()
    }
  }
}

const endedMessage = (redact: ScanEgress['redact'], stopped: AbortSignal, finished: boolean): FromChild => {
  const failure = runFailureOf(stopped.reason)
  if (!failure) return { type: 'ended', result: finished ? 'completed' : 'canceled' }
  return {
    type: 'ended',
    result: 'failed',
    error: { kind: failure.kind, detail: redactedText(redact, failure.message) },
  }
}

/** Where, without the message: before egress stands nothing could redact it. */
const framesOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'no error object'
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return [error.name, ...frames].join('\n')
}
