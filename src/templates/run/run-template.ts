/** One template against one target: its variables, its steps in order or as its flow says, its results. */
import { sleep } from '../../contract/sleep.ts'
import { type Egress, EgressError } from '../../egress/door/egress.ts'
import type { ModuleBrowser } from '../../modules/browser.ts'
import { endsModule } from '../../modules/faults.ts'
import type { FunctionContext } from '../language/expression/functions.ts'
import { DslError, type Lookup, type Value } from '../language/expression/value.ts'
import { hasMarkers, interpolate } from '../language/interpolate.ts'
import type { Answer } from '../language/match/answer.ts'
import type { Sign } from '../language/match/match.ts'
import { judgeAnswer, type Verdict } from '../language/match/verdict.ts'
import { ScriptAnswer, ScriptError } from '../language/script/errors.ts'
import type { Operators, Step, Template, Variable } from '../language/template.ts'
import { combine } from './combinations.ts'
import {
  type Executor,
  type Shown,
  type SkipKind,
  type StepRun,
  StepSkipped,
  type TemplateTarget,
  type Values,
} from './executor.ts'
import { executorsOf } from './executors.ts'
import { runFlow } from './flow.ts'
import { type Hit, hitOf } from './hit.ts'
import { type HttpClient, isFinal } from './http/client.ts'
import { createCookieJar } from './http/cookies.ts'
import { jarmOf } from './jarm.ts'
import { type Callback, createCallback, type Listener, usesCallback, withCalls } from './out-of-band.ts'
import { createValues } from './values.ts'

/** What all templates of a run share. */
export interface RunParts {
  readonly egress: Egress
  readonly client: HttpClient
  readonly signal: AbortSignal
  readonly browser: () => Promise<ModuleBrowser>
  /** Values that the operator gave (`sonde templates run --var`). */
  readonly given: ReadonlyMap<string, Value>
  /** Lines of a payload file of the catalogue. */
  readonly readList: (file: string) => readonly string[] | null
  readonly listener: Listener | null
  /** JARM fingerprints by `host:port`: each is taken once. */
  readonly jarms?: Map<string, Promise<string>>
}

export interface TemplateOutcome {
  readonly hits: readonly Hit[]
  /** Why it could not be run, null when it was. */
  readonly skipped: string | null
  /** Of what kind that is; null when it was run. */
  readonly skipKind: SkipKind | null
  /** What kept an answer away, null when all came. */
  readonly failed: string | null
  /** What was thrown by a fault of ours; the hits before it stand. */
  readonly broken?: { readonly error: unknown }
  /**
   * Results that depend on a call to our listener or on the answers to others; ask once, when everything has been sent.
   */
  readonly pending: (deadlineMs: number) => Promise<readonly Hit[]>
}

const NOTHING: TemplateOutcome['pending'] = async () => []

/** @throws EgressError only `aborted` and `budget`; everything else is an outcome */
export const runTemplate = async (
  template: Template,
  target: TemplateTarget,
  parts: RunParts,
): Promise<TemplateOutcome> => {
  const hits: Hit[] = []
  const callback = parts.listener ? createCallback(parts.listener, template.id) : null
  const waiting: Waiting[] = []
  const earlier: Sign[] = []
  const values = variablesOf(template, target, parts, callback)
  let wait = 0
  const functions: FunctionContext = {
    wait: (seconds) => {
      wait += seconds * 1_000
    },
    jarm: (address) => fingerprints.get(address.toLowerCase()),
  }
  const fingerprints = new Map<string, string>()
  const http = {
    client: parts.client,
    jar: createCookieJar(),
    pause: async () => {
      const ms = Math.min(wait, 60_000)
      wait = 0
      if (ms > 0) await sleep(ms, parts.signal)
    },
    remember: (answer: Answer) => {
      for (const name of [
        'host',
        'status_code',
        'body',
        'header',
        'response',
        'duration',
        'location',
        'content_type',
      ]) {
        const value = answer.get(name)
        if (value !== undefined) values.set(`http_${current}_${name}`, value)
      }
    },
  }
  let current = 1
  const stops: (() => void)[] = []
  const executors = executorsOf({ ...http, watch: (stop) => stops.push(stop) })
  const recordOf = (step: Step): StepRun =>
    stepRun(step, { template, target, parts, values, functions, hits, waiting, callback, earlier })
  let failed: string | null = null
  let done = 0

  const runStep = async (step: Step): Promise<boolean> => {
    parts.signal.throwIfAborted()
    current = 1 + template.steps.filter(({ protocol }) => protocol === step.protocol).indexOf(step)
    const executor = executors[step.protocol] as Executor
    try {
      if (namesJarm(step)) await takeFingerprint(target, parts, fingerprints)
      const matched = await executor(step, recordOf(step))
      done += 1
      return matched
    } catch (error) {
      if (error instanceof EgressError && error.code === 'excluded') {
        if (done > 0 || hits.length > 0) return false
        throw new StepSkipped('the run leaves its addresses alone, or what it sends may change something', 'policy')
      }
      if (error instanceof EgressError && !isFinal(error)) {
        failed ??= error.message
        return false
      }
      if (error instanceof StepSkipped && done > 0) return false
      throw error
    }
  }

  try {
    if (template.flow !== null) await runFlow(template, runStep, values, parts.signal)
    else {
      for (const step of template.steps) {
        const matched = await runStep(step)
        if (matched && template.stopAtFirstMatch && hits.length > 0) break
      }
    }
    if (stops.length > 0) return watched(hits, stops)
    const pending = callback?.issued() && waiting.length > 0 ? pendingOf(callback, waiting, parts, functions) : NOTHING
    return { hits, skipped: null, skipKind: null, failed, pending }
  } catch (error) {
    if (endsModule(error, parts.signal)) throw error
    const notRun = notRunOf(error)
    const broken = notRun === 'ours' ? { broken: { error } } : {}
    const { reason, kind } = notRun === null || notRun === 'ours' ? { reason: null, kind: null } : notRun
    return { hits, skipped: reason, skipKind: kind, failed, ...broken, pending: NOTHING }
  }
}

