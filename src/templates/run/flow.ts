/** `flow`: a small script that says which steps run when. */
import type * as acorn from 'acorn'
import type { Value } from '../language/expression/value.ts'
import { commonGlobals } from '../language/script/globals.ts'
import { parseScript, runScript } from '../language/script/interpreter.ts'
import {
  functionOf,
  plainValue,
  ScriptError,
  type ScriptValue,
  scriptValue,
  stringOf,
} from '../language/script/value.ts'
import type { Step, Template } from '../language/template.ts'
import { StepSkipped, type Values } from './executor.ts'

const PROTOCOLS = ['http', 'dns', 'ssl', 'tcp', 'network', 'headless', 'javascript', 'code'] as const
/** Steps that one flow may start: a loop over a page's links ends somewhere. */
const MOST_STARTS = 200

const parsed = new Map<string, acorn.Program>()

/** @throws ScriptError, and what a step throws */
export const runFlow = async (
  template: Template,
  runStep: (step: Step) => Promise<boolean>,
  values: Values,
  signal: AbortSignal,
): Promise<void> => {
  const source = template.flow ?? ''
  const program = parsed.get(source) ?? parseScript(source)
  if (parsed.size < 5_000) parsed.set(source, program)
  const members = new Members(values)
  let starts = 0
  const start =
    (protocol: string) =>
    async (args: readonly ScriptValue[]): Promise<boolean> => {
      const steps = template.steps.filter((step) => step.protocol === protocol)
      const chosen = args.length === 0 ? steps : args.flatMap((arg) => chosenOf(steps, arg) ?? [])
      if (chosen.length === 0) {
        throw new StepSkipped(`there is no ${protocol}(${args.map(stringOf).join(', ')})`, 'defect')
      }
      let matched = true
      for (const step of chosen) {
        if (++starts > MOST_STARTS) throw new ScriptError(`a flow may start ${MOST_STARTS} steps`)
        if (!(await runStep(step))) matched = false
      }
      return matched
    }
  const globals = commonGlobals(() => undefined)
  for (const protocol of PROTOCOLS) {
    globals.set(protocol, functionOf(start(protocol === 'network' ? 'tcp' : protocol)))
  }
  globals.set('template', { kind: 'object', members })
  globals.set(
    'set',
    functionOf(([name, value]) => {
      values.set(stringOf(name), asValue(value))
      return undefined
    }),
  )
  globals.set(
    'iterate',
    functionOf((args) =>
      args.flatMap((arg) => (Array.isArray(arg) ? arg : arg === undefined || arg === null ? [] : [arg])),
    ),
  )
  await runScript(program, globals, { signal })
}

const chosenOf = (steps: readonly Step[], arg: ScriptValue): Step | undefined =>
  typeof arg === 'number' ? steps[arg - 1] : steps.find(({ id }) => id === stringOf(arg))

const asValue = (value: ScriptValue): Value => {
  const plain = plainValue(value)
  if (typeof plain === 'string' || typeof plain === 'number' || typeof plain === 'boolean') return plain
  if (Array.isArray(plain)) return plain.map((item) => (typeof item === 'number' ? item : String(item)))
  return plain === null || plain === undefined ? null : JSON.stringify(plain)
}

/** `template.x` is what is known under that name now. */
class Members extends Map<string, ScriptValue> {
  private readonly known: Values

  constructor(values: Values) {
    super()
    this.known = values
  }

  override get(name: string): ScriptValue {
    const value = this.known.get(name)
    return value === undefined ? super.get(name) : scriptValue(value)
  }

  override has(name: string): boolean {
    return this.get(name) !== undefined
  }
}
