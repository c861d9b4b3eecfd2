/** Runs an http step: requests in order, each answer judged on every hop, what was extracted fed to the next. */
import type { Value } from '../../language/expression/value.ts'
import { hasMarkers, namesOf } from '../../language/interpolate.ts'
import type { Text } from '../../language/match/text.ts'
import type { Verdict } from '../../language/match/verdict.ts'
import type { HttpStep } from '../../language/template.ts'
import { type Executor, type StepRun, StepSkipped } from '../executor.ts'
import { answerOfReply, type HttpAnswer, requestText, withHistory } from './answer.ts'
import { buildRequest, type Draft, draftsOf } from './build.ts'
import { type HttpClient, isFinal, type Reply } from './client.ts'
import type { CookieJar } from './cookies.ts'
import { withDigest } from './digest.ts'
import { sendFollowing } from './redirects.ts'
import { type HttpSpec, replayOf } from './request.ts'

/** What http steps of one template share. */
export interface HttpParts {
  readonly client: HttpClient
  /** One jar a template, null where the template wants none. */
  readonly jar: CookieJar
  /** Waits that a function asked for; milliseconds. */
  readonly pause: () => Promise<void>
  /** Records what later steps may name `http_2_body`. */
  readonly remember: (answer: HttpAnswer) => void
  /** Told how to end a step that looks at every answer of the run. */
  readonly watch: (stop: () => void) => void
}

/** Values of one name that a request is repeated for (`iterate-all`). */
const MOST_REPEATS = 50

export const createHttpExecutor =
  (parts: HttpParts): Executor<HttpStep> =>
  async (step, run) => {
    if (step.global) {
      parts.watch(watchAnswers(step, run, parts.client).stop)
      return false
    }
    const { digest } = step
    const client =
      digest === null
        ? parts.client
        : withDigest(parts.client, { username: run.fill(digest.username), password: run.fill(digest.password) })
    const drafts = draftsOf(step)
    let matched = step.operators.matchers.length + step.operators.extractors.length === 0
    let first = true
    for (const combination of run.combinations(step.payloads, step.attack)) {
      const state: BlockState = { history: new Map(), matched: false, sent: 0, jar: step.cookieJar ? parts.jar : null }
      for (const draft of drafts) {
        run.signal.throwIfAborted()
        if (draft.annotations.once && !first) continue
        const stopped = await sendDraft(draft, step, run, combination, state, { ...parts, client })
        if (stopped) break
        if (state.matched && (step.stopAtFirstMatch || run.template.stopAtFirstMatch)) break
      }
      first = false
      matched ||= state.matched
      if (state.matched && (step.stopAtFirstMatch || run.template.stopAtFirstMatch)) break
    }
    return matched
  }

interface BlockState {
  readonly history: Map<number, HttpAnswer>
  readonly jar: CookieJar | null
  matched: boolean
  sent: number
}

/** True where the rest of the block makes no sense: something it needs is unknown, or the target does not answer. */
const sendDraft = async (
  draft: Draft,
  step: HttpStep,
  run: StepRun,
  combination: ReadonlyMap<string, Value>,
  state: BlockState,
  parts: HttpParts,
): Promise<boolean> => {
  for (const extra of repeats(draft, step, run, combination)) {
    let spec: HttpSpec
    try {
      spec = buildRequest(draft, step, run, extra)
    } catch (error) {
      // Missing from the start is a setting that is not there; later it is what an answer did not hold.
      if (error instanceof StepSkipped && state.sent > 0) return true
      throw error
    }
    if (step.preCondition !== null && !preConditionHolds(step, spec, run)) return true
    await parts.pause()
    try {
      const hops = await sendFollowing(spec, step, parts.client, state.jar, isTimed(step))
      state.sent += 1
      if (judgeHops(hops, draft, step, run, extra, state, parts)) state.matched = true
    } catch (error) {
      if (isFinal(error) || state.sent === 0) throw error
      return true
    }
    if (state.matched && step.stopAtFirstMatch) return false
  }
  return false
}

/** Answers of requests that are timed are not shared: the time is this one's own. */
const isTimed = (step: HttpStep): boolean =>
  step.operators.matchers.some(
    (matcher) => matcher.type === 'dsl' && matcher.expressions.some((expression) => /\bduration/.test(expression)),
  )