/** What looks at every answer has its results when all have come: each finding where it was first. */
const watched = (hits: readonly Hit[], stops: readonly (() => void)[]): TemplateOutcome => ({
  hits: [],
  skipped: null,
  skipKind: null,
  failed: null,
  pending: async () => {
    for (const stop of stops) stop()
    const keyOf = ({ name, extracted }: Hit): string => JSON.stringify([name, extracted])
    return [...new Map(hits.toReversed().map((hit) => [keyOf(hit), hit])).values()].toReversed()
  },
})

/** Null where the template ran and a script of it came to nothing; 'ours' where it is no matter of the template. */
const notRunOf = (error: unknown): { readonly reason: string; readonly kind: SkipKind } | 'ours' | null => {
  if (error instanceof StepSkipped) return { reason: error.message, kind: error.kind }
  if (error instanceof ScriptAnswer) return null
  if (error instanceof ScriptError) return { reason: error.message, kind: 'unsupported' }
  if (error instanceof DslError) return { reason: error.message, kind: 'defect' }
  return 'ours'
}

interface Waiting {
  readonly operators: Operators
  readonly answer: Answer
  readonly shown: Shown
  readonly lookup: Lookup
}

const pendingOf =
  (callback: Callback, waiting: readonly Waiting[], parts: RunParts, functions: FunctionContext) =>
  async (deadlineMs: number): Promise<readonly Hit[]> => {
    const found: Hit[] = []
    await callback.calls(deadlineMs, (calls) => {
      for (const { operators, answer, shown, lookup } of waiting) {
        const seen = withCalls(answer, calls, callback.host(), parts.client.text)
        const verdict = judgeAnswer(operators, seen, lookup, functions)
        if (found.length === 0 && verdict.reported) found.push(hitOf(verdict, shown, true))
      }
      return found.length > 0
    })
    return found
  }

/** The template's variables are evaluated once where they can be, and when they are asked for where they cannot yet. */
const variablesOf = (
  template: Template,
  target: TemplateTarget,
  parts: RunParts,
  callback: Callback | null,
): Values => {
  const fixed = new Map<string, Value>()
  const late = new Map<string, string>()
  const values = createValues(target, fixed)
  const evaluating = new Set<string>()
  const get: Lookup = (name) => {
    if (callback !== null && (name === 'interactsh-url' || name === 'interactsh_url')) return callback.name()
    const known = values.get(name)
    const source = late.get(name)
    if (known !== undefined || source === undefined || evaluating.has(name)) return known
    evaluating.add(name)
    try {
      return resolved(source, get)
    } finally {
      evaluating.delete(name)
    }
  }
  const define = (list: Template['variables'], into: (name: string, value: Value) => void): void => {
    for (const [name, written] of list) {
      if (isList(written)) {
        into(
          name,
          written.map((item) => (typeof item === 'string' ? (resolved(item, get) ?? item) : item)),
        )
        continue
      }
      const value = typeof written === 'string' && hasMarkers(written) ? resolved(written, get) : literal(written)
      if (value === undefined) late.set(name, String(written))
      else into(name, value)
    }
  }
  define(template.variables, values.set)
  define(template.constants, (name, value) => fixed.set(name, value))
  // What the operator gives is over the template's variables, and under its constants.
  for (const [name, value] of parts.given) values.set(name, value)
  return { get, set: values.set }
}

