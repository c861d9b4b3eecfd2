/** Runs a javascript step: its script in a sandbox, with the modules that a scanner which must not harm can lend. */
import { randomBytes } from 'node:crypto'
import { EgressError } from '../../../egress/door/egress.ts'
import type { Talk } from '../../../protocols/services/talk.ts'
import { functionNamed, functionNames } from '../../language/expression/functions.ts'
import { DslError, type Value } from '../../language/expression/value.ts'
import { ScriptAnswer, ScriptError } from '../../language/script/errors.ts'
import { numberOf, stringOf } from '../../language/script/plain.ts'
import { type Lent, openSandbox, type Sandbox } from '../../language/script/sandbox.ts'
import type { JavascriptStep } from '../../language/template.ts'
import { answerOf, type Executor, type StepRun } from '../executor.ts'
import { isFinal } from '../http/client.ts'
import { hostPortOf } from '../own-host.ts'
import { createNet, type NetParts } from './net.ts'
import { packed } from './pack.ts'
import { callService, refuseModule, SERVICE_MODULES } from './services/index.ts'

/** A script that calls `exit()`. */
class Ended extends Error {}

export const runJavascript: Executor<JavascriptStep> = async (step, run) => {
  let matched = false
  let failure: unknown = null
  let reached = 0
  for (const combination of run.combinations(step.payloads, step.attack)) {
    for (const args of argumentsOf(step)) {
      run.signal.throwIfAborted()
      try {
        matched = (await once({ ...step, args }, run, combination)) || matched
        reached += 1
      } catch (error) {
        // One port of a list that does not answer says nothing about the next.
        if (!(error instanceof EgressError) || isFinal(error)) throw error
        failure = error
      }
      if (matched && (step.stopAtFirstMatch || run.template.stopAtFirstMatch)) return true
    }
  }
  if (reached === 0 && failure !== null) throw failure
  return matched
}

const MOST_PORTS = 10

/** `Port: "80,443"` runs the script for each of them. */
const argumentsOf = ({ args }: JavascriptStep): readonly JavascriptStep['args'][] => {
  const port = args.find(([name]) => name === 'Port')?.[1]
  const list =
    typeof port === 'string' && /^\d+(?:\s*,\s*\d+)+$/.test(port) ? port.split(',').slice(0, MOST_PORTS) : null
  if (list === null) return [args]
  return list.map((one) => args.map(([name, value]) => [name, name === 'Port' ? Number(one) : value] as const))
}

const once = async (step: JavascriptStep, run: StepRun, combination: ReadonlyMap<string, Value>): Promise<boolean> => {
  const opened: Talk[] = []
  const parts: NetParts = { egress: run.egress, opened, place: (host, port) => hostPortOf(run, host, port) }
  const given = { values: valuesOf(step, run, combination), helpers: functionNames(), modules: SERVICE_MODULES }
  try {
    const sandbox = await openSandbox(given, lentTo(run, parts), run.signal)
    if (step.init !== null) await sandbox.run(step.init)
    if (step.preCondition !== null && (await sandbox.run(step.preCondition)) === false) return false
    if (step.code === '') return true
    const { value, success } = await resultOf(sourceOf(step.code, run), sandbox)
    return judged(step, run, combination, sandbox, value, success)
  } finally {
    for (const talk of opened) talk.end()
  }
}

const resultOf = async (code: string, sandbox: Sandbox) => {
  try {
    const value = await sandbox.run(code)
    return { value, success: value !== false && value !== null && value !== undefined }
  } catch (error) {
    // What the service does not do is an answer: no.
    if (error instanceof Ended || error instanceof ScriptAnswer) return { value: undefined, success: false }
    throw error
  }
}

/** Drawn names are written into the text of a script; everything else reaches it as an argument. */
const sourceOf = (code: string, run: StepRun): string =>
  code.replace(/\{\{(randstr(?:_\w{1,20})?)\}\}/g, (_, name: string) => String(run.values.get(name) ?? ''))