/** With `iterate-all`, once for each value of each list that the request names; else the payload's combination alone. */
function* repeats(
  draft: Draft,
  step: HttpStep,
  run: StepRun,
  combination: ReadonlyMap<string, Value>,
): Generator<ReadonlyMap<string, Value>> {
  const text = `${draft.path ?? ''}\n${draft.raw ?? ''}`
  const lists = hasMarkers(text)
    ? [...new Set(namesOf(text))].flatMap((name) => {
        const value = combination.has(name) ? undefined : run.values.get(name)
        return Array.isArray(value) ? [[name, value as readonly Value[]] as const] : []
      })
    : []
  if (!step.iterateAll || lists.length === 0) {
    yield new Map([...combination, ...lists.map(([name, values]) => [name, values[0] ?? ''] as const)])
    return
  }
  let count = 0
  for (const [name, values] of lists) {
    for (const value of values) if (count++ < MOST_REPEATS) yield new Map([...combination, [name, value]])
  }
}

const preConditionHolds = (step: HttpStep, spec: HttpSpec, run: StepRun): boolean => {
  if (step.preCondition === null) return true
  const values: Readonly<Record<string, Value>> = {
    method: spec.method,
    path: spec.target.split('?')[0] ?? '',
    query: spec.target.split('?')[1] ?? '',
    body: spec.body ?? '',
    header: spec.headers.map(([name, value]) => `${name}: ${value}\r\n`).join(''),
    request: requestText(spec),
  }
  const answer = {
    get: (name: string) => (Object.hasOwn(values, name) ? values[name] : undefined),
    text: (part: string) => {
      const value = Object.hasOwn(values, part) ? values[part] : undefined
      return typeof value === 'string' ? run.text(value) : undefined
    },
  }
  return run.test(step.preCondition, answer)
}

const judgeHops = (
  hops: Awaited<ReturnType<typeof sendFollowing>>,
  draft: Draft,
  step: HttpStep,
  run: StepRun,
  extra: ReadonlyMap<string, Value>,
  state: BlockState,
  parts: HttpParts,
): boolean => {
  const answers = hops.map((reply) =>
    answerOfReply(reply, parts.client.text, step.maxSize, run.target.variables.get('Hostname') ?? run.target.host),
  )
  const last = answers.at(-1)
  if (last === undefined) return false
  state.history.set(draft.number, last)
  parts.remember(last)
  let matched = false
  for (const answer of answers.toReversed()) {
    const seen = withHistory(answer, state.history)
    const { spec, status } = answer.reply
    const verdict: Verdict = run.judge(
      step.operators,
      seen,
      {
        at: { url: spec.origin + spec.target, ...(spec.method === 'GET' ? {} : { method: spec.method }) },
        request: requestText(spec),
        response: answer.head + answer.reply.body.bytes,
        http: { command: replayOf(spec), status, target: spec.target, spec },
      },
      (name) => extra.get(name),
    )
    matched ||= verdict.matched
    if (verdict.matched && (step.stopAtFirstMatch || step.operators.matchers.length > 0)) break
  }
  return matched
}

/** Milliseconds of judging for one template of a run; hundreds of patterns meet every page of a site. */
const MOST_JUDGING = 20_000

/** Watches until `stop`. Equal bodies are judged once where the operators look at bodies alone. */
export const watchAnswers = (step: HttpStep, run: StepRun, client: HttpClient): { readonly stop: () => void } => {
  const { matchers, extractors } = step.operators
  const ofBodies = [...matchers, ...extractors].every(({ part }) => part === 'body')
  const seen = new WeakSet<Text>()
  let spent = 0
  return {
    stop: client.observe((reply: Reply) => {
      if (spent > MOST_JUDGING || (ofBodies && seen.has(reply.body))) return
      seen.add(reply.body)
      const began = performance.now()
      const answer = answerOfReply(reply, run.text, step.maxSize, run.target.host)
      const { spec, status } = reply
      run.judge(step.operators, answer, {
        at: { url: spec.origin + spec.target, ...(spec.method === 'GET' ? {} : { method: spec.method }) },
        request: requestText(spec),
        response: answer.head + reply.body.bytes,
        http: { command: replayOf(spec), status, target: spec.target, spec },
      })
      spent += performance.now() - began
    }),
  }
}