const isList = (written: Variable[1]): written is Exclude<Variable[1], string | number | boolean> =>
  typeof written === 'object'

const literal = (written: string | number | boolean): Value =>
  typeof written === 'string' ? interpolate(written, () => undefined).text : written

const resolved = (source: string, lookup: Lookup): Value | undefined => {
  try {
    const { text, unresolved } = interpolate(source, lookup)
    return unresolved.length > 0 ? undefined : text
  } catch (error) {
    if (error instanceof DslError) return undefined
    throw error
  }
}

const namesJarm = (step: Step): boolean => JSON.stringify(step.operators).includes('jarm(')

/** Of the target alone, under every way in which templates write its address. */
const takeFingerprint = async (
  { host, port }: TemplateTarget,
  { egress, jarms = new Map() }: RunParts,
  known: Map<string, string>,
): Promise<void> => {
  const address = `${host}:${port}`
  const taken = jarms.get(address) ?? jarmOf(egress, { host, port })
  jarms.set(address, taken)
  const value = await taken
  for (const written of [address, host]) known.set(written.toLowerCase(), value)
}

interface Recording {
  readonly template: Template
  readonly target: TemplateTarget
  readonly parts: RunParts
  readonly values: Values
  readonly functions: FunctionContext
  readonly hits: Hit[]
  readonly waiting: Waiting[]
  readonly callback: Callback | null
  /** What internal matchers of a flow's earlier steps were held by. */
  readonly earlier: Sign[]
}

const withEarlier = (verdict: Verdict, earlier: readonly Sign[]): Verdict =>
  earlier.length === 0 ? verdict : { ...verdict, signs: [...verdict.signs, ...earlier] }

const MOST_HITS = 200

const stepRun = (step: Step, all: Recording): StepRun => {
  const { template, target, parts, values, functions, hits, waiting, callback, earlier } = all
  const lenient = step.protocol === 'http' && step.skipVariablesCheck
  const fill = (text: string, extra?: Lookup): string => {
    const lookup: Lookup = (name) => extra?.(name) ?? values.get(name)
    try {
      const { text: filled, unresolved } = interpolate(text, lookup, functions)
      if (unresolved.length === 0 || lenient) return filled
      throw new StepSkipped(`nothing is known for ${[...new Set(unresolved)].join(', ').slice(0, 200)}`, 'value')
    } catch (error) {
      if (error instanceof DslError) throw new StepSkipped(error.message, 'defect')
      throw error
    }
  }
  return {
    template,
    target,
    egress: parts.egress,
    signal: parts.signal,
    values,
    functions,
    fill,
    text: parts.client.text,
    browser: parts.browser,
    combinations: (payloads, attack) => {
      const lists = payloads.map(([name, list]) => {
        const lines = 'file' in list ? parts.readList(list.file) : list
        if (lines === null) throw new StepSkipped(`the list of ${name} cannot be read`, 'absent')
        return [name, lines.map((value) => (hasMarkers(value) ? filledPayload(value, values.get) : value))] as const
      })
      return combine(lists, attack)
    },
    test: (operators, answer) => judgeAnswer(operators, answer, values.get, functions).matched,
    judge: (operators, answer, shown, extra) => {
      const lookup: Lookup = (name) => extra?.(name) ?? values.get(name)
      const verdict = judgeAnswer(operators, answer, lookup, functions)
      // A gate of a flow reports nothing, and what it saw is part of the proof that follows.
      if (template.flow !== null && verdict.matched && !verdict.reported) earlier.push(...verdict.signs)
      for (const [name, found] of verdict.dynamic) values.set(name, found.length === 1 ? (found[0] ?? '') : found)
      for (const { name, values: found } of verdict.extracted) {
        if (name !== '') values.set(name, found.length === 1 ? (found[0] ?? '') : found)
      }
      if (verdict.reported && hits.length < MOST_HITS) hits.push(hitOf(withEarlier(verdict, earlier), shown))
      else if (!verdict.reported && callback?.issued() && usesCallback(operators)) {
        waiting.push({ operators, answer, shown, lookup })
      }
      return verdict
    },
  }
}

const filledPayload = (value: string, lookup: Lookup): string => {
  const filled = resolved(value, lookup)
  return filled === undefined ? value : Buffer.from(String(filled), 'latin1').toString('utf8')
}
