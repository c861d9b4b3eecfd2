/** One module within a scan: wait for its needs, collect, judge, hand over without secrets. */
import { within } from '../contract/within.ts'
import { cookieNames, hasCredentials, headerNames } from '../egress/door/credentials.ts'
import type { Egress } from '../egress/door/egress.ts'
import { settingsAmong } from '../egress/redaction/secrets-of.ts'
import type { AnyModule } from '../modules/any-module.ts'
import type { CrawlFacts } from '../modules/attack/crawl/facts.ts'
import { cutOffIn } from '../modules/attack/insertion-points/unread.ts'
import type { ModuleBrowser } from '../modules/browser.ts'
import type { CollectContext } from '../modules/module.ts'
import type { RunScope, ScopeKey } from '../modules/run-scope.ts'
import { aroundRun } from '../safety/around.ts'
import { addressBorder, type Border, fullBorder } from '../safety/border.ts'
import { maskingPictures } from './browser/masking.ts'
import { signedInPages } from './browser/signed-in-pages.ts'
import { unchanging } from './browser/unchanging.ts'
import { coverageWithoutFacts } from './coverage.ts'
import { faultIdOf } from './faults.ts'
import { knownOf } from './judge-stored.ts'
import { Stray, warded } from './last-wall.ts'
import { otherContexts } from './other-context.ts'
import { endingOf, isOurs, ModuleDeadline, RUN_OVER, runFailureOf, skippedFor } from './outcome.ts'
import { plainJson } from './plain-json.ts'
import type { ModuleOutcome, RunSpec } from './protocol.ts'
import { redactedText } from './redaction.ts'
import {
  evidenceOf,
  handOver,
  type Known,
  type ModuleResult,
  type Result,
  type Run,
  type Steps,
  tellFault,
} from './run.ts'
import type { LiveSession } from './session.ts'
import { createSoFar } from './so-far.ts'

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
  let builtOnLost = false
  for (const id of module.needs) {
    const result = await results.get(id)
    if (!result) return null
    if (result.outcome.auth_lost !== undefined) builtOnLost = true
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
  const notBegun = (ending: Pick<ModuleOutcome, 'state' | 'reason' | 'fault'>, offered: unknown = null): Result => {
    steps.ended()
    return handOver(run, module, { ...ending, duration_ms: 0, requests: 0 }, offered, judgedWith)
  }
  if (missing.length > 0) return notBegun(skippedFor(missing))
  const nothing = module.unless?.(known as never) ?? null
  if (nothing !== null) return notBegun({ state: 'skipped', reason: nothing })
  const { activeRefused, leftOut = {}, offered = {} } = run.spec
  if (module.conduct === 'active' && activeRefused !== null)
    return notBegun({ state: 'blocked', reason: activeRefused })
  const fault = leftOut[module.id]
  if (fault !== undefined) return notBegun({ state: 'failed', reason: ENDED_ITS_PROCESS, fault }, offered[module.id])
  if (secondsFor(run.spec, run.endsAt) < SHORTEST) return notBegun({ state: 'skipped', reason: RUN_OVER })
  const leave = await steps.started()
  let collected: Collected
  try {
    if (run.signal.aborted) return null
    run.audit(module.id, 'module_started')
    collected = withSession(run, module.id, await collect(run, module, known, judgedWith, steps), builtOnLost)
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
  const crawl = (await results.get('crawl'))?.facts
  const cutOff = crawl ? cutOffIn(crawl as CrawlFacts) : null
  return handOver(run, module, outcome, concluded(run, module, found, cutOff), judgedWith)
}

/** What all answers of the run showed, added; a fault of ours costs that alone. */
const concluded = (run: Run, module: AnyModule, found: unknown, cutOff: string | null): unknown => {
  try {
    return plainJson(run.watchers.get(module.id)?.conclude(found as never, cutOff) ?? found)
  } catch (error) {
    tellFault(run, module.id, 'what it saw', error)
    return found
  }
}

/** Seconds in which no module does anything; clocks of timers and of the run lie apart by a part of it. */
const SHORTEST = 0.01

/** Seconds of a run in which crawl and probes take what they usually take. */
const USUAL = 2_400

/** Between a tenth and four times the usual, so that a short run ends by itself and a long one is of use. `seconds`: of the run. */
const timeFactorOf = (seconds: number): number => Math.min(4, Math.max(0.1, seconds / USUAL))

/** What its time is reckoned by. `deadline`: seconds. */
type Timed = Pick<RunSpec, 'deadline'> & { readonly target: Pick<RunSpec['target'], 'environment'> }

/** Of a run's limit in seconds: what its end takes, in which modules close what they have open and their findings are judged. */
const endOf = ({ deadline }: Timed): number => Math.min(60, 0.05 * deadline, 10 + 0.0125 * deadline)

/**
 * Seconds for answers that are late, and for what follows all places, which takes some minutes, whatever a large application takes: 28 to 81 of runs of
 * 780. Half of it where nothing is stored, that would be looked for again, or changed.
 */
const behindOf = ({ deadline, target }: Timed): number =>
  Math.min(0.13 * deadline, 180 + 0.05 * deadline) / (target.environment === 'test' ? 1 : 2)

/** Parts of what follows the places that are kept from a module for those that come next: from one that begins before it, and from one that is of it. */
const FOR_NEXT = { before: 2 / 3, within: 1 / 3 } as const

/**
 * Seconds that a module which begins now may take, as far as the run has them: most of what follows the places is for those that come next. Without it
 * one that overran cost the run what limits, sessions and interfaces come to. Exported for its test.
 */
export const secondsFor = (spec: Timed, endsAt: number): number => {
  const left = (endsAt - performance.now()) / 1_000 - endOf(spec)
  const behind = behindOf(spec)
  if (left <= behind) return left
  return left - behind * (left > 2 * behind ? FOR_NEXT.before : FOR_NEXT.within)
}

/** What modules know of the time of a run. `endsAt`: by performance.now(). */
export const timesOf = (spec: Timed, endsAt: number): Pick<CollectContext, 'timeFactor' | 'secondsLeft'> => ({
  timeFactor: timeFactorOf(spec.deadline),
  secondsLeft: () => Math.max(0, (endsAt - performance.now()) / 1_000 - endOf(spec) - behindOf(spec)),
})

/** Its pages are those of somebody signed in, change nothing by themselves, and are drawn without what is secret. */
const ofSession = (opened: ModuleBrowser, { spec, egress }: Run, session: LiveSession, own: Egress): ModuleBrowser =>
  maskingPictures(
    unchanging(
      signedInPages(opened, { egress: own, target: spec.target, storage: session.storage, ofPages: session.ofPages }),
      spec.target.environment,
    ),
    egress.redact.text,
  )

/** What became of its requests where the session of the run was lost for good. */
const withSession = (run: Run, module: string, collected: Collected, builtOnLost: boolean): Collected => {
  const { watched } = run.session
  const { answered = 0, refused = 0 } = watched?.lost() == null ? {} : watched.unproven(module)
  const count = answered + refused
  if (count === 0 && !builtOnLost) return collected
  return { ...collected, outcome: { ...collected.outcome, auth_lost: count } }
}

/** What it was answered last is behind a proof before it is judged. */
const proven = async (run: Run, module: string): Promise<void> => {
  const { watched } = run.session
  if (watched === null || watched.lost() !== null || watched.unproven(module).answered === 0) return
  try {
    await watched.prove()
  } catch (error) {
    if (!run.signal.aborted) tellFault(run, module, 'the last proof of the session', error)
  }
}

const ENDED_ITS_PROCESS = 'the scanner process ended twice while it ran, so it was left out'

interface Collected {
  readonly outcome: ModuleOutcome
  /** Of a module that did not complete what it had offered by then (`ctx.soFar`), or null. */
  readonly facts: unknown
  readonly error: unknown
}

const collect = async (
  run: Run,
  module: AnyModule,
  known: Known,
  judgedWith: Known,
  steps: Steps,
): Promise<Collected> => {
  const { spec } = run
  const times = timesOf(spec, run.endsAt)
  const more = module.conduct === 'active' ? Math.max(1, times.timeFactor) : 1
  const ofRun = secondsFor(spec, run.endsAt)
  const seconds = Math.min(module.budget.seconds * more, ofRun)
  const requests = Math.round(module.budget.requests * more)
  const began = performance.now()
  const over = new AbortController()
  const end = (): void => over.abort(new ModuleDeadline(seconds === ofRun ? null : seconds))
  const timer = setTimeout(end, seconds * 1000)
  const signal = AbortSignal.any([run.signal, over.signal])
  const egress = run.egress.forModule(module.id, { requests, signal, judge: borderOf(module, spec, run.scope) })
  const ended = (ending: Pick<ModuleOutcome, 'state' | 'reason' | 'exhausted'>): ModuleOutcome => ({
    ...ending,
    reason: redactedText(run.egress.redact, ending.reason),
    duration_ms: Math.round(performance.now() - began),
    requests: egress.requests(),
  })
  const signedIn = hasCredentials(spec.credentials)
  const browsers: Promise<ModuleBrowser>[] = []
  const launch = (as: Egress): Promise<ModuleBrowser> => {
    const launched = run.launchBrowser(as, signal, run.log)
    browsers.push(launched)
    return launched
  }
  let browser: Promise<ModuleBrowser> | null = null
  const evidence = evidenceOf(run, module.id)
  const soFar = createSoFar(run, module, judgedWith)
  const ctx: CollectContext = {
    target: spec.target,
    options: spec.options,
    ...(spec.settings ? { settings: spec.settings } : {}),
    egress,
    ...(run.outOfBand ? { outOfBand: run.outOfBand } : {}),
    browser: () => {
      browser ??= launch(egress)
      return signedIn ? browser.then((opened) => ofSession(opened, run, run.session, egress)) : browser
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
    soFar: (facts) => {
      if (!signal.aborted) soFar.offer(facts)
    },
    fault: (error, where) => tellFault(run, module.id, where, error),
    ...(spec.descriptions === undefined ? {} : { descriptions: spec.descriptions }),
    hasCredentials: signedIn && run.session.ofPages === null,
    ...(run.session.watched === null ? {} : { session: run.session.watched }),
    ...(run.identities.length === 0 ? {} : { identities: run.identities }),
    ownCookies: cookieNames(run.session.credentials()),
    ownSettings: settingsAmong(run.session.credentials()),
    ownHeaders: headerNames(run.session.credentials()),
    now: spec.now,
    ...times,
    secondsToEnd: () => Math.max(0, seconds - (performance.now() - began) / 1_000),
    ...(spec.knowledge === undefined ? {} : { knowledge: spec.knowledge }),
  }
  try {
    const work = warded(module.id, () => module.collect(withOthers(run, ctx, launch), known as never))
    const facts = plainJson(await settledOrAbandoned(work, signal))
    if (typeof facts !== 'object' || facts === null) throw new TypeError('the module brought no facts')
    await proven(run, module.id)
    return { outcome: ended({ state: 'completed', reason: null }), facts, error: null }
  } catch (thrown) {
    // The last wall has told of a stray error already.
    const error = thrown instanceof Stray ? thrown.cause : thrown
    const ending = endingOf(error, over.signal.reason)
    if (ending.state !== 'failed' || signal.aborted || !isOurs(error))
      return { outcome: ended(ending), facts: soFar.last(), error }
    const fault =
      thrown instanceof Stray ? faultIdOf(module.id, error) : tellFault(run, module.id, 'its collection', error)
    return { outcome: { ...ended(ending), fault }, facts: soFar.last(), error }
  } finally {
    clearTimeout(timer)
    soFar.close()
    over.abort(new Error('the module has ended'))
    await closed(run, module.id, () => closeBrowsers(browsers))
    await closed(run, module.id, egress.close)
  }
}

const withOthers = (
  run: Run,
  ctx: CollectContext,
  launch: (egress: Egress) => Promise<ModuleBrowser>,
): CollectContext =>
  run.identities.length < 2
    ? ctx
    : {
        ...ctx,
        asOther: otherContexts(run, ctx, async (session, egress) =>
          ofSession(await launch(egress), run, session, egress),
        ),
      }

/** A browser that never started has nothing to close; why it did not is the module's to tell. */
const closeBrowsers = async (browsers: readonly Promise<ModuleBrowser>[]): Promise<void> => {
  const launched = await Promise.all(browsers.map((browser) => browser.catch(() => null)))
  await Promise.all(launched.map((one) => one?.close()))
}

/** What does not close, or not in time, is left to the end of the process: the module's result stands. */
const closed = async (run: Run, module: string, close: () => Promise<void>): Promise<void> => {
  try {
    await within(CLOSING, close(), () => new Error('what the module left open did not close in time'))
  } catch (error) {
    tellFault(run, module, 'closing what it left open', error)
  }
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

/** How often what may write was sent by modules whose requests are decided on at the border, by method and address. */
const TIMES: ScopeKey<Map<string, number>> = { make: () => new Map() }

/** Null for modules that ask as visitors do: they send nothing but GET. The operator's patterns stand in egress itself. */
export const borderOf = (
  { conduct, decides }: Pick<AnyModule, 'conduct' | 'decides'>,
  { target, credentials, options }: Pick<RunSpec, 'target' | 'credentials' | 'options'>,
  scope: RunScope,
): Border | null => {
  if (conduct !== 'active') return null
  const known = { signedIn: hasCredentials(credentials), staff: false, excludes: () => false }
  const around = aroundRun({ target, options }, known)
  return decides ? addressBorder(around) : fullBorder(around, scope.of(TIMES))
}
