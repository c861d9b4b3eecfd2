/** Runs a javascript step: its script in our interpreter, with the modules that a scanner which must not harm can lend. */
import { randomBytes, randomInt } from 'node:crypto'
import { EgressError } from '../../../egress/door/egress.ts'
import type { Talk } from '../../../protocols/services/talk.ts'
import { functionNamed, functionNames } from '../../language/expression/functions.ts'
import { DslError, type Value } from '../../language/expression/value.ts'
import { commonGlobals } from '../../language/script/globals.ts'
import { parseScript, runScript } from '../../language/script/interpreter.ts'
import {
  functionOf,
  numberOf,
  objectOf,
  plainValue,
  ScriptAnswer,
  ScriptError,
  type ScriptValue,
  scriptValue,
  stringOf,
} from '../../language/script/value.ts'
import type { JavascriptStep } from '../../language/template.ts'
import { answerOf, type Executor, type StepRun, StepSkipped } from '../executor.ts'
import { isFinal } from '../http/client.ts'
import { placeOf } from '../own-host.ts'
import { bytesModule } from './bytes.ts'
import { type NetParts, netModule } from './net.ts'
import { REFUSED, serviceModule } from './services/index.ts'

/** Steps of the interpreter for one script. */
const MOST_STEPS = 100_000

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
  const parts: NetParts = { egress: run.egress, opened, place: (host, port) => placeOf(run, host, port) }
  const globals = globalsOf(step, run, combination, parts)
  try {
    for (const source of [step.init, step.preCondition]) {
      if (source === null) continue
      const holds = await runScript(parseScript(source), globals, { steps: MOST_STEPS, signal: run.signal })
      if (source === step.preCondition && holds === false) return false
    }
    if (step.code === '') return true
    const { value, success } = await resultOf(sourceOf(step.code, run), globals, run)
    return judged(step, run, combination, globals, value, success)
  } finally {
    for (const talk of opened) talk.end()
  }
}

const resultOf = async (code: string, globals: Map<string, ScriptValue>, run: StepRun) => {
  try {
    const value = await runScript(parseScript(code), globals, { steps: MOST_STEPS, signal: run.signal })
    return { value, success: value !== false && value !== null && value !== undefined }
  } catch (error) {
    if (error instanceof Ended) return { value: undefined, success: false }
    // What the service does not do is an answer: no.
    if (error instanceof ScriptAnswer) return { value: undefined, success: false }
    throw error
  }
}

/** Drawn names are written into the text of a script; everything else reaches it as an argument. */
const sourceOf = (code: string, run: StepRun): string =>
  code.replace(/\{\{(randstr(?:_\w{1,20})?)\}\}/g, (_, name: string) => String(run.values.get(name) ?? ''))

const EXPORTED = 'export'

const globalsOf = (
  step: JavascriptStep,
  run: StepRun,
  combination: ReadonlyMap<string, Value>,
  parts: NetParts,
): Map<string, ScriptValue> => {
  const globals = commonGlobals(() => undefined)
  for (const name of functionNames()) {
    globals.set(
      name,
      functionOf((args) => scriptValue(helper(name, args, run))),
    )
  }
  globals.set(
    'to_json',
    functionOf(([value]) => JSON.stringify(plainValue(value), null, 1) ?? ''),
  )
  globals.set(
    'ToString',
    functionOf(([value]) => stringOf(value)),
  )
  globals.set(
    'ToBytes',
    functionOf(([value]) => Buffer.from(stringOf(value), 'latin1')),
  )
  globals.set(
    'to_array',
    functionOf(([value]) => (Array.isArray(value) ? value : [value])),
  )
  globals.set(
    'Rand',
    functionOf(([count]) => new Uint8Array(randomBytes(Math.min(1_024, Math.max(0, Math.trunc(numberOf(count))))))),
  )
  globals.set(
    'RandInt',
    functionOf(() => randomInt(2 ** 31)),
  )
  globals.set(
    'Export',
    functionOf((values) => {
      const value = values.length > 1 ? values.map((one) => stringOf(one ?? '')).join('') : values[0]
      globals.set(EXPORTED, value)
      return value ?? null
    }),
  )
  globals.set(
    'ExportAs',
    functionOf(([name, value]) => {
      globals.set(stringOf(name), value)
      run.values.set(stringOf(name), stringOf(value ?? ''))
      return value ?? null
    }),
  )
  // A socket of UDP is open for whoever sends; only an answer tells more, and the script waits for that itself.
  globals.set(
    'isUDPPortOpen',
    functionOf(([host, port]) => {
      parts.place(stringOf(host), numberOf(port) || Number(stringOf(port)))
      return true
    }),
  )
  globals.set(
    'getNetworkPort',
    functionOf(([port, fallback]) => (/^(?:80|443|8080|8443|8081|53)$/.test(stringOf(port)) ? fallback : port)),
  )
  globals.set('process', objectOf({ exit: functionOf(ended) }))
  globals.set('exit', functionOf(ended))
  globals.set(
    'isPortOpen',
    functionOf(([host, port]) => isOpen(parts, stringOf(host), numberOf(port) || Number(stringOf(port)))),
  )
  globals.set(
    'require',
    functionOf(([name]) => moduleNamed(stringOf(name), parts)),
  )
  globals.set('bytes', bytesModule())
  for (const [name, value] of step.args) {
    globals.set(name, typeof value === 'number' ? value : asNumber(run.fill(value, (key) => combination.get(key))))
  }
  for (const [name, value] of run.target.variables) if (!globals.has(name)) globals.set(name, value)
  return globals
}

const ended = (): never => {
  throw new Ended()
}

/** Ports are written as numbers and as texts. */
const asNumber = (text: string): ScriptValue => (/^\d{1,5}$/.test(text) ? Number(text) : text)

const moduleNamed = (name: string, parts: NetParts): ScriptValue => {
  if (name === 'nuclei/net') return netModule(parts)
  if (name === 'nuclei/bytes' || name === 'nuclei/structs') return bytesModule()
  const known = serviceModule(name, parts)
  if (known !== null) return known
  const refused = Object.entries(REFUSED).find(([id]) => name === `nuclei/${id}`)?.[1]
  if (refused !== undefined) throw new StepSkipped(`the module ${name} is not offered: it ${refused.why}`, refused.kind)
  throw new StepSkipped(`the module ${name.slice(0, 40)} is not offered to scripts`, 'unsupported')
}

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

const helper = (name: string, args: readonly ScriptValue[], run: StepRun): Value => {
  const known = functionNamed(name)
  try {
    return known === null
      ? null
      : known.call(
          args.map((arg) => plainValue(arg) as Value),
          run.functions,
        )
  } catch (error) {
    if (error instanceof DslError) throw new ScriptError(error.message)
    throw error
  }
}

const judged = (
  step: JavascriptStep,
  run: StepRun,
  combination: ReadonlyMap<string, Value>,
  globals: ReadonlyMap<string, ScriptValue>,
  value: ScriptValue,
  success: boolean,
): boolean => {
  const exported = globals.has(EXPORTED) ? globals.get(EXPORTED) : value
  const plain = plainValue(exported)
  // A script that came to nothing has nothing to be found in.
  const response = typeof plain === 'string' ? plain : (JSON.stringify(plain ?? undefined, null, 1) ?? '')
  const port = globals.get('Port')
  const answer = answerOf(
    // A script that says true or false is asked for that by expressions.
    {
      response: typeof plain === 'boolean' || typeof plain === 'number' ? plain : response,
      success: success || globals.has(EXPORTED),
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