/** What the script knows by name. */
const valuesOf = (step: JavascriptStep, run: StepRun, combination: ReadonlyMap<string, Value>) => ({
  ...Object.fromEntries(run.target.variables),
  ...Object.fromEntries(
    step.args.map(([name, value]) => [
      name,
      typeof value === 'number' ? value : asNumber(run.fill(value, (key) => combination.get(key))),
    ]),
  ),
})

const MOST_RANDOM = 1_024

const lentTo = (run: StepRun, parts: NetParts): Lent => {
  const net = createNet(parts)
  const now: Readonly<Record<string, (...args: readonly unknown[]) => unknown>> = {
    helper: (name, ...args) => helper(stringOf(name), args, run),
    random: (count) => randomBytes(Math.min(MOST_RANDOM, Math.max(0, Math.trunc(numberOf(count)) || 0))),
    pack: (format, value) => packed(stringOf(format), value),
    octetsOfHex: (hex) => Buffer.from(stringOf(hex).replace(/\s+/g, ''), 'hex'),
    set: (name, value) => run.values.set(stringOf(name), stringOf(value)),
    isTarget: (host, port) => parts.place(stringOf(host), numberOf(port)) !== undefined,
    require: (name) => refuseModule(stringOf(name)),
    exit: () => {
      throw new Ended()
    },
    'net.send': net.send,
    'net.close': net.close,
  }
  const ask: Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>> = {
    isPortOpen: (host, port) => isOpen(parts, stringOf(host), numberOf(port)),
    'net.open': net.open,
    'net.read': net.read,
  }
  return {
    now: (name, args) => now[name]?.(...args),
    ask: async (name, args) => (Object.hasOwn(ask, name) ? ask[name]?.(...args) : callService(parts, name, args)),
  }
}

/** Ports are written as numbers and as texts. */
const asNumber = (text: string): string | number => (/^\d{1,5}$/.test(text) ? Number(text) : text)

const isOpen = async (parts: NetParts, host: string, port: number): Promise<boolean> => {
  try {
    const stream = await parts.egress.connect({ ...parts.place(host, port), timeout: 2_000 })
    stream.destroy()
    return true
  } catch (error) {
    if (!(error instanceof EgressError) || isFinal(error)) throw error
    return false
  }
}

/** @throws ScriptError for what the function refuses */
const helper = (name: string, args: readonly unknown[], run: StepRun): Value => {
  const known = functionNamed(name)
  const plain = args.map((arg) => (arg instanceof Uint8Array ? stringOf(arg) : (arg ?? null)) as Value)
  try {
    return known === null ? null : known.call(plain, run.functions)
  } catch (error) {
    if (error instanceof DslError) throw new ScriptError(error.message)
    throw error
  }
}

interface State {
  readonly exported: readonly unknown[]
  readonly port?: unknown
}

const judged = (
  step: JavascriptStep,
  run: StepRun,
  combination: ReadonlyMap<string, Value>,
  sandbox: Sandbox,
  value: unknown,
  success: boolean,
): boolean => {
  const { exported, port } = sandbox.state() as State
  const plain = exported.length > 0 ? exported[0] : value
  // A script that came to nothing has nothing to be found in.
  const response = typeof plain === 'string' ? plain : (JSON.stringify(plain ?? undefined, null, 1) ?? '')
  const answer = answerOf(
    // A script that says true or false is asked for that by expressions.
    {
      response: typeof plain === 'boolean' || typeof plain === 'number' ? plain : response,
      success: success || exported.length > 0,
      host: run.target.host,
      type: 'javascript',
    },
    run.text,
    { body: 'response', data: 'response', raw: 'response', all: 'response' },
  )
  const at = { host: run.target.host, port: typeof port === 'number' ? port : run.target.port }
  return run.judge(step.operators, answer, { at, request: step.code, response }, (name) => combination.get(name))
    .matched
}
